import { type PublicInvoice, publicInvoiceNotFoundError } from '@callout/contract/public-invoices';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { PUBLIC_INVOICE_VERSION_SQL } from './invoices.sql.ts';
import { findPublicRenderableInvoice, type RenderableInvoice } from './renderable-invoice.ts';

/** The link belongs to the job rather than to an invoice, because the link exists before any invoice is sent. */
export const PUBLIC_INVOICE_LINK = { kind: 'invoice', notFound: publicInvoiceNotFoundError, versionSql: PUBLIC_INVOICE_VERSION_SQL };

export async function readPublicRenderableInvoice(scope: TenantScope, jobId: string): Promise<RenderableInvoice> {
  const view = await findPublicRenderableInvoice(scope, jobId);
  if (!view) throw toFailure(publicInvoiceNotFoundError);
  return view;
}

/** Lists every field explicitly, so that a new field stays hidden from customers until someone adds it to this list. */
export async function readPublicInvoice(scope: TenantScope, jobId: string): Promise<PublicInvoice> {
  const view = await readPublicRenderableInvoice(scope, jobId);
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
