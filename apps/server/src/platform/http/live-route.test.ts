import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestPasswordResetToken, signIn, signUp } from '../../../test/accounts.ts';
import { withOwnerClient } from '../../../test/database.ts';
import { type EventStream, listenOnLocalhost, openEventStream } from '../../../test/event-stream.ts';
import { buildCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, createPerson, type Firm, toTenant } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { createPools } from '../db/pools.ts';
import { runTenantTransaction } from '../db/tenant-scope.ts';
import { createLiveUpdates, publishChange, publishToPeople } from '../live/live.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const CUSTOMERS_CHANGED = { event: 'change', data: { topics: ['customers'] } };
/** Jobs and quotes display their customer's name, so they change too. */
const CUSTOMERS_JOBS_AND_QUOTES_CHANGED = { event: 'change', data: { topics: ['customers', 'jobs', 'quotes'] } };

const publishTopics = (publisher: Firm, ...topics: string[]) =>
  runTenantTransaction(test.app.platform.pools.app, toTenant(publisher), (scope) => publishChange(scope, ...topics));

describe('a change to a record', () => {
  it('is published to the whole company and to no other company', async () => {
    const other = await createFirm(test, 'Other');
    const [desk, van, theirs] = [
      await openEventStream(test, firm.people.admin.cookie),
      await openEventStream(test, firm.people.staff.cookie),
      await openEventStream(test, other.people.admin.cookie),
    ];
    await firm.people.manager.client.customers.create(buildCustomer());
    expect(await desk.next()).toEqual(CUSTOMERS_CHANGED);
    expect(await van.next()).toEqual(CUSTOMERS_CHANGED);
    await publishTopics(other, 'theirs');
    expect(await theirs.next()).toEqual({ event: 'change', data: { topics: ['theirs'] } });
  });

  it('is published on create, update and delete', async () => {
    const stream = await openEventStream(test, firm.people.staff.cookie);
    const { customers } = firm.people.admin.client;
    const created = await customers.create(buildCustomer());
    expect(await stream.next()).toEqual(CUSTOMERS_CHANGED);
    await customers.update({ ...created, type: 'individual', name: 'New' });
    expect(await stream.next()).toEqual(CUSTOMERS_JOBS_AND_QUOTES_CHANGED);
    await customers.remove({ id: created.id });
    // May be combined with the notice of the queue, which finishes the deletion.
    const topics = expect.arrayContaining(['customers', 'jobs', 'quotes', 'invoices']) as string[];
    expect(await stream.next()).toMatchObject({ event: 'change', data: { topics } });
  });

  it('is replayed if it happened after the page loaded its data, but not if it is older', async () => {
    const earlier = await openEventStream(test, firm.people.staff.cookie);
    await publishTopics(firm, 'between');
    await earlier.next();
    const stream = await openEventStream(test, firm.people.staff.cookie, '?read_ago=30000');
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['between'] } });
    const late = [
      await openEventStream(test, firm.people.staff.cookie, '?read_ago=0'),
      await openEventStream(test, firm.people.staff.cookie),
    ];
    await publishTopics(firm, 'after');
    for (const one of late) expect(await one.next()).toEqual({ event: 'change', data: { topics: ['after'] } });
  });

  it('is published before a server that shuts down has closed its connections', async () => {
    const pools = createPools(test.logins, 2, (error) => expect.fail(error.message));
    await withOwnerClient(test.database, async (listener) => {
      const payloads: unknown[] = [];
      listener.on('notification', ({ payload }) => void payloads.push(payload));
      await listener.query('listen callout_live');
      await runTenantTransaction(pools.app, toTenant(firm), (scope) => publishChange(scope, 'last'));
      await pools.end();
      await listener.query('select');
      expect(payloads).toEqual([JSON.stringify({ company: firm.companyId, topics: ['last'] })]);
    });
  });

  it('is not published if it fails or is rolled back', async () => {
    const stream = await openEventStream(test, firm.people.staff.cookie);
    const { customers } = firm.people.admin.client;
    await expect(customers.remove({ id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const rolledBack = runTenantTransaction(test.app.platform.pools.app, toTenant(firm), async (scope) => {
      await publishChange(scope, 'never');
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await runTenantTransaction(test.app.platform.pools.app, toTenant(firm), async (scope) => {
      const part = scope.savepoint(async () => {
        await publishChange(scope, 'never');
        throw new Error('rolled back');
      });
      await expect(part).rejects.toThrow('rolled back');
      await publishChange(scope, 'after');
    });
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['after'] } });
  });

  it('is received from other servers on the same database', async () => {
    const stream = await openEventStream(test, firm.people.staff.cookie);
    const notice = JSON.stringify({ company: firm.companyId, topics: ['jobs'] });
    await withOwnerClient(test.database, (client) => client.query(`select pg_notify('callout_live', $1)`, [notice]));
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['jobs'] } });
  });
});

