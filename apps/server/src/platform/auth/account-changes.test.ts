import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newAddress, signIn, signUp } from '../../../test/accounts.ts';
import { openStream } from '../../../test/event-stream.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp({ ...mailbox.environment, APP_URL: 'https://work.example.com' });
  return () => mailbox.stop();
});

const system = () => test.app.platform.pools.system;

beforeEach(async () => {
  await system().query('delete from rate_limits');
});

/** Somebody with an account of their own making, signed in. */
async function person() {
  const { email, password } = await signUp(test);
  const cookie = await signIn(test, email, password);
  return { email, password, cookie, client: test.client(cookie) };
}

const isIn = async (cookie: string) => (await test.request('GET', '/api/me', { cookie })).statusCode === 200;

describe('a changed password', () => {
  it('counts from then on, and the old one does not', async () => {
    const { client, email, password } = await person();
    await client.auth.changePassword({ current_password: password, new_password: 'secret-new' });
    await expect(test.client().auth.signIn({ email, password })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await signIn(test, email, 'secret-new')).not.toBe('');
  });

  it('ends every other session at once, also its open pages, and keeps this one', async () => {
    const { client, cookie, email, password } = await person();
    const elsewhere = await signIn(test, email, password);
    const stream = await openStream(test, elsewhere);
    const own = await openStream(test, cookie);
    await client.auth.changePassword({ current_password: password, new_password: 'secret-new' });
    expect([await isIn(cookie), await isIn(elsewhere)]).toEqual([true, false]);
    expect(await stream.next()).toMatchObject({ event: 'signed-out' });
    expect(own.events).toEqual([]);
  });

  it('needs the current one: without it nothing changes and nobody is out', async () => {
    const { client, email, password } = await person();
    const elsewhere = await signIn(test, email, password);
    await expect(client.auth.changePassword({ current_password: 'guessed-it', new_password: 'secret-new' })).rejects.toMatchObject({
      code: 'WRONG_PASSWORD',
      status: 403,
      message: 'Current password is incorrect',
    });
    expect(await isIn(elsewhere)).toBe(true);
    expect(await signIn(test, email, password)).not.toBe('');
  });

  it('cannot be guessed for ever', async () => {
    const { client } = await person();
    const guess = () =>
      client.auth.changePassword({ current_password: 'guessed-it', new_password: 'secret-new' }).catch((error: unknown) => error);
    for (let n = 0; n < 10; n += 1) expect(await guess()).toMatchObject({ code: 'WRONG_PASSWORD' });
    expect(await guess()).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  });

  it('has at least 6 characters', async () => {
    const { client, password } = await person();
    await expect(client.auth.changePassword({ current_password: password, new_password: '12345' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { new_password: 'Password must be at least 6 characters' } },
    });
  });
});

describe('a changed e-mail address', () => {
  const request = async (client: Awaited<ReturnType<typeof person>>['client'], email: string) => {
    expect(await client.auth.requestEmailChange({ email })).toEqual({ mail: 'queued' });
    await mailbox.mailTo(email.toLowerCase());
    const link = new URL(/https:\S+/.exec(mailbox.mailsTo(email).at(-1)?.text ?? '')?.[0] ?? '');
    expect(`${link.origin}${link.pathname}`).toBe('https://work.example.com/confirm-email');
    return link.searchParams.get('token') ?? '';
  };
  const confirm = (token: string) => test.client().auth.confirmEmailChange({ token });
  const dead = { code: 'LINK_EXPIRED' };

  it('counts only once the link in the mail to it was opened; the old address is told', async () => {
    const { client, email, password } = await person();
    await client.company.start();
    const next = newAddress();
    const token = await request(client, next.toUpperCase());
    expect((await client.company.me()).user.email).toBe(email);
    expect(await confirm(token)).toEqual({ email: next });
    expect((await client.company.me()).user.email).toBe(next);
    await expect(test.client().auth.signIn({ email, password })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await signIn(test, next, password)).not.toBe('');
    expect(await mailbox.mailTo(email)).toMatchObject({ subject: 'Your email address for Callout was changed' });
    const { rows } = await system().query('select email from staff_members where profile_id = $1', [(await client.company.me()).user.id]);
    expect(rows).toEqual([{ email: next }]);
  });

  it('needs a link that was not used, not replaced by a later one, and is not older than a day', async () => {
    const { client } = await person();
    const [first, second] = [await request(client, newAddress()), await request(client, newAddress())];
    await expect(confirm(first)).rejects.toMatchObject(dead);
    await confirm(second);
    await expect(confirm(second)).rejects.toMatchObject(dead);
    const third = await request(client, newAddress());
    await system().query(`update email_changes set expires_at = expires_at - interval '24 hours'`);
    await expect(confirm(third)).rejects.toMatchObject(dead);
    await expect(confirm('no-such-token')).rejects.toMatchObject(dead);
  });

  it('is one that nobody else has: neither when it is asked for nor when it is confirmed', async () => {
    const [one, two] = [await person(), await person()];
    await expect(one.client.auth.requestEmailChange({ email: two.email.toUpperCase() })).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    const wanted = newAddress();
    const token = await request(one.client, wanted);
    await signUp(test, wanted);
    await expect(confirm(token)).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    expect((await one.client.company.me()).user.email).toBe(one.email);
  });

  it.each(['abc', 'a@b', 'a b@example.com'])('is not %j', async (email) => {
    const { client } = await person();
    await expect(client.auth.requestEmailChange({ email })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('is another one', async () => {
    const { client, email } = await person();
    await expect(client.auth.requestEmailChange({ email })).rejects.toMatchObject({
      data: { fields: { email: 'This is your email address already' } },
    });
  });

  it('is not kept as a link anybody could read in the database', async () => {
    const { client } = await person();
    const token = await request(client, newAddress());
    const { rows } = await system().query<{ row: string }>('select e::text as row from email_changes e');
    expect(rows.some(({ row }) => row.includes(token))).toBe(false);
  });

  it('leaves alone an address the company keeps for the person on purpose', async () => {
    const { client } = await person();
    await client.company.start();
    const { id } = (await client.company.me()).user;
    await system().query(`update staff_members set email = 'office@example.com' where profile_id = $1`, [id]);
    await confirm(await request(client, newAddress()));
    const { rows } = await system().query('select email from staff_members where profile_id = $1', [id]);
    expect(rows).toEqual([{ email: 'office@example.com' }]);
  });
});
