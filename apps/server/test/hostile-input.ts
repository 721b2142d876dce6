import { type ErrorCode, isErrorCode } from '@callout/contract/errors';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CONTRACT_CALLS, type ContractCall } from './contract-calls.ts';
import { startAppWithAdministrator } from './factories/administrator.ts';
import { buildMember } from './factories/inputs.ts';
import { createFirm, createPerson, type Firm, type Person } from './factories/people.ts';
import { HOSTILE_BODIES, HOSTILE_QUERIES, HOSTILE_VALUES } from './hostile-values.ts';
import { type CallInput, type FieldPath, listInputFields, replaceField } from './input-fields.ts';
import { buildSampleInput, createSampleRecords, type SampleRecords } from './sample-inputs.ts';
import { sendCall } from './send-call.ts';
import type { RequestOptions, TestApp } from './test-app.ts';

/** The company to send a call to, with an input that makes the call succeed. */
interface CallTarget {
  readonly firm: Firm;
  readonly records: SampleRecords;
  /** The session of an invited person who hasn't joined yet, or '' if the call doesn't need one. */
  readonly inviteeCookie: string;
  input: CallInput;
}

let test: TestApp;
let administrator: Person;
type TargetCompany = Pick<CallTarget, 'firm' | 'records'>;
/** The company that receives all calls that change nothing. */
let readOnlyCompany: TargetCompany;
/** Receives the calls that change data. Replaced when a call can't run on it anymore; a new company per call would double the run time. */
let writableCompany: TargetCompany;
const targets = new Map<ContractCall, CallTarget>();

/** Sends hostile inputs to the given calls. Two test files share the calls, so that they can run in parallel. */
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

    it('rejects a missing field with a typed 4xx unless the field is optional', async () => {
      for (const field of Object.keys((await prepareTarget(call)).input)) {
        const response = await sendInput(call, ({ [field]: _, ...rest }) => rest, [field]);
        expect({ field, fault: findFault(response, [field]) }).toEqual({ field, fault: null });
      }
    });

    it('accepts hostile values in any field or rejects them with a typed 4xx', async () => {
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

    it.each([call].filter(isUpdate))('rejects an outdated version and returns the saved record', async () => {
      const { statusCode } = await sendInput(call, (input) => input);
      const { version } = (await prepareTarget(call)).input;
      const response = await sendInput(call, (input) => ({ ...input, version: Number(version) - 1 }), ['version']);
      expect([statusCode, response.json()]).toMatchObject([200, { code: 'STALE_VERSION', data: { current: { version } } }]);
    });

    it.each([call].filter(isRead))('ignores a hostile query or rejects it with a typed 4xx', async () => {
      for (const query of HOSTILE_QUERIES) {
        const start = query.slice(0, 40);
        expect({ start, fault: findFault(await sendRaw(call, `?${query}`)) }).toEqual({ start, fault: null });
      }
    });

    it.each([call].filter(isWrite))('rejects a body that is huge, not JSON or not an object with a typed 4xx', async () => {
      for (const [type, body] of HOSTILE_BODIES) {
        const start = body.slice(0, 20);
        const response = await sendRaw(call, '', { body, headers: { 'content-type': type } });
        expect({ type, start, fault: findFault(response) }).toEqual({ type, start, fault: null });
      }
    });
  });

  it('logs no errors', () => {
    expect(test.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
}

/**
 * Returns every value for a path or query, which is parsed from text. For a body, returns every value that the schema accepts but only one,
 * chosen by `rotation`, that it rejects: all rejections take the same code path, and sending them all took a fifth of the run time.
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
/** Excludes one-time actions, such as accepting a quote, because repeating one returns the same result whatever its version. */
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

/** Replaces the call's target with one in a new company, which later calls share. */
async function renewTarget(call: ContractCall): Promise<CallTarget> {
  if (!isRead(call)) writableCompany = await createCompany();
  const target = await createTarget(call, isRead(call) ? readOnlyCompany : writableCompany);
  targets.set(call, target);
  return target;
}

/** Calls made by a person whom the company has invited. Its admin makes all other calls. */
const INVITEE_CALLS = new Set(['staff.joinCompany']);

function getCallerCookie({ name, access }: ContractCall, { firm, inviteeCookie }: CallTarget): string | undefined {
  if (access === 'public') return undefined;
  if (INVITEE_CALLS.has(name)) return inviteeCookie;
  return access === 'system-admin' ? administrator.cookie : firm.people.admin.cookie;
}

function sendInput(call: ContractCall, change: (input: CallInput) => CallInput, field?: FieldPath): Promise<LightMyRequestResponse> {
  return sendWithRetry(call, (target) => sendCall(test, call, { ...change(target.input) }, getCallerCookie(call, target)), field);
}

/** Sends the sample input. Retries in a new company if an earlier call ended the session or removed a record that the call needs. */
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

/** Retries the call if earlier inputs have used up the rate limit or the records. */
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

/** Builds the input of the next request after a success, which needs a new id, an unused link or the returned version. */
async function buildNextInput({ records }: CallTarget, call: ContractCall, { body }: LightMyRequestResponse): Promise<CallInput> {
  const sample = await buildSampleInput(call, records);
  return 'version' in sample ? { ...sample, version: findVersion([JSON.parse(body)]) } : sample;
}

/** Finds the version of the outermost record that has one, breadth-first. */
function findVersion(values: readonly unknown[]): unknown {
  const records = values.filter((value) => typeof value === 'object' && value !== null);
  const versioned = records.find((record) => 'version' in record);
  return versioned || records.length === 0
    ? versioned?.version
    : findVersion(records.flatMap((record) => Object.values<unknown>({ ...record })));
}

/** Failures raised before the rest of the input is checked, because a record is missing, changed or used up. */
const EARLY_FAILURES = new Set<ErrorCode>(['STALE_VERSION', 'NOT_FOUND', 'LINK_EXPIRED', 'ALREADY_DONE', 'TOO_MANY_ATTEMPTS']);
/** Fields in which a hostile value may cause an early failure, because they identify a record or the state a change was based on. */
const REFERENCE_FIELD = /^(id|.*_ids?|version|seen|token)$/;

function isEarlyFailure({ statusCode, body }: LightMyRequestResponse, field: FieldPath): boolean {
  if (statusCode < 400 || statusCode >= 500 || field.some((name) => REFERENCE_FIELD.test(name))) return false;
  return EARLY_FAILURES.has((JSON.parse(body) as { code: ErrorCode }).code);
}

/** Describes what is wrong if the response is a 5xx, an early failure, or a 4xx that has no error code or leaks internal details. */
function findFault(response: LightMyRequestResponse, field: FieldPath = []): string | null {
  const { statusCode, body } = response;
  if (statusCode < 400) return null;
  if (statusCode >= 500) return `status ${statusCode}`;
  const { code } = JSON.parse(body) as { code?: unknown };
  if (!isErrorCode(code)) return `unknown error code ${String(code)}`;
  if (isEarlyFailure(response, field)) return `rejected before the input was checked: ${code}`;
  return /select .* from |insert into |at .*\.ts:|node_modules/i.test(body) ? `leaked ${body}` : null;
}
