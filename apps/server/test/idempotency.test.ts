import { randomUUID } from 'node:crypto';
import { ROLES_BY_CAPABILITY } from '@callout/domain/roles/roles';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { CONTRACT_CALLS, type ContractCall } from './contract-calls.ts';
import { createFirm, type Firm } from './factories/people.ts';
import { createSampleRecords, type SampleRecords } from './factories/sample-records.ts';
import type { CallInput } from './input-fields.ts';
import { waitForQueue } from './queue.ts';
import { buildSampleInput } from './sample-inputs.ts';
import { sendCall } from './send-call.ts';
import { readPersistentRows } from './stored-data.ts';
import { startTestApp, type TestApp } from './test-app.ts';

let test: TestApp;
/** Receives the calls. Replaced when a call leaves it unusable. */
let target: { readonly firm: Firm; readonly records: SampleRecords };

beforeAll(async () => {
  test = await startTestApp();
  target = await createTarget();
});

async function createTarget() {
  const firm = await createFirm(test);
  return { firm, records: await createSampleRecords(test, firm) };
}

const isTenantMutation = ({ access, method }: ContractCall) => access in ROLES_BY_CAPABILITY && method !== 'GET';

/** Calls that store no answer, with the reason why running them again is safe. Add one only if its answer can't be stored. */
const CALLS_WITHOUT_STORED_ANSWER: Readonly<Record<string, string>> = {
  'staff.copyInvitationLink': 'the link is a secret: each run makes a new one, and only the last one works',
  'quotes.duplicate': 'copies files before its transaction; the id of the copy is made by the client',
  'company.requestDeletion': 'returns the deletion that was requested before',
  'company.cancelDeletion': 'does nothing if the company is open',
};

/** Calls after which the caller may not make the same call again. */
const CALLS_THAT_END_ACCESS = new Set(['staff.leave']);

const send = (call: ContractCall, input: CallInput, key: string) =>
  sendCall(test, call, { ...input }, target.firm.people.admin.cookie, { 'idempotency-key': key });

interface SampleCall {
  readonly input: CallInput;
  readonly response: LightMyRequestResponse;
}

async function sendSample(call: ContractCall, key: string): Promise<SampleCall> {
  const input = await buildSampleInput(call, target.records);
  const response = await send(call, input, key);
  expect(response.statusCode, response.body).toBeLessThan(300);
  return { input, response };
}

/** Makes the call with its sample input, in a new company if an earlier call has removed what it needs. */
const sendSampleToUsableTarget = (call: ContractCall, key: string): Promise<SampleCall> =>
  sendSample(call, key).catch(async () => {
    target = await createTarget();
    return sendSample(call, key);
  });

const readState = async () => {
  await waitForQueue(test);
  return readPersistentRows(test);
};

describe('a call with an Idempotency-Key that is sent again', () => {
  const calls = CONTRACT_CALLS.filter((call) => isTenantMutation(call) && !CALLS_THAT_END_ACCESS.has(call.name));

  it.each(calls)('$name changes nothing and returns the first response', async (call) => {
    const key = randomUUID();
    const { input, response } = await sendSampleToUsableTarget(call, key);
    const stored = await test.owner.query<{ call: string }>('select call from commands where id = $1', [key]);
    expect(stored.rows).toEqual(call.name in CALLS_WITHOUT_STORED_ANSWER ? [] : [{ call: call.name }]);
    if (call.name === 'staff.copyInvitationLink') return;
    const before = await readState();
    const repeated = await send(call, input, key);
    expect([repeated.statusCode, repeated.json()]).toEqual([response.statusCode, response.json()]);
    expect(await readState()).toEqual(before);
  });
});
