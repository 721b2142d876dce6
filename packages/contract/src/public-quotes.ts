import { MAX_QUOTE_SECTIONS } from '@callout/domain/quotes/quote';
import type { QuoteContent, QuoteDocument } from '@callout/domain/quotes/quote-document';
import { z } from 'zod';
import { definePublicLinkCall } from './call.ts';
import { Attachment } from './comments.ts';
import { Addressee, DocumentLine, defineOpeningCall, Issuer, linkInput, PublicLine, publicTags } from './documents.ts';
import { ERROR_STATUS, notFoundError } from './errors.ts';
import { Id, Instant, optionalText } from './fields.ts';
import { nothingToAcceptError, QuoteStatus, quoteNotActionableError } from './quotes.ts';

/** A quote as the customer sees it, without internal fields. */
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
      items: z.array(PublicLine.extend({ tax_inclusive: z.boolean() })),
    }),
  ),
}) satisfies z.ZodType<QuoteContent>;
export type PublicQuoteContent = z.infer<typeof PublicQuoteContent>;

const totalFields = { subtotal: z.string(), tax_label: z.string(), tax: z.string(), total: z.string() };

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
      ...totalFields,
    }),
  ),
  has_section_tax: z.boolean().optional(),
  summary: z.object({ ...totalFields, rounding: z.string().nullable() }),
  total_amount: z.string(),
  deposit: z.string().nullable().optional(),
  currency: z.string().nullable(),
}) satisfies z.ZodType<QuoteDocument>;
export type PublicQuoteDocument = z.infer<typeof PublicQuoteDocument>;

export const PublicQuote = z.object({
  status: QuoteStatus,
  is_actionable: z.boolean(),
  logo_url: z.string().nullable(),
  /** The page passes this content to `buildQuoteDocument` to price the customer's selection; null once the quote is accepted. */
  content: PublicQuoteContent.nullable(),
  /** Hash of the content and files. Accepting passes the hash back, so that customers accept only what they saw. */
  content_hash: z.string().nullable(),
  /** The document as it was accepted; never changes. */
  accepted: z
    .object({
      document: PublicQuoteDocument,
      accepted_by: z.string(),
      accepted_at: Instant,
      /** The company's time zone, in which the page shows `accepted_at`. */
      timezone: z.string(),
      is_intact: z.boolean(),
    })
    .nullable(),
  /** Path of the job's public invoice ('/invoice/{token}'). Set only while a deposit is unpaid. */
  deposit_path: z.string().nullable(),
  /** Path of the quote's page in the app. Set only for signed-in members of the quote's company, who can't answer as the customer. */
  member_path: z.string().nullable(),
  attachments: z.array(Attachment),
});
export type PublicQuote = z.infer<typeof PublicQuote>;

/** The same response for unknown, revoked and deleted links, so that links can't be probed. */
export const publicQuoteNotFoundError = notFoundError("The quote you're looking for doesn't exist or has been removed.");

export const quoteChangedError = {
  QUOTE_CHANGED: { status: ERROR_STATUS.QUOTE_CHANGED, message: 'This quote has been changed. Please check it before you accept.' },
} as const;

export const publicQuotes = {
  get: definePublicLinkCall()
    .route({ method: 'GET', path: '/public/quotes/{token}', summary: 'Get a quote by its public link', ...publicTags })
    .input(linkInput)
    .output(PublicQuote)
    .errors({ ...publicQuoteNotFoundError, ...quoteNotActionableError }),

  recordOpening: defineOpeningCall('/public/quotes/{token}/opened', 'Record that a quote was opened', publicQuoteNotFoundError),

  accept: definePublicLinkCall()
    .route({
      method: 'POST',
      path: '/public/quotes/{token}/accept',
      summary: 'Accept the required and selected sections of a quote; idempotent',
      ...publicTags,
    })
    .input(
      linkInput.extend({
        selected_option_ids: z.array(Id).max(MAX_QUOTE_SECTIONS),
        accepted_by: optionalText('Name', 200),
        /** Hash of the offer that the customer saw. */
        content_hash: z.string().max(100),
      }),
    )
    .output(z.object({ quote: PublicQuote, job_number: z.string().nullable() }))
    .errors({ ...publicQuoteNotFoundError, ...quoteNotActionableError, ...nothingToAcceptError, ...quoteChangedError }),

  reject: definePublicLinkCall()
    .route({ method: 'POST', path: '/public/quotes/{token}/reject', summary: 'Reject a quote as the customer', ...publicTags })
    .input(linkInput)
    .output(z.object({ quote: PublicQuote }))
    .errors({ ...publicQuoteNotFoundError, ...quoteNotActionableError }),
};
