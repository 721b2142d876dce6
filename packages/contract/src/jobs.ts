import { isValidDurationHours } from '@callout/domain/durations/duration';
import { JOB_STATUSES, JOB_TYPES } from '@callout/domain/jobs/job';
import { MAX_QUANTITY, QUANTITY_ERRORS } from '@callout/domain/jobs/quantity';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { clashFields } from './clash.ts';
import { ERROR_STATUS, idTakenError, limitReachedError, notFoundError, staleVersionError } from './errors.ts';
import { visibleWith } from './field-visibility.ts';
import {
  Id,
  Instant,
  inputInstant,
  OutputId,
  optionalAmount,
  optionalLongText,
  RecordVersion,
  requiredLongText,
  requiredText,
  SearchTerm,
} from './fields.ts';
import { countInput, idInput, listInput, matchedField, pageSchema, RecordCount } from './lists.ts';

export const JobStatus = z.enum(JOB_STATUSES, 'Please choose a status');
export const JobType = z.enum(JOB_TYPES, 'Please choose a job type');

const NamedRecord = z.object({ id: OutputId, name: z.string() });

export const JobCustomer = z.object({
  id: OutputId,
  name: z.string(),
  company_name: z.string().nullable(),
  email: z.string(),
  phone: z.string(),
  address: z.string(),
});

export const JobStaffMember = NamedRecord.extend({ hex_code: z.string().nullable(), avatar_url: z.string().nullable() });

/** A job's line item, typed by hand or copied from a price list item, so that later price changes don't affect it. */
export const JobItem = z.object({
  id: OutputId,
  supplier_item_id: OutputId.nullable(),
  name: z.string(),
  description: z.string().nullable(),
  sku: z.string().nullable(),
  supplier_name: z.string().nullable(),
  tax_inclusive: z.boolean(),
  is_service: z.boolean(),
  quantity: z.string(),
  unit_price: z.string(),
  cost_price: visibleWith('costs.view', z.string().nullable()),
  /** The discount as typed: a percentage or an amount. Both are null if there is none. */
  discount_percent: z.string().nullable(),
  discount_amount: z.string().nullable(),
  /** The money that the discount takes off. */
  discount: z.string(),
  total_price: z.string(),
  /** Whether the line holds the job's fixed amount, which only people who may manage payments can change or remove. */
  is_fixed_price: z.boolean(),
  version: RecordVersion,
});
export type JobItem = z.infer<typeof JobItem>;

export const TaxTotals = z.object({ subtotal: z.string(), tax_amount: z.string(), total_amount: z.string() });

/** The elapsed time is `finished_seconds` plus the time since each running entry started, measured by the server's clock. */
export const JobTimer = z.object({
  timer_status: z.enum(['started', 'paused']).nullable(),
  finished_seconds: z.int(),
  running: z.array(z.object({ id: OutputId, staff_id: OutputId, staff_name: z.string(), started_at: Instant })),
  /** Elapsed seconds that a line item already bills. */
  allocated_seconds: z.int(),
  /** The job's hourly rate if confirmed, else the assigned person's, else the job's, else the company's default, else 0. */
  hourly_rate: z.string(),
  server_time: Instant,
});
export type JobTimer = z.infer<typeof JobTimer>;

export const Job = z.object({
  id: OutputId,
  job_number: z.string(),
  title: z.string(),
  description: z.string(),
  status: JobStatus,
  job_type: JobType,
  fixed_amount: z.string().nullable(),
  hourly_rate: z.string().nullable(),
  /** Whether `hourly_rate` applies even if the assigned person has a rate. */
  hourly_rate_confirmed: z.boolean(),
  booking_date: Instant.nullable(),
  /** Hours as a decimal string. */
  duration: z.string().nullable(),
  address: z.string().nullable(),
  customer_id: OutputId.nullable(),
  customer: JobCustomer.nullable(),
  staff_id: OutputId.nullable(),
  staff: JobStaffMember.nullable(),
  /** The quote from which the job was created; null if that quote was deleted. */
  quote_id: OutputId.nullable(),
  /** The quote's number. It remains if the quote is deleted, because the accepted copy is never deleted. */
  quote_number: z.string().nullable(),
  /** The job's categories, starting with the main one. */
  categories: z.array(NamedRecord),
  items: z.array(JobItem),
  /** The rate, in percent, and the currency of the totals. */
  tax_rate: z.string(),
  currency: z.string().nullable(),
  totals: TaxTotals,
  /** The deposit requested when the quote was accepted. */
  deposit_amount: visibleWith('payments.manage', z.string().nullable()),
  /** Total of the open invoice; null if there is none, in which case the job's total is due. */
  billed_amount: visibleWith('payments.manage', z.string().nullable()),
  paid_amount: visibleWith('payments.manage', z.string()),
  /** Whether the job's last invoice was canceled, so that money paid for it needs a new one or a refund. */
  is_invoice_canceled: visibleWith('payments.manage', z.boolean()),
  timer: JobTimer,
  created_at: Instant,
  updated_at: Instant,
  version: RecordVersion,
});
export type Job = z.infer<typeof Job>;

