import { randomBytes } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { vi } from 'vitest';
import type { TestApp } from './test-app.ts';

export const buildTestEmail = () => `u-${randomBytes(6).toString('hex')}@example.com`;

/** Returns the session cookie that the response sets: '' if the response clears the cookie, undefined if it doesn't set one. */
export function getSessionCookie(response: LightMyRequestResponse): string | undefined {
  const set = [response.headers['set-cookie'] ?? []].flat().findLast((cookie) => cookie.includes('session_token='));
  if (set === undefined) return undefined;
  return /Max-Age=0/i.test(set) ? '' : set.split(';', 1)[0];
}

export async function signIn(test: TestApp, email: string, password: string): Promise<string> {
  const response = await test.request('POST', '/api/auth/sign-in', { body: { email, password } });
  const cookie = getSessionCookie(response);
  if (!cookie) throw new Error(`Not signed in: ${response.statusCode} ${response.body}`);
  return cookie;
}

/** Requests a password reset and returns the token. Reads it from the outbox, where emails stay if the server has no SMTP settings. */
export async function requestPasswordResetToken(test: TestApp, email: string): Promise<string> {
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

export async function signUp(test: TestApp, email = buildTestEmail(), password = 'secret-1'): Promise<{ email: string; password: string }> {
  await test.client().auth.signUp({ email, password });
  return { email, password };
}
