import { createHash } from 'node:crypto';
import { canonicalJson, type Frozen } from '@callout/domain/documents/canonical-json';

/** The hash of a document's canonical JSON: equal for what is word for word the same. */
export const hashOf = (document: object) =>
  createHash('sha256')
    .update(canonicalJson(document as Frozen))
    .digest('hex');

/** What is kept of an agreement or an invoice: its canonical JSON, and the hash that shows whether it is still what was kept. */
export function frozenRecord(document: Frozen & object): { readonly record: string; readonly sha256: string } {
  return { record: canonicalJson(document), sha256: hashOf(document) };
}
