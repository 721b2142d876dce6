import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { createFirm, type Firm, toTenant } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { queryForCompany } from './company-query.ts';
import { mintTenant } from './mint-tenant.ts';
import { type AllPools, createPools } from './pools.ts';
import { prepareSelect } from './prepared-select.ts';
import { runTenantQuery, runTenantSnapshot, runTenantTransaction, type TenantScope } from './tenant-scope.ts';

let test: TestApp;
let pools: AllPools;
let ours: Firm;
let theirs: Firm;

/** The pool has a single connection, so every scope gets a connection that another company has used before. */
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

/** Simulates a query that forgot its company condition. */
const listNames = async ({ db }: TenantScope) =>
  (await db.execute<{ name: string }>(sql`select name from customers order by name`)).rows.map((row) => row.name);

const renameCustomers = ({ db }: TenantScope, name: string) => db.execute(sql`update customers set name = ${name}`);
const readNames = (firm: Firm) => runTenantQuery(pools.app, toTenant(firm), listNames);

describe('a connection that another company has used before', () => {
  it('reads only its current company’s data', async () => {
    for (const [firm, seen] of [
      [ours, 'Our customer'],
      [theirs, 'Their customer'],
      [theirs, 'Their customer'],
      [ours, 'Our customer'],
    ] as const) {
      expect(await readNames(firm)).toEqual([seen]);
    }
  });

  it('changes only its current company’s data', async () => {
    await runTenantTransaction(pools.app, toTenant(ours), (scope) => renameCustomers(scope, 'Renamed'));
    expect([await readNames(ours), await readNames(theirs)]).toEqual([['Renamed'], ['Their customer']]);
  });

  it('runs a prepared statement for its current company', async () => {
    const nameSelect = prepareSelect('test.names', { name: sql<string>`name` }, (select) => select.from(sql`customers`));
    const prepared = async (scope: TenantScope) => (await scope.run(nameSelect, {})).map((row) => row.name);
    for (const [firm, seen] of [
      [ours, 'Our customer'],
      [theirs, 'Their customer'],
    ] as const) {
      expect(await runTenantQuery(pools.app, toTenant(firm), prepared)).toEqual([seen]);
    }
  });

  it('keeps no company after a read, a failed read or a transaction', async () => {
    await readNames(ours);
    await expect(runTenantQuery(pools.app, toTenant(ours), ({ db }) => db.execute(sql`select 1 / 0`))).rejects.toMatchObject({
      cause: { code: '22012' },
    });
    await runTenantSnapshot(pools.app, toTenant(ours), listNames);
    await runTenantTransaction(pools.app, toTenant(ours), listNames);
    const readCompany = `select current_setting('app.company_id', true) as company`;
    expect((await pools.app.query(readCompany)).rows).toEqual([{ company: '' }]);
    await expect(pools.app.query('select from customers')).rejects.toMatchObject({ code: '22P02' });
  });

  it('serves concurrent calls from both companies, each with its own data', async () => {
    const seen = await Promise.all(Array.from({ length: 20 }, (_, index) => readNames(index % 2 ? ours : theirs)));
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => [index % 2 ? 'Our customer' : 'Their customer']));
  });
});

describe('without named statements, for poolers that lack them', () => {
  it('runs the same reads and transactions, and prepares nothing on the connection', async () => {
    const unnamed = createPools(test.logins, 1, () => undefined, { usesNamedStatements: false });
    const namesSelect = prepareSelect('test.unnamed', { name: sql<string>`name` }, (select) => select.from(sql`customers`));
    const readPrepared = async (scope: TenantScope) => (await scope.run(namesSelect, {})).map((row) => row.name);
    for (const [firm, seen] of [
      [ours, 'Our customer'],
      [theirs, 'Their customer'],
    ] as const) {
      expect(await runTenantQuery(unnamed.app, toTenant(firm), readPrepared)).toEqual([seen]);
      expect(await runTenantQuery(unnamed.app, toTenant(firm), listNames)).toEqual([seen]);
      expect(await runTenantSnapshot(unnamed.app, toTenant(firm), readPrepared)).toEqual([seen]);
      expect(await runTenantTransaction(unnamed.app, toTenant(firm), readPrepared)).toEqual([seen]);
    }
    expect((await unnamed.app.query('select name from pg_prepared_statements')).rows).toEqual([]);
    await unnamed.end();
  });
});

describe('a transaction', () => {
  it('is rolled back if it throws, and its connection stays usable', async () => {
    const change = runTenantTransaction(pools.app, toTenant(ours), async (scope) => {
      await renameCustomers(scope, 'Renamed');
      throw new Error('changed my mind');
    });
    await expect(change).rejects.toThrow('changed my mind');
    expect([await readNames(ours), await readNames(theirs)]).toEqual([['Our customer'], ['Their customer']]);
  });

  it('is rolled back if a statement fails, and its connection stays usable', async () => {
    const change = runTenantTransaction(pools.app, toTenant(ours), async (scope) => {
      await renameCustomers(scope, 'Renamed');
      await scope.db.execute(sql`select 1 / 0`);
    });
    await expect(change).rejects.toMatchObject({ cause: { code: '22012' } });
    await runTenantTransaction(pools.app, toTenant(theirs), (scope) => renameCustomers(scope, 'Theirs, renamed'));
    expect([await readNames(ours), await readNames(theirs)]).toEqual([['Our customer'], ['Theirs, renamed']]);
  });

  it('cannot write to another company’s data', async () => {
    const change = runTenantTransaction(pools.app, toTenant(ours), ({ db }) =>
      db.execute(sql`update customers set company_id = ${theirs.companyId}`),
    );
    await expect(change).rejects.toMatchObject({ cause: { code: '42501' } });
    expect([await readNames(ours), await readNames(theirs)]).toEqual([['Our customer'], ['Their customer']]);
  });

  it('is rolled back if its connection is lost, and the next transaction gets a new connection', async () => {
    const change = runTenantTransaction(pools.app, toTenant(ours), async (scope) => {
      await renameCustomers(scope, 'Renamed');
      await scope.db.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
    });
    await expect(change).rejects.toThrow(/pg_terminate_backend|terminat/i);
    expect([await readNames(theirs), await readNames(ours)]).toEqual([['Their customer'], ['Our customer']]);
  });

  it('is invisible to others until it commits', async () => {
    await runTenantTransaction(pools.app, toTenant(ours), async (scope) => {
      await renameCustomers(scope, 'Renamed');
      const { rows } = await ours.people.admin.client.customers.list({});
      expect(rows.map((row) => row.name)).toEqual(['Our customer']);
    });
    expect(await readNames(ours)).toEqual(['Renamed']);
  });
});

