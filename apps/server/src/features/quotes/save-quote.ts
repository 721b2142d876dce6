import { idTaken } from '@callout/contract/errors';
import type { NewQuote, QuoteChange, QuoteLineInput, QuoteSectionInput } from '@callout/contract/quote-input';
import { noQuoteNumberLeft, type Quote, quoteNotActionable } from '@callout/contract/quotes';
import { decimal } from '@callout/domain/money/decimal';
import type { SettableQuoteStatus } from '@callout/domain/quotes/quote';
import { quoteTotals } from '@callout/domain/quotes/quote-price';
import { taxRate } from '@callout/domain/tax/tax';
import { publicTokenOf, revokePublicLink } from '../../platform/auth/public-links.sql.ts';
import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import { deleteRecord, isSameRequest, readRecord, updateFromVersion, wasChangedSinceCreation } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { touchCustomer } from '../customers/customers.sql.ts';
import { removeFilesOf, storeFilesOf } from '../files/remove-files.ts';
import { recordEvent } from '../history/history.sql.ts';
import { goneReference } from '../jobs/save-job.sql.ts';
import { keepAcceptedFiles } from './quote-acceptances.sql.ts';
import { quoteChanges } from './quote-history.ts';
import { requireStorableTotals, storeSections } from './quote-sections.sql.ts';
import {
  changeQuoteStatus,
  findFreeNumber,
  findQuote,
  insertQuote,
  keysOf,
  lockCustomer,
  lockQuote,
  quoteRecord,
  readCompanyTerms,
} from './quotes.sql.ts';
import { quotes } from './quotes.table.ts';

/** Locks are taken in one order everywhere: the company, the customer, then the quote. */
export async function createQuote(scope: TenantScope, input: NewQuote): Promise<Quote> {
  const { id, sections, attachment_ids, ...fields } = input;
  await lockCompany(scope, scope.companyId);
  const existing = await findQuote(scope, id);
  if (existing) {
    if (!isSameQuote(existing, input) && !(await wasChangedSinceCreation(scope, quoteRecord, id))) throw failureOf(idTaken);
    return existing;
  }
  if (!(await lockCustomer(scope, fields.customer_id))) throw goneReference('customer_id', 'customer');
  const quote_number = await findFreeNumber(scope);
  if (quote_number === null) throw failureOf(noQuoteNumberLeft);
  const tax_rate = taxRate((await readCompanyTerms(scope)).gst_percentage);
  const totals = totalsOf(sections, tax_rate);
  const isInserted = await insertQuote(scope, {
    ...fields,
    id,
    quote_number,
    status: 'draft',
    tax_rate,
    ...totals,
    ...keysOf(fields, quote_number),
  });
  if (!isInserted) throw failureOf(idTaken);
  await storeSections(scope, id, sections, tax_rate);
  await storeFilesOf(scope, { kind: 'quote', id }, attachment_ids);
  await publicTokenOf(scope, { kind: 'quote', id });
  await touchCustomer(scope, fields.customer_id);
  await recordEvent(scope, 'quote', id, 'created', { total_amount: [null, totals.total_amount] });
  await publishChange(scope, 'quotes', 'customers');
  return readRecord(scope, quoteRecord, id);
}

/** Of these sections together; the rate is in percent. */
function totalsOf(sections: readonly QuoteSectionInput[], rate: string) {
  const { rounding: _, ...totals } = quoteTotals(sections, rate);
  requireStorableTotals(sections, totals.total_amount);
  return totals;
}

/** Whether a quote is what this request once created. */
function isSameQuote(quote: Quote, { customer_id, sections, attachment_ids, ...fields }: NewQuote): boolean {
  return (
    isSameRequest(quotes, quote, fields) &&
    // A customer who was deleted since is no longer named.
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
    // An item that was deleted since is no longer named.
    (stored.supplier_item_id === line.supplier_item_id || (stored.supplier_item_id === null && stored.sku !== null)) &&
    stored.name === line.name &&
    stored.description === line.description &&
    stored.tax_inclusive === line.tax_inclusive &&
    stored.is_service === line.is_service &&
    decimal(stored.quantity).eq(decimal(line.quantity)) &&
    decimal(stored.unit_price).eq(decimal(line.unit_price))
  );
}

/** What the customer accepted is kept apart: an accepted quote can be changed, its answer cannot. */
export async function updateQuote(scope: TenantScope, input: QuoteChange): Promise<Quote> {
  const { id, version, sections, attachment_ids, ...fields } = input;
  await lockCompany(scope, scope.companyId);
  const before = await readRecord(scope, quoteRecord, id);
  const tax_rate = before.acceptance ? before.tax_rate : taxRate((await readCompanyTerms(scope)).gst_percentage);
  const isKept = (sectionId: string | null) => sections.some((section) => section.id === sectionId);
  const allTotals = totalsOf(sections, tax_rate);
  // What was accepted of a quote is what it costs, also once it is changed.
  const accepted = sections.filter(({ id: sectionId }) => before.accepted_option_ids.includes(sectionId));
  const totals = before.acceptance ? totalsOf(accepted, tax_rate) : allTotals;
  await updateFromVersion(
    scope,
    quoteRecord,
    { id, version },
    {
      ...fields,
      tax_rate,
      ...totals,
      accepted_option_ids: before.accepted_option_ids.filter(isKept),
      selected_option_id: isKept(before.selected_option_id) ? before.selected_option_id : null,
      ...keysOf(fields, before.quote_number),
    },
  );
  await storeSections(scope, id, sections, tax_rate);
  if (before.acceptance) await keepAcceptedFiles(scope, id, attachment_ids);
  await storeFilesOf(scope, { kind: 'quote', id }, attachment_ids);
  const quote = await readRecord(scope, quoteRecord, id);
  const changes = quoteChanges(before, quote);
  if (Object.keys(changes).length > 0) await recordEvent(scope, 'quote', id, 'edited', changes);
  await publishChange(scope, 'quotes');
  return quote;
}

/** By hand: when a quote was handed over in another way, or is to be worked on again. */
export async function setQuoteStatus(scope: TenantScope, id: string, status: SettableQuoteStatus): Promise<Quote> {
  const before = await lockQuote(scope, id);
  if (before?.status === 'accepted') {
    const { acceptance } = await readRecord(scope, quoteRecord, id);
    throw failureOf(quoteNotActionable, { status: 'accepted', job_number: acceptance?.job_number ?? null });
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
  return readRecord(scope, quoteRecord, id);
}

/** Its files go with it. The link of an accepted one keeps showing what was accepted, with its files. */
export async function removeQuote(scope: TenantScope, id: string): Promise<Record<string, never>> {
  await lockCompany(scope, scope.companyId);
  const quote = await lockQuote(scope, id);
  await keepAcceptedFiles(scope, id, []);
  await removeFilesOf(scope, 'quote', [id]);
  if (quote?.status !== 'accepted') await revokePublicLink(scope, { kind: 'quote', id });
  await deleteRecord(scope, quoteRecord, id);
  await publishChange(scope, 'quotes', 'jobs');
  return {};
}
