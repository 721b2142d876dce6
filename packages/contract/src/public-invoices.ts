import { z } from 'zod';
import { definePublicLinkCall } from './call.ts';
import { defineOpeningCall, linkInput, publicTags } from './documents.ts';
import { notFoundError } from './errors.ts';
import { InvoiceDocument, PaymentRequest } from './invoices.ts';

/** An invoice as the customer sees it, without internal fields. */
export const PublicInvoice = z.object({
  /**
   * 'draft' means that no invoice has been sent, so the page shows the current job. Only 'draft' and 'open' request money. Once its deposit
   * is paid, a draft requests nothing until the work is done (see `request`).
   */
  state: z.enum(['draft', 'open', 'paid', 'canceled']),
  document: InvoiceDocument,
  logo_url: z.string().nullable(),
  /** Payments received, oldest first, with dates such as 'Nov 14, 2026' and amounts such as '50.00'. */
  payments: z.array(z.object({ date: z.string(), amount: z.string() })),
  paid_amount: z.string(),
  request: PaymentRequest,
  /** The requested deposit, such as '$690.00'; null if the full amount is requested. */
  deposit: z.string().nullable(),
  /** The number of the credit note that canceled the invoice, such as 'CN-2026-0003'. */
  credit_note: z.string().nullable(),
  /** The invoice that this one corrects, such as 'INV-2026-0159', and the credit note that cancels it. Very old ones have none. */
  replaces: z.object({ invoice_number: z.string(), credit_note: z.string().nullable() }).nullable(),
  /** URL of PayPal's payment page; null if the company has no PayPal account or nothing is due. */
  payment_link: z.string().nullable(),
  bank_name: z.string().nullable(),
  bank_account_number: z.string().nullable(),
});
export type PublicInvoice = z.infer<typeof PublicInvoice>;

/** The same response for unknown links, revoked links and canceled jobs that were never billed, so that links can't be probed. */
export const publicInvoiceNotFoundError = notFoundError("The invoice you're looking for doesn't exist or is not accessible.");

export const publicInvoices = {
  get: definePublicLinkCall()
    .route({ method: 'GET', path: '/public/invoices/{token}', summary: 'Get an invoice by its public link', ...publicTags })
    .input(linkInput)
    .output(PublicInvoice)
    .errors(publicInvoiceNotFoundError),

  recordOpening: defineOpeningCall('/public/invoices/{token}/opened', 'Record that an invoice was opened', publicInvoiceNotFoundError),
};
