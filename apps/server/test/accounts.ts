import { randomBytes } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from './test-app.ts';

export const newAddress = () => `u-${randomBytes(6).toString('hex')}@example.com`;

/** The cookie a browser would send from now on; '' once it was told to forget it, undefined when it was told nothing. */
export function cookieFrom(answer: LightMyRequestResponse): string | undefined {
  const set = [answer.headers['set-cookie'] ?? []].flat().at(-1);
  if (set === undefined) return undefined;
  return /Max-Age=0/i.test(set) ? '' : set.split(';', 1)[0];
}

export async function signIn(test: TestApp, email: string, password: string): Promise<string> {
  const answer = await test.request('POST', '/api/auth/sign-in', { body: { email, password } });
  const cookie = cookieFrom(answer);
  if (!cookie) throw new Error(`Not signed in: ${answer.statusCode} ${answer.body}`);
  return cookie;
}

/** An account made the way people make one. */
export async function signUp(test: TestApp, email = newAddress(), password = 'secret-1'): Promise<{ email: string; password: string }> {
  await test.client().auth.signUp({ email, password });
  return { email, password };
}
