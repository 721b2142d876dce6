import { isErrorCode } from '@callout/contract/errors';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Call, everyCall } from './every-call.ts';
import { startAdministeredApp } from './factories/administrator.ts';
import { createFirm, type Firm, type Person } from './factories/people.ts';
import { createRecords, type Records, samples } from './samples.ts';
import { sendCall } from './send-call.ts';
import type { TestApp } from './test-app.ts';

const HOSTILE: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  3_000_000_000,
  2 ** 53 - 1,
  '',
  ' ',
  '\0',
  'a\0b',
  'a\r\nBcc: thief@example.com\u0085\u001b[2J',
  '\ud800',
  "'; drop table customers; --",
  '%_\\',
  '<img src=x onerror=alert(1)>',
  '../../etc/passwd',
  '${7*7}',
  'x'.repeat(20_000),
  '🧰'.repeat(300),
  [],
  [[[[[[]]]]]],
  ['a', 1, null],
  ['\0'],
  ['\ud800'],
  ['x'.repeat(20_000)],
  {},
  { $gt: '' },
  { toString: 'x' },
  '__proto__',
  '9999-99-99T99:99:99Z',
  'bm90IGpzb24',
  '018f0000-0000-7000-8000-000000000001',
];

let test: TestApp;
let administrator: Person;
let firm: Firm;
let records: Records;

beforeAll(async () => {
  ({ test, administrator } = await startAdministeredApp());
  firm = await createFirm(test);
  records = await createRecords(test, firm);
});

const HOSTILE_BODIES: readonly (readonly [string, string])[] = [
  ['application/json', JSON.stringify({ notes: 'x'.repeat(1024 * 1024) })],
  ['application/json', '{"a":'],
  ['application/json', '"text"'],
  ['application/json', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['application/json', '{"__proto__":{"admin":true}}'],
  ['text/plain', 'hello'],
  ['application/x-www-form-urlencoded', 'name=x'],
];

const forgetAttempts = () => test.app.platform.pools.system.query('delete from rate_limits');

function cookieFor({ access }: Call): string | undefined {
  if (access === 'public') return undefined;
  return access === 'system-admin' ? administrator.cookie : firm.people.admin.cookie;
}

/** One hostile value must not use up the attempts of the next. */
async function send(call: Call, input: Record<string, unknown>): Promise<LightMyRequestResponse> {
  await forgetAttempts();
  return sendCall(test, call, input, cookieFor(call));
}

/** What is wrong with an answer: a 5xx, a refusal without a code, or one that shows our insides. */
function faultOf({ statusCode, body }: LightMyRequestResponse): string | null {
  if (statusCode < 400) return null;
  if (statusCode >= 500) return `answered ${statusCode}`;
  const { code } = JSON.parse(body) as { code?: unknown };
  if (!isErrorCode(code)) return `answered with the code ${String(code)}`;
  return /select |insert |at .*\.ts:|node_modules/i.test(body) ? `showed ${body}` : null;
}

describe.each(everyCall)('$name', (call) => {
  const sampleOf = () => {
    const sample = samples[call.name];
    if (!sample) throw new Error(`Add a sample for ${call.name} to samples.ts`);
    return sample(records);
  };

  it('answers a missing field with a typed 4xx, or does without it', async () => {
    for (const field of Object.keys(sampleOf())) {
      const { [field]: _, ...rest } = sampleOf();
      expect({ field, fault: faultOf(await send(call, rest)) }).toEqual({ field, fault: null });
    }
  });

  it('answers hostile values in every field with a typed 4xx, or takes them as they are', async () => {
    for (const field of [...Object.keys(sampleOf()), 'cursor', '__proto__', 'unknown_field']) {
      for (const value of HOSTILE) {
        const fault = faultOf(await send(call, { ...sampleOf(), [field]: value }));
        expect({ field, value, fault }).toEqual({ field, value, fault: null });
      }
    }
  });
});

describe.each(everyCall.filter((call) => call.method !== 'GET'))('$name', (call) => {
  it('answers a body that is huge, not JSON or no object with a typed 4xx', async () => {
    const path = call.path.replace('{id}', records.customerId);
    for (const [type, body] of HOSTILE_BODIES) {
      await forgetAttempts();
      const answer = await test.request(call.method, path, { cookie: cookieFor(call), body, headers: { 'content-type': type } });
      expect({ type, body: body.slice(0, 20), fault: faultOf(answer) }).toEqual({ type, body: body.slice(0, 20), fault: null });
    }
  });
});

it('never logged a fault on the way', () => {
  expect(test.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
});
