import { Cursor } from '@callout/contract/fields';
import { buildSortKey } from '@callout/domain/search/search-text';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, isInstantKey, isTextKey } from './cursor.ts';

const ID = '018f0000-0000-7000-8000-000000000001';
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a cursor', () => {
  it('round-trips the position where a page ended', () => {
    const position = { keys: ["o'brien\n", '-infinity'], id: ID };
    expect(decodeCursor(encodeCursor('name asc', position), 'name asc', [isTextKey, isInstantKey])).toEqual(position);
  });

  it.each(['한', 'ﷺ', '㌖', '🧰', '\u{10ffff}', '"', '\\'])('stays within its length limit for two names made of %j', (character) => {
    const key = buildSortKey(character.repeat(200));
    const cursor = encodeCursor('last_interaction desc', { keys: [key, key], id: ID });
    expect(Cursor.parse(cursor)).toBe(cursor);
  });

  it.each([
    ['if it belongs to another order', encodeCursor('name desc', { keys: ['a'], id: ID })],
    ['if it is empty', ''],
    ['if it is not JSON', 'bm90IGpzb24'],
    ['if it is not a list', encode({ key: 'a', id: ID })],
    ['without an id', encode(['name asc', 'a'])],
    ['without a key', encode(['name asc', ID])],
    ['with an extra key', encode(['name asc', 'a', 'b', ID])],
    ['with an invalid id', encode(['name asc', 'a', "'; drop table customers"])],
    ['if a key is not text', encode(['name asc', 1, ID])],
    ['if a key contains NUL, which no text column can hold', encode(['name asc', 'a\0', ID])],
  ])('is rejected %s', (_, cursor) => {
    expect(() => decodeCursor(cursor, 'name asc', [isTextKey])).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });
});

describe('isInstantKey', () => {
  it.each(['infinity', '-infinity', '2026-02-28 23:59:59+00', '2024-02-29 00:00:00.1+00', '0001-01-01 00:00:00.123+00'])(
    'accepts %s',
    (key) => {
      expect(isInstantKey(key)).toBe(true);
    },
  );

  it.each([
    '',
    'ana',
    '9999-99-99 99:99:99+00',
    '2026-02-30 00:00:00+00',
    '2026-01-01 24:00:00+00',
    '0000-01-01 00:00:00+00',
    '2026-01-01',
  ])('rejects %j', (key) => {
    expect(isInstantKey(key)).toBe(false);
  });
});
