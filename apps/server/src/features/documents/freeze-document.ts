import { createHash } from 'node:crypto';
import { type CanonicalValue, toCanonicalJson } from '@callout/domain/documents/canonical-json';
import type { z } from 'zod';

/** Hashes a document's canonical JSON, so that equal content has the same hash regardless of key order. */
export const hashDocument = (document: object) =>
  createHash('sha256')
    .update(toCanonicalJson(document as CanonicalValue))
    .digest('hex');

/** Converts an agreement or invoice to canonical JSON for storage, with a hash that can later prove that the document is unchanged. */
export function freezeDocument(document: CanonicalValue & object): { readonly record: string; readonly sha256: string } {
  return { record: toCanonicalJson(document), sha256: hashDocument(document) };
}

/** Returns null if the stored record can't be read. */
export function parseFrozenDocument<Schema extends z.ZodType>(schema: Schema, record: string): z.infer<Schema> | null {
  try {
    return schema.parse(JSON.parse(record));
  } catch {
    return null;
  }
}

/** Printed on a copy that no longer matches its hash. */
export const ALTERED_COPY_WARNING = 'This copy may have been altered since it was saved.';