export const JobSummary = Job.pick({ id: true, job_number: true, title: true, status: true, booking_date: true, created_at: true });

export const JobRow = JobSummary.extend({
  customer: JobCustomer.pick({ id: true, name: true, company_name: true }).nullable(),
  staff: NamedRecord.extend({ hex_code: z.string().nullable() }).nullable(),
  categories: z.array(NamedRecord),
  timer_status: JobTimer.shape.timer_status,
  matched: matchedField('title'),
});
export type JobRow = z.infer<typeof JobRow>;

const requiredId = (message: string) => z.uuid(message).toLowerCase();
const MAX_JOB_CATEGORIES = 20;

const jobFields = {
  title: requiredText('Title', 200),
  description: requiredLongText('Description', 10_000),
  category_ids: z
    .array(Id)
    .max(MAX_JOB_CATEGORIES, `At most ${MAX_JOB_CATEGORIES} categories`)
    .transform((ids) => [...new Set(ids)]),
  staff_id: requiredId('Assigned staff is required'),
  booking_date: inputInstant('Booking date'),
  duration: requiredText('Duration', 10).refine(
    (hours) => hours === '' || isValidDurationHours(hours),
    'Duration must be at least 0.5 hours, in steps of 0.25',
  ),
  use_alternate_address: z.boolean().default(false),
  address: optionalLongText('Alternate address', 500),
  status: JobStatus,
};

const pricingFields = {
  job_type: JobType,
  fixed_amount: optionalAmount('Fixed amount'),
  hourly_rate: optionalAmount('Hourly rate'),
  hourly_rate_confirmed: z.boolean().default(false),
};

const withAddressRule = <Schema extends z.ZodType<{ use_alternate_address: boolean; address: string | null }>>(schema: Schema) =>
  schema.refine(({ use_alternate_address, address }) => !use_alternate_address || address !== null, {
    error: 'Alternate address is required',
    path: ['address'],
  });

/** Without an alternate address, the customer's address is used. Setting a date changes the status 'pending' or 'contacted' to 'booked'. */
export const NewJob = withAddressRule(
  z.object({
    id: Id,
    customer_id: requiredId('Customer is required'),
    ...jobFields,
    status: JobStatus.default('pending'),
    ...pricingFields,
    job_type: JobType.default('fixed'),
  }),
);
export type NewJob = z.infer<typeof NewJob>;

/**
 * Omitted pricing fields stay unchanged. Changing the date changes the status 'pending' or 'contacted' to 'booked'. Only a job without a
 * customer can be given one.
 */
export const UpdateJobInput = withAddressRule(
  z.object({
    id: Id,
    version: RecordVersion,
    customer_id: Id.nullish(),
    ...jobFields,
    job_type: JobType.optional(),
    fixed_amount: pricingFields.fixed_amount.optional(),
    hourly_rate: pricingFields.hourly_rate.optional(),
    hourly_rate_confirmed: z.boolean().optional(),
  }),
);
export type UpdateJobInput = z.infer<typeof UpdateJobInput>;

export const JOB_SORTS = ['created_at', 'booking_date', 'title', 'customer', 'staff', 'category', 'status'] as const;
export const JobSort = z.enum(JOB_SORTS);
export type JobSort = z.infer<typeof JobSort>;

/** 'active' means unfinished. 'uninvoiced' means done without an open invoice (see `isUninvoicedJob`), and requires 'payments.manage'. */
export const JOB_GROUPS = ['active', 'not-canceled', 'uninvoiced'] as const;
export const JobGroup = z.enum(JOB_GROUPS);
export type JobGroup = z.infer<typeof JobGroup>;

/** 'none' means without a booking date. 'unfinished' means with a booking date, but not finished. */
export const JobBooking = z.enum(['none', 'unfinished']);

export const jobFilters = {
  status: JobStatus.optional(),
  group: JobGroup.optional(),
  staff_id: Id.optional(),
  category_id: Id.optional(),
  customer_id: Id.optional(),
  /** `created_from` and `created_to` are both inclusive. */
  created_from: inputInstant('From').optional(),
  created_to: inputInstant('To').optional(),
  booking: JobBooking.optional(),
  /** `booked_from` and `booked_to` are both inclusive, and neither matches jobs without a booking date. */
  booked_from: inputInstant('Booked from').optional(),
  booked_to: inputInstant('Booked to').optional(),
};

export const JobListInput = listInput(jobFilters, JobSort.default('created_at'), 'desc');

