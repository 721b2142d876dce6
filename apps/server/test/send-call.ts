import type { LightMyRequestResponse } from 'fastify';
import type { Call } from './every-call.ts';
import type { TestApp } from './test-app.ts';

/** Sends a call as raw HTTP, so that input can be sent which no typed client would. */
export function sendCall(test: TestApp, call: Call, input: Record<string, unknown>, cookie?: string): Promise<LightMyRequestResponse> {
  const rest = { ...input };
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value ?? '')).toWellFormed());
  });
  if (call.method === 'GET') return test.request('GET', `${path}?${queryOf(rest)}`, { cookie });
  return test.request(call.method, path, { cookie, body: rest });
}

function queryOf(input: Record<string, unknown>): string {
  const pairs = Object.entries(input).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string],
  );
  return new URLSearchParams(pairs).toString();
}
