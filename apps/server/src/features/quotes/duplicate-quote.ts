import { randomUUID } from 'node:crypto';
import { idTaken } from '@callout/contract/errors';
import { noQuoteNumberLeft, type Quote } from '@callout/contract/quotes';
import { copiedValidUntil } from '@callout/domain/quotes/quote';
import { quoteTotals } from '@callout/domain/quotes/quote-price';
import { taxRate } from '@callout/domain/tax/tax';
import { localDate } from '@callout/domain/time/zoned-time';
import { publicTokenOf } from '../../platform/auth/public-links.sql.ts';
import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import { readRecord } from '../../platform/db/records.ts';
import { changeAs, readAs, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import { fileKey } from '../../platform/files/file-store.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { touchCustomer } from '../customers/customers.sql.ts';
import { handleCopying } from '../files/handle-upload.ts';
import { storeFile } from '../files/receive-file.ts';
import { removeUnattached, storeFilesOf } from '../files/remove-files.ts';
import { recordEvent } from '../history/history.sql.ts';
import { copyPickedFields, requireStorableTotals, storeSections } from './quote-sections.sql.ts';
import { findCopy, findFreeNumber, insertQuote, keysOf, lockCustomer, quoteRecord, readCompanyTerms } from './quotes.sql.ts';

interface Caller {
  readonly tenant: Tenant;
  readonly ip: string;
}

interface Duplication {
  readonly id: string;
  readonly new_id: string;
}

/** A new draft with the same sections and files at today's tax rate. The files are copied first, so that no lock waits for their bytes. */
export async function duplicateQuote(platform: Platform, caller: Caller, { id, new_id }: Duplication): Promise<Quote> {
  const { app } = platform.pools;
  const { tenant } = caller;
  const { original, copy } = await readAs(app, tenant, async (scope) => {
    // What a repeated request made before, also when the original was deleted since.
    const made = await findCopy(scope, new_id, id);
    return made ? { original: null, copy: made } : { original: await readRecord(scope, quoteRecord, id), copy: null };
  });
  if (copy) return copy;
  const insert = (fileIds: readonly string[]) => changeAs(app, tenant, (scope) => insertCopy(scope, original, new_id, fileIds));
  const bytes = original.attachments.reduce((sum, { file_size }) => sum + file_size, 0);
  if (bytes === 0) return insert([]);
  return handleCopying(platform, caller, bytes, () => insertWithFiles(platform, tenant, original, insert));
}

/** Copies that nobody uses, because the same request came twice or the copy is refused, are removed again. */
async function insertWithFiles(
  platform: Platform,
  tenant: Tenant,
  original: Quote,
  insert: (fileIds: readonly string[]) => Promise<Quote>,
): Promise<Quote> {
  const copied: string[] = [];
  let isUsed = false;
  try {
    for await (const fileId of copyFiles(platform, tenant, original)) copied.push(fileId);
    const copy = await insert(copied);
    isUsed = copy.attachments.some(({ id }) => copied.includes(id));
    return copy;
  } finally {
    if (!isUsed && copied.length > 0)
      await removeUnattached({ files: platform.files, pool: platform.pools.system }, tenant.companyId, copied);
  }
}

/** A file whose bytes are gone is left out: the copy is complete without it. */
async function* copyFiles(platform: Platform, tenant: Tenant, { attachments }: Quote): AsyncGenerator<string> {
  for (const { id: fileId, file_name, file_type } of attachments) {
    const bytes = await platform.files.open(fileKey(tenant.companyId, fileId));
    if (!bytes) continue;
    const received = await platform.files.receive(bytes);
    const newId = randomUUID();
    try {
      await storeFile(platform, tenant, { id: newId, file_name, file_type }, received);
    } finally {
      await received.discard();
    }
    yield newId;
  }
}

async function insertCopy(scope: TenantScope, original: Quote, id: string, fileIds: readonly string[]): Promise<Quote> {
  const { title, description, deposit_percentage, deposit_amount, quote_number: originalNumber } = original;
  await lockCompany(scope, scope.companyId);
  // They may have been deleted while the files were copied.
  const customer_id = original.customer_id && (await lockCustomer(scope, original.customer_id)) ? original.customer_id : null;
  const quote_number = await findFreeNumber(scope);
  if (quote_number === null) throw failureOf(noQuoteNumberLeft);
  const { gst_percentage, timezone } = await readCompanyTerms(scope);
  const tax_rate = taxRate(gst_percentage);
  const lines: { id: string; originalId: string }[] = [];
  const sections = original.sections.map((section) => ({
    ...section,
    id: randomUUID(),
    items: section.items.map((line) => {
      const copy = { ...line, id: randomUUID(), supplier_item_id: null };
      lines.push({ id: copy.id, originalId: line.id });
      return copy;
    }),
  }));
  const { rounding: _, ...totals } = quoteTotals(sections, tax_rate);
  requireStorableTotals(sections, totals.total_amount);
  const valid_until = copiedValidUntil(
    { created_on: localDate(original.created_at, timezone), valid_until: original.valid_until },
    localDate(scope.now, timezone),
  );
  const fields = { title, description, customer_id, valid_until, deposit_percentage, deposit_amount };
  const isInserted = await insertQuote(scope, {
    ...fields,
    id,
    quote_number,
    status: 'draft',
    copied_from: original.id,
    tax_rate,
    ...totals,
    ...keysOf(fields, quote_number),
  });
  if (!isInserted) {
    const copy = await findCopy(scope, id, original.id);
    if (!copy) throw failureOf(idTaken);
    return copy;
  }
  await storeSections(scope, id, sections, tax_rate);
  await copyPickedFields(scope, lines);
  await storeFilesOf(scope, { kind: 'quote', id }, fileIds);
  await publicTokenOf(scope, { kind: 'quote', id });
  if (customer_id) await touchCustomer(scope, customer_id);
  await recordEvent(scope, 'quote', id, 'created', { copied_from: [null, originalNumber], total_amount: [null, totals.total_amount] });
  await publishChange(scope, 'quotes', 'customers');
  return readRecord(scope, quoteRecord, id);
}
