import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieFrom } from '../../../test/accounts.ts';
import { waitUntilBlockedBy, withOwner } from '../../../test/database.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { answerOf } from '../../platform/http/contract-route.ts';
import { pageRoute } from '../../platform/http/page-route.ts';
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
  await pageRoute(server, answerOf(test.app.platform, { company: companyHandlers }, 'company.me'), folder);
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const open = (cookie: string) => server.inject({ method: 'GET', url: '/dashboard', headers: { cookie } });
const leaveSession = (userId: string, time: string) =>
  test.owner.query('update sessions set expires_at = now() + $2::interval where user_id = $1', [userId, time]);

describe('the start page', () => {
  it('renews a session that is a day old, with its cookie', async () => {
    const { userId, cookie, email } = firm.people.staff;
    await leaveSession(userId, '28 days 23 hours');
    const answer = await open(cookie);
    expect(answer.body).toContain(email);
    expect(cookieFrom(answer)).toBe(cookie);
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=2592000');
    expect(cookieFrom(await open(cookie))).toBeUndefined();
  });

  it('is sent without who is signed in while the database does not answer, and what it answers later is no error', async () => {
    const { userId, cookie } = firm.people.manager;
    await leaveSession(userId, '28 days 23 hours');
    await withOwner(test.database, async (stalled) => {
      await stalled.query('begin');
      await stalled.query('lock table sessions');
      const started = performance.now();
      const asked = open(cookie);
      await waitUntilBlockedBy(test.database, stalled);
      const { statusCode, body } = await asked;
      expect([statusCode, body.includes('id="app"'), body.includes('id="me"')]).toEqual([200, true, false]);
      expect(performance.now() - started).toBeLessThan(4000);
      await stalled.query('commit');
    });
    expect((await open(cookie)).body).toContain('id="me"');
  });
});

it('a call is looked up in the router once', async () => {
  let lookups = 0;
  const router = {
    get company() {
      lookups += 1;
      return companyHandlers;
    },
  };
  const app = Fastify();
  await pageRoute(app, answerOf(test.app.platform, router, 'company.me'), folder);
  expect(lookups).toBe(0);
  for (let time = 0; time < 3; time += 1) await app.inject('/');
  expect(lookups).toBe(1);
  await app.close();
});
