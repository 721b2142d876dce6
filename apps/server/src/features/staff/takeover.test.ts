import { beforeAll, expect, it } from 'vitest';
import { signIn, signUp, uniqueEmail } from '../../../test/accounts.ts';
import { openStream } from '../../../test/event-stream.ts';
import { newMember } from '../../../test/factories/inputs.ts';
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

const mailedToken = async (email: string) => /token=([\w%-]+)/.exec((await mailbox.mailTo(email)).text)?.[1] ?? '';

/** Signs up with someone else's email, which nothing prevents, and prepares everything that could be used later. */
async function squat(email: string) {
  const { password } = await signUp(test, email);
  const cookie = await signIn(test, email, password);
  const elsewhere = uniqueEmail();
  await test.client(cookie).auth.requestEmailChange({ email: elsewhere, current_password: password });
  await test.client(cookie).company.start();
  const feed = await test.client(cookie).calendar.openFeed();
  const feedPath = new URL(feed.url ?? '').pathname;
  return { cookie, password, feedPath, link: await mailedToken(elsewhere), stream: await openStream(test, cookie) };
}

it('someone who signed up with a later invited person’s email loses all access once that person joins', async () => {
  const email = uniqueEmail();
  const squatter = await squat(email);
  expect((await test.request('GET', squatter.feedPath)).statusCode).toBe(200);
  const { people, companyId } = await createFirm(test);
  await people.admin.client.staff.invite(newMember({ email, role: 'admin' }));
  await test.client().staff.acceptInvitation({ token: await mailedToken(email), password: 'their own secret' });

  await expect(test.client(squatter.cookie).auth.confirmEmailChange({ token: squatter.link })).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
  await expect(test.client().auth.signIn({ email, password: squatter.password })).rejects.toMatchObject({
    code: 'INVALID_CREDENTIALS',
  });
  expect((await test.request('GET', '/api/me', { cookie: squatter.cookie })).statusCode).toBe(401);
  expect(await squatter.stream.next()).toMatchObject({ event: 'signed-out' });
  expect((await test.request('GET', squatter.feedPath)).statusCode).toBe(404);
  const { user, profile } = await test.client(await signIn(test, email, 'their own secret')).company.me();
  expect([user.email, profile?.company_id]).toEqual([email, companyId]);
});
