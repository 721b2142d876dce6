import { beforeAll, describe, expect, it, vi } from 'vitest';
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
        maxOutageMs: 1500,
      },
    );
    firm = await createFirm(test);
    await firm.people.admin.client.customers.create(buildCustomer());
    return () => connection.reconnect().catch(() => undefined);
  });

  it('calls wait for a moment, in case it comes back', async () => {
    await connection.disconnect();
    const { pools } = test.app.platform;
    await vi.waitUntil(() => pools.app.totalCount + pools.system.totalCount === 0);
    const { client } = firm.people.admin;
    const waiting = Promise.all([client.customers.list({}), client.customers.create(buildCustomer({ name: 'Waited' }))]);
    await connection.reconnect();
    const [{ rows }, created] = await waiting;
    expect([rows.length > 0, created.name]).toEqual([true, 'Waited']);
  });

  it('the server responds with UNAVAILABLE and recovers once the database is back', async () => {
    await connection.disconnect();
    const unready = await test.request('GET', '/api/ready');
    expect([unready.statusCode, unready.json()]).toEqual([503, { status: 'database unavailable' }]);
    expect((await test.request('GET', '/api/health')).statusCode).toBe(200);
    const { cookie } = firm.people.admin;
    const requests = [
      ['GET', '/api/customers', undefined],
      ['POST', '/api/customers', buildCustomer()],
      ['POST', '/api/auth/sign-in', { email: 'ana@example.com', password: 'secret-1' }],
      ['GET', '/api/files/018f0000-0000-7000-8000-000000000001', undefined],
      ['GET', '/api/live', undefined],
    ] as const;
    const responses = await Promise.all(requests.map(([method, path, body]) => test.request(method, path, { cookie, body })));
    for (const [index, [, path]] of requests.entries()) {
      const response = responses[index];
      if (!response) throw new Error(`No response for ${path}`);
      expect([path, response.statusCode, response.json()]).toMatchObject([path, 503, { code: 'UNAVAILABLE' }]);
      expect([path, response.headers['retry-after']]).toEqual([path, '5']);
    }
    await connection.reconnect();
    const ready = await test.request('GET', '/api/ready');
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready' }]);
    expect((await firm.people.admin.client.customers.list({})).rows).toHaveLength(2);
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