describe('an event for specific people', () => {
  const notifyPeople = (people: readonly string[]) =>
    runTenantTransaction(test.app.platform.pools.app, toTenant(firm), (scope) => publishToPeople(scope, people, 'notifications'));
  const NOTIFICATION = { event: 'change', data: { topics: ['notifications'] } };

  it('reaches all of their tabs but no colleague’s', async () => {
    const { staff, manager } = firm.people;
    const [van, phone, office] = [
      await openEventStream(test, staff.cookie),
      await openEventStream(test, staff.cookie),
      await openEventStream(test, manager.cookie),
    ];
    await notifyPeople([staff.userId]);
    expect([await van.next(), await phone.next()]).toEqual([NOTIFICATION, NOTIFICATION]);
    await publishTopics(firm, 'after');
    expect(await office.next()).toEqual({ event: 'change', data: { topics: ['after'] } });
  });

  it('reaches all of a thousand recipients', async () => {
    const stream = await openEventStream(test, firm.people.staff.cookie);
    await notifyPeople([...Array.from({ length: 999 }, () => randomUUID()), firm.people.staff.userId]);
    expect(await stream.next()).toEqual(NOTIFICATION);
  });

  it('is sent to no one if there are no recipients', async () => {
    const stream = await openEventStream(test, firm.people.staff.cookie);
    await notifyPeople([]);
    await publishTopics(firm, 'after');
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['after'] } });
  });
});

