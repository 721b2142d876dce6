import { MAX_QUOTE_SECTIONS, QUOTE_STATUSES, SETTABLE_QUOTE_STATUSES } from '@callout/domain/quotes/quote';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { Attachment, RecordEvent } from './comments.ts';
import { DocumentMail, mailNotFoundError, noCustomerEmailError, unconfirmedSenderError } from './documents.ts';
import { ERROR_STATUS, idTakenError, limitReachedError, notFoundError, staleVersionError } from './errors.ts';
import { visibleWith } from './field-visibility.ts';
import { Cursor, Id, Instant, OutputId, RecordVersion, SearchTerm } from './fields.ts';
import { PricingMethod } from './items.ts';
import { JobCustomer } from './jobs.ts';
import { countInput, idInput, listInput, matchedField, pageSchema, RecordCount } from './lists.ts';
import { NewQuote, QuoteMailInput, QuoteSectionInput, UpdateQuoteInput } from './quote-input.ts';

export const QuoteStatus = z.enum(QUOTE_STATUSES, 'Please choose a status');

/** A calendar date in a response, without a time zone. */
const DateOnly = z.string().meta({ format: 'date' });

/** A quote's line item. It copies a price list item, so later price changes don't affect it. */
export const QuoteItem = z.object({
  id: OutputId,
  /** The price list item; null if the line isn't from a price list, or if the item was deleted. */
  supplier_item_id: OutputId.nullable(),
  name: z.string(),
  description: z.string().nullable(),
  sku: z.string().nullable(),
  supplier_name: z.string().nullable(),
  tax_inclusive: z.boolean(),
  is_service: z.boolean(),
  quantity: z.string(),
  unit_price: z.string(),
  total_price: z.string(),
  cost_price: visibleWith('costs.view', z.string().nullable()),
  pricing_method: PricingMethod.nullable(),
  margin_percentage: visibleWith('costs.view', z.string().nullable()),
  markup_amount: visibleWith('costs.view', z.string().nullable()),
  fixed_price: z.string().nullable(),
});
export type QuoteItem = z.infer<typeof QuoteItem>;

/** A part of a quote, required or offered as an option. */
export const QuoteSection = z.object({
  id: OutputId,
  name: z.string(),
  description: z.string().nullable(),
  always_required: z.boolean(),
  subtotal: z.string(),
  tax_amount: z.string(),
  total_amount: z.string(),
  items: z.array(QuoteItem),
});
export type QuoteSection = z.infer<typeof QuoteSection>;

export const QuoteAcceptance = z.object({
  /** The name that the customer typed, or the staff member who accepted on the customer's behalf. */
  accepted_by: z.string(),
  by_customer: z.boolean(),
  accepted_at: Instant,
  network_address: z.string().nullable(),
  browser: z.string().nullable(),
  section_ids: z.array(OutputId),
  /** The sections that have changed since they were accepted. */
  changed_section_ids: z.array(OutputId),
  total_amount: z.string(),
  /** Null if the job was deleted; `job_number` remains. */
  job_id: OutputId.nullable(),
  job_number: z.string(),
  /** Whether the stored copy still matches its hash. */
  is_intact: z.boolean(),
  sha256: z.string(),
});
export type QuoteAcceptance = z.infer<typeof QuoteAcceptance>;

const QuoteMail = DocumentMail.extend({ kind: z.enum(['quote', 'reminder']) });
export type QuoteMail = z.infer<typeof QuoteMail>;

/** The names of a deleted customer, which a sent quote keeps. */
const FormerCustomer = JobCustomer.pick({ name: true, company_name: true });
export type FormerCustomer = z.infer<typeof FormerCustomer>;

export const Quote = z.object({
  id: OutputId,
  quote_number: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  valid_until: DateOnly.nullable(),
  status: QuoteStatus,
  /** The status to display: 'expired' once an open quote's last valid day has passed. */
  shown_status: QuoteStatus,
  /** Whether the quote can be accepted or rejected now. */
  is_actionable: z.boolean(),
  customer_id: OutputId.nullable(),
  customer: JobCustomer.nullable(),
  /** The deleted customer to whom the quote was sent. */
  former_customer: FormerCustomer.nullable(),
  /** Tax rate in percent, as of the last time the quote was saved. */
  tax_rate: z.string(),
  currency: z.string().nullable(),
  /** Totals of the accepted sections, or of all sections if the quote is not accepted. */
  subtotal: z.string(),
  tax_amount: z.string(),
  total_amount: z.string(),
  estimated_profit: visibleWith('costs.view', z.string()),
  /** The deposit requested on acceptance: a percentage of the accepted total, or an amount, but not both. */
  deposit_percentage: z.string().nullable(),
  deposit_amount: z.string().nullable(),
  sections: z.array(QuoteSection),
  /** Set if exactly one option was selected. The field name comes from the specification. */
  selected_option_id: OutputId.nullable(),
  accepted_option_ids: z.array(OutputId),
  attachments: z.array(Attachment),
  /** Path of the public page: '/quote/{token}'. */
  public_path: z.string(),
  sent_at: Instant.nullable(),
  rejected_at: Instant.nullable(),
  first_opened_at: Instant.nullable(),
  last_opened_at: Instant.nullable(),
  /** Newest first. */
  mails: z.array(QuoteMail),
  acceptance: QuoteAcceptance.nullable(),
  created_at: Instant,
  updated_at: Instant,
  version: RecordVersion,
});
export type Quote = z.infer<typeof Quote>;

