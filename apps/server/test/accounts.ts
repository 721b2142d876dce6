import { randomBytes } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { vi } from 'vitest';
import type { TestApp } from './test-app.ts';

export const uniqueEmail = () => `u-${randomBytes(6).toString('hex')}@example.com`;

/** The session cookie a browser sends from now on; '' when it was cleared, undefined when it was not set. */
export function cookieFrom(answer: LightMyRequestResponse): string | undefined {
  const set = [answer.headers['set-cookie'] ?? []].flat().findLast((cookie) => cookie.includes('session_token='));
  if (set === undefined) return undefined;
  return /Max-Age=0/i.test(set) ? '' : set.split(';', 1)[0];
}

export async function signIn(test: TestApp, email: string, password: string): Promise<string> {
  const answer = await test.request('POST', '/api/auth/sign-in', { body: { email, password } });
  const cookie = cookieFrom(answer);
  if (!cookie) throw new Error(`Not signed in: ${answer.statusCode} ${answer.body}`);
  return cookie;
}

/** Requests a password reset and reads the link from the outbox, where a server without mail keeps it. */
export async function resetToken(test: TestApp, email: string): Promise<string> {
  await test.client().auth.requestPasswordReset({ email });
  return vi.waitUntil(
    async () => {
      const { rows } = await test.owner.query<{ text_body: string }>(
        'select text_body from outbox_mails where recipient = $1 order by created_at desc limit 1',
        [email],
      );
      return /reset=true&token=([\w-]+)/.exec(rows[0]?.text_body ?? '')?.[1];
    },
    { timeout: 10_000, interval: 5 },
  );
}

/** An account created by signing up. */
export async function signUp(test: TestApp, email = uniqueEmail(), password = 'secret-1'): Promise<{ email: string; password: string }> {
  await test.client().auth.signUp({ email, password });
  return { email, password };
}
