import { randomUUID } from 'node:crypto';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { formatPermissionError, hasCapability, ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createFirmJob } from '../../../test/factories/billed-job.ts';
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

const createJob = (overrides: Partial<NewJobInput> = {}) => createFirmJob(test, firm, overrides);

it('filters jobs by group: active, not canceled, or uninvoiced', async () => {
  for (const status of JOB_STATUSES) {
    const { id } = await createJob({ title: status, fixed_amount: '100' });
    await admin().jobs.setStatus({ id, status });
  }
  const billed = await createJob({ title: 'billed', fixed_amount: '100', status: 'complete' });
  await admin().invoices.send({ id: billed.id, mail_id: randomUUID(), by_hand: true });
  await admin().jobs.setStatus({ id: billed.id, status: 'complete' });
  const credited = await createJob({ title: 'paid, then credited', fixed_amount: '100', status: 'complete' });
  const { billing } = await admin().invoices.send({ id: credited.id, mail_id: randomUUID(), by_hand: true });
  await admin().jobs.setStatus({ id: credited.id, status: 'paid' });
  const credit = { id: billing.invoice?.id ?? '', credit_id: randomUUID() };
  expect(await admin().invoices.credit(credit)).toMatchObject({ job: { status: 'paid' } });
  const listTitles = async (filter: Parameters<ReturnType<typeof admin>['jobs']['list']>[0]) => {
    const { rows } = await admin().jobs.list(filter);
    expect(await admin().jobs.count(filter)).toEqual({ total: rows.length });
    return rows.map(({ title }) => title).toReversed();
  };
  expect(await listTitles({ group: 'active' })).toEqual(['pending', 'contacted', 'booked']);
  expect(await listTitles({ group: 'not-canceled' })).toEqual([
    'pending',
    'contacted',
    'booked',
    'complete',
    'invoiced',
    'paid',
    'billed',
    'paid, then credited',
  ]);
  expect(await listTitles({ group: 'uninvoiced' })).toEqual(['complete', 'invoiced', 'paid, then credited']);
  expect(await listTitles({ group: 'active', status: 'booked' })).toEqual(['booked']);
  expect((await admin().dashboard.money()).uninvoiced).toEqual({ amount: '300.00', jobs: 3 });
  await admin().invoices.send({ id: credited.id, mail_id: randomUUID(), by_hand: true });
  expect(await listTitles({ group: 'uninvoiced' })).toEqual(['complete', 'invoiced']);
});

it('filters jobs by creation time, with inclusive bounds', async () => {
  const { id, created_at } = await createJob();
  const countJobs = async (filter: { created_from?: string; created_to?: string }) => (await admin().jobs.count(filter)).total;
  const shiftCreatedAt = (ms: number) => new Date(Date.parse(created_at) + ms).toISOString();
  expect(await countJobs({ created_from: created_at, created_to: created_at })).toBe(1);
  expect(await countJobs({ created_from: shiftCreatedAt(1) })).toBe(0);
  expect(await countJobs({ created_to: shiftCreatedAt(-1) })).toBe(0);
  expect((await admin().jobs.list({ created_from: shiftCreatedAt(-1), group: 'active' })).rows.map((row) => row.id)).toEqual([id]);
  await expect(admin().jobs.list({ created_from: 'yesterday' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

it.each(ROLES)('lists uninvoiced jobs for the role %s only if it manages payments', async (role) => {
  const { jobs } = firm.people[role].client;
  const getOutcome = (call: Promise<unknown>) =>
    call.then(
      () => 'allowed',
      ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
    );
  const expected = hasCapability(role, 'payments.manage') ? 'allowed' : `FORBIDDEN ${formatPermissionError('payments.manage')}`;
  expect(await getOutcome(jobs.list({ group: 'uninvoiced' }))).toBe(expected);
  expect(await getOutcome(jobs.count({ group: 'uninvoiced' }))).toBe(expected);
  expect(await getOutcome(jobs.list({ group: 'active' }))).toBe('allowed');
});
