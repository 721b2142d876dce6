import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { handOverFiles, readFileOf, type StoredFile } from '../../platform/files/files.sql.ts';
import { findAcceptance } from './quote-acceptances.sql.ts';

const ownersOf = (id: string) => ({ quote: { kind: 'quote', id }, acceptance: { kind: 'quote_acceptance', id } }) as const;

/**
 * Before an accepted quote gets other files, or none: what was accepted keeps the files it had, for whoever has the link. One that the
 * quote shows again belongs to it again. Needs `lockCompany`.
 */
export async function keepAcceptedFiles(scope: TenantScope, quoteId: string, fileIds: readonly string[]): Promise<void> {
  const found = await findAcceptance(scope, quoteId);
  if (!found) return;
  const { quote, acceptance } = ownersOf(quoteId);
  await handOverFiles(scope, acceptance, quote, { ids: fileIds });
  // All of them where nobody can tell which they were.
  await handOverFiles(scope, quote, acceptance, { ids: found.copy?.files.map(({ id }) => id), except: fileIds });
}

/** A file that the link of a quote opens: one of the quote, or once it was accepted, one of those it had then. */
export async function findLinkedFile(scope: TenantScope, quoteId: string, id: string): Promise<StoredFile | null> {
  const accepted = await findAcceptance(scope, quoteId);
  const { quote, acceptance } = ownersOf(quoteId);
  if (!accepted) return readFileOf(scope, quote, id);
  const kept = accepted.copy?.files.find((file) => file.id === id);
  const stored = kept && ((await readFileOf(scope, quote, id)) ?? (await readFileOf(scope, acceptance, id)));
  return stored ? { ...stored, file_name: kept.file_name } : null;
}
