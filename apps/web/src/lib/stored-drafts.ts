import { DAY_MS } from '@callout/domain/time/time-units';
import { isDraftOf, lastingDraftKey, lastingDraftKeys } from './draft-storage.ts';

const MAX_AGE_MS = 30 * DAY_MS;

export type Fields = readonly (readonly [string, unknown])[];

export interface StoredDraft {
  readonly kept_at: number;
  readonly fields: Fields;
  /** The stored version it was typed over; others may have changed it since. */
  readonly base?: unknown;
  /** Of a new record: a save whose answer was lost must not be made twice. */
  readonly record_id?: string | undefined;
}

/** One per tab. */
export const slotKey = (key: string, slot: string) => `${key} ${slot}`;

/** Tells whether it is kept: a browser keeps only so much. What other people left here gives way, the oldest first. */
export function keepDraft(person: string, key: string, draft: StoredDraft): boolean {
  const text = JSON.stringify(draft);
  if (isWritten(key, text)) return true;
  const ofOthers = lastingDraftKeys()
    .filter((other) => !isDraftOf(person, other))
    .toSorted((one, other) => keptAt(one) - keptAt(other));
  return ofOthers.some((other) => {
    localStorage.removeItem(other);
    return isWritten(key, text);
  });
}

function isWritten(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Newest first, whichever build kept them. What is older than a month is removed. */
export function findDrafts(key: string): { slot: string; draft: StoredDraft }[] {
  for (const other of lastingDraftKeys()) if (keptAt(other) < Date.now() - MAX_AGE_MS) localStorage.removeItem(other);
  const slotOf = (other: string) => other.slice(key.length + 1);
  return (
    lastingDraftKeys()
      // The key of another part may begin with this one.
      .filter((other) => other.startsWith(`${key} `) && !slotOf(other).includes(' '))
      .flatMap((other) => {
        const draft = readDraft(other);
        return draft ? [{ slot: slotOf(other), draft }] : [];
      })
      .toSorted((one, other) => other.draft.kept_at - one.draft.kept_at)
  );
}

/** The newest draft of a page's form that belongs to another part of it, such as to a customer who was clicked on. */
export function findDraftOfOtherPart(person: string, path: string, part: string): { part: string; draft: StoredDraft } | undefined {
  const start = lastingDraftKey(person, path, '');
  return lastingDraftKeys()
    .flatMap((key) => {
      const draft = key.startsWith(start) ? readDraft(key) : undefined;
      const ofPart = key.slice(start.length, key.lastIndexOf(' '));
      return draft && ofPart !== part && draft.kept_at >= Date.now() - MAX_AGE_MS ? [{ part: ofPart, draft }] : [];
    })
    .toSorted((one, other) => other.draft.kept_at - one.draft.kept_at)[0];
}

const keptAt = (key: string) => readDraft(key)?.kept_at ?? 0;

function readDraft(key: string): StoredDraft | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '') as StoredDraft;
  } catch {
    return undefined;
  }
}
