import { idTakenError } from '@callout/contract/errors';
import type { NewQuote, QuoteLineInput, QuoteSectionInput, UpdateQuoteInput } from '@callout/contract/quote-input';
import { type Quote, quoteNotActionableError } from '@callout/contract/quotes';
import { toDecimal } from '@callout/domain/money/decimal';
import type { SettableQuoteStatus } from '@callout/domain/quotes/quote';
import { calculateQuoteTotals } from '@callout/domain/quotes/quote-price';
import { findOrCreatePublicToken, revokePublicLink } from '../../platform/auth/public-links.sql.ts';
import { deleteRecord, isSameRequest, readRecord, updateRecordAtVersion, wasChangedSinceCreation } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { readPriceTerms } from '../company/company.sql.ts';
import { updateLastInteraction } from '../customers/customers.sql.ts';
import { removeRecordFiles, setRecordFiles } from '../files/remove-files.ts';
import { recordEvent } from '../history/history.sql.ts';
import { createMissingReferenceFailure, getGivenCustomerId } from '../jobs/save-job.sql.ts';
import { retainAcceptedFiles } from './quote-acceptances.sql.ts';
import { diffQuotes } from './quote-history.ts';
import { requireStorableTotals, saveQuoteSections } from './quote-sections.sql.ts';
import { buildQuoteSearchKeys, changeQuoteStatus, findQuote, insertQuote, lockCustomer, lockQuote, quoteRecordType } from './quotes.sql.ts';
import { quotes } from './quotes.table.ts';

/** Creates a draft. Idempotent by `id`. */
export async function createQuote(scope: TenantScope, input: NewQuote): Promise<Quote> {
  const { id, sections, attachment_ids, ...fields } = input;
  const existing = await findQuote(scope, id);
  if (existing) {
    if (!isSameQuote(existing, input) && !(await wasChangedSinceCreation(scope, quoteRecordType, id))) throw toFailure(idTakenError);
    return existing;
  }
  if (!(await lockCustomer(scope, fields.customer_id))) throw createMissingReferenceFailure('customer_id', 'customer');
  const terms = await readPriceTerms(scope);
  const totals = calculateStorableTotals(sections, terms.tax_rate);
  await insertQuote(scope, { ...fields, id, status: 'draft', ...terms, ...totals });
  await saveQuoteSections(scope, id, sections, terms.tax_rate);
  await setRecordFiles(scope, { kind: 'quote', id }, attachment_ids);
  await findOrCreatePublicToken(scope, { kind: 'quote', id });
  await updateLastInteraction(scope, fields.customer_id);
  await recordEvent(scope, 'quote', id, 'created', { total_amount: [null, totals.total_amount] });
  await publishChange(scope, 'quotes', 'customers');
  return readRecord(scope, quoteRecordType, id);
}

/** Calculates the totals and throws if one is too large to store. `rate` is in percent. */
function calculateStorableTotals(sections: readonly QuoteSectionInput[], rate: string) {
  const { rounding: _, ...totals } = calculateQuoteTotals(sections, rate);
  requireStorableTotals(sections, totals.total_amount);
  return totals;
}

/** Returns true if the quote was created by an earlier attempt of the same request. */
function isSameQuote(quote: Quote, { customer_id, sections, attachment_ids, ...fields }: NewQuote): boolean {
  return (
    isSameRequest(quotes, quote, fields) &&
    // The stored id is null if the customer was deleted after the first attempt.
    (quote.customer_id === customer_id || quote.customer_id === null) &&
    quote.attachments.map(({ id }) => id).join() === attachment_ids.join() &&
    quote.sections.length === sections.length &&
    sections.every((section, index) => isSameSection(quote.sections[index], section))
  );
}

function isSameSection(stored: Quote['sections'][number] | undefined, { items, ...section }: QuoteSectionInput): boolean {
  return (
    stored !== undefined &&
    stored.id === section.id &&
    stored.name === section.name &&
    stored.description === section.description &&
    stored.always_required === section.always_required &&
    stored.items.length === items.length &&
    items.every((line, index) => isSameLine(stored.items[index], line))
  );
}

