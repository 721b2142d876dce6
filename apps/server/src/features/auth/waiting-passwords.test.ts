import { commonErrors } from '@callout/contract/errors';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { signIn, signUp } from '../../../test/accounts.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { createPasswordHasher } from '../../platform/auth/password-hasher.ts';
import { createFailure } from '../../platform/errors/failures.ts';

let test: TestApp;
/** Resolves when it is a password's turn to be hashed or compared. */
let waitForTurn: () => Promise<unknown>;

const isFull = () => Promise.reject(createFailure('TOO_MANY_ATTEMPTS', commonErrors.TOO_MANY_ATTEMPTS.message, { retry_after: 1 }));

beforeAll(async () => {
  const hasher = createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  const passwordHasher = {
    hash: async (password: string, ip: string) => waitForTurn().then(() => hasher.hash(password, ip)),
    verify: async (storedHash: string, password: string, ip: string) => waitForTurn().then(() => hasher.verify(storedHash, password, ip)),
    close: () => hasher.close(),
  };
  test = await startTestApp({ TRUST_PROXY: '1' }, { passwordHasher });
});

beforeEach(() => {
  waitForTurn = () => Promise.resolve();
});

/** Runs `attempt` while the queue of passwords is full. */
async function attemptWhileFull(attempt: () => Promise<unknown>): Promise<void> {
  waitForTurn = isFull;
  await attempt();
  waitForTurn = () => Promise.resolve();
}

it('a sign-in that is refused because too many passwords are waiting is not a failed attempt', async () => {
  const { email, password } = await signUp(test);
  const attempt = async (guess: string) =>
    (await test.request('POST', '/api/auth/sign-in', { body: { email, password: guess } })).json<{ code?: string; data?: object }>();
  for (let n = 0; n < 9; n += 1) await attempt('wrong-1');
  await attemptWhileFull(async () => {
    for (let n = 0; n < 12; n += 1) {
      expect(await attempt(password)).toMatchObject({ code: 'TOO_MANY_ATTEMPTS', data: { retry_after: 1 } });
    }
  });
  // The wrong passwords still count: one more is allowed, as before.
  expect(await attempt('wrong-1')).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  expect(await attempt(password)).toMatchObject({ code: 'TOO_MANY_ATTEMPTS', data: { retry_after: expect.any(Number) as number } });
});

it('a password change that is refused because too many passwords are waiting is not a wrong password', async () => {
  const { email, password } = await signUp(test);
  const { auth } = test.client(await signIn(test, email, password));
  const change = () => auth.changePassword({ current_password: password, new_password: 'secret-22' });
  await attemptWhileFull(async () => {
    for (let n = 0; n < 12; n += 1) await expect(change()).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  });
  expect(await change()).toEqual({});
});

it('sign-ups hold no database connection while their passwords wait', async () => {
  const { email, password } = await signUp(test);
  const client = test.client(await signIn(test, email, password));
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  waitForTurn = () => {
    waiting += 1;
    return promise;
  };
  const { system } = test.app.platform.pools;
  const pending = Array.from({ length: 2 * (system.options.max ?? 10) }, (_, n) =>
    test.request('POST', '/api/auth/sign-up', {
      body: { email: `waiting-${n}@example.com`, password: 'secret-1' },
      headers: { 'x-forwarded-for': `198.51.100.${n}` },
    }),
  );
  await expect.poll(() => waiting, { timeout: 10_000 }).toBe(pending.length);
  expect((await client.company.me()).user.email).toBe(email);
  expect([system.waitingCount, system.totalCount - system.idleCount]).toEqual([0, 0]);
  resolve();
  expect((await Promise.all(pending)).map(({ statusCode }) => statusCode)).toEqual(pending.map(() => 201));
});

it('two sign-ins of a network run at once, so that a burst of them leaves connections for session lookups', async () => {
  const { email, password } = await signUp(test);
  const client = test.client(await signIn(test, email, password));
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  waitForTurn = () => {
    waiting += 1;
    return promise;
  };
  const pending = Array.from({ length: 8 }, () => test.request('POST', '/api/auth/sign-in', { body: { email, password } }));
  await expect.poll(() => waiting, { timeout: 10_000 }).toBe(2);
  expect((await client.company.me()).user.email).toBe(email);
  const { rows } = await test.owner.query(`select attempts from rate_limits where key like 'sign-in account ' || $1 || ' network %'`, [
    email,
  ]);
  expect(rows).toEqual([{ attempts: 2 }]);
  resolve();
  expect((await Promise.all(pending)).map(({ statusCode }) => statusCode)).toEqual(pending.map(() => 200));
});
