import { createHash } from 'node:crypto';
import { type CanonicalValue, toCanonicalJson } from '@callout/domain/documents/canonical-json';

/** Hashes a document's canonical JSON, so that equal content has the same hash regardless of key order. */
export const hashDocument = (document: object) =>
  createHash('sha256')
    .update(toCanonicalJson(document as CanonicalValue))
    .digest('hex');

/** Converts an agreement or invoice to canonical JSON for storage, with a hash that can later prove that the document is unchanged. */
export function freezeDocument(document: CanonicalValue & object): { readonly record: string; readonly sha256: string } {
  return { record: toCanonicalJson(document), sha256: hashDocument(document) };
}
