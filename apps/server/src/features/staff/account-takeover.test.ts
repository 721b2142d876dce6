import { beforeAll, expect, it } from 'vitest';
import { buildTestEmail, signIn, signUp } from '../../../test/accounts.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { buildMember } from '../../../test/factories/inputs.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp(mailbox.environment);
  return () => mailbox.stop();
});

const waitForMailedToken = async (email: string) => /token=([\w%-]+)/.exec((await mailbox.waitForMail(email)).text)?.[1] ?? '';

/** Signs up with someone else's email address and sets up everything that could later give access to the account. */
async function signUpSquatter(email: string) {
  const { password } = await signUp(test, email);
  const cookie = await signIn(test, email, password);
  const squatterEmail = buildTestEmail();
  await test.client(cookie).auth.requestEmailChange({ email: squatterEmail, current_password: password });
  await test.client(cookie).company.start();
  const feed = await test.client(cookie).calendar.openFeed();
  const feedPath = new URL(feed.url ?? '').pathname;
  return { cookie, password, feedPath, link: await waitForMailedToken(squatterEmail), stream: await openEventStream(test, cookie) };
}

it('a person who signed up with someone else’s email address loses all access once its owner accepts an invitation', async () => {
  const email = buildTestEmail();
  const squatter = await signUpSquatter(email);
  expect((await test.request('GET', squatter.feedPath)).statusCode).toBe(200);
  const { people, companyId } = await createFirm(test);
  await people.admin.client.staff.invite(buildMember({ email, role: 'admin' }));
  await test.client().staff.acceptInvitation({ token: await waitForMailedToken(email), password: 'their own secret' });

  await expect(test.client(squatter.cookie).auth.confirmEmailChange({ token: squatter.link })).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
  await expect(test.client().auth.signIn({ email, password: squatter.password })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  expect((await test.request('GET', '/api/me', { cookie: squatter.cookie })).statusCode).toBe(401);
  expect(await squatter.stream.next()).toMatchObject({ event: 'signed-out' });
  expect((await test.request('GET', squatter.feedPath)).statusCode).toBe(404);
  const { user, profile } = await test.client(await signIn(test, email, 'their own secret')).company.me();
  expect([user.email, profile?.company_id]).toEqual([email, companyId]);
});
