import { type PublicInvoice, publicInvoiceNotFound } from '@callout/contract/public-invoices';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { recordLinkOpening } from '../../platform/http/public-link.ts';
import { publishChange } from '../../platform/live/live.ts';
import { findViewOfJob, type InvoiceView } from './invoice-view.ts';

/** The record of the link is the job, since a link is there before anything was sent. */
export const publicInvoice = { kind: 'invoice', notFound: publicInvoiceNotFound };

export async function readViewOfLink(scope: TenantScope, jobId: string): Promise<InvoiceView> {
  const view = await findViewOfJob(scope, jobId);
  if (!view) throw failureOf(publicInvoiceNotFound);
  return view;
}

/** What the holder of an invoice's link sees. Every field is named, so that a new one stays inside until it is added here. */
export async function readPublicInvoice(scope: TenantScope, jobId: string): Promise<PublicInvoice> {
  const view = await readViewOfLink(scope, jobId);
  const { state, document, logo_url, payments, paid_amount, request, deposit } = view;
  const { credit_note, replaces, payment_link, bank_name, bank_account_number } = view;
  return {
    state,
    document: { ...document, items: [...document.items] },
    logo_url,
    payments,
    paid_amount,
    request,
    deposit,
    credit_note,
    replaces,
    payment_link,
    bank_name,
    bank_account_number,
  };
}

/** Tells the company that the customer has looked at an invoice. */
export async function recordInvoiceOpening(scope: TenantScope, jobId: string, context: GuardedContext): Promise<Record<string, never>> {
  if (await recordLinkOpening(scope, { kind: publicInvoice.kind, id: jobId }, context)) await publishChange(scope, 'invoices');
  return {};
}