export const QuoteSummary = Quote.pick({
  id: true,
  currency: true,
  quote_number: true,
  title: true,
  total_amount: true,
  valid_until: true,
  status: true,
  created_at: true,
});

export const QuoteRow = QuoteSummary.extend({
  shown_status: QuoteStatus,
  customer: JobCustomer.pick({ id: true, name: true, company_name: true }).nullable(),
  /** Whether the latest email with the quote failed. */
  is_mail_failed: z.boolean(),
  matched: matchedField('title'),
});
export type QuoteRow = z.infer<typeof QuoteRow>;

export const QUOTE_SORTS = ['created_at', 'title', 'total_amount', 'valid_until'] as const;
export const QuoteSort = z.enum(QUOTE_SORTS);
export type QuoteSort = z.infer<typeof QuoteSort>;

/** `status` filters by the displayed status. */
const quoteFilters = { status: QuoteStatus.optional(), customer_id: Id.optional() };

export const QuoteListInput = listInput(quoteFilters, QuoteSort.default('created_at'), 'desc');

export const quoteNotFoundError = notFoundError('Quote not found');

/** The quote was answered or has expired; `job_number` is set if it was accepted. */
export const quoteNotActionableError = {
  QUOTE_CLOSED: {
    status: ERROR_STATUS.QUOTE_CLOSED,
    message: 'This quote can no longer be accepted or rejected.',
    data: z.object({ status: QuoteStatus, job_number: z.string().nullable() }),
  },
} as const;
export const nothingToSendError = {
  QUOTE_EMPTY: { status: ERROR_STATUS.QUOTE_EMPTY, message: 'There is nothing to send: add at least one item first.' },
} as const;
export const nothingToAcceptError = {
  QUOTE_EMPTY: { status: ERROR_STATUS.QUOTE_EMPTY, message: 'There is nothing to accept: the quote has no items.' },
} as const;
export const unconfirmedQuoteSenderError = unconfirmedSenderError('quotes');
export const quoteNumbersExhaustedError = {
  NO_NUMBER_LEFT: { status: ERROR_STATUS.NO_NUMBER_LEFT, message: 'There are no quote numbers left: your company has 1,000,000 quotes.' },
} as const;
export const sectionTemplateNotFoundError = notFoundError('Template not found');
export const MAX_SECTION_TEMPLATES = 200;
export const sectionTemplateLimitError = limitReachedError('Your company can have at most 200 section templates.');

export const SectionTemplate = z.object({
  id: OutputId,
  name: z.string(),
  description: z.string().nullable(),
  always_required: z.boolean(),
  /** The lines, with prices from the current price list unless a price was set by hand. */
  items: z.array(QuoteItem.omit({ id: true, total_price: true })),
});
export type SectionTemplate = z.infer<typeof SectionTemplate>;

const quoteTags = { tags: ['quotes'] };

