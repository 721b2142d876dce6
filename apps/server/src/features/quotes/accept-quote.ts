import { staleRecordError } from '@callout/contract/errors';
import { PublicQuoteDocument, quoteChangedError } from '@callout/contract/public-quotes';
import { nothingToAcceptError, type Quote } from '@callout/contract/quotes';
import { calculateDeposit } from '@callout/domain/invoices/payment-request';
import { hasQuoteItems, resolveAcceptedSections } from '@callout/domain/quotes/quote';
import { buildQuoteDocument, type QuoteContent, type QuoteDocument } from '@callout/domain/quotes/quote-document';
import { calculateQuoteTotals } from '@callout/domain/quotes/quote-price';
import { formatCivilDate, formatDate } from '@callout/domain/time/date-format';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure, createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { parseUserAgent } from '../auth/describe-device.ts';
import { readIssuer, readTimezone } from '../company/company.sql.ts';
import { updateLastInteraction } from '../customers/customers.sql.ts';
import { freezeDocument } from '../documents/freeze-document.ts';
import { recordEvent } from '../history/history.sql.ts';
import { createJobFromQuote } from '../jobs/create-job-from-quote.ts';
import { listUserIdsWithCapability, notifyPeople } from '../notifications/notifications.sql.ts';
import { findAcceptance, insertAcceptance, lockQuoteForAnswer, readMemberName, type StoredAcceptance } from './quote-acceptances.sql.ts';
import { buildQuoteContent, getFileDetails, hashQuoteOffer } from './quote-content.ts';
import { changeQuoteStatus, findQuote } from './quotes.sql.ts';

/** The version of the quote that the person saw. Accepting fails if the quote has changed since then. */
export interface QuotePrecondition {
  readonly version?: number | undefined;
  readonly content_hash?: string | undefined;
}

/** The customer on the public page, or a staff member who answers on the customer's behalf. `staffId` is null for the customer. */
export interface QuoteAnswerer {
  readonly staffId: string | null;
  /** Whether an empty selection accepts all sections. True in the app, false on the public page. */
  readonly defaultsToAll: boolean;
  /** The name that the customer entered. Null for a staff member, who answers under their own name. */
  readonly typedName: string | null;
  readonly networkAddress: string;
  readonly userAgent: string;
}

export interface AcceptedJobReference {
  /** Null once the job is deleted. */
  readonly job_id: string | null;
  readonly job_number: string;
}

/** Accepts the quote and creates its job. Idempotent for the same selection. Returns null if the quote doesn't exist. */
export async function acceptQuote(
  scope: TenantScope,
  id: string,
  selectedIds: readonly string[],
  answerer: QuoteAnswerer,
  precondition: QuotePrecondition,
): Promise<AcceptedJobReference | null> {
  const { locked, acceptance } = await lockUnlessAccepted(scope, id);
  if (acceptance) {
    if (!acceptance.copy || !isSameSelection(acceptance.copy.document, selectedIds, answerer))
      throw await createAlreadyAcceptedFailure(scope, acceptance);
    return acceptance;
  }
  const quote = locked && (await findQuote(scope, id));
  if (!quote) return null;
  await requireActionable(scope, quote);
  const content = buildQuoteContent(quote, await readIssuer(scope));
  requireUnchanged(quote, content, precondition);
  const optionIds = selectedIds.length === 0 && answerer.defaultsToAll ? quote.sections.map((section) => section.id) : selectedIds;
  const selection = resolveAcceptedSections(quote.sections, optionIds);
  if ('error' in selection) throw createInvalidInputFailure({ selected_option_ids: selection.error });
  if (!hasQuoteItems(selection.accepted)) throw toFailure(nothingToAcceptError);
  return recordAcceptance(scope, { ...quote, user_id: locked.user_id, content }, selection.accepted, answerer);
}

/** Throws if a price or file has changed since the page was loaded. */
function requireUnchanged(quote: Quote, content: QuoteContent, { version, content_hash }: QuotePrecondition): void {
  if (version !== undefined && version !== quote.version) throw toFailure(staleRecordError, { current: quote });
  if (content_hash !== undefined && content_hash !== hashQuoteOffer(content, quote)) throw toFailure(quoteChangedError);
}

type LockedQuote = Quote & { readonly user_id: string | null; readonly content: QuoteContent };

