import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type BreakableConnection, openBreakableConnection } from '../../../test/breakable-connection.ts';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { listenOnLocalhost } from '../../../test/event-stream.ts';
import { buildCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

function waitUntilDisconnected({ app }: TestApp): Promise<boolean> {
  const { pools } = app.platform;
  return vi.waitUntil(() => pools.app.totalCount + pools.system.totalCount === 0);
}

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

  async function reopenConnections(): Promise<void> {
    await connection.disconnect();
    await waitUntilDisconnected(test);
    await connection.reconnect();
  }

  it('a connection that leads to a replica is refused', async () => {
    const { client } = firm.people.admin;
    const database = `alter database ${test.database.database}`;
    await test.owner.query('create schema replica; create function replica.pg_is_in_recovery() returns boolean language sql return true');
    await test.owner.query(`grant usage on schema replica to public; ${database} set search_path = replica, pg_catalog, public`);
    await reopenConnections();
    await expect(client.customers.create(buildCustomer())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await test.owner.query(`${database} reset search_path`);
    await reopenConnections();
    expect((await client.customers.list({})).rows).toHaveLength(1);
  });

  it('the server responds with UNAVAILABLE and recovers once the database is back', async () => {
    await connection.disconnect();
    const unready = await test.request('GET', '/api/ready');
    expect([unready.statusCode, unready.json()]).toEqual([503, { status: 'database unavailable' }]);
    for (const path of ['/api/health', '/api/health?accepting']) expect((await test.request('GET', path)).statusCode).toBe(200);
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
    expect((await firm.people.admin.client.customers.list({})).rows).toHaveLength(1);
  });
});

it('calls wait while another database server takes over, but the server says within two seconds that it is not ready', async () => {
  let connection: BreakableConnection | undefined;
  const test = await startTestApp(
    {},
    {
      async routeDatabase(database) {
        connection = await openBreakableConnection(database);
        return connection.database;
      },
    },
  );
  const { client } = (await createFirm(test)).people.admin;
  await client.customers.create(buildCustomer());
  await connection?.disconnect();
  await waitUntilDisconnected(test);
  const waiting = Promise.all([client.customers.list({}), client.customers.create(buildCustomer({ name: 'Waited' }))]);
  // Without its own limit, a probe would wait as long as the calls, which would have failed before the database is back.
  for (let probe = 0; probe < 2; probe += 1) {
    const unready = await test.request('GET', '/api/ready');
    expect([unready.statusCode, unready.json()]).toEqual([503, { status: 'database unavailable' }]);
  }
  await connection?.reconnect();
  const [{ rows }, created] = await waiting;
  expect([rows.length > 0, created.name]).toEqual([true, 'Waited']);
});

it('a server whose calls keep all connections busy is ready', async () => {
  const test = await startTestApp();
  const firms = await Promise.all(Array.from({ length: 3 }, () => createFirm(test)));
  const { app } = test.app.platform.pools;
  await withOwnerClient(test.database, async (client) => {
    await client.query('begin');
    await client.query('lock table customers');
    const reads = firms.flatMap(({ people }) =>
      [people.admin, people.staff, people.accountant].map(({ client: caller }) => caller.customers.list({})),
    );
    await waitUntilBlocked(test.database, app.options.max);
    const ready = await test.request('GET', '/api/ready');
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready' }]);
    await client.query('commit');
    await Promise.all(reads);
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
    const [ready, accepting, alive, call] = await Promise.all([
      delayed.request('GET', '/api/ready'),
      delayed.request('GET', '/api/health?accepting'),
      delayed.request('GET', '/api/health'),
      delayed.request('GET', '/api/customers', { cookie: other.people.admin.cookie }),
    ]);
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'shutting down' }]);
    expect([accepting.statusCode, alive.statusCode, call.statusCode]).toEqual([503, 200, 200]);
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
