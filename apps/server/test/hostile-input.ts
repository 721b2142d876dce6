import { type ErrorCode, isErrorCode } from '@callout/contract/errors';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Call } from './every-call.ts';
import { startAdministeredApp } from './factories/administrator.ts';
import { createFirm, type Firm, type Person } from './factories/people.ts';
import { HOSTILE_BODIES, HOSTILE_QUERIES, HOSTILE_VALUES } from './hostile-values.ts';
import { type FieldPath, type Input, inputFieldsOf, replaceField } from './input-fields.ts';
import { createRecords, type Records, samples } from './samples.ts';
import { sendCall } from './send-call.ts';
import type { TestApp } from './test-app.ts';

/** Who makes a call, on which records, with which input it succeeds. */
interface Target {
  firm: Firm;
  records: Records;
  input: Input;
}

let test: TestApp;
let administrator: Person;
/** For calls that change nothing. */
let readOnly: Pick<Target, 'firm' | 'records'>;

/** The guard of inputs, over some of the calls: each test file takes its share of them. */
export function guardInputsOf(calls: readonly Call[]): void {
  beforeAll(async () => {
    ({ test, administrator } = await startAdministeredApp());
    readOnly = await createCompany();
  });

  describe.each(calls)('$name', (call) => {
    let target: Target;
    const sendInput = (change: (input: Input) => Input, field?: FieldPath) =>
      sendTo(target, call, () => sendCall(test, call, { ...change(target.input) }, cookieFor(call, target.firm)), field);
    const sendRaw = (query: string, body?: string, type = '') =>
      sendTo(target, call, () => {
        const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => String(target.input[name]));
        const headers = { 'content-type': type };
        return test.request(call.method, path + query, { cookie: cookieFor(call, target.firm), ...(body && { body, headers }) });
      });

    beforeAll(async () => {
      const company = call.method === 'GET' ? readOnly : await createCompany();
      target = { ...company, input: await sampleOf(call, company.records) };
    });

    it('succeeds with its sample', async () => {
      const { statusCode, body } = await sendInput((input) => input);
      expect(statusCode, body).toBeLessThan(300);
    });

    it('answers a missing field with a typed 4xx, or does without it', async () => {
      for (const field of Object.keys(target.input)) {
        const answer = await sendInput(({ [field]: _, ...rest }) => rest, [field]);
        expect({ field, fault: faultOf(answer, [field]) }).toEqual({ field, fault: null });
      }
    });

    it('answers hostile values in every field with a typed 4xx, or takes them as they are', async () => {
      for (const field of inputFieldsOf(call)) {
        for (const value of HOSTILE_VALUES) {
          const answer = await sendInput((input) => replaceField(input, field, value), field);
          expect({ field, value, fault: faultOf(answer, field) }).toEqual({ field, value, fault: null });
        }
      }
    });

    it('ignores fields it does not know, or refuses them', async () => {
      const unknown = Object.fromEntries(HOSTILE_VALUES.map((value, index) => [`unknown_${index}`, value]));
      for (const extra of [unknown, Object.fromEntries([['__proto__', { admin: true }]])]) {
        expect(faultOf(await sendInput((input) => ({ ...input, ...extra })))).toBeNull();
      }
    });

    if (inputFieldsOf(call).some((field) => field.join('.') === 'version')) {
      it('refuses a version that was saved over, and shows what was saved', async () => {
        const { statusCode } = await sendInput((input) => input);
        const { version } = target.input;
        const answer = await sendInput((input) => ({ ...input, version: Number(version) - 1 }), ['version']);
        expect([statusCode, answer.json()]).toMatchObject([200, { code: 'STALE_VERSION', data: { current: { version } } }]);
      });
    }

    if (call.method === 'GET') {
      it('answers a query that no client of ours wrote with a typed 4xx, or ignores it', async () => {
        for (const query of HOSTILE_QUERIES) {
          const start = query.slice(0, 40);
          expect({ start, fault: faultOf(await sendRaw(`?${query}`)) }).toEqual({ start, fault: null });
        }
      });
    } else {
      it('answers a body that is huge, not JSON or no object with a typed 4xx', async () => {
        for (const [type, body] of HOSTILE_BODIES) {
          const start = body.slice(0, 20);
          expect({ type, start, fault: faultOf(await sendRaw('', body, type)) }).toEqual({ type, start, fault: null });
        }
      });
    }
  });

  it('never logged a fault on the way', () => {
    expect(test.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
}

async function createCompany(): Promise<Pick<Target, 'firm' | 'records'>> {
  const firm = await createFirm(test);
  return { firm, records: await createRecords(test, firm) };
}

function sampleOf({ name }: Call, records: Records): Input | Promise<Input> {
  const sample = samples[name];
  if (!sample) throw new Error(`Add a sample for ${name} to samples.ts`);
  return sample(records);
}

function cookieFor({ access }: Call, firm: Firm): string | undefined {
  if (access === 'public') return undefined;
  return access === 'system-admin' ? administrator.cookie : firm.people.admin.cookie;
}

/** Sends, and sends again on new records when an earlier success had used up the old ones. */
async function sendTo(target: Target, call: Call, send: () => Promise<LightMyRequestResponse>, field: FieldPath = []) {
  let answer = await send();
  if (isUnreached(answer, field)) {
    await test.owner.query('delete from rate_limits');
    answer = await send();
  }
  if (isUnreached(answer, field)) {
    const company = await createCompany();
    Object.assign(target, company, { input: await sampleOf(call, company.records) });
    answer = await send();
  }
  if (answer.statusCode < 300 && call.method !== 'GET') target.input = await nextInput(target, call, answer);
  return answer;
}

/** After a success: a new id, an open link, the version that was answered. */
async function nextInput({ records }: Target, call: Call, { body }: LightMyRequestResponse): Promise<Input> {
  const sample = await sampleOf(call, records);
  const version = /"version":(\d+)/.exec(body)?.[1];
  return version && 'version' in sample ? { ...sample, version: Number(version) } : sample;
}

/** Refusals that come before the rest of the input is looked at, because the record is gone, changed or used up. */
const UNREACHED: readonly ErrorCode[] = ['STALE_VERSION', 'NOT_FOUND', 'LINK_EXPIRED', 'ALREADY_DONE', 'TOO_MANY_ATTEMPTS'];
/** Fields whose hostile values deserve such a refusal. */
const NAMES_A_RECORD = /^(id|.*_id|version|token)$/;

function isUnreached({ statusCode, body }: LightMyRequestResponse, field: FieldPath): boolean {
  if (statusCode < 400 || statusCode >= 500 || field.some((name) => NAMES_A_RECORD.test(name))) return false;
  return UNREACHED.includes((JSON.parse(body) as { code: ErrorCode }).code);
}

/** What is wrong with an answer: a 5xx, a refusal without a code, one that shows our insides, or one that came too early. */
function faultOf(answer: LightMyRequestResponse, field: FieldPath = []): string | null {
  const { statusCode, body } = answer;
  if (statusCode < 400) return null;
  if (statusCode >= 500) return `answered ${statusCode}`;
  const { code } = JSON.parse(body) as { code?: unknown };
  if (!isErrorCode(code)) return `answered with the code ${String(code)}`;
  if (isUnreached(answer, field)) return `was not looked at: ${code}`;
  return /select |insert |at .*\.ts:|node_modules/i.test(body) ? `showed ${body}` : null;
}
