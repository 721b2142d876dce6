import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { type DatabaseWithoutStandby, startDatabaseWithoutStandby } from '../../../test/database-without-standby.ts';
import { createFirm, type Firm, toTenant } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { translateDatabaseError } from './database-errors.ts';
import { runTenantTransaction } from './tenant-scope.ts';

let server: DatabaseWithoutStandby;
let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  server = await startDatabaseWithoutStandby();
  test = await startTestApp({}, { database: server.database, isDatabaseShared: true });
  firm = await createFirm(test);
});

afterEach(() => server.releaseCommits());

const countWaitingCommits = async () => (await test.owner.query(`select from pg_stat_activity where wait_event = 'SyncRep'`)).rowCount ?? 0;
const addCategory = (name: string) =>
  runTenantTransaction(test.app.platform.pools.app, toTenant(firm), (scope) =>
    scope.db.execute(sql`insert into categories (company_id, id, name) values (${scope.companyId}, ${randomUUID()}, ${name})`),
  );
const catchError = (work: Promise<unknown>) => work.catch((error: unknown) => error);

describe('a commit that no second server has confirmed', () => {
  it('fails with UNAVAILABLE if it waits too long', async () => {
    await server.requireStandby();
    expect(translateDatabaseError(await catchError(addCategory('Ana')))).toMatchObject({ code: 'UNAVAILABLE' });
    await server.releaseCommits();
    await expect(addCategory('Bea')).resolves.toBeDefined();
  });

  it('fails with UNAVAILABLE if its wait is canceled, although PostgreSQL answers COMMIT', async () => {
    await server.requireStandby();
    const adding = catchError(addCategory('Cleo'));
    await vi.waitUntil(async () => (await countWaitingCommits()) > 0);
    await test.owner.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
    expect(translateDatabaseError(await adding)).toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('without a second server', () => {
  it('a single write fails with UNAVAILABLE and gives its connection back', async () => {
    await server.requireStandby();
    const { system } = test.app.platform.pools;
    const error = await catchError(system.query(`update companies set last_active = now() where company_id = $1`, [firm.companyId]));
    expect(translateDatabaseError(error)).toMatchObject({ code: 'UNAVAILABLE' });
    expect(system.idleCount).toBe(system.totalCount);
  });

  it('people can read, although sessions are due for an update', async () => {
    await withOwnerClient(server.database, (client) =>
      client.query(`update sessions set last_active_at = now() - interval '1 day', expires_at = now() + interval '20 days'`),
    );
    await server.requireStandby();
    const { admin, staff } = firm.people;
    const lists = await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 ? admin : staff).client.customers.list({})));
    expect(lists.map(({ rows }) => rows.length)).toEqual(Array<number>(8).fill(0));
    const due = `select from sessions where last_active_at < now() - interval '1 hour' and user_id = any ($1)`;
    const users = [admin.userId, staff.userId];
    await vi.waitUntil(async () => (await test.owner.query(due, [users])).rowCount === 0);
    expect(await countWaitingCommits()).toBe(0);
  });

  it('an unknown public link is not found, although the attempt is counted', async () => {
    await server.requireStandby();
    expect((await test.request('GET', `/api/public/quotes/${'x'.repeat(22)}`)).statusCode).toBe(404);
    expect(await countWaitingCommits()).toBe(0);
  });
});
