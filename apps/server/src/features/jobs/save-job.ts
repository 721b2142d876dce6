import { idTaken, staleRecord } from '@callout/contract/errors';
import { type Job, type JobChange, jobBilled, jobInvoiced, jobPaid, type NewJob } from '@callout/contract/jobs';
import { isActive, type JobStatus, statusOnceBooked } from '@callout/domain/jobs/job';
import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import { isStillReferenced } from '../../platform/db/database-errors.ts';
import { deleteRecord, isSameRequest, readRecord, updateFromVersion, wasChangedSinceCreation } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { touchCustomer } from '../customers/customers.sql.ts';
import { removeFilesOf } from '../files/remove-files.ts';
import { changesBetween, recordEvent } from '../history/history.sql.ts';
import { notifyPeople, withdrawNotifications } from '../notifications/notifications.sql.ts';
import { findJob, jobRecord, lockComments, lockJob, type StoredJob, setStatus, stopTimersOfJob } from './jobs.sql.ts';
import { jobs } from './jobs.table.ts';
import { insertJob, keysOf, lockJobNumbers, lockReferences, readCustomerAddress, readLogin, storeCategories } from './save-job.sql.ts';
import { lockForPayment, payJob, settleJob } from './settle-job.ts';

export async function createJob(scope: TenantScope, input: NewJob): Promise<Job> {
  const { id, category_ids, use_alternate_address, ...fields } = input;
  if (fields.status === 'paid') await lockForPayment(scope);
  await lockReferences(scope, input);
  const takeNumber = await lockJobNumbers(scope);
  const existing = await findJob(scope, id);
  if (existing) {
    if (!isSameJob(existing, input) && !(await wasChangedSinceCreation(scope, jobRecord, id))) throw failureOf(idTaken);
    return existing;
  }
  const job_number = await takeNumber();
  const address = use_alternate_address ? fields.address : await readCustomerAddress(scope, fields.customer_id);
  const isInserted = await insertJob(scope, {
    ...fields,
    id,
    job_number,
    address,
    status: statusOnceBooked(fields.status),
    ...keysOf(fields, job_number),
  });
  // Another company's record can have the id too: each company has its own.
  if (!isInserted) throw failureOf(idTaken);
  await storeCategories(scope, id, category_ids);
  await touchCustomer(scope, fields.customer_id);
  const created = await readRecord(scope, jobRecord, id);
  const job = created.status === 'paid' ? await settleJob(scope, await payJob(scope, created)) : created;
  const { status, booking_date, assigned_to } = historyOf(job);
  await recordEvent(scope, 'job', id, 'created', {
    status: [null, status],
    booking_date: [null, booking_date],
    assigned_to: [null, assigned_to],
  });
  await notifyAssigned(scope, null, job);
  await publishChange(scope, 'jobs', 'customers');
  return job;
}

/** Whether a job is what this request once created. */
function isSameJob(job: Job, { category_ids, use_alternate_address, address, status, ...fields }: NewJob): boolean {
  return (
    isSameRequest(jobs, job, fields) &&
    job.status === statusOnceBooked(status) &&
    (!use_alternate_address || job.address === address) &&
    hasCategories(job, category_ids)
  );
}

const hasCategories = ({ categories }: Job, ids: readonly string[]) => categories.map(({ id }) => id).join() === ids.join();

export async function updateJob(scope: TenantScope, input: JobChange): Promise<Job> {
  const { id, version, category_ids, use_alternate_address, ...fields } = input;
  const before = await readRecord(scope, jobRecord, id);
  const isPaidByHand = fields.status === 'paid' && before.status !== 'paid';
  if (isPaidByHand) await lockForPayment(scope);
  await lockReferences(scope, input);
  const isRebooked = fields.booking_date !== before.booking_date;
  const status = isRebooked ? statusOnceBooked(fields.status) : fields.status;
  const address = use_alternate_address ? fields.address : (before.customer?.address ?? before.address);
  const pricing = {
    job_type: fields.job_type ?? before.job_type,
    fixed_amount: fields.fixed_amount === undefined ? before.fixed_amount : fields.fixed_amount,
    hourly_rate: fields.hourly_rate === undefined ? before.hourly_rate : fields.hourly_rate,
  };
  const values = { ...fields, ...pricing, status, address, ...keysOf(fields, before.job_number) };
  const updated = await updateFromVersion(scope, jobRecord, { id, version }, values);
  if (isPaidByHand) await payJob(scope, updated);
  if (!hasCategories(before, category_ids)) await storeCategories(scope, id, category_ids);
  if (!isActive(status)) await pauseTimers(scope, id);
  const edited = await readRecord(scope, jobRecord, id);
  await recordEdit(scope, before, edited);
  const job = await settleJob(scope, edited);
  requirePossible(job, { before: before.status, status });
  await notifyAssigned(scope, before, job);
  await publishChange(scope, 'jobs', 'timer');
  return job;
}

