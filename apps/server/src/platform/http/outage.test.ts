import { beforeAll, describe, expect, it } from 'vitest';
import { type BreakableConnection, openBreakableConnection } from '../../../test/breakable-connection.ts';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { listenOnLocalhost } from '../../../test/event-stream.ts';
import { buildCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

describe('while the database is unreachable', () => {
  let test: TestApp;
  let firm: Firm;
  let connection: BreakableConnection;

  beforeAll(async () => {
    test = await startTestApp(
      {},
      {
        async routeDatabase(database) {
          connection = await openBreakableConnection(database);
          return connection.database;
        },
      },
    );
    firm = await createFirm(test);
    await firm.people.admin.client.customers.create(buildCustomer());
    await connection.disconnect();
    return () => connection.reconnect().catch(() => undefined);
  });

  it('the server responds with UNAVAILABLE and recovers once the database is back', async () => {
    const unready = await test.request('GET', '/api/ready');
    expect([unready.statusCode, unready.json()]).toEqual([503, { status: 'database unavailable' }]);
    expect((await test.request('GET', '/api/health')).statusCode).toBe(200);
    const { cookie } = firm.people.admin;
    for (const [method, path, body] of [
      ['GET', '/api/customers', undefined],
      ['POST', '/api/customers', buildCustomer()],
      ['POST', '/api/auth/sign-in', { email: 'ana@example.com', password: 'secret-1' }],
      ['GET', '/api/files/018f0000-0000-7000-8000-000000000001', undefined],
      ['GET', '/api/live', undefined],
    ] as const) {
      const response = await test.request(method, path, { cookie, body });
      expect([path, response.statusCode, response.json()]).toMatchObject([path, 503, { code: 'UNAVAILABLE' }]);
      expect([path, response.headers['retry-after']]).toEqual([path, '5']);
    }
    await connection.reconnect();
    const ready = await test.request('GET', '/api/ready');
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready' }]);
    expect((await firm.people.admin.client.customers.list({})).rows).toHaveLength(1);
  });
});

describe('a server that is shutting down', () => {
  let test: TestApp;
  let firm: Firm;

  beforeAll(async () => {
    test = await startTestApp();
    firm = await createFirm(test);
  });

  it('is no longer ready at once, but serves calls until SHUTDOWN_DELAY_MS has passed', async () => {
    const delayed = await startTestApp({ SHUTDOWN_DELAY_MS: '300' });
    const other = await createFirm(delayed);
    const closed = delayed.app.close();
    const [ready, alive, call] = await Promise.all([
      delayed.request('GET', '/api/ready'),
      delayed.request('GET', '/api/health'),
      delayed.request('GET', '/api/customers', { cookie: other.people.admin.cookie }),
    ]);
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'shutting down' }]);
    expect([alive.statusCode, call.statusCode]).toEqual([200, 200]);
    await closed;
  });

  it('finishes the running call and accepts no new calls', async () => {
    const url = await listenOnLocalhost(test);
    const customer = buildCustomer();
    const post = (body: object) =>
      fetch(`${url}/api/customers`, {
        method: 'POST',
        headers: { cookie: firm.people.admin.cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await withOwnerClient(test.database, async (client) => {
      await client.query('begin');
      await client.query('lock table customers');
      const running = post(customer);
      await waitUntilBlocked(test.database);
      const closed = test.app.close();
      await expect.poll(() => test.app.server.server.listening).toBe(false);
      await client.query('commit');
      const response = await running;
      expect([response.status, await response.json()]).toMatchObject([201, { id: customer.id }]);
      await closed;
      const { rowCount } = await client.query('select 1 from customers where id = $1', [customer.id]);
      expect(rowCount).toBe(1);
    });
    await expect(post(buildCustomer())).rejects.toThrow('fetch failed');
  });
});
