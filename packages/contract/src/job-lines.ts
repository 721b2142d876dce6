import { MAX_QUANTITY } from '@callout/domain/jobs/quantity';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { ERROR_STATUS, idTakenError, staleVersionError } from './errors.ts';
import { Id } from './fields.ts';
import { FIXED_PRICE_CHOICES, NewJobLine, Quantity, UpdateJobLineInput } from './job-line-input.ts';
import { Job, JobItem, jobItemNotFoundError, jobLineLimitError, jobNotFoundError, jobTags, MAX_JOB_LINES } from './jobs.ts';
import { idInput } from './lists.ts';

/** Changing the lines of a paid job changes what the customer owes. */
export const paidJobLinesError = {
  JOB_PAID: {
    status: ERROR_STATUS.JOB_PAID,
    message: 'This job is paid. Ask an admin, manager or accountant to change its items.',
  },
} as const;
/** Lowering a price to what has been paid settles the job, which is up to the people who manage payments. */
export const paidPriceError = {
  JOB_PAID: {
    status: ERROR_STATUS.JOB_PAID,
    message: 'The customer has already paid that much. Ask an admin, manager or accountant to lower the price.',
  },
} as const;
export const fixedPriceError = {
  FIXED_PRICE: {
    status: ERROR_STATUS.FIXED_PRICE,
    message: 'This job has a fixed price. Please choose whether the items replace it or come on top.',
  },
} as const;
/** The line holds the price that was agreed on with the customer. */
export const fixedPriceLineError = {
  FIXED_PRICE: {
    status: ERROR_STATUS.FIXED_PRICE,
    message: "This is the job's fixed price. Ask an admin, manager or accountant to change it.",
  },
} as const;
export const lineListedError = {
  ALREADY_DONE: { status: ERROR_STATUS.ALREADY_DONE, message: 'This item is already on your price list.' },
} as const;

/** The calls that change a job's lines. They are part of `jobs` in the contract. */
export const jobLines = {
  /**
   * Adds all lines or none, except those that the job already has. The first items of a job with a fixed amount need `fixed_price`;
   * 'replace', discounts and prices below the price list require 'payments.manage'.
   */
  addItems: defineCall('jobs.work')
    .route({
      method: 'POST',
      path: '/job-items',
      summary: 'Add price list items or lines typed by hand to a job',
      ...jobTags,
      successStatus: 201,
    })
    .input(
      z.object({
        job_id: Id,
        lines: z.array(NewJobLine).min(1, 'No item selected').max(MAX_JOB_LINES, jobLineLimitError.LIMIT_REACHED.message),
        fixed_price: z.enum(FIXED_PRICE_CHOICES).optional(),
      }),
    )
    .output(Job)
    .errors({ ...jobNotFoundError, ...idTakenError, ...jobLineLimitError, ...fixedPriceError, ...paidJobLinesError }),

  updateItem: defineCall('payments.manage')
    .route({
      method: 'PUT',
      path: '/job-items/{id}',
      summary: "Change a line's name, quantity, price, tax or discount, given its current version",
      ...jobTags,
    })
    .input(UpdateJobLineInput)
    .output(z.object({ item: JobItem, job: Job }))
    .errors({ ...jobItemNotFoundError, ...staleVersionError(JobItem) }),

  setQuantity: defineCall('jobs.work')
    .route({ method: 'PUT', path: '/job-items/{id}/quantity', summary: 'Set the quantity of a line, which updates its total', ...jobTags })
    .input(z.object({ id: Id, quantity: Quantity }))
    .output(Job)
    .errors({ ...jobItemNotFoundError, ...paidJobLinesError, ...fixedPriceLineError }),

  /**
   * Relative, so that two people who press + at the same time both count. A retry with the same Idempotency-Key changes nothing, nor does one
   * with the same `request_id`, which pages of the previous release send instead.
   */
  changeQuantity: defineCall('jobs.work')
    .route({
      method: 'POST',
      path: '/job-items/{id}/quantity-changes',
      summary: 'Add to or subtract from the quantity of a line, which updates its total',
      ...jobTags,
    })
    .input(z.object({ id: Id, request_id: Id.optional(), by: z.int().min(-MAX_QUANTITY).max(MAX_QUANTITY) }))
    .output(Job)
    .errors({ ...jobItemNotFoundError, ...paidJobLinesError, ...fixedPriceLineError }),

  /** Without `supplier_id`, the item goes to the supplier named after the company, which is created if necessary. */
  listItem: defineCall('items.edit')
    .route({ method: 'POST', path: '/job-items/{id}/listing', summary: 'Save a line typed by hand to a price list', ...jobTags })
    .input(z.object({ id: Id, new_id: Id, supplier_id: Id.optional() }))
    .output(Job)
    .errors({ ...jobItemNotFoundError, ...idTakenError, ...lineListedError }),

  removeItem: defineCall('jobs.work')
    .route({ method: 'DELETE', path: '/job-items/{id}', summary: 'Remove a line; the time it billed can be billed again', ...jobTags })
    .input(idInput)
    .output(Job)
    .errors({ ...jobItemNotFoundError, ...paidJobLinesError, ...fixedPriceLineError }),
};
