import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFirm, type Firm, tenantOf } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { tenantOfTask } from '../queue/task.ts';
import { userIdOf } from './actor.ts';
import { databaseFailure } from './database-errors.ts';
import { changeAs, type TenantScope } from './tenant-scope.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const change = <Result>(work: (scope: TenantScope) => Promise<Result>) => changeAs(test.app.platform.pools.app, tenantOf(firm), work);
const add = (scope: TenantScope, name: string, id: string = randomUUID()) =>
  scope.db.execute(
    sql`insert into categories (company_id, id, name, user_id) values (${scope.companyId}, ${id}, ${name}, ${userIdOf(scope.actor)})`,
  );
const rename = (scope: TenantScope, id: string, name: string) =>
  scope.db.execute(sql`update categories set name = ${name} where id = ${id}`);
const names = async () => (await firm.people.admin.client.categories.list()).rows.map(({ name }) => name);
const divideByZero = (scope: TenantScope) => scope.db.execute(sql`select 1 / 0`);

describe('a command', () => {
  it('that ignored a database error fails, since PostgreSQL has rolled it back', async () => {
    const command = change(async (scope) => {
      await add(scope, 'Ana');
      await divideByZero(scope).catch(() => undefined);
      return 'done';
    });
    await expect(command).rejects.toThrow('The transaction was rolled back');
    expect(await names()).toEqual([]);
  });

  it('can fail in part: what a savepoint did is undone and the rest is kept', async () => {
    await change(async (scope) => {
      await add(scope, 'Ana');
      const part = scope.savepoint(async () => {
        await add(scope, 'Bea');
        await divideByZero(scope);
      });
      await expect(part).rejects.toThrow('Failed query');
      await scope.savepoint(() => add(scope, 'Cleo'));
    });
    expect(await names()).toEqual(['Ana', 'Cleo']);
  });

  it('undoes a savepoint with those inside it, even when one of them failed and was ignored', async () => {
    await change(async (scope) => {
      const outer = scope.savepoint(async () => {
        await add(scope, 'Ana');
        await expect(scope.savepoint(() => divideByZero(scope))).rejects.toThrow('Failed query');
        throw new Error('changed my mind');
      });
      await expect(outer).rejects.toThrow('changed my mind');
    });
    expect(await names()).toEqual([]);
  });

  it('of the queue has no author', async () => {
    const tenant = tenantOfTask('import-categories', firm.companyId, new Date().toISOString());
    await changeAs(test.app.platform.pools.app, tenant, (scope) => add(scope, 'Ana'));
    const { rows } = await test.owner.query('select name, user_id from categories where company_id = $1', [firm.companyId]);
    expect(rows).toEqual([{ name: 'Ana', user_id: null }]);
  });
});

describe('two commands that deadlock', () => {
  it('both succeed: the losing one runs again as a whole', async () => {
    test.expectDeadlocks();
    const [ana, bea] = [randomUUID(), randomUUID()];
    await change(async (scope) => {
      await add(scope, 'Ana', ana);
      await add(scope, 'Bea', bea);
    });
    const bothHoldOne = Promise.withResolvers<void>();
    let holding = 0;
    let runs = 0;
    const renameBoth = (first: string, second: string, name: string) =>
      change(async (scope) => {
        runs += 1;
        await rename(scope, first, `${name} 1`);
        holding += 1;
        if (holding === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await rename(scope, second, `${name} 2`);
      });
    await Promise.all([renameBoth(ana, bea, 'one'), renameBoth(bea, ana, 'other')]);
    // On a busy machine the losing one may lose again.
    expect(runs).toBeGreaterThanOrEqual(3);
    expect([['one 1', 'one 2'].toSorted(), ['other 1', 'other 2'].toSorted()]).toContainEqual((await names()).toSorted());
  });

  it('give up after a few attempts, and the caller is asked to try again', async () => {
    let runs = 0;
    const error = await change((scope) => {
      runs += 1;
      return scope.db.execute(sql`do $$ begin raise exception using errcode = '40001'; end $$`);
    }).catch((thrown: unknown) => thrown);
    expect(runs).toBe(4);
    expect(databaseFailure(error)).toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('a reference to a missing record', () => {
  const INVITATION = sql`insert into invitations (company_id, staff_id, token_hash, expires_at) values (current_company_id(), ${randomUUID()}, 'x', now())`;
  const MEMBER = sql`insert into staff_members (company_id, id, name, email, role, color_id)
    values (current_company_id(), gen_random_uuid(), 'Ana', 'ana@example.com', 'staff', ${randomUUID()})`;

  it.each([
    ['of one column', MEMBER, 'color_id'],
    ['of the same company', INVITATION, 'staff_id'],
  ])('%s is an invalid field, not a server error', async (_, statement, field) => {
    const error = await change((scope) => scope.db.execute(statement)).catch((thrown: unknown) => thrown);
    expect(databaseFailure(error)).toMatchObject({
      code: 'INVALID_INPUT',
      status: 422,
      data: { fields: { [field]: 'This record no longer exists. Please choose another one.' } },
    });
  });
});
