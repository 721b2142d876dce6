import { z } from 'zod';
import { definePublicLinkCall } from './call.ts';
import { ERROR_STATUS, notFoundError } from './errors.ts';
import { Instant, OutputId } from './fields.ts';

/** The parts that quotes and invoices share: printed lines, emails and public links. */

export const Issuer = z.object({
  company_name: z.string().nullable(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
});
export const Addressee = z.object({ name: z.string(), company_name: z.string().nullable() });

export const PublicLine = z.object({
  name: z.string(),
  description: z.string().nullable(),
  is_service: z.boolean(),
  quantity: z.string(),
  unit_price: z.string(),
});

export const DocumentLine = PublicLine.extend({
  discount: z.string().optional(),
  total: z.string(),
  tax: z.enum(['inc GST', 'exc GST']),
});

/** An email about a document and its delivery status. 'kept' means that it stays in the outbox, because no mail server is configured. */
export const DocumentMail = z.object({
  id: OutputId,
  recipient: z.string(),
  status: z.enum(['queued', 'sent', 'failed', 'kept']),
  /** Why the email failed or is being retried, in plain language. */
  problem: z.string().nullable(),
  queued_at: Instant,
  sent_at: Instant.nullable(),
  /** The person who sent the email; null for an automatic reminder. */
  sent_by: z.string().nullable(),
});

export const mailNotFoundError = notFoundError('Email not found');
export const noCustomerEmailError = {
  NO_EMAIL: { status: ERROR_STATUS.NO_EMAIL, message: 'Customer email not found' },
} as const;
/** As with invitations, people must confirm their own email address before they can email others. */
export const unconfirmedSenderError = (documents: 'quotes' | 'invoices') =>
  ({
    EMAIL_UNCONFIRMED: {
      status: ERROR_STATUS.EMAIL_UNCONFIRMED,
      message: `Please confirm your email address before you send ${documents}.`,
    },
  }) as const;

/** The format isn't validated, so that a malformed token is reported as not found rather than as invalid input. */
export const linkInput = z.object({ token: z.string().max(100) });
export const publicTags = { tags: ['public pages'] };

/** Called by the page once it is visible, so that link previews aren't counted. Company members aren't counted either. */
export const defineOpeningCall = (path: `/public/${string}/{token}/opened`, summary: string, notFound: ReturnType<typeof notFoundError>) =>
  definePublicLinkCall()
    .route({ method: 'POST', path, summary, ...publicTags })
    .input(linkInput)
    .output(z.object({}))
    .errors(notFound);
