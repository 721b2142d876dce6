import { staleRecord } from '@callout/contract/errors';
import { PublicQuoteDocument, quoteChanged } from '@callout/contract/public-quotes';
import { nothingToAccept, type Quote } from '@callout/contract/quotes';
import { depositOf } from '@callout/domain/invoices/payment-request';
import { acceptedSections, hasItems } from '@callout/domain/quotes/quote';
import { type QuoteContent, type QuoteDocument, quoteDocument } from '@callout/domain/quotes/quote-document';
import { quoteTotals } from '@callout/domain/quotes/quote-price';
import { formatCivilDate, formatDate } from '@callout/domain/time/date-format';
import { frozenRecord } from '../../platform/db/frozen-record.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure, failureOf, invalidInput } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { describeUserAgent } from '../auth/describe-device.ts';
import { readIssuer, readTimezone } from '../company/company.sql.ts';
import { touchCustomer } from '../customers/customers.sql.ts';
import { recordEvent } from '../history/history.sql.ts';
import { createQuotedJob } from '../jobs/create-quoted-job.ts';
import { membersWho, notifyPeople } from '../notifications/notifications.sql.ts';
import { type Acceptance, findAcceptance, insertAcceptance, lockForAnswer, readMemberName } from './quote-acceptances.sql.ts';
import { filesOf, offerHash, quoteContent } from './quote-content.sql.ts';
import { changeQuoteStatus, findQuote } from './quotes.sql.ts';

/** What was on the screen of whoever accepts it. */
export interface SeenQuote {
  readonly version?: number | undefined;
  readonly content_hash?: string | undefined;
}

/** Who answers a quote: the customer on the public page, or a member for them. */
export interface Answerer {
  /** Null for the customer. */
  readonly staffId: string | null;
  /** Within the app a member who chooses nothing means everything; on the public page it means nothing. */
  readonly takesAll: boolean;
  /** What the customer typed; a member has a name. */
  readonly name: string | null;
  readonly networkAddress: string;
  readonly userAgent: string;
}

export interface AcceptedJob {
  /** Null once the job was deleted. */
  readonly job_id: string | null;
  readonly job_number: string;
}

/**
 * The quote becomes accepted and its one job is made, or nothing happens. The same choice again answers with the job that exists. Null when
 * there is no such quote.
 */
export async function acceptQuote(
  scope: TenantScope,
  id: string,
  selectedIds: readonly string[],
  answerer: Answerer,
  seen: SeenQuote = {},
): Promise<AcceptedJob | null> {
  const { locked, acceptance } = await lockUnlessAccepted(scope, id);
  if (acceptance) {
    if (!acceptance.copy || !isSameChoice(acceptance.copy.document, selectedIds, answerer)) throw await acceptedBefore(scope, acceptance);
    return acceptance;
  }
  const quote = locked && (await findQuote(scope, id));
  if (!quote) return null;
  await requireActionable(scope, quote);
  const content = quoteContent(quote, await readIssuer(scope));
  requireUnchanged(quote, content, seen);
  const optionIds = selectedIds.length === 0 && answerer.takesAll ? quote.sections.map((section) => section.id) : selectedIds;
  const choice = acceptedSections(quote.sections, optionIds);
  if ('error' in choice) throw invalidInput({ selected_option_ids: choice.error });
  if (!hasItems(choice.accepted)) throw failureOf(nothingToAccept);
  return accept(scope, { ...quote, user_id: locked.user_id, content }, choice.accepted, answerer);
}

/** Nobody accepts anything but what they read: a price or a file that was changed a second ago is refused, and shown. */
function requireUnchanged(quote: Quote, content: QuoteContent, { version, content_hash }: SeenQuote): void {
  if (version !== undefined && version !== quote.version) throw failureOf(staleRecord, { current: quote });
  if (content_hash !== undefined && content_hash !== offerHash(content, quote)) throw failureOf(quoteChanged);
}

type ReadQuote = Quote & { readonly user_id: string | null; readonly content: QuoteContent };

async function accept(scope: TenantScope, quote: ReadQuote, sections: Quote['sections'], answerer: Answerer): Promise<AcceptedJob> {
  const { id, quote_number, title, description, user_id, customer_id, tax_rate, content } = quote;
  const section_ids = sections.map((section) => section.id);
  const document = PublicQuoteDocument.parse(quoteDocument(content, section_ids));
  const { total_amount } = document;
  const deposit_amount = depositOf(quote, total_amount);
  const accepted_by = await nameOf(scope, quote, answerer);
  const job = await createQuotedJob(scope, {
    quote_id: id,
    quote_number,
    title,
    description,
    user_id,
    customer_id,
    tax_rate,
    total_amount,
    deposit_amount,
    lines: sections.flatMap(({ items }) => items.map(jobLine)),
    accepted_by,
  });
  const agreed = {
    quote_id: id,
    job_number: job.job_number,
    section_ids,
    total_amount,
    accepted_by,
    by_customer: answerer.staffId === null,
    staff_id: answerer.staffId,
    network_address: answerer.networkAddress || null,
    browser: browserOf(answerer.userAgent),
    user_agent: answerer.userAgent || null,
    accepted_at: scope.now,
  };
  const record = { ...agreed, document, files: filesOf(quote) };
  await insertAcceptance(scope, { ...agreed, job_id: job.id, ...frozenRecord(record) });
  const [option, ...otherOptions] = sections.filter(({ always_required }) => !always_required);
  await changeAnswer(scope, quote, 'accepted', {
    ...acceptedTotals(sections, tax_rate),
    accepted_option_ids: section_ids,
    selected_option_id: option && otherOptions.length === 0 ? option.id : null,
  });
  await recordEvent(
    scope,
    'quote',
    id,
    'accepted',
    {
      status: [quote.status, 'accepted'],
      sections: [null, sections.map(({ name }) => name).join(', ')],
      total_amount: [null, total_amount],
      ...(deposit_amount !== null && { deposit: [null, deposit_amount] }),
      job_number: [null, job.job_number],
    },
    accepted_by,
  );
  if (!answerer.staffId) {
    await notifyPeople(scope, await membersWho(scope, 'quotes.accept'), {
      message: `Quote accepted: ${quote_number} ${title}, by ${accepted_by}. Job #${job.job_number} has been created.`,
      type: 'success',
      data: { quote_id: id, job_id: job.id },
    });
  }
  return { job_id: job.id, job_number: job.job_number };
}

