import { calls, tenantMutation, tenantSnapshotQuery } from '../../platform/http/calls.ts';
import { mailingMutation } from '../../platform/http/mailing-mutation.ts';
import { publicLinkMutation, publicLinkQuery, recordLinkView } from '../../platform/http/public-link.ts';
import { creditInvoice } from './credit-invoice.ts';
import { invoiceListHandlers } from './list-invoices.ts';
import { readBilling } from './read-billing.ts';
import { PUBLIC_INVOICE_LINK, readPublicInvoice } from './read-public-invoice.ts';
import { handOverInvoice, INVOICE_DOCUMENT, retryInvoiceMail, sendInvoice, undoHandOver } from './send-invoice.ts';

export const invoicesHandlers = {
  billing: calls.invoices.billing.handler(tenantSnapshotQuery((scope, { input }) => readBilling(scope, input.id))),
  send: calls.invoices.send.handler(
    mailingMutation(INVOICE_DOCUMENT.limits.byHand, (scope, { input, context }) => sendInvoice(scope, context, input)),
  ),
  retryMail: calls.invoices.retryMail.handler(
    mailingMutation(INVOICE_DOCUMENT.limits.byHand, (scope, { input, context }) => retryInvoiceMail(scope, context, input.id)),
  ),
  handOver: calls.invoices.handOver.handler(tenantMutation((scope, { input }) => handOverInvoice(scope, input.id))),

  undoHandOver: calls.invoices.undoHandOver.handler(tenantMutation((scope, { input }) => undoHandOver(scope, input.id))),
  credit: calls.invoices.credit.handler(tenantMutation((scope, { input }) => creditInvoice(scope, input))),
  ...invoiceListHandlers,
};

export const publicInvoicesHandlers = {
  get: calls.publicInvoices.get.handler(publicLinkQuery(PUBLIC_INVOICE_LINK, (scope, jobId) => readPublicInvoice(scope, jobId))),

  recordOpening: calls.publicInvoices.recordOpening.handler(
    publicLinkMutation(PUBLIC_INVOICE_LINK, (scope, jobId, { context }) =>
      recordLinkView(scope, { kind: 'invoice', id: jobId }, 'invoices', context),
    ),
  ),
};
