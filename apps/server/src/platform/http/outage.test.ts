import { beforeAll, describe, expect, it } from 'vitest';
import { type BreakableConnection, openBreakableConnection } from '../../../test/breakable-connection.ts';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { addressOf } from '../../../test/event-stream.ts';
import { newCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

describe('while the database is gone', () => {
  let test: TestApp;
  let firm: Firm;
  let line: BreakableConnection;

  beforeAll(async () => {
    test = await startTestApp({}, async (database) => {
      line = await openBreakableConnection(database);
      return line.address;
    });
    firm = await createFirm(test);
    await firm.people.admin.client.customers.create(newCustomer());
    await line.breakDown();
    return () => line.mend().catch(() => undefined);
  });

  it('the server says so and keeps running, and serves again when it is back', async () => {
    expect((await test.request('GET', '/api/health')).statusCode).toBe(503);
    const { cookie } = firm.people.admin;
    for (const [method, path, body] of [
      ['GET', '/api/customers', undefined],
      ['POST', '/api/customers', newCustomer()],
      ['POST', '/api/auth/sign-in', { email: 'ana@example.com', password: 'secret-1' }],
      ['GET', '/api/files/018f0000-0000-7000-8000-000000000001', undefined],
      ['GET', '/api/live', undefined],
    ] as const) {
      const answer = await test.request(method, path, { cookie, body });
      expect([path, answer.statusCode, answer.json()]).toMatchObject([path, 503, { code: 'UNAVAILABLE' }]);
    }
    await line.mend();
    const health = await test.request('GET', '/api/health');
    expect([health.statusCode, health.json()]).toEqual([200, { status: 'ok' }]);
    expect((await firm.people.admin.client.customers.list({})).rows).toHaveLength(1);
  });
});

describe('a server that is asked to stop', () => {
  let test: TestApp;
  let firm: Firm;

  beforeAll(async () => {
    test = await startTestApp();
    firm = await createFirm(test);
  });

  it('finishes the call it is at, and takes no new one', async () => {
    const address = await addressOf(test);
    const customer = newCustomer();
    const post = (body: object) =>
      fetch(`${address}/api/customers`, {
        method: 'POST',
        headers: { cookie: firm.people.admin.cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await withOwner(test.database, async (client) => {
      await client.query('begin');
      await client.query('lock table customers');
      const running = post(customer);
      await waitUntilBlocked(test.database);
      const closed = test.app.close();
      await expect.poll(() => test.app.server.server.listening).toBe(false);
      await client.query('commit');
      const answer = await running;
      expect([answer.status, await answer.json()]).toMatchObject([201, { id: customer.id }]);
      await closed;
      const { rowCount } = await client.query('select 1 from customers where id = $1', [customer.id]);
      expect(rowCount).toBe(1);
    });
    await expect(post(newCustomer())).rejects.toThrow('fetch failed');
  });
});
