import { beforeAll, expect, it, vi } from 'vitest';
import { buildTestEmail, getSessionCookie, signIn } from './accounts.ts';
import { buildCustomer } from './factories/inputs.ts';
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

const SECRET = 'marker-7f3a9c';

/** Changes the account's email address and returns the token that undoes the change. */
async function changeEmail(email: string, password: string): Promise<string> {
  const [client, newEmail] = [test.client(await signIn(test, email, password)), buildTestEmail()];
  await client.auth.requestEmailChange({ email: newEmail, current_password: password });
  const parseToken = (text = '') => /token=([\w-]+)/.exec(text)?.[1] ?? '';
  await client.auth.confirmEmailChange({ token: parseToken((await mailbox.waitForMail(newEmail)).text) });
  const notice = await vi.waitUntil(() => mailbox.listMailsTo(email).find(({ text }) => text.includes('undo-email-change')), {
    timeout: 10_000,
  });
  return parseToken(notice.text);
}

it('the server never logs passwords, tokens, cookies or input values, even when calls fail', async () => {
  const email = buildTestEmail();
  const password = `${SECRET}-password`;
  await test.client().auth.signUp({ email, password });
  const signedIn = await test.request('POST', '/api/auth/sign-in', { body: { email, password } });
  const cookie = getSessionCookie(signedIn) ?? '';
  await test.request('POST', '/api/auth/sign-in', { body: { email, password: `${SECRET}-wrong` } });
  await test.request('POST', '/api/auth/sign-in', { body: `{"password":"${SECRET}`, headers: { 'content-type': 'application/json' } });
  await test.client().auth.requestPasswordReset({ email });
  const token = /token=([\w-]+)/.exec((await mailbox.waitForMail(email)).text)?.[1] ?? '';
  await test.request('GET', `/auth?reset=true&token=${token}`);
  await test.client().auth.resetPassword({ token, password: `${SECRET}-new` });
  const device =
    [signedIn.headers['set-cookie'] ?? []]
      .flat()
      .find((set) => set.includes('device='))
      ?.split(';', 1)[0] ?? '';
  await test.request('POST', '/api/auth/sign-in', { body: { email, password: `${SECRET}-wrong` }, cookie: device });
  const undoToken = await changeEmail(email, `${SECRET}-new`);
  await test.request('GET', `/undo-email-change?token=${undoToken}`);
  await test.client().auth.undoEmailChange({ token: undoToken, password: `${SECRET}-back` });

  const { people } = await createFirm(test);
  const customer = buildCustomer({ name: `${SECRET} name`, notes: `first line\n${SECRET} second line\n    at ${SECRET}`, phone: SECRET });
  await people.admin.client.customers.create(customer);
  await test.request('GET', `/api/customers?search=${SECRET}`, { cookie: people.admin.cookie });
  await test.request('GET', `/api/customers?cursor=${SECRET}`, { cookie: people.admin.cookie });

  await test.owner.query('alter table customers rename column notes to notes_hidden');
  expect((await test.request('POST', '/api/customers', { cookie: people.admin.cookie, body: { ...customer } })).statusCode).toBe(500);
  await test.owner.query('alter table users rename column email to email_hidden');
  expect((await test.request('POST', '/api/auth/sign-up', { body: { email: `${SECRET}@example.com`, password } })).statusCode).toBe(500);

  const log = test.logLines.join('');
  expect(log).toContain('Call failed');
  const cookieValues = [device, cookie, people.admin.cookie].map((pair) => pair.slice(pair.indexOf('=') + 1));
  for (const secret of [SECRET, token, undoToken, ...cookieValues, decodeURIComponent(cookieValues[1] ?? '')]) {
    expect(secret.length).toBeGreaterThan(8);
    expect(test.logLines.filter((line) => line.includes(secret))).toEqual([]);
  }
});

it('the server never logs the token of a public link, which would let anyone open the page', async () => {
  const token = `${SECRET}-public-link`;
  const paths = [`/quote/${token}`, `/quote/${token}/`, `//quote//${token}`, `/invoice/${token}?print=1`, `/api/public/quotes/${token}`];
  const missingRoutes = [`/api/public/quotes/${token}/nothing`, `/api/public/invoices/${token}`];
  const mistyped = [`/API/Public/calendar/${token}.ics`, `/webcal/calendar/${token}.ics`, `/api/public/calendar%2F${token}.ics`];
  for (const path of [...paths, ...missingRoutes, ...mistyped]) await test.request('GET', path);
  await test.request('POST', `/quote/${token}`);
  await test.request('POST', `/api/public/quotes/${token}/accept`, { body: {} });
  expect(test.logLines.filter((line) => line.includes(token))).toEqual([]);
  expect(test.logLines.join('')).toContain('"path":"/quote/:token"');
});