function isSameLine(stored: Quote['sections'][number]['items'][number] | undefined, line: QuoteLineInput): boolean {
  return (
    stored?.id === line.id &&
    // The stored id is null if the item was deleted after the first attempt, but the line keeps the SKU.
    (stored.supplier_item_id === line.supplier_item_id || (stored.supplier_item_id === null && stored.sku !== null)) &&
    stored.name === line.name &&
    stored.description === line.description &&
    stored.tax_inclusive === line.tax_inclusive &&
    stored.is_service === line.is_service &&
    toDecimal(stored.quantity).eq(toDecimal(line.quantity)) &&
    toDecimal(stored.unit_price).eq(toDecimal(line.unit_price))
  );
}

/** Saves changes to a quote. Accepted quotes can be edited too, because the acceptance is a separate, frozen copy. */
export async function updateQuote(scope: TenantScope, input: UpdateQuoteInput): Promise<Quote> {
  const { id, version, customer_id: _, sections, attachment_ids, ...fields } = input;
  const customer_id = input.customer_id ? getGivenCustomerId(await readRecord(scope, quoteRecordType, id), input.customer_id) : null;
  if (customer_id && !(await lockCustomer(scope, customer_id))) throw createMissingReferenceFailure('customer_id', 'customer');
  await lockQuote(scope, id);
  const before = await readRecord(scope, quoteRecordType, id);
  const { tax_rate } = before.acceptance ? before : await readPriceTerms(scope);
  const hasSection = (sectionId: string | null) => sections.some((section) => section.id === sectionId);
  const totals = calculateStorableTotals(sections, tax_rate);
  await updateRecordAtVersion(
    scope,
    quoteRecordType,
    { id, version },
    {
      ...fields,
      ...(customer_id && { customer_id, former_customer: null }),
      tax_rate,
      // An accepted quote keeps the total that was accepted, in lists too.
      ...(before.acceptance ? {} : totals),
      accepted_option_ids: before.accepted_option_ids.filter(hasSection),
      selected_option_id: hasSection(before.selected_option_id) ? before.selected_option_id : null,
      ...buildQuoteSearchKeys(fields, before.quote_number),
    },
  );
  if (customer_id) await updateLastInteraction(scope, customer_id);
  await saveQuoteSections(scope, id, sections, tax_rate);
  if (before.acceptance) await retainAcceptedFiles(scope, id, attachment_ids);
  await setRecordFiles(scope, { kind: 'quote', id }, attachment_ids);
  const quote = await readRecord(scope, quoteRecordType, id);
  const changes = diffQuotes(before, quote);
  if (Object.keys(changes).length > 0) await recordEvent(scope, 'quote', id, 'edited', changes);
  await publishChange(scope, 'quotes', ...(customer_id ? (['customers'] as const) : []));
  return quote;
}

/** Lets people mark a quote as sent after sending it in another way, or turn it back into a draft. */
export async function setQuoteStatus(scope: TenantScope, id: string, status: SettableQuoteStatus): Promise<Quote> {
  const before = await lockQuote(scope, id);
  if (before?.status === 'accepted') {
    const { acceptance } = await readRecord(scope, quoteRecordType, id);
    throw toFailure(quoteNotActionableError, { status: 'accepted', job_number: acceptance?.job_number ?? null });
  }
  if (before && before.status !== status) {
    await changeQuoteStatus(scope, id, {
      from: before.status,
      to: status,
      ...(status === 'sent' ? { sent_at: scope.now } : {}),
      rejected_at: null,
    });
    await recordEvent(scope, 'quote', id, 'edited', { status: [before.status, status] });
    await publishChange(scope, 'quotes');
  }
  return readRecord(scope, quoteRecordType, id);
}

/** Deletes the quote and its files. An accepted quote's public link keeps working and shows the accepted copy. */
export async function removeQuote(scope: TenantScope, id: string): Promise<Record<string, never>> {
  const quote = await lockQuote(scope, id);
  await retainAcceptedFiles(scope, id, []);
  await removeRecordFiles(scope, 'quote', [id]);
  if (quote?.status !== 'accepted') await revokePublicLink(scope, { kind: 'quote', id });
  await deleteRecord(scope, quoteRecordType, id);
  await publishChange(scope, 'quotes', 'jobs');
  return {};
}
