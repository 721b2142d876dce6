import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { mailingMutation } from '../quotes/quote-mail-limits.ts';
import { creditInvoice } from './credit-invoice.ts';
import { invoiceListHandlers } from './list-invoices.ts';
import { readBilling } from './read-billing.ts';
import { receivePayment, reversePayment } from './record-payment.ts';
import { sendInvoice } from './send-invoice.ts';

const notBuilt = () => {
  throw new Error('Not built yet');
};

export const invoicesHandlers = {
  billing: calls.invoices.billing.handler(tenantQuery((scope, { input }) => readBilling(scope, input.id))),
  send: calls.invoices.send.handler(mailingMutation((scope, { input, context }) => sendInvoice(scope, context, input))),
  retryMail: calls.invoices.retryMail.handler(notBuilt),
  credit: calls.invoices.credit.handler(tenantMutation((scope, { input }) => creditInvoice(scope, input))),
  ...invoiceListHandlers,
};

export const paymentsHandlers = {
  record: calls.payments.record.handler(tenantMutation((scope, { input }) => receivePayment(scope, input))),
  reverse: calls.payments.reverse.handler(tenantMutation((scope, { input }) => reversePayment(scope, input))),
};

export const publicInvoicesHandlers = {
  get: calls.publicInvoices.get.handler(notBuilt),
  recordOpening: calls.publicInvoices.recordOpening.handler(notBuilt),
};
