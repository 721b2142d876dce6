import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { createFirm, type Firm, tenantOf } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { type AllPools, createPools } from './pools.ts';
import { prepareSelect } from './prepared-select.ts';
import { changeAs, readAs, readSnapshotAs, type TenantScope } from './tenant-scope.ts';

let test: TestApp;
let pools: AllPools;
let ours: Firm;
let theirs: Firm;

/** A single connection, so that every scope gets the one that another company used before. */
beforeAll(async () => {
  test = await startTestApp();
  pools = createPools(test.logins, 1, () => undefined);
  return () => pools.end();
});

beforeEach(async () => {
  [ours, theirs] = [await createFirm(test, 'Ours'), await createFirm(test, 'Theirs')];
  await insertCustomers(test, ours.companyId, [{ name: 'Our customer' }]);
  await insertCustomers(test, theirs.companyId, [{ name: 'Their customer' }]);
});

/** A careless statement that names no company. */
const names = async ({ db }: TenantScope) =>
  (await db.execute<{ name: string }>(sql`select name from customers order by name`)).rows.map((row) => row.name);

const rename = ({ db }: TenantScope, name: string) => db.execute(sql`update customers set name = ${name}`);
const read = (firm: Firm) => readAs(pools.app, tenantOf(firm), names);

describe('a connection used before by another company', () => {
  it('shows only the company it serves now, on every read', async () => {
    for (const [firm, seen] of [
      [ours, 'Our customer'],
      [theirs, 'Their customer'],
      [theirs, 'Their customer'],
      [ours, 'Our customer'],
    ] as const) {
      expect(await read(firm)).toEqual([seen]);
    }
  });

  it('changes only the company it serves now', async () => {
    await changeAs(pools.app, tenantOf(ours), (scope) => rename(scope, 'Renamed'));
    expect([await read(ours), await read(theirs)]).toEqual([['Renamed'], ['Their customer']]);
  });

  it('runs a prepared statement for the company it serves now', async () => {
    const nameSelect = prepareSelect('test.names', { name: sql<string>`name` }, (select) => select.from(sql`customers`));
    const prepared = async (scope: TenantScope) => (await scope.run(nameSelect, {})).map((row) => row.name);
    for (const [firm, seen] of [
      [ours, 'Our customer'],
      [theirs, 'Their customer'],
    ] as const) {
      expect(await readAs(pools.app, tenantOf(firm), prepared)).toEqual([seen]);
    }
  });

  it('serves concurrent calls of both, each with its own data', async () => {
    const seen = await Promise.all(Array.from({ length: 20 }, (_, index) => read(index % 2 ? ours : theirs)));
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => [index % 2 ? 'Our customer' : 'Their customer']));
  });
});

describe('a change', () => {
  it('that throws changes nothing, and the connection stays usable', async () => {
    const change = changeAs(pools.app, tenantOf(ours), async (scope) => {
      await rename(scope, 'Renamed');
      throw new Error('changed my mind');
    });
    await expect(change).rejects.toThrow('changed my mind');
    expect([await read(ours), await read(theirs)]).toEqual([['Our customer'], ['Their customer']]);
  });

  it('that PostgreSQL refuses changes nothing, and the connection stays usable', async () => {
    const change = changeAs(pools.app, tenantOf(ours), async (scope) => {
      await rename(scope, 'Renamed');
      await scope.db.execute(sql`select 1 / 0`);
    });
    await expect(change).rejects.toMatchObject({ cause: { code: '22012' } });
    await changeAs(pools.app, tenantOf(theirs), (scope) => rename(scope, 'Theirs, renamed'));
    expect([await read(ours), await read(theirs)]).toEqual([['Our customer'], ['Theirs, renamed']]);
  });

  it('that writes into another company is refused', async () => {
    const change = changeAs(pools.app, tenantOf(ours), ({ db }) => db.execute(sql`update customers set company_id = ${theirs.companyId}`));
    await expect(change).rejects.toMatchObject({ cause: { code: '42501' } });
    expect([await read(ours), await read(theirs)]).toEqual([['Our customer'], ['Their customer']]);
  });

  it('that loses its connection changes nothing, and the next one gets a new connection', async () => {
    const change = changeAs(pools.app, tenantOf(ours), async (scope) => {
      await rename(scope, 'Renamed');
      await scope.db.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
    });
    await expect(change).rejects.toThrow(/pg_terminate_backend|terminat/i);
    expect([await read(theirs), await read(ours)]).toEqual([['Their customer'], ['Our customer']]);
  });

  it('is invisible to others until it is committed', async () => {
    await changeAs(pools.app, tenantOf(ours), async (scope) => {
      await rename(scope, 'Renamed');
      const { rows } = await ours.people.admin.client.customers.list({});
      expect(rows.map((row) => row.name)).toEqual(['Our customer']);
    });
    expect(await read(ours)).toEqual(['Renamed']);
  });
});

describe('a company that needs more connections than there are', () => {
  it('gets half of them and waits for the rest, while another company is served at once', async () => {
    const four = createPools(test.logins, 4, () => undefined);
    const gate = Promise.withResolvers<void>();
    let atWork = 0;
    const busy = Array.from({ length: 10 }, () =>
      readAs(four.app, tenantOf(ours), async (scope) => {
        atWork += 1;
        await gate.promise;
        return names(scope);
      }),
    );
    expect(await Promise.all([1, 2, 3].map(() => readAs(four.app, tenantOf(theirs), names)))).toEqual(
      Array.from({ length: 3 }, () => ['Their customer']),
    );
    await expect.poll(() => atWork).toBe(2);
    gate.resolve();
    expect(await Promise.all(busy)).toEqual(Array.from({ length: 10 }, () => ['Our customer']));
    await four.end();
  });

  it('frees the connections of failed calls', async () => {
    const four = createPools(test.logins, 4, () => undefined);
    const failing = Array.from({ length: 10 }, () =>
      changeAs(four.app, tenantOf(ours), () => Promise.reject(new Error('changed my mind'))),
    );
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'rejected'));
    expect(await readAs(four.app, tenantOf(ours), names)).toEqual(['Our customer']);
    await four.end();
  });
});

it('reads of one moment see no change that is made meanwhile, and change nothing', async () => {
  const seen = await readSnapshotAs(pools.app, tenantOf(ours), async (scope) => {
    const before = await names(scope);
    await insertCustomers(test, ours.companyId, [{ name: 'Added meanwhile' }]);
    return [before, await names(scope)];
  });
  expect(seen).toEqual([['Our customer'], ['Our customer']]);
  expect(await read(ours)).toEqual(['Added meanwhile', 'Our customer']);
  await expect(readSnapshotAs(pools.app, tenantOf(ours), (scope) => rename(scope, 'Renamed'))).rejects.toMatchObject({
    cause: { code: '25006' },
  });
  expect(await read(theirs)).toEqual(['Their customer']);
});
