import { PAYMENT_SORTS } from '@callout/domain/invoices/invoice';
import { isDecimalAmount } from '@callout/domain/money/amount';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { ERROR_STATUS, idTakenError, notFoundError } from './errors.ts';
import { FilterDate, Id, OutputId, optionalText } from './fields.ts';
import { Billing, Payment } from './invoices.ts';
import { jobNotFoundError } from './jobs.ts';
import { countInput, idInput, listInput, matchedField, pageSchema } from './lists.ts';
import { PaymentInput, PaymentMethod } from './payment-form.ts';

/** The amount due that the form showed when the payment was entered. */
const OutstandingAmount = z.string().max(30).refine(isDecimalAmount, 'Please enter an amount');

export const amountDueChangedError = {
  INVOICE_CHANGED: {
    status: ERROR_STATUS.INVOICE_CHANGED,
    message: 'The amount due has changed. Please check it before you record the payment.',
  },
} as const;
export const paymentNotFoundError = notFoundError('Payment not found');
export const paymentReversedError = {
  PAYMENT_REVERSED: { status: ERROR_STATUS.PAYMENT_REVERSED, message: 'This payment has already been reversed.' },
} as const;

/** A payment or a reversal, with what it was for. */
export const PaymentRow = Payment.extend({
  job_id: OutputId,
  job_number: z.string(),
  /** The job's title when the payment was recorded. */
  job_title: z.string(),
  /** The customer when the payment was recorded; null if the job had none. */
  customer_name: z.string().nullable(),
  /** The invoice that was open when the payment was recorded, or null if none was, as for deposits. A reversal has that of its payment. */
  invoice_number: z.string().nullable(),
  /** True if the job's last invoice is canceled by now. */
  is_invoice_canceled: z.boolean(),
  matched: matchedField('customer'),
});
export type PaymentRow = z.infer<typeof PaymentRow>;

/** `from` and `to` filter by the day on which the money was received; both are inclusive. */
const paymentFilters = { method: PaymentMethod.optional(), from: FilterDate.optional(), to: FilterDate.optional() };
export const PaymentFilters = countInput(paymentFilters);
export type PaymentFilters = z.infer<typeof PaymentFilters>;

/** Totals of the payments that match the list's filter and search. Reversals are subtracted on their own days. */
export const PaymentSummary = z.object({
  /** Number of payments and reversals. */
  entries: z.int(),
  /** How many of them are reversals. */
  reversals: z.int(),
  amount: z.string(),
  fee: z.string(),
  /** True if more than `MAX_SUMMED_ROWS` rows match a search. The sums are then incomplete. */
  is_capped: z.boolean(),
});
export type PaymentSummary = z.infer<typeof PaymentSummary>;

const paymentTags = { tags: ['payments'] };

export const payments = {
  /**
   * Records a full payment ('Mark as Paid'), a partial payment or a deposit. Rejects a future date, a date more than a year before the
   * job, an unconfirmed overpayment, and an `outstanding` that no longer matches the amount due; nothing is due for a canceled job. If
   * PayPal's amount is the amount due with its fee, the fee is recorded separately. Idempotent: a retry with the same id records nothing
   * more, and neither does a request without an amount for a job that is already paid.
   */
  record: defineCall('payments.manage')
    .route({ method: 'POST', path: '/payments', summary: 'Record a payment for a job', ...paymentTags, successStatus: 201 })
    .input(PaymentInput.extend({ id: Id, job_id: Id, outstanding: OutstandingAmount.optional() }))
    .output(Billing)
    .errors({ ...jobNotFoundError, ...idTakenError, ...amountDueChangedError }),

  /** Adds the reversal as a separate row, so that recorded payments never disappear. */
  reverse: defineCall('payments.manage')
    .route({ method: 'POST', path: '/payments/{id}/reverse', summary: 'Reverse a payment', ...paymentTags })
    .input(idInput.extend({ reversal_id: Id, note: optionalText('Note', 200) }))
    .output(Billing)
    .errors({ ...paymentNotFoundError, ...paymentReversedError, ...idTakenError }),

  list: defineCall('payments.manage')
    .route({ method: 'GET', path: '/payments', summary: 'List all money received, newest first', ...paymentTags })
    .input(listInput(paymentFilters, z.enum(PAYMENT_SORTS).default('paid_on'), 'desc'))
    .output(pageSchema(PaymentRow)),

  summary: defineCall('payments.manage')
    .route({ method: 'GET', path: '/payments/summary', summary: 'Get the totals of the payments that match a filter', ...paymentTags })
    .input(PaymentFilters)
    .output(PaymentSummary),
};
