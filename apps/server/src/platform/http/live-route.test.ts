import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resetToken, signIn, signUp } from '../../../test/accounts.ts';
import { withOwner } from '../../../test/database.ts';
import { type EventStream, openStream, urlOf } from '../../../test/event-stream.ts';
import { newCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, createPerson, type Firm, tenantOf } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { changeAs } from '../db/tenant-scope.ts';
import { publishChange, publishToPeople } from '../live/live.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const CUSTOMERS_CHANGED = { event: 'change', data: { topics: ['customers'] } };
/** Jobs show the name and phone of their customer. */
const SHOWN_ELSEWHERE = { event: 'change', data: { topics: ['customers', 'jobs', 'quotes'] } };

const publishTopic = (of: Firm, ...topics: string[]) =>
  changeAs(test.app.platform.pools.app, tenantOf(of), (scope) => publishChange(scope, ...topics));

describe('a change', () => {
  it('is published to every colleague and to nobody in another company', async () => {
    const other = await createFirm(test, 'Other');
    const [desk, van, theirs] = [
      await openStream(test, firm.people.admin.cookie),
      await openStream(test, firm.people.staff.cookie),
      await openStream(test, other.people.admin.cookie),
    ];
    await firm.people.manager.client.customers.create(newCustomer());
    expect(await desk.next()).toEqual(CUSTOMERS_CHANGED);
    expect(await van.next()).toEqual(CUSTOMERS_CHANGED);
    await publishTopic(other, 'theirs');
    expect(await theirs.next()).toEqual({ event: 'change', data: { topics: ['theirs'] } });
  });

  it('is published for add, edit and delete', async () => {
    const stream = await openStream(test, firm.people.staff.cookie);
    const { customers } = firm.people.admin.client;
    const created = await customers.create(newCustomer());
    expect(await stream.next()).toEqual(CUSTOMERS_CHANGED);
    await customers.update({ ...created, type: 'individual', name: 'New' });
    expect(await stream.next()).toEqual(SHOWN_ELSEWHERE);
    await customers.remove({ id: created.id });
    expect(await stream.next()).toEqual(SHOWN_ELSEWHERE);
  });

  it('between reading a page and listening is published too, and an older one is not', async () => {
    const earlier = await openStream(test, firm.people.staff.cookie);
    await publishTopic(firm, 'between');
    await earlier.next();
    const stream = await openStream(test, firm.people.staff.cookie, '?read_ago=30000');
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['between'] } });
    const late = [await openStream(test, firm.people.staff.cookie, '?read_ago=0'), await openStream(test, firm.people.staff.cookie)];
    await publishTopic(firm, 'after');
    for (const one of late) expect(await one.next()).toEqual({ event: 'change', data: { topics: ['after'] } });
  });

  it('that was refused or rolled back is not published', async () => {
    const stream = await openStream(test, firm.people.staff.cookie);
    const { customers } = firm.people.admin.client;
    await expect(customers.remove({ id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const rolledBack = changeAs(test.app.platform.pools.app, tenantOf(firm), async (scope) => {
      await publishChange(scope, 'never');
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await publishTopic(firm, 'after');
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['after'] } });
  });

  it('is published by every server on the same database', async () => {
    const stream = await openStream(test, firm.people.staff.cookie);
    const notice = JSON.stringify({ company: firm.companyId, topics: ['jobs'] });
    await withOwner(test.database, (client) => client.query(`select pg_notify('callout_live', $1)`, [notice]));
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['jobs'] } });
  });
});

describe('an event for some people', () => {
  const tellSome = (people: readonly string[]) =>
    changeAs(test.app.platform.pools.app, tenantOf(firm), (scope) => publishToPeople(scope, people, 'notifications'));
  const NOTIFICATION = { event: 'change', data: { topics: ['notifications'] } };

  it('reaches all their tabs and no colleague', async () => {
    const { staff, manager } = firm.people;
    const [van, phone, office] = [
      await openStream(test, staff.cookie),
      await openStream(test, staff.cookie),
      await openStream(test, manager.cookie),
    ];
    await tellSome([staff.userId]);
    expect([await van.next(), await phone.next()]).toEqual([NOTIFICATION, NOTIFICATION]);
    await publishTopic(firm, 'after');
    expect(await office.next()).toEqual({ event: 'change', data: { topics: ['after'] } });
  });

  it('reaches the last of a thousand people', async () => {
    const stream = await openStream(test, firm.people.staff.cookie);
    await tellSome([...Array.from({ length: 999 }, () => randomUUID()), firm.people.staff.userId]);
    expect(await stream.next()).toEqual(NOTIFICATION);
  });

  it('without recipients is sent to nobody', async () => {
    const stream = await openStream(test, firm.people.staff.cookie);
    await tellSome([]);
    await publishTopic(firm, 'after');
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['after'] } });
  });
});