describe('a live event stream', () => {
  it('requires a session', async () => {
    expect((await test.request('GET', '/api/live')).statusCode).toBe(401);
  });

  it('replaces its session’s oldest stream, which may be a dead connection, when the session is at the limit', async () => {
    const { cookie } = firm.people.staff;
    const colleague = await openEventStream(test, firm.people.admin.cookie);
    const streams: EventStream[] = [];
    for (let n = 0; n < 21; n += 1) streams.push(await openEventStream(test, cookie));
    await expect.poll(() => streams.map(({ ended }) => ended).indexOf(true)).toBe(0);
    await publishTopics(firm, 'after');
    for (const stream of [...streams.slice(1), colleague]) {
      expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['after'] } });
    }
    expect(streams.filter(({ ended }) => ended)).toHaveLength(1);
  });

  /** Adds streams for other sessions in the company. Returns functions that remove the streams. */
  const addStreams = (count: number, close: () => void = () => undefined) =>
    Array.from({ length: count }, () => {
      const owner = { companyId: firm.companyId, userId: randomUUID(), sessionId: randomUUID() };
      return test.app.platform.live.addStream({ ...owner, write: () => undefined, close }, 0);
    });

  it('is rejected when its company is at the limit, while streams of other companies are accepted', async () => {
    const removeStreams = addStreams(200);
    const rejected = await test.request('GET', '/api/live', { cookie: firm.people.staff.cookie });
    expect([rejected.statusCode, rejected.json()]).toMatchObject([429, { code: 'TOO_MANY_ATTEMPTS' }]);
    const other = await createFirm(test, 'Other');
    expect((await openEventStream(test, other.people.staff.cookie)).status).toBe(200);
    removeStreams[0]?.();
    expect((await openEventStream(test, firm.people.staff.cookie)).status).toBe(200);
    for (const removeStream of removeStreams) removeStream();
  });

  it('replaces its own session’s oldest stream, never a colleague’s, when the company is at the limit', async () => {
    const { cookie } = firm.people.staff;
    const streams = [await openEventStream(test, cookie), await openEventStream(test, cookie)];
    let closed = 0;
    const removeStreams = addStreams(198, () => void (closed += 1));
    streams.push(await openEventStream(test, cookie));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    await expect.poll(() => streams.map(({ ended }) => ended)).toEqual([true, false, false]);
    expect(closed).toBe(0);
    expect((await test.request('GET', '/api/live', { cookie: firm.people.admin.cookie })).statusCode).toBe(429);
    for (const removeStream of removeStreams) removeStream();
  });

  it('receives no company events if the person has no company', async () => {
    const loner = await createPerson(test);
    const [stream, control] = [await openEventStream(test, loner.cookie), await openEventStream(test, firm.people.staff.cookie)];
    await publishTopics(firm, 'customers');
    await control.next();
    expect([stream.status, stream.events]).toEqual([200, []]);
  });

  it('receives a signed-out event and closes in all tabs of a session that ends, but not in other sessions', async () => {
    const { email, password } = await signUp(test);
    const [here, elsewhere] = [await signIn(test, email, password), await signIn(test, email, password)];
    const [tab, secondTab, phone] = [
      await openEventStream(test, here),
      await openEventStream(test, here),
      await openEventStream(test, elsewhere),
    ];
    await test.client(here).auth.signOut();
    for (const stream of [tab, secondTab]) {
      expect(await stream.next()).toEqual({ event: 'signed-out', data: {} });
      await expect.poll(() => stream.ended).toBe(true);
    }
    expect([phone.events, phone.ended]).toEqual([[], false]);
  });

  it('ends when the password is reset', async () => {
    const { email, password } = await signUp(test);
    const stream = await openEventStream(test, await signIn(test, email, password));
    await test.client().auth.resetPassword({ token: await requestPasswordResetToken(test, email), password: 'secret-new' });
    expect(await stream.next()).toEqual({ event: 'signed-out', data: {} });
  });

  it('survives a lost database connection and then makes the page refetch all its data', async () => {
    const stream = await openEventStream(test, firm.people.staff.cookie);
    await publishTopics(firm, 'before');
    await stream.next();
    await withOwnerClient(test.database, (client) =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'callout_live' and datname = current_database()`,
      ),
    );
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['*'] } });
    await publishTopics(firm, 'after');
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['after'] } });
  });

  it('makes the page refetch all its data when another server starts, because a killed one may not have published its last changes', async () => {
    const stream = await openEventStream(test, firm.people.staff.cookie);
    const { log, now, pools } = test.app.platform;
    const other = createLiveUpdates(test.logins.callout_system, pools.system, log, now);
    await other.started;
    await other.stop();
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['*'] } });
  });

  it('is not compressed, cached or sniffed', async () => {
    const abort = new AbortController();
    const response = await fetch(`${await listenOnLocalhost(test)}/api/live`, {
      headers: { cookie: firm.people.staff.cookie, 'accept-encoding': 'br, gzip' },
      signal: abort.signal,
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String) as string,
    });
    expect(response.headers.get('content-encoding')).toBeNull();
    abort.abort();
  });
});

describe('a server that is shutting down', () => {
  let stoppingApp: TestApp;

  beforeAll(async () => {
    stoppingApp = await startTestApp();
  });

  it('closes its streams, including those opened during the shutdown', async () => {
    const { people } = await createFirm(stoppingApp);
    const stream = await openEventStream(stoppingApp, people.staff.cookie);
    await stoppingApp.app.platform.live.stop();
    await expect.poll(() => stream.ended).toBe(true);
    const late = await openEventStream(stoppingApp, people.staff.cookie);
    await expect.poll(() => late.ended).toBe(true);
  });
});
