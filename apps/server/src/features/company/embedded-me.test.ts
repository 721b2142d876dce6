import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getSessionCookie } from '../../../test/accounts.ts';
import { waitUntilBlockedBy, withOwnerClient } from '../../../test/database.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { createInternalCaller } from '../../platform/http/contract-route.ts';
import { registerPageRoutes } from '../../platform/http/page-route.ts';
import { companyHandlers } from './company.handlers.ts';

let test: TestApp;
let firm: Firm;
let folder: string;
let server: FastifyInstance;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
  folder = await mkdtemp(join(tmpdir(), 'callout-page-'));
  await writeFile(join(folder, 'index.html'), '<head></head><div id="app"></div>');
  server = Fastify();
  await registerPageRoutes(server, createInternalCaller(test.app.platform, { company: companyHandlers }, 'company.me'), folder);
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const openPage = (cookie: string) => server.inject({ method: 'GET', url: '/dashboard', headers: { cookie } });
const setSessionTimeLeft = (userId: string, time: string) =>
  test.owner.query('update sessions set expires_at = now() + $2::interval where user_id = $1', [userId, time]);

describe('the page with the embedded user', () => {
  it('renews a session that is a day old, together with its cookie', async () => {
    const { userId, cookie, email } = firm.people.staff;
    await setSessionTimeLeft(userId, '28 days 23 hours');
    const response = await openPage(cookie);
    expect(response.body).toContain(email);
    expect(getSessionCookie(response)).toBe(cookie);
    expect(String(response.headers['set-cookie'])).toContain('Max-Age=2592000');
    expect(getSessionCookie(await openPage(cookie))).toBeUndefined();
  });

  it('is sent without the user if the database does not respond in time, and a late response causes no error', async () => {
    const { userId, cookie } = firm.people.manager;
    await setSessionTimeLeft(userId, '28 days 23 hours');
    await withOwnerClient(test.database, async (blocker) => {
      await blocker.query('begin');
      await blocker.query('lock table sessions');
      const started = performance.now();
      const pendingPage = openPage(cookie);
      await waitUntilBlockedBy(test.database, blocker);
      const { statusCode, body } = await pendingPage;
      expect([statusCode, body.includes('id="app"'), body.includes('id="me"')]).toEqual([200, true, false]);
      expect(performance.now() - started).toBeLessThan(4000);
      await blocker.query('commit');
    });
    expect((await openPage(cookie)).body).toContain('id="me"');
  });
});

it('looks up an internally called handler in the router only once', async () => {
  let lookups = 0;
  const router = {
    get company() {
      lookups += 1;
      return companyHandlers;
    },
  };
  const app = Fastify();
  await registerPageRoutes(app, createInternalCaller(test.app.platform, router, 'company.me'), folder);
  expect(lookups).toBe(0);
  for (let n = 0; n < 3; n += 1) await app.inject('/');
  expect(lookups).toBe(1);
  await app.close();
});
