import { calls } from '../../platform/http/calls.ts';
import { invoiceListHandlers } from './list-invoices.ts';

const notBuilt = () => {
  throw new Error('Not built yet');
};

export const invoicesHandlers = {
  billing: calls.invoices.billing.handler(notBuilt),
  send: calls.invoices.send.handler(notBuilt),
  retryMail: calls.invoices.retryMail.handler(notBuilt),
  credit: calls.invoices.credit.handler(notBuilt),
  ...invoiceListHandlers,
};

export const paymentsHandlers = {
  record: calls.payments.record.handler(notBuilt),
  reverse: calls.payments.reverse.handler(notBuilt),
};

export const publicInvoicesHandlers = {
  get: calls.publicInvoices.get.handler(notBuilt),
  recordOpening: calls.publicInvoices.recordOpening.handler(notBuilt),
};
