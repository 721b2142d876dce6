import { DAY_MS } from '@callout/domain/time/time-units';
import { buildPersistentDraftKey, isDraftKeyFor, listPersistentDraftKeys } from './draft-keys.ts';

/** Starts the part of a form in a sheet, which edits a different kind of record than the page below it. */
const SHEET_PART_PREFIX = '#';

const MAX_DRAFT_AGE_MS = 30 * DAY_MS;

export type DraftFields = readonly (readonly [string, unknown])[];

export interface PersistentDraft {
  readonly kept_at: number;
  readonly fields: DraftFields;
  /** The stored version that the edits are based on. The record may have changed since. */
  readonly base?: unknown;
  /** Id of a new record. Restored with the draft, so that saving again after a lost response doesn't create a second record. */
  readonly record_id?: string | undefined;
}

/** Builds the storage key of one tab's draft. Each tab writes to its own slot. */
export const buildDraftSlotKey = (key: string, slot: string) => `${key} ${slot}`;

/** Saves a draft. If the storage is full, evicts other people's drafts, oldest first. Returns false if there is still no room. */
export function savePersistentDraft(person: string, key: string, draft: PersistentDraft): boolean {
  const text = JSON.stringify(draft);
  if (tryWrite(key, text)) return true;
  const otherPeoplesKeys = listPersistentDraftKeys()
    .filter((other) => !isDraftKeyFor(person, other))
    .toSorted((one, other) => readSavedAt(one) - readSavedAt(other));
  return otherPeoplesKeys.some((other) => {
    localStorage.removeItem(other);
    return tryWrite(key, text);
  });
}

function tryWrite(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Lists this form's drafts from all builds, newest first. Also deletes every draft older than 30 days. */
export function listPersistentDrafts(key: string): { slot: string; draft: PersistentDraft }[] {
  for (const other of listPersistentDraftKeys()) if (readSavedAt(other) < Date.now() - MAX_DRAFT_AGE_MS) localStorage.removeItem(other);
  const getSlot = (other: string) => other.slice(key.length + 1);
  return (
    listPersistentDraftKeys()
      // Keys of other forms may also start with `key`, but the rest of such a key contains a space.
      .filter((other) => other.startsWith(`${key} `) && !getSlot(other).includes(' '))
      .flatMap((other) => {
        const draft = findDraft(other);
        return draft ? [{ slot: getSlot(other), draft }] : [];
      })
      .toSorted((one, other) => other.draft.kept_at - one.draft.kept_at)
  );
}

/** Finds the newest draft that was started on this page under another part, such as the form opened for a particular customer. */
export function findOtherFormDraft(person: string, path: string, part: string): { part: string; draft: PersistentDraft } | undefined {
  const prefix = buildPersistentDraftKey(person, path, '');
  return listPersistentDraftKeys()
    .flatMap((key) => {
      const draft = key.startsWith(prefix) ? findDraft(key) : undefined;
      const draftPart = key.slice(prefix.length, key.lastIndexOf(' '));
      const isOtherPart = draftPart !== part && !draftPart.startsWith(SHEET_PART_PREFIX);
      return draft && isOtherPart && draft.kept_at >= Date.now() - MAX_DRAFT_AGE_MS ? [{ part: draftPart, draft }] : [];
    })
    .toSorted((one, other) => other.draft.kept_at - one.draft.kept_at)[0];
}

const readSavedAt = (key: string) => findDraft(key)?.kept_at ?? 0;

function findDraft(key: string): PersistentDraft | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '') as PersistentDraft;
  } catch {
    return undefined;
  }
}
