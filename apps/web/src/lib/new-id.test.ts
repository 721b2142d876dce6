import { expect, test } from 'vitest';
import { newId } from './new-id.ts';

test('an id is a uuid of version 7', () => {
  expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('ids begin with their millisecond, so later ones sort after earlier ones', () => {
  expect(newId(0x0123_4567_89ab)).toMatch(/^01234567-89ab-7/);
  expect(newId(1_763_000_000_000) < newId(1_763_000_000_001)).toBe(true);
});

test('a thousand ids of one moment are a thousand', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => newId(1))).size).toBe(1_000);
});
