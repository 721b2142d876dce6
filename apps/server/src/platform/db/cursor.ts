import { invalidInput } from '../http/failures.ts';

/** Where a page ended: the sort value of its last row, and its id to tell equals apart. */
export interface Position {
  readonly key: string;
  readonly id: string;
}

export function writeCursor(position: Position): string {
  return Buffer.from(JSON.stringify([position.key, position.id])).toString('base64url');
}

/** A cursor that is not one of ours, or belongs to another order, is wrong input. */
export function readCursor(cursor: string, isKey: (key: string) => boolean): Position {
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    if (typeof key === 'string' && isKey(key) && typeof id === 'string' && UUID.test(id)) return { key, id };
  } catch {
    // Falls through: unreadable is as wrong as misread.
  }
  throw invalidInput({ cursor: 'This page no longer exists' });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
