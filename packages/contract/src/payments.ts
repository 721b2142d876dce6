import { isDecimalAmount } from '@callout/domain/money/amount';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { ERROR_STATUS, idTakenError, notFoundError } from './errors.ts';
import { Id, optionalText } from './fields.ts';
import { Billing } from './invoices.ts';
import { jobNotFoundError } from './jobs.ts';
import { idInput } from './lists.ts';
import { PaymentInput } from './payment-form.ts';

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

const paymentTags = { tags: ['payments'] };

export const payments = {
  /**
   * Records a full payment ('Mark as Paid'), a partial payment or a deposit. Rejects a future date, a date more than a year before the
   * job, an overpayment of a finished job, an unconfirmed one of an unfinished job, and an `outstanding` that no longer matches the amount
   * due. If PayPal's amount is the amount due with its fee, the fee is recorded separately. Idempotent: a retry with the same id records nothing more, and neither does a
   * request without an amount for a job that is already paid.
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
};
