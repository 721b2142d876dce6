import { expect, test } from 'vitest';
import { createId } from './create-id.ts';

test('creates a UUIDv7', () => {
  expect(createId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('creates ids that sort by creation time', () => {
  expect(createId(0x0123_4567_89ab)).toMatch(/^01234567-89ab-7/);
  expect(createId(1_763_000_000_000) < createId(1_763_000_000_001)).toBe(true);
});

test('creates unique ids within one millisecond', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => createId(1))).size).toBe(1_000);
});
