import { randomUUID } from 'node:crypto';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { can, ROLES, refusal } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { addFirmJob } from '../../../test/factories/billed-job.ts';
import type { NewJobInput } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const admin = () => firm.people.admin.client;

const addJob = (over: Partial<NewJobInput> = {}) => addFirmJob(test, firm, over);

it('jobs are filtered by group: still to do, not canceled, done without an open invoice', async () => {
  for (const status of JOB_STATUSES) {
    const { id } = await addJob({ title: status, fixed_amount: '100' });
    await admin().jobs.setStatus({ id, status });
  }
  const billed = await addJob({ title: 'billed', fixed_amount: '100', status: 'complete' });
  await admin().invoices.send({ id: billed.id, mail_id: randomUUID(), by_hand: true });
  await admin().jobs.setStatus({ id: billed.id, status: 'complete' });
  const found = async (filter: Parameters<ReturnType<typeof admin>['jobs']['list']>[0]) => {
    const { rows } = await admin().jobs.list(filter);
    expect(await admin().jobs.count(filter)).toEqual({ total: rows.length });
    return rows.map(({ title }) => title).toReversed();
  };
  expect(await found({ group: 'active' })).toEqual(['pending', 'contacted', 'booked']);
  expect(await found({ group: 'not-canceled' })).toEqual(['pending', 'contacted', 'booked', 'complete', 'invoiced', 'paid', 'billed']);
  expect(await found({ group: 'uninvoiced' })).toEqual(['complete']);
  expect(await found({ group: 'active', status: 'booked' })).toEqual(['booked']);
});

it('jobs are filtered by when they were created, with both ends', async () => {
  const { id, created_at } = await addJob();
  const found = async (filter: { created_from?: string; created_to?: string }) => (await admin().jobs.count(filter)).total;
  const shifted = (ms: number) => new Date(Date.parse(created_at) + ms).toISOString();
  expect(await found({ created_from: created_at, created_to: created_at })).toBe(1);
  expect(await found({ created_from: shifted(1) })).toBe(0);
  expect(await found({ created_to: shifted(-1) })).toBe(0);
  expect((await admin().jobs.list({ created_from: shifted(-1), group: 'active' })).rows.map((row) => row.id)).toEqual([id]);
  await expect(admin().jobs.list({ created_from: 'yesterday' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

it.each(ROLES)('the group of jobs without an invoice is only for those who see what was billed, asked by an %s', async (role) => {
  const { jobs } = firm.people[role].client;
  const answered = (call: Promise<unknown>) =>
    call.then(
      () => 'answered',
      ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
    );
  const wanted = can(role, 'payments.manage') ? 'answered' : `FORBIDDEN ${refusal('payments.manage')}`;
  expect(await answered(jobs.list({ group: 'uninvoiced' }))).toBe(wanted);
  expect(await answered(jobs.count({ group: 'uninvoiced' }))).toBe(wanted);
  expect(await answered(jobs.list({ group: 'active' }))).toBe('answered');
});
