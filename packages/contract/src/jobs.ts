import { isDurationHours } from '@callout/domain/durations/duration';
import { JOB_STATUSES, JOB_TYPES } from '@callout/domain/jobs/job';
import { hasQuantityDecimals, MAX_QUANTITY, QUANTITY_ERRORS } from '@callout/domain/jobs/quantity';
import { z } from 'zod';
import { call } from './call.ts';
import { withClashes } from './clash.ts';
import { errorStatus, idTaken, limitReached, notFound, staleVersion } from './errors.ts';
import {
  Id,
  Instant,
  inputInstant,
  OutputId,
  optionalAmount,
  optionalLines,
  requiredLines,
  requiredText,
  Search,
  Version,
} from './fields.ts';
import { byId, Count, countInput, listInput, pageOf, searchMatch } from './lists.ts';
import { visibleWith } from './visibility.ts';

export const JobStatus = z.enum(JOB_STATUSES, 'Please choose a status');
export const JobType = z.enum(JOB_TYPES, 'Please choose a job type');

const Named = z.object({ id: OutputId, name: z.string() });

export const CustomerOfJob = z.object({
  id: OutputId,
  name: z.string(),
  company_name: z.string().nullable(),
  email: z.string(),
  phone: z.string(),
  address: z.string(),
});

export const StaffOfJob = Named.extend({ hex_code: z.string().nullable(), avatar_url: z.string().nullable() });

/** A line of a job: a copy of the item it was made from, which later changes of the price list leave alone. */
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
  total_price: z.string(),
  version: Version,
});
export type JobItem = z.infer<typeof JobItem>;

export const TaxTotals = z.object({ subtotal: z.string(), tax_amount: z.string(), total_amount: z.string() });

/** Elapsed time is `finished_seconds` plus, for each running entry, the time since its start by the server's clock. */
export const JobTimer = z.object({
  timer_status: z.enum(['started', 'paused']).nullable(),
  finished_seconds: z.int(),
  running: z.array(z.object({ id: OutputId, staff_id: OutputId, staff_name: z.string(), started_at: Instant })),
  /** Of all elapsed seconds, those that a line of the job bills already. */
  allocated_seconds: z.int(),
  /** What an hour costs: the assigned person's rate, else the job's, else the company's. */
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
  booking_date: Instant.nullable(),
  /** Hours. */
  duration: z.string().nullable(),
  address: z.string().nullable(),
  customer_id: OutputId.nullable(),
  customer: CustomerOfJob.nullable(),
  staff_id: OutputId.nullable(),
  staff: StaffOfJob.nullable(),
  /** The quote it was made from; null once the quote was deleted. */
  quote_id: OutputId.nullable(),
  /** Its number, which stays: of such a job there is always an accepted copy. */
  quote_number: z.string().nullable(),
  /** The main category first. */
  categories: z.array(Named),
  items: z.array(JobItem),
  tax_rate: z.string(),
  totals: TaxTotals,
  /** Asked for on acceptance of its quote. */
  deposit_amount: visibleWith('payments.manage', z.string().nullable()),
  /** Of the open invoice that was sent; null while there is none, and the job's total is what is due. */
  billed_amount: visibleWith('payments.manage', z.string().nullable()),
  paid_amount: visibleWith('payments.manage', z.string()),
  timer: JobTimer,
  created_at: Instant,
  updated_at: Instant,
  version: Version,
});
export type Job = z.infer<typeof Job>;

export const JobSummary = Job.pick({ id: true, job_number: true, title: true, status: true, booking_date: true, created_at: true });

export const JobRow = JobSummary.extend({
  customer: CustomerOfJob.pick({ id: true, name: true, company_name: true }).nullable(),
  staff: Named.extend({ hex_code: z.string().nullable() }).nullable(),
  categories: z.array(Named),
  timer_status: JobTimer.shape.timer_status,
  matched: searchMatch('title'),
});
export type JobRow = z.infer<typeof JobRow>;

const requiredId = (message: string) => z.uuid(message).toLowerCase();
const MAX_CATEGORIES = 20;

