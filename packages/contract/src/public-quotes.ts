import { MAX_SECTIONS } from '@callout/domain/quotes/quote';
import type { QuoteContent, QuoteDocument } from '@callout/domain/quotes/quote-document';
import { z } from 'zod';
import { linkCall } from './call.ts';
import { Attachment } from './comments.ts';
import { errorStatus, notFound } from './errors.ts';
import { Id, Instant, optionalText } from './fields.ts';
import { nothingToAccept, QuoteStatus, quoteNotActionable } from './quotes.ts';

/** What a customer sees of a quote, and nothing they do not see. */

export const Issuer = z.object({
  company_name: z.string().nullable(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
});
export const Addressee = z.object({ name: z.string(), company_name: z.string().nullable() });

const Line = z.object({
  name: z.string(),
  description: z.string().nullable(),
  is_service: z.boolean(),
  quantity: z.string(),
  unit_price: z.string(),
});

export const DocumentLine = Line.extend({ total: z.string(), tax: z.enum(['inc GST', 'exc GST']) });

export const PublicQuoteContent = z.object({
  quote_number: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  created_on: z.string(),
  valid_until: z.string().nullable(),
  currency: z.string().nullable(),
  tax_rate: z.string(),
  deposit: z.object({ deposit_percentage: z.string().nullable(), deposit_amount: z.string().nullable() }).nullable(),
  issuer: Issuer,
  customer: Addressee.nullable(),
  sections: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string().nullable(),
      always_required: z.boolean(),
      items: z.array(Line.extend({ tax_inclusive: z.boolean() })),
    }),
  ),
}) satisfies z.ZodType<QuoteContent>;
export type PublicQuoteContent = z.infer<typeof PublicQuoteContent>;

const totals = { subtotal: z.string(), tax_label: z.string(), tax: z.string(), total: z.string() };

export const PublicQuoteDocument = z.object({
  quote_number: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  created: z.string(),
  valid_until: z.string().nullable(),
  issuer: Issuer,
  customer: Addressee.nullable(),
  sections: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string().nullable(),
      choice: z.enum(['required', 'selected', 'not-selected']),
      items: z.array(DocumentLine),
      ...totals,
    }),
  ),
  summary: z.object({ ...totals, rounding: z.string().nullable() }),
  total_amount: z.string(),
  deposit: z.string().nullable().optional(),
  currency: z.string().nullable(),
}) satisfies z.ZodType<QuoteDocument>;
export type PublicQuoteDocument = z.infer<typeof PublicQuoteDocument>;

export const PublicQuote = z.object({
  status: QuoteStatus,
  is_actionable: z.boolean(),
  logo_url: z.string().nullable(),
  /** Unless it was accepted; the page prices the customer's choice with `quoteDocument`. */
  content: PublicQuoteContent.nullable(),
  /** Of the content and its files: accepting names it, so that nobody accepts anything but what they saw. */
  content_hash: z.string().nullable(),
  /** What was accepted, as it was then. */
  accepted: z.object({ document: PublicQuoteDocument, accepted_by: z.string(), accepted_at: Instant, is_intact: z.boolean() }).nullable(),
  /** The public invoice of its job, '/invoice/{token}', while the deposit is to be paid. */
  deposit_path: z.string().nullable(),
  /** The quote within the application, only for a signed-in member of its company: they do not answer here as the customer. */
  member_path: z.string().nullable(),
  attachments: z.array(Attachment),
});
export type PublicQuote = z.infer<typeof PublicQuote>;

/** Unknown, revoked and deleted look the same. */
export const publicQuoteNotFound = notFound("The quote you're looking for doesn't exist or has been removed.");

export const quoteChanged = {
  QUOTE_CHANGED: { status: errorStatus.QUOTE_CHANGED, message: 'This quote has been changed. Please check it before you accept.' },
} as const;

/** Checked where links are opened: what cannot be a token is not found. */
export const Token = z.string().max(100);
const publicTags = { tags: ['public pages'] };

export const publicQuotes = {
  get: linkCall()
    .route({ method: 'GET', path: '/public/quotes/{token}', summary: 'A quote, for whoever has its link', ...publicTags })
    .input(z.object({ token: Token }))
    .output(PublicQuote)
    .errors({ ...publicQuoteNotFound, ...quoteNotActionable }),

  /** Sent by the page once somebody looks at it; members of the company and link previews do not count. */
  recordOpening: linkCall()
    .route({ method: 'POST', path: '/public/quotes/{token}/opened', summary: 'The customer has opened a quote', ...publicTags })
    .input(z.object({ token: Token }))
    .output(z.object({}))
    .errors(publicQuoteNotFound),

  accept: linkCall()
    .route({
      method: 'POST',
      path: '/public/quotes/{token}/accept',
      summary: 'Accept the required and chosen sections; the same request again answers the same',
      ...publicTags,
    })
    .input(
      z.object({
        token: Token,
        selected_option_ids: z.array(Id).max(MAX_SECTIONS),
        accepted_by: optionalText('Name', 200),
        content_hash: z.string().max(100).optional(),
      }),
    )
    .output(z.object({ quote: PublicQuote, job_number: z.string().nullable() }))
    .errors({ ...publicQuoteNotFound, ...quoteNotActionable, ...nothingToAccept, ...quoteChanged }),

  reject: linkCall()
    .route({
      method: 'POST',
      path: '/public/quotes/{token}/reject',
      summary: 'Tell the company that the customer is not interested',
      ...publicTags,
    })
    .input(z.object({ token: Token }))
    .output(z.object({ quote: PublicQuote }))
    .errors({ ...publicQuoteNotFound, ...quoteNotActionable }),
};