/** From now on the quote costs what was accepted of it. The rate is in percent. */
function acceptedTotals(sections: Quote['sections'], rate: string) {
  const { rounding: _, ...totals } = quoteTotals(sections, rate);
  return totals;
}

/** False when there is no such quote. The same answer again is answered alike, and told nobody twice. */
export async function rejectQuote(scope: TenantScope, id: string, answerer: Answerer): Promise<boolean> {
  const { locked, acceptance } = await lockUnlessAccepted(scope, id);
  if (acceptance) throw await acceptedBefore(scope, acceptance);
  const quote = locked && (await findQuote(scope, id));
  if (!quote) return false;
  if (quote.status === 'rejected') return true;
  await requireActionable(scope, quote);
  await changeAnswer(scope, quote, 'rejected', { rejected_at: scope.now });
  const name = await nameOf(scope, quote, answerer);
  await recordEvent(scope, 'quote', id, 'rejected', { status: [quote.status, 'rejected'] }, name);
  await notifyPeople(scope, await membersWho(scope, 'quotes.accept'), {
    message: `Quote rejected: ${quote.quote_number} ${quote.title}, by ${name}.`,
    type: 'warning',
    data: { quote_id: id },
  });
  return true;
}

/** An acceptance is never taken back, so only the first answers have to wait for each other. */
async function lockUnlessAccepted(scope: TenantScope, id: string) {
  const accepted = await findAcceptance(scope, id);
  if (accepted) return { locked: null, acceptance: accepted };
  const locked = await lockForAnswer(scope, id);
  return { locked, acceptance: await findAcceptance(scope, id) };
}

type AnswerValues = Omit<Parameters<typeof changeQuoteStatus>[2], 'from' | 'to'>;

async function changeAnswer(scope: TenantScope, quote: Quote, to: 'accepted' | 'rejected', values: AnswerValues): Promise<void> {
  const isChanged = await changeQuoteStatus(scope, quote.id, { from: quote.status, to, ...values });
  if (!isChanged) throw new Error('A locked quote has changed its status');
  if (quote.customer_id) await touchCustomer(scope, quote.customer_id);
  await publishChange(scope, 'quotes', 'customers');
}

async function nameOf(scope: TenantScope, { customer }: Quote, { staffId, name }: Answerer): Promise<string> {
  return staffId ? readMemberName(scope, staffId) : (name ?? customer?.name ?? 'The customer');
}

/** 'Safari on iPhone' */
function browserOf(userAgent: string): string | null {
  const { browser, system } = describeUserAgent(userAgent);
  return [browser, system].filter(Boolean).join(' on ') || null;
}

/** A line keeps all that it was copied from the price list when it was quoted. */
function jobLine(item: Quote['sections'][number]['items'][number]) {
  const { supplier_item_id, name, description, sku, supplier_name, tax_inclusive, is_service, quantity, unit_price, total_price } = item;
  return {
    supplier_item_id,
    name,
    description,
    sku,
    supplier_name,
    tax_inclusive,
    is_service,
    quantity,
    unit_price,
    total_price,
    cost_price: item.cost_price ?? null,
  };
}

/** By what was accepted then: the sections of the quote may have changed since. */
function isSameChoice({ sections }: QuoteDocument, selectedIds: readonly string[], { takesAll }: Answerer): boolean {
  if (selectedIds.length === 0 && takesAll) return sections.every(({ choice }) => choice !== 'not-selected');
  const asked = new Set(selectedIds);
  const isNamed = (id: string) => sections.some((section) => section.id === id);
  return (
    selectedIds.every(isNamed) && sections.every(({ id, choice }) => choice === 'required' || asked.has(id) === (choice === 'selected'))
  );
}

const TOO_LATE = 'It can no longer be accepted or rejected.';

async function requireActionable(scope: TenantScope, quote: Quote): Promise<void> {
  if (quote.is_actionable) return;
  const { shown_status, valid_until, rejected_at } = quote;
  const data = { status: shown_status, job_number: null };
  // Its acceptance is missing, which nothing in the application can cause.
  if (shown_status === 'accepted') throw failure('QUOTE_CLOSED', `This quote was accepted. ${TOO_LATE}`, data);
  if (shown_status !== 'rejected') {
    const until = valid_until ? `was valid until ${formatCivilDate(valid_until)}` : 'has expired';
    throw failure('QUOTE_CLOSED', `This quote ${until}. ${TOO_LATE}`, data);
  }
  const day = rejected_at ? ` on ${formatDate(rejected_at, await readTimezone(scope))}` : '';
  throw failure('QUOTE_CLOSED', `This quote was rejected${day}. ${TOO_LATE}`, data);
}

async function acceptedBefore(scope: TenantScope, { accepted_at, job_number }: Acceptance) {
  const day = formatDate(accepted_at, await readTimezone(scope));
  const message = `This quote was accepted on ${day}, and job #${job_number} has been created.`;
  return failure('QUOTE_CLOSED', message, { status: 'accepted', job_number });
}