export interface StatusChange {
  readonly id: string;
  readonly status: JobStatus;
  readonly from?: JobStatus | undefined;
}

export async function changeStatus(scope: TenantScope, { id, status, from }: StatusChange): Promise<Job> {
  if (status === 'paid') await lockForPayment(scope);
  const { status: before } = await lockJob(scope, id);
  if (from !== undefined && before !== from && before !== status) {
    throw failureOf(staleRecord, { current: await readRecord(scope, jobRecord, id) });
  }
  if (before !== status) await setStatus(scope, id, { status, from: before });
  if (!isActive(status)) await pauseTimers(scope, id);
  if (before === status) return readRecord(scope, jobRecord, id);
  await recordEvent(scope, 'job', id, 'edited', { status: [before, status] });
  await publishChange(scope, 'jobs', 'timer');
  const changed = await readRecord(scope, jobRecord, id);
  const job = await settleJob(scope, status === 'paid' ? await payJob(scope, changed) : changed);
  requirePossible(job, { before, status });
  return job;
}

/** A job whose payments cover what is due is paid, whatever a person chooses instead, and what was billed is not canceled by it. */
function requirePossible(job: StoredJob, { before, status }: { before: JobStatus; status: JobStatus }): void {
  if (before !== 'canceled' && status === 'canceled' && job.billed_amount !== null) throw failureOf(jobInvoiced);
  if (before === 'paid' && status !== 'paid' && job.status === 'paid') throw failureOf(jobPaid);
}

/** Unless it has an invoice or a payment. The files of its comments go with it: locked, the job gets no further comment meanwhile. */
export async function removeJob(scope: TenantScope, id: string): Promise<Record<string, never>> {
  await lockCompany(scope, scope.companyId);
  await removeFilesOf(scope, 'job_comment', await lockComments(scope, id));
  await pauseTimers(scope, id);
  await deleteRecord(scope, jobRecord, id).catch((error: unknown) => {
    throw isStillReferenced(error) ? failureOf(jobBilled) : error;
  });
  await publishChange(scope, 'jobs', 'comments', 'timer', 'quotes');
  return {};
}

/** Ends the timers of a job that is finished or deleted. The history tells whose they were. */
async function pauseTimers(scope: TenantScope, jobId: string): Promise<void> {
  const { actor } = scope;
  const ownId = actor.kind === 'person' ? actor.member?.staffId : undefined;
  for (const { staff_id, staff_name } of await stopTimersOfJob(scope, jobId)) {
    await recordEvent(scope, 'job', jobId, 'timer_paused', staff_id === ownId ? {} : { timer_of: [null, staff_name] });
  }
}

/** What the history shows of a job. */
function historyOf(job: Job) {
  return {
    title: job.title,
    description: job.description,
    status: job.status,
    booking_date: job.booking_date,
    duration: job.duration,
    assigned_to: job.staff?.name ?? null,
    categories: job.categories.map(({ name }) => name).join(', ') || null,
    address: job.address,
    job_type: job.job_type,
    fixed_amount: job.fixed_amount,
    hourly_rate: job.hourly_rate,
  };
}

export async function recordEdit(scope: TenantScope, before: Job, after: Job): Promise<void> {
  const changes = changesBetween(historyOf(before), historyOf(after));
  if (Object.keys(changes).length > 0) await recordEvent(scope, 'job', after.id, 'edited', changes);
}

/**
 * Tells the newly assigned person, unless they did it themselves. Whoever had the job before and has not read that they were assigned is no
 * longer told: a move that is undone leaves nothing false behind.
 */
export async function notifyAssigned(scope: TenantScope, before: Job | null, job: Job): Promise<void> {
  if (job.staff_id === (before?.staff_id ?? null)) return;
  const start = `You have been assigned to job #${job.job_number}: `;
  const login = job.staff_id && (await readLogin(scope, job.staff_id));
  if (login && !(scope.actor.kind === 'person' && scope.actor.userId === login)) {
    await notifyPeople(scope, [login], { message: `${start}${job.title}`, type: 'info', data: { job_id: job.id } });
  }
  const previous = before?.staff_id && (await readLogin(scope, before.staff_id));
  if (previous) await withdrawNotifications(scope, previous, { job_id: job.id, start });
}