const jobFields = {
  title: requiredText('Title', 200),
  description: requiredLines('Description', 10_000),
  category_ids: z
    .array(Id)
    .max(MAX_CATEGORIES, `At most ${MAX_CATEGORIES} categories`)
    .transform((ids) => [...new Set(ids)]),
  staff_id: requiredId('Assigned staff is required'),
  booking_date: inputInstant('Booking date'),
  duration: requiredText('Duration', 10).refine(
    (hours) => hours === '' || isDurationHours(hours),
    'Duration must be at least 0.5 hours, in steps of 0.25',
  ),
  use_alternate_address: z.boolean().default(false),
  address: optionalLines('Alternate address', 500),
  status: JobStatus,
};

const pricing = {
  job_type: JobType,
  fixed_amount: optionalAmount('Fixed amount'),
  hourly_rate: optionalAmount('Hourly rate'),
};

const withAddress = <Schema extends z.ZodType<{ use_alternate_address: boolean; address: string | null }>>(schema: Schema) =>
  schema.refine(({ use_alternate_address, address }) => !use_alternate_address || address !== null, {
    error: 'Alternate address is required',
    path: ['address'],
  });

/** Without an alternate address the customer's is used. With a date, 'pending' and 'contacted' become 'booked'. */
export const NewJob = withAddress(
  z.object({
    id: Id,
    customer_id: requiredId('Customer is required'),
    ...jobFields,
    status: JobStatus.default('pending'),
    ...pricing,
    job_type: JobType.default('fixed'),
  }),
);
export type NewJob = z.infer<typeof NewJob>;

/** What is not sent of the pricing stays as it is. A changed date makes 'pending' and 'contacted' 'booked'. */
export const JobChange = withAddress(
  z.object({
    id: Id,
    version: Version,
    ...jobFields,
    job_type: JobType.optional(),
    fixed_amount: pricing.fixed_amount.optional(),
    hourly_rate: pricing.hourly_rate.optional(),
  }),
);
export type JobChange = z.infer<typeof JobChange>;

export const JOB_SORTS = ['created_at', 'title', 'customer', 'staff', 'category', 'status'] as const;
export const JobSort = z.enum(JOB_SORTS);
export type JobSort = z.infer<typeof JobSort>;

/** Jobs that are counted together: still to be done; not canceled; done, but without an open invoice, which only those may ask for who manage payments. */
export const JOB_GROUPS = ['active', 'not-canceled', 'uninvoiced'] as const;
export const JobGroup = z.enum(JOB_GROUPS);
export type JobGroup = z.infer<typeof JobGroup>;

export const jobFilters = {
  status: JobStatus.optional(),
  group: JobGroup.optional(),
  staff_id: Id.optional(),
  category_id: Id.optional(),
  customer_id: Id.optional(),
  /** Both instants belong to the period. */
  created_from: inputInstant('From').optional(),
  created_to: inputInstant('To').optional(),
};

export const JobListInput = listInput(jobFilters, JobSort.default('created_at'), 'desc');

export const jobNotFound = notFound('Job not found');
export const jobItemNotFound = notFound('Item not found');
export const jobBilled = {
  JOB_BILLED: {
    status: errorStatus.JOB_BILLED,
    message: "A job with an invoice or a payment can't be deleted. You can cancel it instead once it has no open invoice.",
  },
} as const;
/** What the customer owes would differ between the pages: the invoice is canceled before the job. */
export const jobInvoiced = {
  JOB_BILLED: {
    status: errorStatus.JOB_BILLED,
    message: 'This job has an open invoice. Cancel it with a credit note on the payment page first.',
  },
} as const;
/** Payments cover what is due: it stays paid until one is reversed. */
export const jobPaid = {
  JOB_PAID: { status: errorStatus.JOB_PAID, message: 'This job is paid. Reverse a payment on its payment page first.' },
} as const;

/** Every answer about a job holds all of its lines. */
export const MAX_LINES = 500;
export const lineLimit = limitReached('A job can have at most 500 items.');
export const noJobNumberLeft = {
  NO_NUMBER_LEFT: { status: errorStatus.NO_NUMBER_LEFT, message: 'This month has no job numbers left: 9,999 jobs were created.' },
} as const;

