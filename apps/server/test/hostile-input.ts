import { type ErrorCode, isErrorCode } from '@callout/contract/errors';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CONTRACT_CALLS, type ContractCall } from './contract-calls.ts';
import { startAppWithAdministrator } from './factories/administrator.ts';
import { buildMember } from './factories/inputs.ts';
import { createFirm, createPerson, type Firm, type Person } from './factories/people.ts';
import { createSampleRecords, type SampleRecords } from './factories/sample-records.ts';
import { HOSTILE_BODIES, HOSTILE_QUERIES, HOSTILE_VALUES } from './hostile-values.ts';
import { type CallInput, type FieldPath, listInputFields, replaceField } from './input-fields.ts';
import { buildSampleInput } from './sample-inputs.ts';
import { sendCall } from './send-call.ts';
import type { RequestOptions, TestApp } from './test-app.ts';

/** The company that receives a call, and an input with which the call succeeds. */
interface CallTarget {
  readonly firm: Firm;
  readonly records: SampleRecords;
  /** Session cookie of an invited person who hasn't joined the company yet, or '' if the call doesn't need one. */
  readonly inviteeCookie: string;
  input: CallInput;
}

let test: TestApp;
let administrator: Person;
type TargetCompany = Pick<CallTarget, 'firm' | 'records'>;
/** Receives all calls that only read data. */
let readOnlyCompany: TargetCompany;
/** Receives the calls that change data. Replaced when a call leaves it unusable; a new company for every call would double the run time. */
let writableCompany: TargetCompany;
const targets = new Map<ContractCall, CallTarget>();