export const jobNotFoundError = notFoundError('Job not found');
export const jobItemNotFoundError = notFoundError('Item not found');
export const jobBilledError = {
  JOB_BILLED: {
    status: ERROR_STATUS.JOB_BILLED,
    message: "A job with an invoice or a payment can't be deleted. You can cancel it instead once it has no open invoice.",
  },
} as const;
/** An invoice must be canceled before its job. Otherwise, pages would disagree about what the customer owes. */
export const jobInvoicedError = {
  JOB_BILLED: {
    status: ERROR_STATUS.JOB_BILLED,
    message: 'This job has an open invoice. Cancel it with a credit note on the payment page first.',
  },
} as const;
/** Undo must not reopen a job that was invoiced in the meantime. Reopening it on purpose is allowed. */
export const invoicedSinceError = {
  INVOICED_SINCE: {
    status: ERROR_STATUS.INVOICED_SINCE,
    message: 'An invoice has been issued since, so this can no longer be undone.',
  },
} as const;
/** A job stays paid while its payments cover the amount due, so a payment must be reversed before the status can change. */
export const jobPaidError = {
  JOB_PAID: { status: ERROR_STATUS.JOB_PAID, message: 'This job is paid. Reverse a payment on its payment page first.' },
} as const;
/** Leaving the status would unlock the items of a paid job. */
export const paidJobStatusError = {
  JOB_PAID: {
    status: ERROR_STATUS.JOB_PAID,
    message: 'This job is paid. Ask an admin, manager or accountant to change its status.',
  },
} as const;

/** The lines of a job are never paginated, so their number is limited. */
export const MAX_JOB_LINES = 500;
export const jobLineLimitError = limitReachedError('A job can have at most 500 items.');
export const jobNumbersExhaustedError = {
  NO_NUMBER_LEFT: { status: ERROR_STATUS.NO_NUMBER_LEFT, message: 'This month has no job numbers left: 9,999 jobs were created.' },
} as const;

/** Quantity of a line item that bills worked time. Must be a whole number. */
export const WholeQuantity = z.int(QUANTITY_ERRORS.notWhole).min(1, QUANTITY_ERRORS.tooSmall).max(MAX_QUANTITY, QUANTITY_ERRORS.tooLarge);
export const jobTags = { tags: ['jobs'] };

export const jobs = {
  list: defineCall('work.view')
    .route({ method: 'GET', path: '/jobs', summary: 'List jobs', ...jobTags })
    .input(JobListInput)
    .output(pageSchema(JobRow)),

  count: defineCall('work.view')
    .route({ method: 'GET', path: '/jobs/count', summary: 'Count the jobs that match a filter', ...jobTags })
    .input(countInput(jobFilters))
    .output(RecordCount),

  find: defineCall('work.view')
    .route({ method: 'GET', path: '/jobs/find', summary: 'Find the jobs that best match a number, title or customer', ...jobTags })
    .input(z.object({ search: SearchTerm }))
    .output(z.object({ rows: z.array(JobRow) })),

  get: defineCall('work.view')
    .route({ method: 'GET', path: '/jobs/{id}', summary: 'Get a job with its items, totals and timer', ...jobTags })
    .input(idInput)
    .output(Job)
    .errors(jobNotFoundError),

  create: defineCall('jobs.work')
    .route({
      method: 'POST',
      path: '/jobs',
      summary: 'Add a job under a client-generated id; the server assigns its number',
      ...jobTags,
      successStatus: 201,
    })
    .input(NewJob)
    .output(Job)
    .errors({ ...idTakenError, ...jobNumbersExhaustedError }),

  /** Copies what is to be done, for whom and at what price, but not what has happened: dates, time and its lines, comments, payments. */
  duplicate: defineCall('jobs.work')
    .route({
      method: 'POST',
      path: '/jobs/{id}/duplicate',
      summary: 'Copy a job to a new, unscheduled one under a client-generated id',
      ...jobTags,
      successStatus: 201,
    })
    .input(z.object({ id: Id, new_id: Id }))
    .output(Job)
    .errors({ ...jobNotFoundError, ...idTakenError, ...jobNumbersExhaustedError }),

  update: defineCall('jobs.edit')
    .route({ method: 'PUT', path: '/jobs/{id}', summary: 'Update a job, given its current version', ...jobTags })
    .input(UpdateJobInput)
    .output(Job)
    .errors({ ...jobNotFoundError, ...staleVersionError(Job), ...jobPaidError, ...jobInvoicedError }),

  /**
   * Also called when a card is dragged to another board column. Finishing a job stops its timers. `from` is the status that the caller saw:
   * the call fails if the job now has neither that status nor the requested one. `is_undo` takes back the change to `from`, and fails if an
   * invoice has been issued since. If the new status makes the assignee busy again, the
   * response lists the clashes.
   */
  setStatus: defineCall('jobs.work')
    .route({ method: 'PUT', path: '/jobs/{id}/status', summary: "Set a job's status", ...jobTags })
    .input(z.object({ id: Id, status: JobStatus, from: JobStatus.optional(), is_undo: z.boolean().optional() }))
    .output(Job.extend(clashFields))
    .errors({ ...jobNotFoundError, ...staleVersionError(Job), ...jobPaidError, ...jobInvoicedError, ...invoicedSinceError }),

  remove: defineCall('jobs.edit')
    .route({
      method: 'DELETE',
      path: '/jobs/{id}',
      summary: 'Delete a job with its items, comments and files, but keep its worked time; fails if it has an invoice or a payment',
      ...jobTags,
    })
    .input(idInput)
    .output(z.object({}))
    .errors({ ...jobNotFoundError, ...jobBilledError }),
};
