import type { Billing } from '@callout/contract/invoices';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { MailingContext } from '../quotes/quote-mail-limits.ts';
import { issueOrReuseInvoice, markInvoiced } from './issue-invoice.ts';
import { readBilling } from './read-billing.ts';

export interface InvoiceRequest {
  readonly id: string;
  readonly mail_id: string;
  readonly content_hash?: string | undefined;
  readonly by_hand: boolean;
}

export interface SentBilling {
  readonly billing: Billing;
  readonly mail: 'queued' | 'kept' | null;
}

export async function sendInvoice(scope: TenantScope, context: MailingContext, request: InvoiceRequest): Promise<SentBilling> {
  if (!request.by_hand) return mailInvoice(scope, context, request);
  const { job } = await issueOrReuseInvoice(scope, request.id, request);
  await markInvoiced(scope, job);
  return { billing: await readBilling(scope, request.id), mail: null };
}

const mailInvoice: typeof sendInvoice = () => Promise.reject(new Error('Not built yet'));