/** Of allocated time. */
export const WholeQuantity = z.int(QUANTITY_ERRORS.notWhole).min(1, QUANTITY_ERRORS.tooSmall).max(MAX_QUANTITY, QUANTITY_ERRORS.tooLarge);
const Quantity = z
  .number()
  .min(1, QUANTITY_ERRORS.tooSmall)
  .max(MAX_QUANTITY, QUANTITY_ERRORS.tooLarge)
  .refine(hasQuantityDecimals, QUANTITY_ERRORS.notDecimal);

const jobTags = { tags: ['jobs'] };

export const jobs = {
  list: call('work.view')
    .route({ method: 'GET', path: '/jobs', summary: 'A page of jobs', ...jobTags })
    .input(JobListInput)
    .output(pageOf(JobRow)),

  count: call('work.view')
    .route({ method: 'GET', path: '/jobs/count', summary: 'How many jobs match the filter', ...jobTags })
    .input(countInput(jobFilters))
    .output(Count),

  find: call('work.view')
    .route({ method: 'GET', path: '/jobs/find', summary: 'The few jobs that match best: by number, title or customer', ...jobTags })
    .input(z.object({ search: Search }))
    .output(z.object({ rows: z.array(JobRow) })),

  get: call('work.view')
    .route({ method: 'GET', path: '/jobs/{id}', summary: 'One job with its items, totals and timer', ...jobTags })
    .input(byId)
    .output(Job)
    .errors(jobNotFound),

  create: call('jobs.work')
    .route({
      method: 'POST',
      path: '/jobs',
      summary: 'Add a job under a client-made id; its number is given out here',
      ...jobTags,
      successStatus: 201,
    })
    .input(NewJob)
    .output(Job)
    .errors({ ...idTaken, ...noJobNumberLeft }),

  update: call('jobs.edit')
    .route({ method: 'PUT', path: '/jobs/{id}', summary: 'Change a job from a version', ...jobTags })
    .input(JobChange)
    .output(Job)
    .errors({ ...jobNotFound, ...staleVersion(Job), ...jobPaid, ...jobInvoiced }),

  /**
   * Also what a card dragged to another column of the board does. Stops the timers of a job that is finished by it. `from` is the status it
   * was seen in: when it has neither this nor the wanted one by then, nothing changes. A job that takes its person's time again answers with
   * what else does.
   */
  setStatus: call('jobs.work')
    .route({ method: 'PUT', path: '/jobs/{id}/status', summary: 'Set the status', ...jobTags })
    .input(z.object({ id: Id, status: JobStatus, from: JobStatus.optional() }))
    .output(Job.extend(withClashes))
    .errors({ ...jobNotFound, ...staleVersion(Job), ...jobPaid, ...jobInvoiced }),

  remove: call('jobs.edit')
    .route({
      method: 'DELETE',
      path: '/jobs/{id}',
      summary: 'Delete a job with its items, comments and files, unless it has an invoice or a payment; worked time stays',
      ...jobTags,
    })
    .input(byId)
    .output(z.object({}))
    .errors({ ...jobNotFound, ...jobBilled }),

  addItem: call('jobs.work')
    .route({
      method: 'POST',
      path: '/job-items',
      summary: 'Add an item of a price list to a job as a line',
      ...jobTags,
      successStatus: 201,
    })
    .input(
      z.object({
        id: Id,
        job_id: Id,
        supplier_item_id: requiredId('No item selected'),
        quantity: Quantity.default(1),
        unit_price: optionalAmount('Unit price'),
      }),
    )
    .output(Job)
    .errors({ ...jobNotFound, ...idTaken, ...lineLimit }),

  setQuantity: call('jobs.work')
    .route({ method: 'PUT', path: '/job-items/{id}/quantity', summary: 'Set the quantity of a line; its total follows', ...jobTags })
    .input(z.object({ id: Id, quantity: Quantity }))
    .output(Job)
    .errors(jobItemNotFound),

  removeItem: call('jobs.work')
    .route({ method: 'DELETE', path: '/job-items/{id}', summary: 'Remove a line; time it billed can be billed again', ...jobTags })
    .input(byId)
    .output(Job)
    .errors(jobItemNotFound),
};
