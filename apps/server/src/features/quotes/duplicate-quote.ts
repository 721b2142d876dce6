import { randomUUID } from 'node:crypto';
import type { Quote } from '@callout/contract/quotes';
import { calculateCopyValidUntil } from '@callout/domain/quotes/quote';
import { calculateQuoteTotals } from '@callout/domain/quotes/quote-price';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { findOrCreatePublicToken } from '../../platform/auth/public-links.sql.ts';
import { readRecord } from '../../platform/db/records.ts';
import { runTenantQuery, runTenantTransaction, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { buildFileKey } from '../../platform/files/file-store.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { readPriceTerms, readTimezone } from '../company/company.sql.ts';
import { updateLastInteraction } from '../customers/customers.sql.ts';
import { runWithinUploadLimits } from '../files/handle-upload.ts';
import { storeFile } from '../files/receive-file.ts';
import { removeUnattachedFiles, setRecordFiles } from '../files/remove-files.ts';
import { recordEvent } from '../history/history.sql.ts';
import { copyPickedFields, requireStorableTotals, saveQuoteSections } from './quote-sections.sql.ts';
import { findQuoteCopy, insertQuote, lockCustomer, quoteRecordType } from './quotes.sql.ts';

interface Caller {
  readonly tenant: Tenant;
  readonly ip: string;
}

interface DuplicateQuoteInput {
  readonly id: string;
  readonly new_id: string;
}

/** Creates a draft with the same sections and files, at the current tax rate. Copies the files before taking any locks. */
export async function duplicateQuote(platform: Platform, caller: Caller, { id, new_id }: DuplicateQuoteInput): Promise<Quote> {
  const { app } = platform.pools;
  const { tenant } = caller;
  const { original, copy } = await runTenantQuery(app, tenant, async (scope) => {
    // Idempotent: a retry returns the existing copy, even if the original has since been deleted.
    const existingCopy = await findQuoteCopy(scope, new_id, id);
    return existingCopy ? { original: null, copy: existingCopy } : { original: await readRecord(scope, quoteRecordType, id), copy: null };
  });
  if (copy) return copy;
  const insert = (fileIds: readonly string[]) =>
    runTenantTransaction(app, tenant, (scope) => insertQuoteCopy(scope, original, new_id, fileIds));
  const bytes = original.attachments.reduce((sum, { file_size }) => sum + file_size, 0);
  if (bytes === 0) return insert([]);
  return runWithinUploadLimits(platform, caller, bytes, () => copyFilesAndInsert(platform, tenant, original, insert));
}

/** Copies the files and inserts the quote. Deletes the copied files if inserting fails or a concurrent request has created the copy. */
async function copyFilesAndInsert(
  platform: Platform,
  tenant: Tenant,
  original: Quote,
  insert: (fileIds: readonly string[]) => Promise<Quote>,
): Promise<Quote> {
  const copied: string[] = [];
  let isUsed = false;
  try {
    for await (const fileId of copyQuoteFiles(platform, tenant, original)) copied.push(fileId);
    const copy = await insert(copied);
    isUsed = copy.attachments.some(({ id }) => copied.includes(id));
    return copy;
  } finally {
    if (!isUsed && copied.length > 0)
      await removeUnattachedFiles({ files: platform.files, pool: platform.pools.system }, tenant.companyId, copied);
  }
}

/** Yields the ids of the copied files. Skips files that are missing from storage. */
async function* copyQuoteFiles(platform: Platform, tenant: Tenant, { attachments }: Quote): AsyncGenerator<string> {
  for (const { id: fileId, file_name, file_type } of attachments) {
    const bytes = await platform.files.open(buildFileKey(tenant.companyId, fileId));
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

async function insertQuoteCopy(scope: TenantScope, original: Quote, id: string, fileIds: readonly string[]): Promise<Quote> {
  const { title, description, deposit_percentage, deposit_amount, quote_number: originalNumber } = original;
  const concurrentCopy = await findQuoteCopy(scope, id, original.id);
  if (concurrentCopy) return concurrentCopy;
  // The customer may have been deleted while the files were copied. The copy then has no customer.
  const customer_id = original.customer_id && (await lockCustomer(scope, original.customer_id)) ? original.customer_id : null;
  const [terms, timezone] = [await readPriceTerms(scope), await readTimezone(scope)];
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
  const { rounding: _, ...totals } = calculateQuoteTotals(sections, terms.tax_rate);
  requireStorableTotals(sections, totals.total_amount);
  const valid_until = calculateCopyValidUntil(
    { created_on: toLocalDate(original.created_at, timezone), valid_until: original.valid_until },
    toLocalDate(scope.now, timezone),
  );
  const fields = { title, description, customer_id, valid_until, deposit_percentage, deposit_amount };
  await insertQuote(scope, { ...fields, id, status: 'draft', copied_from: original.id, ...terms, ...totals });
  await saveQuoteSections(scope, id, sections, terms.tax_rate);
  await copyPickedFields(scope, lines);
  await setRecordFiles(scope, { kind: 'quote', id }, fileIds);
  await findOrCreatePublicToken(scope, { kind: 'quote', id });
  if (customer_id) await updateLastInteraction(scope, customer_id);
  await recordEvent(scope, 'quote', id, 'created', { copied_from: [null, originalNumber], total_amount: [null, totals.total_amount] });
  await publishChange(scope, 'quotes', 'customers');
  return readRecord(scope, quoteRecordType, id);
}
