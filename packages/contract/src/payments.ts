import { isAmount } from '@callout/domain/money/amount';
import { z } from 'zod';
import { call } from './call.ts';
import { errorStatus, idTaken, notFound } from './errors.ts';
import { Id, optionalText } from './fields.ts';
import { Billing } from './invoices.ts';
import { jobNotFound } from './jobs.ts';
import { byId } from './lists.ts';
import { PaymentForm } from './payment-form.ts';

/** What was due on the screen of who records a payment. */
const Outstanding = z.string().max(30).refine(isAmount, 'Please enter an amount');

export const amountChanged = {
  INVOICE_CHANGED: {
    status: errorStatus.INVOICE_CHANGED,
    message: 'The amount due has changed. Please check it before you record the payment.',
  },
} as const;
export const paymentNotFound = notFound('Payment not found');
export const paymentReversed = {
  PAYMENT_REVERSED: { status: errorStatus.PAYMENT_REVERSED, message: 'This payment was reversed already.' },
} as const;

const paymentTags = { tags: ['payments'] };

export const payments = {
  /**
   * 'Mark as Paid', a part payment or a deposit. The same id again is the same payment. Without an amount, a job that is paid already stays as it
   * is: nothing is recorded twice. For a finished job an amount above what is due is refused, and so is a day to come. With `outstanding`, nothing is
   * recorded when something else is due by then.
   */
  record: call('payments.manage')
    .route({ method: 'POST', path: '/payments', summary: 'Record a payment for a job', ...paymentTags, successStatus: 201 })
    .input(PaymentForm.extend({ id: Id, job_id: Id, outstanding: Outstanding.optional() }))
    .output(Billing)
    .errors({ ...jobNotFound, ...idTaken, ...amountChanged }),

  /** A row of its own takes it back: nothing that was recorded disappears. */
  reverse: call('payments.manage')
    .route({ method: 'POST', path: '/payments/{id}/reverse', summary: 'Take a payment back', ...paymentTags })
    .input(byId.extend({ reversal_id: Id, note: optionalText('Note', 200) }))
    .output(Billing)
    .errors({ ...paymentNotFound, ...paymentReversed, ...idTaken }),
};
