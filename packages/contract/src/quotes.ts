import { MAX_SECTIONS, QUOTE_STATUSES, SETTABLE_QUOTE_STATUSES } from '@callout/domain/quotes/quote';
import { z } from 'zod';
import { call } from './call.ts';
import { Attachment, RecordEvent } from './comments.ts';
import { errorStatus, idTaken, limitReached, notFound, staleVersion } from './errors.ts';
import { Cursor, Id, Instant, OutputId, Search, Version } from './fields.ts';
import { PricingMethod } from './items.ts';
import { CustomerOfJob } from './jobs.ts';
import { byId, Count, countInput, listInput, pageOf, searchMatch } from './lists.ts';
import { NewQuote, QuoteChange, QuoteMailInput, QuoteSectionInput } from './quote-input.ts';
import { visibleWith } from './visibility.ts';

export const QuoteStatus = z.enum(QUOTE_STATUSES, 'Please choose a status');

/** In answers: a day, the same in every time zone. */
const Day = z.string().meta({ format: 'date' });

/** A line of a quote. What it was copied from the price list stays as it was, whatever happens to the list. */
export const QuoteItem = z.object({
  id: OutputId,
  /** Null for a line that is from no price list, or whose item was deleted. */
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

/** What became of a mail about a quote. `kept`: this server sends no mail, so it waits in the administrator's outbox. */
export const QuoteMail = z.object({
  id: OutputId,
  kind: z.enum(['quote', 'reminder']),
  recipient: z.string(),
  status: z.enum(['queued', 'sent', 'failed', 'kept']),
  /** Why it failed, or why it is tried again, in plain words. */
  problem: z.string().nullable(),
  queued_at: Instant,
  sent_at: Instant.nullable(),
  /** Who sent it; null for a reminder. */
  sent_by: z.string().nullable(),
});
export type QuoteMail = z.infer<typeof QuoteMail>;

export const QuoteAcceptance = z.object({
  /** The typed name of the customer, or the member who accepted it for them. */
  accepted_by: z.string(),
  by_customer: z.boolean(),
  accepted_at: Instant,
  network_address: z.string().nullable(),
  browser: z.string().nullable(),
  section_ids: z.array(OutputId),
  /** Those of them that are no longer as they were accepted. */
  changed_section_ids: z.array(OutputId),
  total_amount: z.string(),
  /** Null once the job was deleted; its number stays. */
  job_id: OutputId.nullable(),
  job_number: z.string(),
  /** Whether the kept copy still has the hash it was kept with. */
  is_intact: z.boolean(),
  sha256: z.string(),
});
export type QuoteAcceptance = z.infer<typeof QuoteAcceptance>;

export const Quote = z.object({
  id: OutputId,
  quote_number: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  valid_until: Day.nullable(),
  status: QuoteStatus,
  /** As a person sees it: 'expired' once the last day of an open quote has passed. */
  shown_status: QuoteStatus,
  /** Whether it can be accepted or rejected now. */
  is_actionable: z.boolean(),
  customer_id: OutputId.nullable(),
  customer: CustomerOfJob.nullable(),
  /** Percent, as it was when the quote was saved. */
  tax_rate: z.string(),
  /** Of all sections. */
  subtotal: z.string(),
  tax_amount: z.string(),
  total_amount: z.string(),
  estimated_profit: visibleWith('costs.view', z.string()),
  /** Asked for on acceptance: a percentage of what is accepted, or an amount. At most one of the two. */
  deposit_percentage: z.string().nullable(),
  deposit_amount: z.string().nullable(),
  sections: z.array(QuoteSection),
  /** The option chosen when exactly one was; the spec's name. */
  selected_option_id: OutputId.nullable(),
  accepted_option_ids: z.array(OutputId),
  attachments: z.array(Attachment),
  /** The public page: '/quote/{token}'. */
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
  version: Version,
});
export type Quote = z.infer<typeof Quote>;

export const QuoteSummary = Quote.pick({
  id: true,
  quote_number: true,
  title: true,
  total_amount: true,
  valid_until: true,
  status: true,
  created_at: true,
});

export const QuoteRow = QuoteSummary.extend({
  shown_status: QuoteStatus,
  customer: CustomerOfJob.pick({ id: true, name: true, company_name: true }).nullable(),
  /** Whether the newest mail with the quote failed. */
  is_mail_failed: z.boolean(),
  matched: searchMatch('title'),
});
export type QuoteRow = z.infer<typeof QuoteRow>;

export const QUOTE_SORTS = ['created_at', 'title', 'total_amount', 'valid_until'] as const;
export const QuoteSort = z.enum(QUOTE_SORTS);
export type QuoteSort = z.infer<typeof QuoteSort>;

/** By the status that is shown. */
const quoteFilters = { status: QuoteStatus.optional(), customer_id: Id.optional() };

export const QuoteListInput = listInput(quoteFilters, QuoteSort.default('created_at'), 'desc');

export const quoteNotFound = notFound('Quote not found');

/** It was answered or has expired; `job_number` names the job of an accepted one. */
export const quoteNotActionable = {
  QUOTE_CLOSED: {
    status: errorStatus.QUOTE_CLOSED,
    message: 'This quote can no longer be accepted or rejected.',
    data: z.object({ status: QuoteStatus, job_number: z.string().nullable() }),
  },
} as const;
export const nothingToSend = {
  QUOTE_EMPTY: { status: errorStatus.QUOTE_EMPTY, message: 'There is nothing to send: add at least one item first.' },
} as const;
export const nothingToAccept = {
  QUOTE_EMPTY: { status: errorStatus.QUOTE_EMPTY, message: 'There is nothing to accept: the quote has no items.' },
} as const;
export const noCustomerEmail = {
  NO_EMAIL: { status: errorStatus.NO_EMAIL, message: 'Customer email not found' },
} as const;
/** As for invitations: nobody mails others before they have confirmed their own email. */
export const senderUnconfirmed = {
  EMAIL_UNCONFIRMED: { status: errorStatus.EMAIL_UNCONFIRMED, message: 'Please confirm your email address before you send quotes.' },
} as const;
export const quoteMailNotFound = notFound('Mail not found');
export const noQuoteNumberLeft = {
  NO_NUMBER_LEFT: { status: errorStatus.NO_NUMBER_LEFT, message: 'There are no quote numbers left: your company has 1,000,000 quotes.' },
} as const;
export const templateNotFound = notFound('Template not found');
export const MAX_TEMPLATES = 200;
export const templateLimit = limitReached('Your company can have at most 200 section templates.');

export const SectionTemplate = z.object({
  id: OutputId,
  name: z.string(),
  description: z.string().nullable(),
  always_required: z.boolean(),
  /** At the prices of today's price list, unless a price was set by hand. */
  items: z.array(QuoteItem.omit({ id: true, total_price: true })),
});
export type SectionTemplate = z.infer<typeof SectionTemplate>;

const quoteTags = { tags: ['quotes'] };

export const quotes = {
  list: call('quotes.view')
    .route({ method: 'GET', path: '/quotes', summary: 'A page of quotes', ...quoteTags })
    .input(QuoteListInput)
    .output(pageOf(QuoteRow)),

  count: call('quotes.view')
    .route({ method: 'GET', path: '/quotes/count', summary: 'How many quotes match the filter', ...quoteTags })
    .input(countInput(quoteFilters))
    .output(Count),

  find: call('quotes.view')
    .route({ method: 'GET', path: '/quotes/find', summary: 'The few quotes that match best: by number, title or customer', ...quoteTags })
    .input(z.object({ search: Search }))
    .output(z.object({ rows: z.array(QuoteRow) })),

  get: call('quotes.view')
    .route({ method: 'GET', path: '/quotes/{id}', summary: 'One quote with its sections, files, mails and answer', ...quoteTags })
    .input(byId)
    .output(Quote)
    .errors(quoteNotFound),

  history: call('quotes.view')
    .route({ method: 'GET', path: '/quotes/{id}/history', summary: 'Who did what with a quote when, newest first', ...quoteTags })
    .input(byId.extend({ cursor: Cursor.optional() }))
    .output(pageOf(RecordEvent))
    .errors(quoteNotFound),

  create: call('quotes.edit')
    .route({
      method: 'POST',
      path: '/quotes',
      summary: 'Add a quote under a client-made id, as a draft; number, rate and totals are set here',
      ...quoteTags,
      successStatus: 201,
    })
    .input(NewQuote)
    .output(Quote)
    .errors({ ...idTaken, ...noQuoteNumberLeft }),

  update: call('quotes.edit')
    .route({ method: 'PUT', path: '/quotes/{id}', summary: 'Change a quote from a version; its status stays', ...quoteTags })
    .input(QuoteChange)
    .output(Quote)
    .errors({ ...quoteNotFound, ...idTaken, ...staleVersion(Quote) }),

  duplicate: call('quotes.edit')
    .route({
      method: 'POST',
      path: '/quotes/{id}/duplicate',
      summary: 'Copy a quote with its files to a new draft under a client-made id',
      ...quoteTags,
      successStatus: 201,
    })
    .input(z.object({ id: Id, new_id: Id }))
    .output(Quote)
    .errors({ ...quoteNotFound, ...idTaken, ...noQuoteNumberLeft }),

  remove: call('quotes.delete')
    .route({ method: 'DELETE', path: '/quotes/{id}', summary: 'Delete a quote; what a customer accepted is kept', ...quoteTags })
    .input(byId)
    .output(z.object({}))
    .errors(quoteNotFound),

  setStatus: call('quotes.edit')
    .route({ method: 'PUT', path: '/quotes/{id}/status', summary: 'Mark a quote as draft or sent, unless it was accepted', ...quoteTags })
    .input(z.object({ id: Id, status: z.enum(SETTABLE_QUOTE_STATUSES, 'Please choose a status') }))
    .output(Quote)
    .errors({ ...quoteNotFound, ...quoteNotActionable }),

  accept: call('quotes.accept')
    .route({
      method: 'POST',
      path: '/quotes/{id}/accept',
      summary: 'Accept a quote for the customer and create its job; no choice means every section',
      ...quoteTags,
    })
    // With the version that was on the screen, a quote that was changed since is not accepted.
    .input(z.object({ id: Id, version: Version.optional(), selected_option_ids: z.array(Id).max(MAX_SECTIONS).default([]) }))
    .output(z.object({ quote: Quote, job: z.object({ id: OutputId.nullable(), job_number: z.string() }) }))
    .errors({ ...quoteNotFound, ...quoteNotActionable, ...nothingToAccept, ...staleVersion(Quote) }),

  send: call('quotes.edit')
    .route({ method: 'POST', path: '/quotes/{id}/send', summary: 'Mail the customer the link to a quote', ...quoteTags })
    .input(byId.extend(QuoteMailInput.shape))
    .output(z.object({ quote: Quote, mail: z.enum(['queued', 'kept']) }))
    .errors({ ...quoteNotFound, ...quoteNotActionable, ...nothingToSend, ...noCustomerEmail, ...senderUnconfirmed, ...idTaken }),

  retryMail: call('quotes.edit')
    .route({ method: 'POST', path: '/quote-mails/{id}/retry', summary: 'Send a mail that failed again', ...quoteTags })
    .input(byId)
    .output(z.object({ quote: Quote, mail: z.enum(['queued', 'kept']) }))
    .errors({ ...quoteMailNotFound, ...quoteNotActionable, ...nothingToSend, ...noCustomerEmail, ...senderUnconfirmed }),
};

export const sectionTemplates = {
  list: call('quotes.edit')
    .route({ method: 'GET', path: '/section-templates', summary: 'All saved sections, by name', ...quoteTags })
    .output(z.object({ rows: z.array(SectionTemplate) })),

  save: call('quotes.edit')
    .route({
      method: 'POST',
      path: '/section-templates',
      summary: 'Keep a section under its name to use it again; replaces the one of the same name',
      ...quoteTags,
      successStatus: 201,
    })
    .input(QuoteSectionInput)
    .output(SectionTemplate)
    .errors({ ...idTaken, ...templateLimit }),

  remove: call('quotes.edit')
    .route({ method: 'DELETE', path: '/section-templates/{id}', summary: 'Delete a saved section', ...quoteTags })
    .input(byId)
    .output(z.object({}))
    .errors(templateNotFound),
};
