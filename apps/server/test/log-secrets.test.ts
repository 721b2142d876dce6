import { beforeAll, expect, it, vi } from 'vitest';
import { cookieFrom, signIn, uniqueEmail } from './accounts.ts';
import { newCustomer } from './factories/inputs.ts';
import { createFirm } from './factories/people.ts';
import { type Mailbox, startMailbox } from './mailbox.ts';
import { startTestApp, type TestApp } from './test-app.ts';

let test: TestApp;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp({ ...mailbox.environment, LOG_LEVEL: 'trace' });
  return () => mailbox.stop();
});

const MARKER = 'marker-7f3a9c';

/** Moves the account to another email. Returns the token that undoes it. */
async function movedAway(email: string, password: string): Promise<string> {
  const [client, elsewhere] = [test.client(await signIn(test, email, password)), uniqueEmail()];
  await client.auth.requestEmailChange({ email: elsewhere, current_password: password });
  const tokenIn = (text = '') => /token=([\w-]+)/.exec(text)?.[1] ?? '';
  await client.auth.confirmEmailChange({ token: tokenIn((await mailbox.mailTo(elsewhere)).text) });
  const notice = await vi.waitUntil(() => mailbox.mailsTo(email).find(({ text }) => text.includes('undo-email-change')), {
    timeout: 10_000,
  });
  return tokenIn(notice.text);
}

it('no log line contains a password, token, cookie or typed value, even when calls fail', async () => {
  const email = uniqueEmail();
  const password = `${MARKER}-password`;
  await test.client().auth.signUp({ email, password });
  const signedIn = await test.request('POST', '/api/auth/sign-in', { body: { email, password } });
  const cookie = cookieFrom(signedIn) ?? '';
  await test.request('POST', '/api/auth/sign-in', { body: { email, password: `${MARKER}-wrong` } });
  await test.request('POST', '/api/auth/sign-in', { body: `{"password":"${MARKER}`, headers: { 'content-type': 'application/json' } });
  await test.client().auth.requestPasswordReset({ email });
  const token = /token=([\w-]+)/.exec((await mailbox.mailTo(email)).text)?.[1] ?? '';
  await test.request('GET', `/auth?reset=true&token=${token}`);
  await test.client().auth.resetPassword({ token, password: `${MARKER}-new` });
  const device =
    [signedIn.headers['set-cookie'] ?? []]
      .flat()
      .find((set) => set.includes('device='))
      ?.split(';', 1)[0] ?? '';
  await test.request('POST', '/api/auth/sign-in', { body: { email, password: `${MARKER}-wrong` }, cookie: device });
  const undo = await movedAway(email, `${MARKER}-new`);
  await test.request('GET', `/undo-email-change?token=${undo}`);
  await test.client().auth.undoEmailChange({ token: undo, password: `${MARKER}-back` });

  const { people } = await createFirm(test);
  const customer = newCustomer({ name: `${MARKER} name`, notes: `first line\n${MARKER} second line\n    at ${MARKER}`, phone: MARKER });
  await people.admin.client.customers.create(customer);
  await test.request('GET', `/api/customers?search=${MARKER}`, { cookie: people.admin.cookie });
  await test.request('GET', `/api/customers?cursor=${MARKER}`, { cookie: people.admin.cookie });

  await test.owner.query('alter table customers rename column notes to notes_away');
  expect((await test.request('POST', '/api/customers', { cookie: people.admin.cookie, body: { ...customer } })).statusCode).toBe(500);
  await test.owner.query('alter table users rename column email to email_away');
  expect((await test.request('POST', '/api/auth/sign-up', { body: { email: `${MARKER}@example.com`, password } })).statusCode).toBe(500);

  const log = test.logged.join('');
  expect(log).toContain('call failed');
  const value = (pair: string) => pair.slice(pair.indexOf('=') + 1);
  for (const secret of [MARKER, token, undo, value(device), value(cookie), decodeURIComponent(value(cookie)), value(people.admin.cookie)]) {
    expect(secret.length).toBeGreaterThan(8);
    expect(test.logged.filter((line) => line.includes(secret))).toEqual([]);
  }
});

it('no log line contains the token of a public page, by which anyone can open it', async () => {
  const token = `${MARKER}-public-link`;
  const paths = [`/quote/${token}`, `/quote/${token}/`, `//quote//${token}`, `/invoice/${token}?print=1`, `/api/public/quotes/${token}`];
  const unanswered = [`/api/public/quotes/${token}/nothing`, `/api/public/invoices/${token}`];
  const mistyped = [`/API/Public/calendar/${token}.ics`, `/webcal/calendar/${token}.ics`, `/api/public/calendar%2F${token}.ics`];
  for (const path of [...paths, ...unanswered, ...mistyped]) await test.request('GET', path);
  await test.request('POST', `/quote/${token}`);
  await test.request('POST', `/api/public/quotes/${token}/accept`, { body: {} });
  expect(test.logged.filter((line) => line.includes(token))).toEqual([]);
  expect(test.logged.join('')).toContain('"path":"/quote/:token"');
});
