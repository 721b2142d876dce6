import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { createFirm, type Firm, toTenant } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { runUntilDeadline } from '../limits/call-deadline.ts';
import { mintTaskTenant } from '../queue/task.ts';
import { getUserId } from './actor.ts';
import { createTransactionConflict, translateDatabaseError } from './database-errors.ts';
import { runTenantTransaction, type TenantScope } from './tenant-scope.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const runCommand = <Result>(work: (scope: TenantScope) => Promise<Result>) =>
  runTenantTransaction(test.app.platform.pools.app, toTenant(firm), work);
const addCategory = (scope: TenantScope, name: string, id: string = randomUUID()) =>
  scope.db.execute(
    sql`insert into categories (company_id, id, name, user_id) values (${scope.companyId}, ${id}, ${name}, ${getUserId(scope.actor)})`,
  );
const renameCategory = (scope: TenantScope, id: string, name: string) =>
  scope.db.execute(sql`update categories set name = ${name} where id = ${id}`);
const listNames = async () => (await firm.people.admin.client.categories.list()).rows.map(({ name }) => name);
const divideByZero = (scope: TenantScope) => scope.db.execute(sql`select 1 / 0`);

describe('a command', () => {
  it('fails if it swallowed a database error, because PostgreSQL has rolled it back', async () => {
    const command = runCommand(async (scope) => {
      await addCategory(scope, 'Ana');
      await divideByZero(scope).catch(() => undefined);
      return 'done';
    });
    await expect(command).rejects.toThrow('The transaction was rolled back');
    expect(await listNames()).toEqual([]);
  });

  it('is rolled back if its call was answered at its deadline before the commit, and is not tried again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const attempts = { conflict: 0, commit: 0 };
    const startCall = async (name: keyof typeof attempts) => {
      const [started, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let command = Promise.resolve();
      const call = runUntilDeadline(600_000, () => {
        command = runCommand(async (scope) => {
          attempts[name] += 1;
          await addCategory(scope, name);
          started.resolve();
          await answered.promise;
          if (name === 'conflict') throw createTransactionConflict('Lost');
        });
        return command;
      });
      await started.promise;
      const finish = () => {
        answered.resolve();
        return command;
      };
      return { answer: call.catch((error: unknown) => error), finish };
    };
    const calls = [await startCall('conflict'), await startCall('commit')];
    vi.advanceTimersByTime(600_000);
    for (const { answer, finish } of calls) {
      expect(await answer).toMatchObject({ code: 'UNAVAILABLE' });
      await expect(finish()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    }
    expect([attempts, await listNames()]).toEqual([{ conflict: 1, commit: 1 }, []]);
  });

  it('commits the rest after a savepoint was rolled back', async () => {
    await runCommand(async (scope) => {
      await addCategory(scope, 'Ana');
      const part = scope.savepoint(async () => {
        await addCategory(scope, 'Bea');
        await divideByZero(scope);
      });
      await expect(part).rejects.toThrow('Failed query');
      await scope.savepoint(() => addCategory(scope, 'Cleo'));
    });
    expect(await listNames()).toEqual(['Ana', 'Cleo']);
  });

  it('rolls back an outer savepoint even after an inner one failed and was ignored', async () => {
    await runCommand(async (scope) => {
      const outer = scope.savepoint(async () => {
        await addCategory(scope, 'Ana');
        await expect(scope.savepoint(() => divideByZero(scope))).rejects.toThrow('Failed query');
        throw new Error('changed my mind');
      });
      await expect(outer).rejects.toThrow('changed my mind');
    });
    expect(await listNames()).toEqual([]);
  });

  it('that the queue runs records no author', async () => {
    const tenant = mintTaskTenant('import-categories', firm.companyId, new Date().toISOString());
    await runTenantTransaction(test.app.platform.pools.app, tenant, (scope) => addCategory(scope, 'Ana'));
    const { rows } = await test.owner.query('select name, user_id from categories where company_id = $1', [firm.companyId]);
    expect(rows).toEqual([{ name: 'Ana', user_id: null }]);
  });
});

describe('commands that conflict', () => {
  it('both succeed after a deadlock, because the losing command is retried as a whole', async () => {
    test.expectDeadlocks();
    const [ana, bea] = [randomUUID(), randomUUID()];
    await runCommand(async (scope) => {
      await addCategory(scope, 'Ana', ana);
      await addCategory(scope, 'Bea', bea);
    });
    const bothHoldOne = Promise.withResolvers<void>();
    let holding = 0;
    let runs = 0;
    const renameBoth = (first: string, second: string, name: string) =>
      runCommand(async (scope) => {
        runs += 1;
        await renameCategory(scope, first, `${name} 1`);
        holding += 1;
        if (holding === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await renameCategory(scope, second, `${name} 2`);
      });
    await Promise.all([renameBoth(ana, bea, 'one'), renameBoth(bea, ana, 'other')]);
    // At least three: on a busy machine, the losing command may lose more than once.
    expect(runs).toBeGreaterThanOrEqual(3);
    expect([['one 1', 'one 2'].toSorted(), ['other 1', 'other 2'].toSorted()]).toContainEqual((await listNames()).toSorted());
  });

  it('fail with UNAVAILABLE after losing four times', async () => {
    let runs = 0;
    const error = await runCommand((scope) => {
      runs += 1;
      return scope.db.execute(sql`do $$ begin raise exception using errcode = '40001'; end $$`);
    }).catch((thrown: unknown) => thrown);
    expect(runs).toBe(4);
    expect(translateDatabaseError(error)).toMatchObject({ code: 'UNAVAILABLE' });
  });
});

it('a command that waits too long for a lock fails with UNAVAILABLE and changes nothing', async () => {
  const id = randomUUID();
  await runCommand((scope) => addCategory(scope, 'Ana', id));
  await withOwnerClient(test.database, async (owner) => {
    await owner.query('begin');
    await owner.query('select from categories where id = $1 for update', [id]);
    const error = await runCommand(async (scope) => {
      await addCategory(scope, 'Bea');
      await scope.db.execute(sql`set local statement_timeout = 1`);
      await renameCategory(scope, id, 'Cleo');
    }).catch((thrown: unknown) => thrown);
    expect(translateDatabaseError(error)).toMatchObject({ code: 'UNAVAILABLE' });
    await owner.query('rollback');
  });
  expect(await listNames()).toEqual(['Ana']);
});

describe('a reference to a missing record', () => {
  const INSERT_INVITATION = sql`insert into invitations (company_id, staff_id, token_hash, expires_at) values (current_company_id(), ${randomUUID()}, 'x', now())`;
  const INSERT_MEMBER = sql`insert into staff_members (company_id, id, name, email, role, color_id)
    values (current_company_id(), gen_random_uuid(), 'Ana', 'ana@example.com', 'staff', ${randomUUID()})`;

  it.each([
    ['by one column', INSERT_MEMBER, 'color_id'],
    ['within the company', INSERT_INVITATION, 'staff_id'],
  ])('%s is reported as an invalid field, not a server error', async (_, statement, field) => {
    const error = await runCommand((scope) => scope.db.execute(statement)).catch((thrown: unknown) => thrown);
    expect(translateDatabaseError(error)).toMatchObject({
      code: 'INVALID_INPUT',
      status: 422,
      data: { fields: { [field]: 'This record no longer exists. Please choose another one.' } },
    });
  });
});
