import { type ErrorCode, isErrorCode } from '@callout/contract/errors';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Call, everyCall } from './every-call.ts';
import { startAdministeredApp } from './factories/administrator.ts';
import { newMember } from './factories/inputs.ts';
import { createFirm, createPerson, type Firm, type Person } from './factories/people.ts';
import { HOSTILE_BODIES, HOSTILE_QUERIES, HOSTILE_VALUES } from './hostile-values.ts';
import { type FieldPath, type Input, inputFieldsOf, replaceField } from './input-fields.ts';
import { createRecords, type Records, sampleOf } from './samples.ts';
import { sendCall } from './send-call.ts';
import type { RequestOptions, TestApp } from './test-app.ts';

/** The caller and records of a call, and an input with which it succeeds. */
interface Target {
  readonly firm: Firm;
  readonly records: Records;
  /** Of a person without a company whom this one has invited. */
  readonly inviteeCookie: string;
  input: Input;
}

let test: TestApp;
let administrator: Person;
type Company = Pick<Target, 'firm' | 'records'>;
/** For calls that change nothing. */
let readOnly: Company;
/** For calls that change something: they share it until one has used up what the next one needs. Creating a company took half of the time. */
let shared: Company;
const targets = new Map<Call, Target>();

/** Guards the inputs of these calls; each test file takes its share. */
export function guardInputsOf(calls: readonly Call[]): void {
  beforeAll(async () => {
    ({ test, administrator } = await startAdministeredApp());
    readOnly = await createCompany();
    shared = await createCompany();
  });

  describe.each(calls)('$name', (call) => {
    it('succeeds with its sample', async () => {
      const { statusCode, body } = await sendSample(call);
      expect(statusCode, body).toBeLessThan(300);
    });

    it('refuses a missing field with a typed 4xx, or does not need it', async () => {
      for (const field of Object.keys((await targetOf(call)).input)) {
        const answer = await sendInput(call, ({ [field]: _, ...rest }) => rest, [field]);
        expect({ field, fault: faultOf(answer, [field]) }).toEqual({ field, fault: null });
      }
    });

    it('refuses hostile values in every field with a typed 4xx, or accepts them unchanged', async () => {
      const { input: sample } = await targetOf(call);
      for (const [index, field] of inputFieldsOf(call).entries()) {
        for (const value of valuesToSend(call, sample, field, everyCall.indexOf(call) + index)) {
          const answer = await sendInput(call, (input) => replaceField(input, field, value), field);
          expect({ field, value, fault: faultOf(answer, field) }).toEqual({ field, value, fault: null });
        }
      }
    });

    it('ignores or refuses unknown fields', async () => {
      const unknown = Object.fromEntries(HOSTILE_VALUES.map((value, index) => [`unknown_${index}`, value]));
      for (const extra of [unknown, Object.fromEntries([['__proto__', { admin: true }]])]) {
        expect(faultOf(await sendInput(call, (input) => ({ ...input, ...extra })))).toBeNull();
      }
    });

    it.each([call].filter(isUpdate))('refuses an outdated version and returns the saved record', async () => {
      const { statusCode } = await sendInput(call, (input) => input);
      const { version } = (await targetOf(call)).input;
      const answer = await sendInput(call, (input) => ({ ...input, version: Number(version) - 1 }), ['version']);
      expect([statusCode, answer.json()]).toMatchObject([200, { code: 'STALE_VERSION', data: { current: { version } } }]);
    });

    it.each([call].filter(isRead))('refuses a hostile query with a typed 4xx, or ignores it', async () => {
      for (const query of HOSTILE_QUERIES) {
        const start = query.slice(0, 40);
        expect({ start, fault: faultOf(await sendRaw(call, `?${query}`)) }).toEqual({ start, fault: null });
      }
    });

    it.each([call].filter(isWrite))('refuses a body that is huge, not JSON or not an object with a typed 4xx', async () => {
      for (const [type, body] of HOSTILE_BODIES) {
        const start = body.slice(0, 20);
        const answer = await sendRaw(call, '', { body, headers: { 'content-type': type } });
        expect({ type, start, fault: faultOf(answer) }).toEqual({ type, start, fault: null });
      }
    });
  });

  it('logged no errors', () => {
    expect(test.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
}

/**
 * In a body: every value that the contract lets pass, and in turn one of those that it refuses. What it refuses is answered by the same code
 * whatever the value; sending all of them took a fifth of the time. A path or query is read from text: there, all of them.
 */
function valuesToSend({ input, method, path }: Call, sample: Input, field: FieldPath, turn: number): readonly unknown[] {
  if (!input || method === 'GET' || path.includes(`{${field[0]}}`)) return HOSTILE_VALUES;
  const isRefused = (value: unknown) => !z.safeParse(input, replaceField(sample, field, value)).success;
  const refused = HOSTILE_VALUES.filter(isRefused);
  const [sent] = refused.slice(turn % refused.length);
  return HOSTILE_VALUES.filter((value) => value === sent || !isRefused(value));
}

const isRead = ({ method }: Call) => method === 'GET';
const isWrite = (call: Call) => !isRead(call);
/** Not what happens once, such as accepting: sent again, it answers the same. */
const isUpdate = (call: Call) => call.method === 'PUT' && inputFieldsOf(call).some((field) => field.join('.') === 'version');

async function createCompany(): Promise<Company> {
  const firm = await createFirm(test);
  return { firm, records: await createRecords(test, firm) };
}

async function inviteSomebody({ people }: Firm): Promise<string> {
  const { email, cookie } = await createPerson(test);
  await people.admin.client.staff.invite(newMember({ email }));
  return cookie;
}

async function targetOf(call: Call): Promise<Target> {
  const existing = targets.get(call);
  if (existing) return existing;
  const target = isRead(call) ? await createTarget(call, readOnly) : await createTarget(call, shared).catch(() => renewTarget(call));
  targets.set(call, target);
  return target;
}

async function createTarget(call: Call, company: Company): Promise<Target> {
  const inviteeCookie = BY_INVITEE.has(call.name) ? await inviteSomebody(company.firm) : '';
  return { ...company, inviteeCookie, input: await sampleOf(call, company.records) };
}

/** In a new company, which the calls after this one share. */
async function renewTarget(call: Call): Promise<Target> {
  if (!isRead(call)) shared = await createCompany();
  const target = await createTarget(call, isRead(call) ? readOnly : shared);
  targets.set(call, target);
  return target;
}

/** Calls by someone the company has invited; all others are made by its admin. */
const BY_INVITEE = new Set(['staff.joinCompany']);

function cookieFor({ name, access }: Call, { firm, inviteeCookie }: Target): string | undefined {
  if (access === 'public') return undefined;
  if (BY_INVITEE.has(name)) return inviteeCookie;
  return access === 'system-admin' ? administrator.cookie : firm.people.admin.cookie;
}

function sendInput(call: Call, change: (input: Input) => Input, field?: FieldPath): Promise<LightMyRequestResponse> {
  return sendTo(call, (target) => sendCall(test, call, { ...change(target.input) }, cookieFor(call, target)), field);
}

/** Again in a new company if an earlier call has ended the session or removed what this one needs. */
async function sendSample(call: Call): Promise<LightMyRequestResponse> {
  const answer = await sendInput(call, (input) => input);
  if (answer.statusCode < 300) return answer;
  await renewTarget(call);
  return sendInput(call, (input) => input);
}

function sendRaw(call: Call, query: string, options?: RequestOptions): Promise<LightMyRequestResponse> {
  return sendTo(call, (target) => {
    const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => String(target.input[name]));
    return test.request(call.method, path + query, { ...options, cookie: cookieFor(call, target) });
  });
}

/** Sends again when an earlier input used up the attempts or the records. */
async function sendTo(call: Call, send: (target: Target) => Promise<LightMyRequestResponse>, field: FieldPath = []) {
  let answer = await send(await targetOf(call));
  if (isUnreached(answer, field)) {
    await test.owner.query('delete from rate_limits');
    answer = await send(await targetOf(call));
  }
  if (isUnreached(answer, field)) {
    answer = await send(await renewTarget(call));
  }
  if (answer.statusCode < 300 && !isRead(call)) {
    const target = await targetOf(call);
    target.input = await nextInput(target, call, answer);
  }
  return answer;
}

/** After a success: a new id, an open link, the returned version. */
async function nextInput({ records }: Target, call: Call, { body }: LightMyRequestResponse): Promise<Input> {
  const sample = await sampleOf(call, records);
  return 'version' in sample ? { ...sample, version: versionIn([JSON.parse(body)]) } : sample;
}

/** Of the outermost record that has one. */
function versionIn(values: readonly unknown[]): unknown {
  const records = values.filter((value) => typeof value === 'object' && value !== null);
  const versioned = records.find((record) => 'version' in record);
  return versioned || records.length === 0
    ? versioned?.version
    : versionIn(records.flatMap((record) => Object.values<unknown>({ ...record })));
}

/** Refusals before the rest of the input is checked, because the record is gone, changed or used up. */
const UNREACHED = new Set<ErrorCode>(['STALE_VERSION', 'NOT_FOUND', 'LINK_EXPIRED', 'ALREADY_DONE', 'TOO_MANY_ATTEMPTS']);
/** Fields whose hostile values may get such a refusal: they name a record, or what a change was made from. */
const NAMES_A_RECORD = /^(id|.*_ids?|version|seen|token)$/;

function isUnreached({ statusCode, body }: LightMyRequestResponse, field: FieldPath): boolean {
  if (statusCode < 400 || statusCode >= 500 || field.some((name) => NAMES_A_RECORD.test(name))) return false;
  return UNREACHED.has((JSON.parse(body) as { code: ErrorCode }).code);
}

/** What is wrong with a response: a 5xx, a refusal without a code, one with internal details, or one that came too early. */
function faultOf(answer: LightMyRequestResponse, field: FieldPath = []): string | null {
  const { statusCode, body } = answer;
  if (statusCode < 400) return null;
  if (statusCode >= 500) return `answered ${statusCode}`;
  const { code } = JSON.parse(body) as { code?: unknown };
  if (!isErrorCode(code)) return `answered with the code ${String(code)}`;
  if (isUnreached(answer, field)) return `was not looked at: ${code}`;
  return /select .* from |insert into |at .*\.ts:|node_modules/i.test(body) ? `showed ${body}` : null;
}
