import { z } from 'zod';
import { linkCall } from './call.ts';
import { notFound } from './errors.ts';
import { InvoiceDocument, PaymentRequest } from './invoices.ts';
import { Token } from './public-quotes.ts';

/** What a customer sees of an invoice, and nothing they do not see. */
export const PublicInvoice = z.object({
  /** 'draft' while nothing was sent: the page shows the job as it is now. Only 'draft' and 'open' ask for money, a
   * draft not between its deposit and the end of the work (see `request`). */
  state: z.enum(['draft', 'open', 'paid', 'canceled']),
  document: InvoiceDocument,
  logo_url: z.string().nullable(),
  /** What was received, by day of payment, the latest last: 'Nov 14, 2026' and '50.00'. */
  payments: z.array(z.object({ date: z.string(), amount: z.string() })),
  paid_amount: z.string(),
  request: PaymentRequest,
  /** '$690.00', while only the deposit is asked for. */
  deposit: z.string().nullable(),
  /** 'CN-2026-0003', when a credit note canceled it. */
  credit_note: z.string().nullable(),
  /** 'INV-2026-0159', when this is a corrected invoice. */
  replaces: z.string().nullable(),
  /** PayPal's page; null without an account or when nothing is due. */
  payment_link: z.string().nullable(),
  bank_name: z.string().nullable(),
  bank_account_number: z.string().nullable(),
});
export type PublicInvoice = z.infer<typeof PublicInvoice>;

/** Unknown, revoked, and of a canceled job that was never billed look the same. */
export const publicInvoiceNotFound = notFound("The invoice you're looking for doesn't exist or is not accessible.");

const publicTags = { tags: ['public pages'] };

export const publicInvoices = {
  get: linkCall()
    .route({ method: 'GET', path: '/public/invoices/{token}', summary: 'An invoice, for whoever has its link', ...publicTags })
    .input(z.object({ token: Token }))
    .output(PublicInvoice)
    .errors(publicInvoiceNotFound),

  /** Sent by the page once somebody looks at it; members of the company and link previews do not count. */
  recordOpening: linkCall()
    .route({ method: 'POST', path: '/public/invoices/{token}/opened', summary: 'The customer has opened an invoice', ...publicTags })
    .input(z.object({ token: Token }))
    .output(z.object({}))
    .errors(publicInvoiceNotFound),
};
