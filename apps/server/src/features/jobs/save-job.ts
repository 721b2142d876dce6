import { idTakenError, staleRecordError } from '@callout/contract/errors';
import {
  invoicedSinceError,
  type Job,
  jobBilledError,
  jobInvoicedError,
  jobPaidError,
  type NewJob,
  paidJobStatusError,
  type UpdateJobInput,
} from '@callout/contract/jobs';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { getStatusAfterBooking, isActiveStatus, type JobStatus } from '@callout/domain/jobs/job';
import { revokePublicLink } from '../../platform/auth/public-links.sql.ts';
import { isStillReferencedError } from '../../platform/db/database-errors.ts';
import { deleteRecord, isSameRequest, readRecord, updateRecordAtVersion, wasChangedSinceCreation } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { updateLastInteraction } from '../customers/customers.sql.ts';
import { removeRecordFiles } from '../files/remove-files.ts';
import { diffFields, hasInvoiceSinceStatus, recordEvent } from '../history/history.sql.ts';
import { deleteUnreadJobNotifications, notifyPeople } from '../notifications/notifications.sql.ts';
import { freezeTaxRate } from './job-billing.sql.ts';
import { findJob, jobRecordType, lockJobAndListCommentIds, repriceJob, type StoredJob, setJobStatus, stopJobTimers } from './jobs.sql.ts';
import { jobs } from './jobs.table.ts';
import {
  buildJobSearchKeys,
  findCustomerAddress,
  findStaffUserId,
  getGivenCustomerId,
  insertJob,
  lockReferencedRecords,
  replaceJobCategories,
  updateCustomerOfFiles,
} from './save-job.sql.ts';
import { lockPricedJob, mayManagePayments, recordOutstandingPayment, settleJob } from './settle-job.ts';

export async function createJob(scope: TenantScope, input: NewJob): Promise<Job> {
  const { id, category_ids, use_alternate_address, ...fields } = input;
  await lockReferencedRecords(scope, input);
  const existing = await findJob(scope, id);
  if (existing) {
    if (!isSameJobRequest(existing, input) && !(await wasChangedSinceCreation(scope, jobRecordType, id))) throw toFailure(idTakenError);
    return existing;
  }
  const address = use_alternate_address ? fields.address : await findCustomerAddress(scope, fields.customer_id);
  await insertJob(scope, { ...fields, id, address, status: getStatusAfterBooking(fields.status) });
  await replaceJobCategories(scope, id, category_ids);
  await updateLastInteraction(scope, fields.customer_id);
  const created = await readRecord(scope, jobRecordType, id);
  const job = created.status === 'paid' ? await settleJob(scope, await recordOutstandingPayment(scope, created)) : created;
  const { status, booking_date, assigned_to } = getHistoryFields(job);
  await recordEvent(scope, 'job', id, 'created', {
    status: [null, status],
    booking_date: [null, booking_date],
    assigned_to: [null, assigned_to],
  });
  await notifyAssignee(scope, null, job);
  await publishChange(scope, 'jobs', 'customers');
  return job;
}

function isSameJobRequest(job: Job, { category_ids, use_alternate_address, address, status, ...fields }: NewJob): boolean {
  return (
    isSameRequest(jobs, job, fields) &&
    job.status === getStatusAfterBooking(status) &&
    (!use_alternate_address || job.address === address) &&
    hasSameCategories(job, category_ids)
  );
}

const hasSameCategories = ({ categories }: Job, ids: readonly string[]) => categories.map(({ id }) => id).join() === ids.join();

export async function updateJob(scope: TenantScope, input: UpdateJobInput): Promise<Job> {
  const { id, version, customer_id: _, category_ids, use_alternate_address, ...fields } = input;
  const before = await readRecord(scope, jobRecordType, id);
  const isMarkedPaid = fields.status === 'paid' && before.status !== 'paid';
  const customer_id = getGivenCustomerId(before, input.customer_id);
  await lockReferencedRecords(scope, { ...input, customer_id });
  const isRebooked = fields.booking_date !== before.booking_date;
  const status = isRebooked ? getStatusAfterBooking(fields.status) : fields.status;
  const customerAddress = customer_id ? await findCustomerAddress(scope, customer_id) : before.customer?.address;
  const address = use_alternate_address ? fields.address : (customerAddress ?? before.address);
  const pricing = {
    job_type: fields.job_type ?? before.job_type,
    fixed_amount: fields.fixed_amount === undefined ? before.fixed_amount : fields.fixed_amount,
    hourly_rate: fields.hourly_rate === undefined ? before.hourly_rate : fields.hourly_rate,
    hourly_rate_confirmed: fields.hourly_rate_confirmed ?? before.hourly_rate_confirmed,
  };
  const values = {
    ...fields,
    ...(customer_id && { customer_id }),
    ...pricing,
    status,
    address,
    ...buildJobSearchKeys(fields, before.job_number),
  };
  await updateRecordAtVersion(scope, jobRecordType, { id, version }, values);
  const priced = await repriceJob(scope, id);
  if (isMarkedPaid) await recordOutstandingPayment(scope, priced);
  if (!hasSameCategories(before, category_ids)) await replaceJobCategories(scope, id, category_ids);
  if (customer_id) {
    await updateCustomerOfFiles(scope, id);
    await updateLastInteraction(scope, customer_id);
  }
  if (!isActiveStatus(status)) await pauseJobTimers(scope, id);
  const edited = await readRecord(scope, jobRecordType, id);
  await recordJobEdit(scope, before, edited);
  const job = await settleJob(scope, edited);
  requireAllowedStatus(scope, job, { before: before.status, status });
  await notifyAssignee(scope, before, job);
  await publishChange(scope, 'jobs', 'timer', ...(customer_id ? (['customers'] as const) : []));
  return job;
}

