import { Cursor } from '@callout/contract/fields';
import { sortKey } from '@callout/domain/search/search-text';
import { describe, expect, it } from 'vitest';
import { isInstantKey, isTextKey, readCursor, writeCursor } from './cursor.ts';

const ID = '018f0000-0000-7000-8000-000000000001';
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a cursor', () => {
  it('continues where the page ended', () => {
    const position = { keys: ["o'brien\n", '-infinity'], id: ID };
    expect(readCursor(writeCursor('name asc', position), 'name asc', [isTextKey, isInstantKey])).toEqual(position);
  });

  it.each(['한', 'ﷺ', '㌖', '🧰', '\u{10ffff}', '"', '\\'])('with two names of only %j stays within its own limit', (character) => {
    const key = sortKey(character.repeat(200));
    const cursor = writeCursor('last_interaction desc', { keys: [key, key], id: ID });
    expect(Cursor.parse(cursor)).toBe(cursor);
  });

  it.each([
    ['of another order', writeCursor('name desc', { keys: ['a'], id: ID })],
    ['that is empty', ''],
    ['that is not JSON', 'bm90IGpzb24'],
    ['that is not a list', encode({ key: 'a', id: ID })],
    ['without an id', encode(['name asc', 'a'])],
    ['without a key', encode(['name asc', ID])],
    ['with an extra key', encode(['name asc', 'a', 'b', ID])],
    ['with an invalid id', encode(['name asc', 'a', "'; drop table customers"])],
    ['whose key is not text', encode(['name asc', 1, ID])],
    ['whose key no text column can hold', encode(['name asc', 'a\0', ID])],
  ])('%s is invalid', (_, cursor) => {
    expect(() => readCursor(cursor, 'name asc', [isTextKey])).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });
});

describe('an instant in a cursor', () => {
  it.each(['infinity', '-infinity', '2026-02-28 23:59:59+00', '2024-02-29 00:00:00.1+00', '0001-01-01 00:00:00.123+00'])(
    'may be %s',
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
  ])('is never %j', (key) => {
    expect(isInstantKey(key)).toBe(false);
  });
});
