import { invalidInput } from '../errors/failures.ts';

/** Where a page ended: the texts of what its last row is sorted by, and its id to tell equals apart. */
export interface Position {
  readonly keys: readonly string[];
  readonly id: string;
}

type IsKey = (text: string) => boolean;

/** Includes the sort it belongs to: under another sort the same position would silently skip rows. */
export function writeCursor(order: string, { keys, id }: Position): string {
  return Buffer.from(JSON.stringify([order, ...keys, id])).toString('base64url');
}

/** A malformed cursor, or one of another sort, is invalid input. */
export function readCursor(cursor: string, order: string, isKey: readonly IsKey[]): Position {
  try {
    const [of, ...keys] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    const id = keys.pop();
    const fits = keys.length === isKey.length && keys.every((key, index) => typeof key === 'string' && isKey[index]?.(key));
    if (of === order && fits && typeof id === 'string' && UUID.test(id)) return { keys: keys as string[], id };
  } catch {
    // Fall through: an unreadable cursor is invalid too.
  }
  throw invalidInput({ cursor: 'This page no longer exists' });
}

/** Builds a page from one row more than it holds; the extra row shows that there is a next page. */
export function pageOf<Row extends { readonly id: string; readonly sort_keys: string }>(
  found: readonly Row[],
  size: number,
  order: string,
) {
  const shown = found.slice(0, size);
  const last = found.length > size ? shown.at(-1) : undefined;
  return {
    rows: shown.map(({ sort_keys: _, ...row }) => row),
    next_cursor: last ? writeCursor(order, { keys: JSON.parse(last.sort_keys) as string[], id: last.id }) : null,
  };
}

/** Text that PostgreSQL can hold. */
export const isTextKey = (key: string) => !key.includes('\0');

/** A whole number that fits a column of them. */
export const isIntegerKey = (key: string) => /^-?\d{1,9}$/.test(key);

/** A decimal as PostgreSQL writes it, or infinity. */
export const isNumberKey = (key: string) => /^-?(\d{1,30}(\.\d{1,30})?|Infinity)$/.test(key);

/** A timestamp as PostgreSQL writes it in UTC, or infinity. */
export function isInstantKey(key: string): boolean {
  if (/^-?infinity$/.test(key)) return true;
  const [, day, time] = INSTANT.exec(key) ?? [];
  const moment = Date.parse(`${day}T${time}Z`);
  // A date that does not exist rolls over into the next month.
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(`${day}T${time?.slice(0, 8)}`);
}

/** A day as PostgreSQL writes it, or infinity. */
export const isDayKey = (key: string) => /^-?infinity$/.test(key) || isInstantKey(`${key} 00:00:00+00`);

const INSTANT = /^((?!0000)\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,3})?)\+00$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