export interface JobStatusChange {
  readonly id: string;
  readonly status: JobStatus;
  readonly from?: JobStatus | undefined;
  readonly is_undo?: boolean | undefined;
}

export async function updateJobStatus(scope: TenantScope, { id, status, from, is_undo = false }: JobStatusChange): Promise<Job> {
  const { status: before, tax_rate } = await lockPricedJob(scope, id);
  if (is_undo && from !== undefined && before !== status) await requireNoInvoiceSince(scope, id, from);
  if (from !== undefined && before !== from && before !== status) {
    throw toFailure(staleRecordError, { current: await readRecord(scope, jobRecordType, id) });
  }
  if (before !== status) await setJobStatus(scope, id, { status, from: before });
  if (!isActiveStatus(status)) await pauseJobTimers(scope, id);
  if (before === status) {
    // A new GST rate alone may have made the job paid. Now a person says so, too.
    if (status === 'paid' && mayManagePayments(scope)) await freezeTaxRate(scope, id, tax_rate);
    return readRecord(scope, jobRecordType, id);
  }
  await recordEvent(scope, 'job', id, 'edited', { status: [before, status] });
  await publishChange(scope, 'jobs', 'timer');
  const changed = await readRecord(scope, jobRecordType, id);
  const job = await settleJob(scope, status === 'paid' ? await recordOutstandingPayment(scope, changed) : changed);
  requireAllowedStatus(scope, job, { before, status });
  return job;
}

/** Throws if the job has an open invoice that was issued after the job got the status. */
async function requireNoInvoiceSince(scope: TenantScope, id: string, status: JobStatus): Promise<void> {
  const { billed_amount } = await readRecord(scope, jobRecordType, id);
  if (billed_amount !== null && (await hasInvoiceSinceStatus(scope, id, status))) throw toFailure(invoicedSinceError);
}

/**
 * Throws if a job with an open invoice would be canceled, if a fully paid job would no longer be marked as paid, or if someone who may not
 * manage payments takes a job out of the paid status.
 */
function requireAllowedStatus(scope: TenantScope, job: StoredJob, { before, status }: { before: JobStatus; status: JobStatus }): void {
  if (before === 'paid' && status !== 'paid' && !mayManagePayments(scope)) throw toFailure(paidJobStatusError);
  if (before !== 'canceled' && status === 'canceled' && job.billed_amount !== null) throw toFailure(jobInvoicedError);
  if (before === 'paid' && status !== 'paid' && job.status === 'paid') throw toFailure(jobPaidError);
}

/** Deletes the job and its comments' files. Throws if the job has an invoice or a payment. */
export async function removeJob(scope: TenantScope, id: string): Promise<Record<string, never>> {
  await removeRecordFiles(scope, 'job_comment', await lockJobAndListCommentIds(scope, id));
  await pauseJobTimers(scope, id);
  await deleteRecord(scope, jobRecordType, id).catch((error: unknown) => {
    throw isStillReferencedError(error) ? toFailure(jobBilledError) : error;
  });
  await revokePublicLink(scope, { kind: 'invoice', id });
  await publishChange(scope, 'jobs', 'comments', 'timer', 'quotes');
  return {};
}

async function pauseJobTimers(scope: TenantScope, jobId: string): Promise<void> {
  const { actor } = scope;
  const myStaffId = actor.kind === 'person' ? actor.member?.staffId : undefined;
  for (const { staff_id, staff_name } of await stopJobTimers(scope, jobId)) {
    await recordEvent(scope, 'job', jobId, 'timer_paused', staff_id === myStaffId ? {} : { timer_of: [null, staff_name] });
  }
}

/** Returns the fields that the job's history tracks. */
function getHistoryFields(job: Job) {
  return {
    title: job.title,
    description: job.description,
    status: job.status,
    booking_date: job.booking_date,
    duration: job.duration,
    assigned_to: job.staff?.name ?? null,
    customer: job.customer && formatCustomerName(job.customer),
    categories: job.categories.map(({ name }) => name).join(', ') || null,
    address: job.address,
    job_type: job.job_type,
    fixed_amount: job.fixed_amount,
    hourly_rate: job.hourly_rate,
    hourly_rate_confirmed: job.hourly_rate_confirmed ? 'yes' : null,
  };
}

export async function recordJobEdit(scope: TenantScope, before: Job, after: Job): Promise<void> {
  const changes = diffFields(getHistoryFields(before), getHistoryFields(after));
  if (Object.keys(changes).length > 0) await recordEvent(scope, 'job', after.id, 'edited', changes);
}

/**
 * Notifies the new assignee, unless they assigned themselves. Deletes the previous assignee's notification if it is still unread, so that
 * undoing an assignment leaves no outdated notification behind.
 */
export async function notifyAssignee(scope: TenantScope, before: Job | null, job: Job): Promise<void> {
  if (job.staff_id === (before?.staff_id ?? null)) return;
  const start = `You have been assigned to job #${job.job_number}: `;
  const assigneeId = job.staff_id && (await findStaffUserId(scope, job.staff_id));
  if (assigneeId && !(scope.actor.kind === 'person' && scope.actor.userId === assigneeId)) {
    await notifyPeople(scope, [assigneeId], { message: `${start}${job.title}`, type: 'info', data: { job_id: job.id } });
  }
  const previousAssigneeId = before?.staff_id && (await findStaffUserId(scope, before.staff_id));
  if (previousAssigneeId) await deleteUnreadJobNotifications(scope, previousAssigneeId, job.id, start);
}