describe('a stream', () => {
  it('requires a session', async () => {
    expect((await test.request('GET', '/api/live')).statusCode).toBe(401);
  });

  it('beyond the limit of a session closes its oldest, which may be a dead connection', async () => {
    const { cookie } = firm.people.staff;
    const colleague = await openStream(test, firm.people.admin.cookie);
    const streams: EventStream[] = [];
    for (let n = 0; n < 21; n += 1) streams.push(await openStream(test, cookie));
    await expect.poll(() => streams.map(({ ended }) => ended).indexOf(true)).toBe(0);
    await publishTopic(firm, 'after');
    for (const stream of [...streams.slice(1), colleague]) {
      expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['after'] } });
    }
    expect(streams.filter(({ ended }) => ended)).toHaveLength(1);
  });

  /** Streams of other sessions of the company. Returns the functions that stop them. */
  const watchOften = (times: number, close: () => void = () => undefined) =>
    Array.from({ length: times }, () => {
      const watcher = { companyId: firm.companyId, userId: randomUUID(), sessionId: randomUUID() };
      return test.app.platform.live.watch({ ...watcher, write: () => undefined, close }, 0);
    });

  it('is refused when its company has too many, without affecting others', async () => {
    const stops = watchOften(200);
    const refused = await test.request('GET', '/api/live', { cookie: firm.people.staff.cookie });
    expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 'TOO_MANY_ATTEMPTS' }]);
    const other = await createFirm(test, 'Other');
    expect((await openStream(test, other.people.staff.cookie)).status).toBe(200);
    stops[0]?.();
    expect((await openStream(test, firm.people.staff.cookie)).status).toBe(200);
    for (const stop of stops) stop();
  });

  it('closes the oldest of its own session, never a colleague’s, when the company has too many', async () => {
    const { cookie } = firm.people.staff;
    const streams = [await openStream(test, cookie), await openStream(test, cookie)];
    let closed = 0;
    const stops = watchOften(198, () => void (closed += 1));
    streams.push(await openStream(test, cookie));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    await expect.poll(() => streams.map(({ ended }) => ended)).toEqual([true, false, false]);
    expect(closed).toBe(0);
    expect((await test.request('GET', '/api/live', { cookie: firm.people.admin.cookie })).statusCode).toBe(429);
    for (const stop of stops) stop();
  });

  it('of a person without a company receives no company events', async () => {
    const loner = await createPerson(test);
    const [stream, control] = [await openStream(test, loner.cookie), await openStream(test, firm.people.staff.cookie)];
    await publishTopic(firm, 'customers');
    await control.next();
    expect([stream.status, stream.events]).toEqual([200, []]);
  });

  it('receives a signed-out event and closes when its session ends, in all tabs and only there', async () => {
    const { email, password } = await signUp(test);
    const [here, elsewhere] = [await signIn(test, email, password), await signIn(test, email, password)];
    const [tab, secondTab, phone] = [await openStream(test, here), await openStream(test, here), await openStream(test, elsewhere)];
    await test.client(here).auth.signOut();
    for (const stream of [tab, secondTab]) {
      expect(await stream.next()).toEqual({ event: 'signed-out', data: {} });
      await expect.poll(() => stream.ended).toBe(true);
    }
    expect([phone.events, phone.ended]).toEqual([[], false]);
  });

  it('ends when the password is reset', async () => {
    const { email, password } = await signUp(test);
    const stream = await openStream(test, await signIn(test, email, password));
    await test.client().auth.resetPassword({ token: await resetToken(test, email), password: 'secret-new' });
    expect(await stream.next()).toEqual({ event: 'signed-out', data: {} });
  });

  it('survives the loss of its database connection and then asks for everything to be refetched', async () => {
    const stream = await openStream(test, firm.people.staff.cookie);
    await publishTopic(firm, 'before');
    await stream.next();
    await withOwner(test.database, (client) =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'callout_live' and datname = current_database()`,
      ),
    );
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['*'] } });
    await publishTopic(firm, 'after');
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['after'] } });
  });

  it('is not compressed, cached or sniffed', async () => {
    const abort = new AbortController();
    const answer = await fetch(`${await urlOf(test)}/api/live`, {
      headers: { cookie: firm.people.staff.cookie, 'accept-encoding': 'br, gzip' },
      signal: abort.signal,
    });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String) as string,
    });
    expect(answer.headers.get('content-encoding')).toBeNull();
    abort.abort();
  });
});

describe('a server that stops', () => {
  let stopping: TestApp;

  beforeAll(async () => {
    stopping = await startTestApp();
  });

  it('ends its streams, including those opened while it stops', async () => {
    const { people } = await createFirm(stopping);
    const stream = await openStream(stopping, people.staff.cookie);
    await stopping.app.platform.live.stop();
    await expect.poll(() => stream.ended).toBe(true);
    const late = await openStream(stopping, people.staff.cookie);
    await expect.poll(() => late.ended).toBe(true);
  });
});