export const quotes = {
  list: defineCall('quotes.view')
    .route({ method: 'GET', path: '/quotes', summary: 'List quotes', ...quoteTags })
    .input(QuoteListInput)
    .output(pageSchema(QuoteRow)),

  count: defineCall('quotes.view')
    .route({ method: 'GET', path: '/quotes/count', summary: 'Count the quotes that match a filter', ...quoteTags })
    .input(countInput(quoteFilters))
    .output(RecordCount),

  find: defineCall('quotes.view')
    .route({ method: 'GET', path: '/quotes/find', summary: 'Find the quotes that best match a number, title or customer', ...quoteTags })
    .input(z.object({ search: SearchTerm }))
    .output(z.object({ rows: z.array(QuoteRow) })),

  get: defineCall('quotes.view')
    .route({ method: 'GET', path: '/quotes/{id}', summary: 'Get a quote with its sections, files, emails and answer', ...quoteTags })
    .input(idInput)
    .output(Quote)
    .errors(quoteNotFoundError),

  history: defineCall('quotes.view')
    .route({ method: 'GET', path: '/quotes/{id}/history', summary: "List a quote's history, newest first", ...quoteTags })
    .input(idInput.extend({ cursor: Cursor.optional() }))
    .output(pageSchema(RecordEvent))
    .errors(quoteNotFoundError),

  create: defineCall('quotes.edit')
    .route({
      method: 'POST',
      path: '/quotes',
      summary: 'Add a draft under a client-generated id; the server sets the number, tax rate and totals',
      ...quoteTags,
      successStatus: 201,
    })
    .input(NewQuote)
    .output(Quote)
    .errors({ ...idTakenError, ...quoteNumbersExhaustedError }),

  update: defineCall('quotes.edit')
    .route({ method: 'PUT', path: '/quotes/{id}', summary: 'Update a quote, given its current version; keeps its status', ...quoteTags })
    .input(UpdateQuoteInput)
    .output(Quote)
    .errors({ ...quoteNotFoundError, ...idTakenError, ...staleVersionError(Quote) }),

  duplicate: defineCall('quotes.edit')
    .route({
      method: 'POST',
      path: '/quotes/{id}/duplicate',
      summary: 'Copy a quote and its files to a new draft under a client-generated id',
      ...quoteTags,
      successStatus: 201,
    })
    .input(z.object({ id: Id, new_id: Id }))
    .output(Quote)
    .errors({ ...quoteNotFoundError, ...idTakenError, ...quoteNumbersExhaustedError }),

  remove: defineCall('quotes.delete')
    .route({ method: 'DELETE', path: '/quotes/{id}', summary: 'Delete a quote but keep its accepted copy', ...quoteTags })
    .input(idInput)
    .output(z.object({}))
    .errors(quoteNotFoundError),

  setStatus: defineCall('quotes.edit')
    .route({ method: 'PUT', path: '/quotes/{id}/status', summary: 'Mark a quote as draft or sent, unless it was accepted', ...quoteTags })
    .input(z.object({ id: Id, status: z.enum(SETTABLE_QUOTE_STATUSES, 'Please choose a status') }))
    .output(Quote)
    .errors({ ...quoteNotFoundError, ...quoteNotActionableError }),

  accept: defineCall('quotes.accept')
    .route({
      method: 'POST',
      path: '/quotes/{id}/accept',
      summary: 'Accept a quote for the customer and create its job; no selection means every section',
      ...quoteTags,
    })
    // Fails if the quote has changed since `version`, so that nobody accepts a price they haven't seen.
    .input(z.object({ id: Id, version: RecordVersion, selected_option_ids: z.array(Id).max(MAX_QUOTE_SECTIONS).default([]) }))
    .output(z.object({ quote: Quote, job: z.object({ id: OutputId.nullable(), job_number: z.string() }) }))
    .errors({ ...quoteNotFoundError, ...quoteNotActionableError, ...nothingToAcceptError, ...staleVersionError(Quote) }),

  send: defineCall('quotes.edit')
    .route({ method: 'POST', path: '/quotes/{id}/send', summary: "Email a quote's link to the customer", ...quoteTags })
    .input(idInput.extend(QuoteMailInput.shape))
    .output(z.object({ quote: Quote, mail: z.enum(['queued', 'kept']) }))
    .errors({
      ...quoteNotFoundError,
      ...quoteNotActionableError,
      ...nothingToSendError,
      ...noCustomerEmailError,
      ...unconfirmedQuoteSenderError,
      ...idTakenError,
    }),

  retryMail: defineCall('quotes.edit')
    .route({ method: 'POST', path: '/quote-mails/{id}/retry', summary: 'Retry a failed email', ...quoteTags })
    .input(idInput)
    .output(z.object({ quote: Quote, mail: z.enum(['queued', 'kept']) }))
    .errors({
      ...mailNotFoundError,
      ...quoteNotActionableError,
      ...nothingToSendError,
      ...noCustomerEmailError,
      ...unconfirmedQuoteSenderError,
    }),
};

export const sectionTemplates = {
  list: defineCall('quotes.edit')
    .route({ method: 'GET', path: '/section-templates', summary: 'List all section templates by name', ...quoteTags })
    .output(z.object({ rows: z.array(SectionTemplate) })),

  save: defineCall('quotes.edit')
    .route({
      method: 'POST',
      path: '/section-templates',
      summary: 'Save a section as a template; replaces a template with the same name',
      ...quoteTags,
      successStatus: 201,
    })
    .input(QuoteSectionInput)
    .output(SectionTemplate)
    .errors({ ...idTakenError, ...sectionTemplateLimitError }),

  remove: defineCall('quotes.edit')
    .route({ method: 'DELETE', path: '/section-templates/{id}', summary: 'Delete a section template', ...quoteTags })
    .input(idInput)
    .output(z.object({}))
    .errors(sectionTemplateNotFoundError),
};
