import { calls } from '../../platform/http/calls.ts';
import { linkMutation, linkQuery } from '../../platform/http/public-link.ts';
import { publicInvoice, readPublicInvoice, recordInvoiceOpening } from './read-public-invoice.ts';

export const publicInvoicesHandlers = {
  get: calls.publicInvoices.get.handler(linkQuery(publicInvoice, (scope, jobId) => readPublicInvoice(scope, jobId))),

  recordOpening: calls.publicInvoices.recordOpening.handler(
    linkMutation(publicInvoice, (scope, jobId, { context }) => recordInvoiceOpening(scope, jobId, context)),
  ),
};