/** Sends hostile inputs to the given calls. The contract's calls are split between two test files, which run in parallel. */
export function testHostileInputs(calls: readonly ContractCall[]): void {
  beforeAll(async () => {
    ({ test, administrator } = await startAppWithAdministrator());
    readOnlyCompany = await createCompany();
    writableCompany = await createCompany();
  });

  describe.each(calls)('$name', (call) => {
    it('succeeds with its sample input', async () => {
      const { statusCode, body } = await sendSample(call);
      expect(statusCode, body).toBeLessThan(300);
    });

    it('rejects a missing field with a typed 4xx error unless the field is optional', async () => {
      for (const field of Object.keys((await prepareTarget(call)).input)) {
        const response = await sendInput(call, ({ [field]: _, ...rest }) => rest, [field]);
        expect({ field, fault: findFault(response, [field]) }).toEqual({ field, fault: null });
      }
    });

    it('accepts hostile values in any field or rejects them with a typed 4xx error', async () => {
      const { input: sample } = await prepareTarget(call);
      for (const [index, field] of listInputFields(call).entries()) {
        for (const value of selectHostileValues(call, sample, field, CONTRACT_CALLS.indexOf(call) + index)) {
          const response = await sendInput(call, (input) => replaceField(input, field, value), field);
          expect({ field, value, fault: findFault(response, field) }).toEqual({ field, value, fault: null });
        }
      }
    });

    it('ignores or rejects unknown fields', async () => {
      const unknown = Object.fromEntries(HOSTILE_VALUES.map((value, index) => [`unknown_${index}`, value]));
      for (const extra of [unknown, Object.fromEntries([['__proto__', { admin: true }]])]) {
        expect(findFault(await sendInput(call, (input) => ({ ...input, ...extra })))).toBeNull();
      }
    });

    it.each([call].filter(isUpdate))('rejects an update based on an outdated version and returns the current record', async () => {
      const { statusCode } = await sendInput(call, (input) => input);
      const { version } = (await prepareTarget(call)).input;
      const response = await sendInput(call, (input) => ({ ...input, version: Number(version) - 1 }), ['version']);
      expect([statusCode, response.json()]).toMatchObject([200, { code: 'STALE_VERSION', data: { current: { version } } }]);
    });

    it.each([call].filter(isRead))('ignores a hostile query string or rejects it with a typed 4xx error', async () => {
      for (const query of HOSTILE_QUERIES) {
        const start = query.slice(0, 40);
        expect({ start, fault: findFault(await sendRaw(call, `?${query}`)) }).toEqual({ start, fault: null });
      }
    });

    it.each([call].filter(isWrite))('returns a typed 4xx error for a body that is huge, not JSON or not an object', async () => {
      for (const [type, body] of HOSTILE_BODIES) {
        const start = body.slice(0, 20);
        const response = await sendRaw(call, '', { body, headers: { 'content-type': type } });
        expect({ type, start, fault: findFault(response) }).toEqual({ type, start, fault: null });
      }
    });
  });

  it('sending hostile inputs logs no errors', () => {
    expect(test.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
}

/**
 * Returns every hostile value for a path or query parameter. For a body field, returns every value that the schema accepts, but only one
 * that it rejects: all rejections take the same code path, and sending them all took a fifth of the run time. `rotation` chooses the
 * rejected value.
 */
function selectHostileValues(
  { input, method, path }: ContractCall,
  sample: CallInput,
  field: FieldPath,
  rotation: number,
): readonly unknown[] {
  if (!input || method === 'GET' || path.includes(`{${field[0]}}`)) return HOSTILE_VALUES;
  const isRejected = (value: unknown) => !z.safeParse(input, replaceField(sample, field, value)).success;
  const rejected = HOSTILE_VALUES.filter(isRejected);
  const [sent] = rejected.slice(rotation % rejected.length);
  return HOSTILE_VALUES.filter((value) => value === sent || !isRejected(value));
}

const isRead = ({ method }: ContractCall) => method === 'GET';
const isWrite = (call: ContractCall) => !isRead(call);
/** Excludes one-time actions such as accepting a quote. Repeating one returns the same result, whatever version is sent. */
const isUpdate = (call: ContractCall) => call.method === 'PUT' && listInputFields(call).some((field) => field.join('.') === 'version');

async function createCompany(): Promise<TargetCompany> {
  const firm = await createFirm(test);
  return { firm, records: await createSampleRecords(test, firm) };
}

async function invitePerson({ people }: Firm): Promise<string> {
  const { email, cookie } = await createPerson(test);
  await people.admin.client.staff.invite(buildMember({ email }));
  return cookie;
}

async function prepareTarget(call: ContractCall): Promise<CallTarget> {
  const existing = targets.get(call);
  if (existing) return existing;
  const target = isRead(call)
    ? await createTarget(call, readOnlyCompany)
    : await createTarget(call, writableCompany).catch(() => renewTarget(call));
  targets.set(call, target);
  return target;
}

async function createTarget(call: ContractCall, company: TargetCompany): Promise<CallTarget> {
  const inviteeCookie = INVITEE_CALLS.has(call.name) ? await invitePerson(company.firm) : '';
  return { ...company, inviteeCookie, input: await buildSampleInput(call, company.records) };
}

/** Creates a new company for the call. Later calls that change data also use it. */
async function renewTarget(call: ContractCall): Promise<CallTarget> {
  if (!isRead(call)) writableCompany = await createCompany();
  const target = await createTarget(call, isRead(call) ? readOnlyCompany : writableCompany);
  targets.set(call, target);
  return target;
}

/** Calls made by an invitee. The company's admin makes all others, except for system administration and public calls. */
const INVITEE_CALLS = new Set(['staff.joinCompany']);

function getCallerCookie({ name, access }: ContractCall, { firm, inviteeCookie }: CallTarget): string | undefined {
  if (access === 'public') return undefined;
  if (INVITEE_CALLS.has(name)) return inviteeCookie;
  return access === 'system-admin' ? administrator.cookie : firm.people.admin.cookie;
}

function sendInput(call: ContractCall, change: (input: CallInput) => CallInput, field?: FieldPath): Promise<LightMyRequestResponse> {
  return sendWithRetry(call, (target) => sendCall(test, call, { ...change(target.input) }, getCallerCookie(call, target)), field);
}

/** Sends the sample input. Retries in a new company, because an earlier call may have ended the session or removed a required record. */
async function sendSample(call: ContractCall): Promise<LightMyRequestResponse> {
  const response = await sendInput(call, (input) => input);
  if (response.statusCode < 300) return response;
  await renewTarget(call);
  return sendInput(call, (input) => input);
}

function sendRaw(call: ContractCall, query: string, options?: RequestOptions): Promise<LightMyRequestResponse> {
  return sendWithRetry(call, (target) => {
    const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => String(target.input[name]));
    return test.request(call.method, path + query, { ...options, cookie: getCallerCookie(call, target) });
  });
}

/** Retries the call if earlier inputs have used up the rate limit or the records that the call needs. */
async function sendWithRetry(call: ContractCall, send: (target: CallTarget) => Promise<LightMyRequestResponse>, field: FieldPath = []) {
  let response = await send(await prepareTarget(call));
  if (isEarlyFailure(response, field)) {
    await test.owner.query('delete from rate_limits');
    response = await send(await prepareTarget(call));
  }
  if (isEarlyFailure(response, field)) {
    response = await send(await renewTarget(call));
  }
  if (response.statusCode < 300 && !isRead(call)) {
    const target = await prepareTarget(call);
    target.input = await buildNextInput(target, call, response);
  }
  return response;
}

/** Builds the input for the next request. After a success, the call needs a new id, an unused link or the version it returned. */
async function buildNextInput({ records }: CallTarget, call: ContractCall, { body }: LightMyRequestResponse): Promise<CallInput> {
  const sample = await buildSampleInput(call, records);
  return 'version' in sample ? { ...sample, version: findVersion([JSON.parse(body)]) } : sample;
}

/** Returns the version of the outermost record that has one, searching breadth-first. */
function findVersion(values: readonly unknown[]): unknown {
  const records = values.filter((value) => typeof value === 'object' && value !== null);
  const versioned = records.find((record) => 'version' in record);
  return versioned || records.length === 0
    ? versioned?.version
    : findVersion(records.flatMap((record) => Object.values<unknown>({ ...record })));
}

/** Errors raised before the whole input is checked, because a record is missing, outdated or used up. */
const EARLY_FAILURES = new Set<ErrorCode>(['STALE_VERSION', 'NOT_FOUND', 'LINK_EXPIRED', 'ALREADY_DONE', 'TOO_MANY_ATTEMPTS']);
/** Fields in which a hostile value may cause an early failure, because they identify a record or the state that a change is based on. */
const REFERENCE_FIELD = /^(id|.*_ids?|version|seen|token)$/;

function isEarlyFailure({ statusCode, body }: LightMyRequestResponse, field: FieldPath): boolean {
  if (statusCode < 400 || statusCode >= 500 || field.some((name) => REFERENCE_FIELD.test(name))) return false;
  return EARLY_FAILURES.has((JSON.parse(body) as { code: ErrorCode }).code);
}

/** Describes the problem if the response is a 5xx, an early failure, or a 4xx that has no error code or leaks internal details. */
function findFault(response: LightMyRequestResponse, field: FieldPath = []): string | null {
  const { statusCode, body } = response;
  if (statusCode < 400) return null;
  if (statusCode >= 500) return `status ${statusCode}`;
  const { code } = JSON.parse(body) as { code?: unknown };
  if (!isErrorCode(code)) return `unknown error code ${String(code)}`;
  if (isEarlyFailure(response, field)) return `rejected before the input was checked: ${code}`;
  return /select .* from |insert into |at .*\.ts:|node_modules/i.test(body) ? `leaked ${body}` : null;
}
