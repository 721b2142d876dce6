import { createInvalidInputFailure } from '../errors/failures.ts';

/** The position where a page ends: the sort keys of its last row as strings, with the row's id as a tie-breaker. */
export interface CursorPosition {
  readonly keys: readonly string[];
  readonly id: string;
}

type KeyCheck = (text: string) => boolean;

/** Includes the sort order in the cursor, because using the same position in another order would silently skip rows. */
export function encodeCursor(order: string, { keys, id }: CursorPosition): string {
  return Buffer.from(JSON.stringify([order, ...keys, id])).toString('base64url');
}

/** Decodes a cursor. Throws INVALID_INPUT if the cursor is malformed or belongs to another sort order. */
export function decodeCursor(cursor: string, order: string, keyChecks: readonly KeyCheck[]): CursorPosition {
  try {
    const [cursorOrder, ...keys] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    const id = keys.pop();
    const areKeysValid = keys.length === keyChecks.length && keys.every((key, index) => typeof key === 'string' && keyChecks[index]?.(key));
    if (cursorOrder === order && areKeysValid && typeof id === 'string' && UUID_PATTERN.test(id)) return { keys: keys as string[], id };
  } catch {
    // An unreadable cursor is reported as invalid below.
  }
  throw createInvalidInputFailure({ cursor: 'This page no longer exists' });
}

/** Builds a page from `candidates`, which contain one row more than fits if there is a next page. */
export function buildPage<Row extends { readonly id: string; readonly sort_keys: string }>(
  candidates: readonly Row[],
  size: number,
  order: string,
) {
  const rows = candidates.slice(0, size);
  const last = candidates.length > size ? rows.at(-1) : undefined;
  return {
    rows: rows.map(({ sort_keys: _, ...row }) => row),
    next_cursor: last ? encodeCursor(order, { keys: JSON.parse(last.sort_keys) as string[], id: last.id }) : null,
  };
}

/** Rejects NUL characters, which PostgreSQL can't store in text. */
export const isTextKey = (key: string) => !key.includes('\0');

/** Accepts at most nine digits, which always fit in a PostgreSQL integer. */
export const isIntegerKey = (key: string) => /^-?\d{1,9}$/.test(key);

/** Accepts a decimal number as PostgreSQL prints it, or infinity. */
export const isNumberKey = (key: string) => /^-?(\d{1,30}(\.\d{1,30})?|Infinity)$/.test(key);

/** Accepts a timestamp as PostgreSQL prints it in UTC, or infinity. */
export function isInstantKey(key: string): boolean {
  if (/^-?infinity$/.test(key)) return true;
  const [, day, time] = INSTANT_PATTERN.exec(key) ?? [];
  const timestamp = Date.parse(`${day}T${time}Z`);
  // Date.parse turns a nonexistent date into one in the next month, so compare the result with the input.
  return !Number.isNaN(timestamp) && new Date(timestamp).toISOString().startsWith(`${day}T${time?.slice(0, 8)}`);
}

/** Accepts a date as PostgreSQL prints it, or infinity. */
export const isDayKey = (key: string) => /^-?infinity$/.test(key) || isInstantKey(`${key} 00:00:00+00`);

const INSTANT_PATTERN = /^((?!0000)\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,3})?)\+00$/;
const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