async function recordAcceptance(
  scope: TenantScope,
  quote: LockedQuote,
  sections: Quote['sections'],
  answerer: QuoteAnswerer,
): Promise<AcceptedJobReference> {
  const { id, quote_number, title, description, user_id, customer_id, tax_rate, currency, content } = quote;
  const section_ids = sections.map((section) => section.id);
  const document = PublicQuoteDocument.parse(buildQuoteDocument(content, section_ids));
  const { total_amount } = document;
  const deposit_amount = calculateDeposit(quote, total_amount);
  const accepted_by = await readAnswererName(scope, quote, answerer);
  const job = await createJobFromQuote(scope, {
    quote_id: id,
    quote_number,
    title,
    description,
    user_id,
    customer_id,
    tax_rate,
    currency,
    total_amount,
    deposit_amount,
    lines: sections.flatMap(({ items }) => items.map(toJobLine)),
    accepted_by,
  });
  const acceptanceFields = {
    quote_id: id,
    job_number: job.job_number,
    section_ids,
    total_amount,
    accepted_by,
    by_customer: answerer.staffId === null,
    staff_id: answerer.staffId,
    network_address: answerer.networkAddress || null,
    browser: formatBrowser(answerer.userAgent),
    user_agent: answerer.userAgent || null,
    accepted_at: scope.now,
  };
  const record = { ...acceptanceFields, document, files: getFileDetails(quote) };
  await insertAcceptance(scope, { ...acceptanceFields, job_id: job.id, ...freezeDocument(record) });
  const [option, ...otherOptions] = sections.filter(({ always_required }) => !always_required);
  await storeAnswer(scope, quote, 'accepted', {
    ...calculateAcceptedTotals(sections, tax_rate),
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
    await notifyPeople(scope, await listUserIdsWithCapability(scope, 'quotes.accept'), {
      message: `Quote accepted: ${quote_number} ${title}, by ${accepted_by}. Job #${job.job_number} was created.`,
      type: 'success',
      data: { quote_id: id, job_id: job.id },
    });
  }
  return { job_id: job.id, job_number: job.job_number };
}

/** Calculates the totals of the accepted sections, which become the quote's totals. `rate` is in percent. */
function calculateAcceptedTotals(sections: Quote['sections'], rate: string) {
  const { rounding: _, ...totals } = calculateQuoteTotals(sections, rate);
  return totals;
}

/** Returns false if the quote doesn't exist. Idempotent: rejecting the quote again sends no second notification. */
export async function rejectQuote(scope: TenantScope, id: string, answerer: QuoteAnswerer): Promise<boolean> {
  const { locked, acceptance } = await lockUnlessAccepted(scope, id);
  if (acceptance) throw await createAlreadyAcceptedFailure(scope, acceptance);
  const quote = locked && (await findQuote(scope, id));
  if (!quote) return false;
  if (quote.status === 'rejected') return true;
  await requireActionable(scope, quote);
  await storeAnswer(scope, quote, 'rejected', { rejected_at: scope.now });
  const name = await readAnswererName(scope, quote, answerer);
  await recordEvent(scope, 'quote', id, 'rejected', { status: [quote.status, 'rejected'] }, name);
  await notifyPeople(scope, await listUserIdsWithCapability(scope, 'quotes.accept'), {
    message: `Quote rejected: ${quote.quote_number} ${quote.title}, by ${name}.`,
    type: 'warning',
    data: { quote_id: id },
  });
  return true;
}

/** Skips the lock if the quote is already accepted, because that is final. Checks again under the lock for a concurrent acceptance. */
async function lockUnlessAccepted(scope: TenantScope, id: string) {
  const accepted = await findAcceptance(scope, id);
  if (accepted) return { locked: null, acceptance: accepted };
  const locked = await lockQuoteForAnswer(scope, id);
  return { locked, acceptance: await findAcceptance(scope, id) };
}

type AnswerValues = Omit<Parameters<typeof changeQuoteStatus>[2], 'from' | 'to'>;

async function storeAnswer(scope: TenantScope, quote: Quote, to: 'accepted' | 'rejected', values: AnswerValues): Promise<void> {
  const isChanged = await changeQuoteStatus(scope, quote.id, { from: quote.status, to, ...values });
  if (!isChanged) throw new Error('The status of a locked quote has changed');
  if (quote.customer_id) await updateLastInteraction(scope, quote.customer_id);
  await publishChange(scope, 'quotes', 'customers');
}

async function readAnswererName(scope: TenantScope, quote: Quote, { staffId, typedName }: QuoteAnswerer): Promise<string> {
  const customer = quote.customer ?? quote.former_customer;
  return staffId ? readMemberName(scope, staffId) : (typedName ?? customer?.name ?? 'The customer');
}

/** Returns a description such as 'Safari on iPhone', or null if the browser is unknown. */
function formatBrowser(userAgent: string): string | null {
  const { browser, system } = parseUserAgent(userAgent);
  return [browser, system].filter(Boolean).join(' on ') || null;
}

/** Copies the price list details from the quote, so that later price changes don't affect the job. */
function toJobLine(item: Quote['sections'][number]['items'][number]) {
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

/** Compares the selection with the accepted document, because the quote's sections may have changed since. */
function isSameSelection({ sections }: QuoteDocument, selectedIds: readonly string[], { defaultsToAll }: QuoteAnswerer): boolean {
  if (selectedIds.length === 0 && defaultsToAll) return sections.every(({ choice }) => choice !== 'not-selected');
  const selected = new Set(selectedIds);
  const exists = (id: string) => sections.some((section) => section.id === id);
  return (
    selectedIds.every(exists) && sections.every(({ id, choice }) => choice === 'required' || selected.has(id) === (choice === 'selected'))
  );
}

const NO_LONGER_ANSWERABLE = 'It can no longer be accepted or rejected.';

async function requireActionable(scope: TenantScope, quote: Quote): Promise<void> {
  if (quote.is_actionable) return;
  const { shown_status, valid_until, rejected_at } = quote;
  const data = { status: shown_status, job_number: null };
  // An accepted quote gets here only if its acceptance row was deleted directly in the database.
  if (shown_status === 'accepted') throw createFailure('QUOTE_CLOSED', `This quote was accepted. ${NO_LONGER_ANSWERABLE}`, data);
  if (shown_status !== 'rejected') {
    const until = valid_until ? `was valid until ${formatCivilDate(valid_until)}` : 'has expired';
    throw createFailure('QUOTE_CLOSED', `This quote ${until}. ${NO_LONGER_ANSWERABLE}`, data);
  }
  const day = rejected_at ? ` on ${formatDate(rejected_at, await readTimezone(scope))}` : '';
  throw createFailure('QUOTE_CLOSED', `This quote was rejected${day}. ${NO_LONGER_ANSWERABLE}`, data);
}

async function createAlreadyAcceptedFailure(scope: TenantScope, { accepted_at, job_number }: StoredAcceptance) {
  const day = formatDate(accepted_at, await readTimezone(scope));
  const message = `This quote was accepted on ${day}, and job #${job_number} has been created.`;
  return createFailure('QUOTE_CLOSED', message, { status: 'accepted', job_number });
}
