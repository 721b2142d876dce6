import { invalidInput } from '../errors/failures.ts';

/** Where a page ended: the texts of what its last row is sorted by, and its id to tell equals apart. */
export interface Position {
  readonly keys: readonly string[];
  readonly id: string;
}

type IsKey = (text: string) => boolean;

/** Names the order it belongs to: read in another one, the same position would skip rows in silence. */
export function writeCursor(order: string, { keys, id }: Position): string {
  return Buffer.from(JSON.stringify([order, ...keys, id])).toString('base64url');
}

/** A cursor that is not one of ours, or belongs to another order, is wrong input. */
export function readCursor(cursor: string, order: string, isKey: readonly IsKey[]): Position {
  try {
    const [of, ...keys] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    const id = keys.pop();
    const fits = keys.length === isKey.length && keys.every((key, index) => typeof key === 'string' && isKey[index]?.(key));
    if (of === order && fits && typeof id === 'string' && UUID.test(id)) return { keys: keys as string[], id };
  } catch {
    // Falls through: unreadable is as wrong as misread.
  }
  throw invalidInput({ cursor: 'This page no longer exists' });
}

/** A page in this order from one row more than it holds, by which it knows that there is a next one. */
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

/** A moment as PostgreSQL writes it in UTC, or one of the two ends of time. */
export function isInstantKey(key: string): boolean {
  if (/^-?infinity$/.test(key)) return true;
  const [, day, time] = INSTANT.exec(key) ?? [];
  const moment = Date.parse(`${day}T${time}Z`);
  // A day that no calendar has rolls over into the next month.
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(`${day}T${time?.slice(0, 8)}`);
}

const INSTANT = /^((?!0000)\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,3})?)\+00$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