describe('a company that needs more connections than the pool has', () => {
  it('gets half of the connections and waits for more, while another company is served immediately', async () => {
    const fourConnections = createPools(test.logins, 4, () => undefined);
    const gate = Promise.withResolvers<void>();
    let running = 0;
    const busy = Array.from({ length: 10 }, () =>
      runTenantQuery(fourConnections.app, toTenant(ours), async (scope) => {
        running += 1;
        await gate.promise;
        return listNames(scope);
      }),
    );
    expect(await Promise.all([1, 2, 3].map(() => runTenantQuery(fourConnections.app, toTenant(theirs), listNames)))).toEqual(
      Array.from({ length: 3 }, () => ['Their customer']),
    );
    await expect.poll(() => running).toBe(2);
    gate.resolve();
    expect(await Promise.all(busy)).toEqual(Array.from({ length: 10 }, () => ['Our customer']));
    await fourConnections.end();
  });

  it('serves its other people and the holders of its links while one person’s reads wait', async () => {
    const eightConnections = createPools(test.logins, 8, () => undefined);
    const gate = Promise.withResolvers<void>();
    let running = 0;
    const busy = Array.from({ length: 50 }, () =>
      runTenantQuery(eightConnections.app, toTenant(ours, 'staff'), async () => {
        running += 1;
        await gate.promise;
      }),
    );
    await expect.poll(() => running).toBe(3);
    const link = mintTenant(ours.companyId, { kind: 'link', recordKind: 'quote', recordId: randomUUID() }, new Date().toISOString());
    for (const tenant of [toTenant(ours), link]) {
      expect(await runTenantQuery(eightConnections.app, tenant, listNames)).toEqual(['Our customer']);
    }
    gate.resolve();
    await Promise.all(busy);
    await eightConnections.end();
  });

  it('waits up to 15 seconds for one, so that a burst of work on a slow machine is finished rather than rejected', async () => {
    const twoConnections = createPools(test.logins, 2, () => undefined);
    await runTenantQuery(twoConnections.app, toTenant(ours), listNames);
    const gate = Promise.withResolvers<void>();
    const running = runTenantQuery(twoConnections.app, toTenant(ours), () => gate.promise);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const rejected = runTenantQuery(twoConnections.app, toTenant(ours), listNames).catch((error: unknown) => error);
      vi.advanceTimersByTime(1000);
      const served = runTenantQuery(twoConnections.app, toTenant(ours), listNames);
      vi.advanceTimersByTime(14_000);
      expect(await rejected).toMatchObject({ code: 'UNAVAILABLE' });
      gate.resolve();
      expect(await served).toEqual(['Our customer']);
    } finally {
      vi.useRealTimers();
    }
    await running;
    await twoConnections.end();
  });

  it('frees the connections of failed calls', async () => {
    const fourConnections = createPools(test.logins, 4, () => undefined);
    const failing = Array.from({ length: 10 }, () =>
      runTenantTransaction(fourConnections.app, toTenant(ours), () => Promise.reject(new Error('changed my mind'))),
    );
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'rejected'));
    expect(await runTenantQuery(fourConnections.app, toTenant(ours), listNames)).toEqual(['Our customer']);
    await fourConnections.end();
  });
});

it('a snapshot ignores concurrent changes and rejects writes', async () => {
  const seen = await runTenantSnapshot(pools.app, toTenant(ours), async (scope) => {
    const before = await listNames(scope);
    await insertCustomers(test, ours.companyId, [{ name: 'Added later' }]);
    return [before, await listNames(scope)];
  });
  expect(seen).toEqual([['Our customer'], ['Our customer']]);
  expect(await readNames(ours)).toEqual(['Added later', 'Our customer']);
  await expect(runTenantSnapshot(pools.app, toTenant(ours), (scope) => renameCustomers(scope, 'Renamed'))).rejects.toMatchObject({
    cause: { code: '25006' },
  });
  expect(await readNames(theirs)).toEqual(['Their customer']);
});

it('a statement that pg refuses to send fails and closes its connection, which would otherwise wait for ever', async () => {
  const client = await pools.app.connect();
  await queryForCompany(client, ours.companyId, { name: 'twice', text: 'select 1' });
  await expect(queryForCompany(client, ours.companyId, { name: 'twice', text: 'select 2' })).rejects.toThrow('must be unique');
  await expect(client.query('select 1')).rejects.toThrow(/^(Connection terminated|Client has encountered a connection error)/);
  client.release();
  expect(await readNames(ours)).toEqual(['Our customer']);
});
