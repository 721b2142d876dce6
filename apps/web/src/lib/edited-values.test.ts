import { expect, it } from 'vitest';
import { differences, isSavedAs, merged } from './edited-values.ts';

const base = { name: 'Ana Rossi', phone: '021 555 123', notes: '', fees: false };

it('lists what somebody else changed, and says where both did', () => {
  const yours = { ...base, name: 'Ana Bianchi', notes: 'Key under the mat' };
  const theirs = { ...base, name: 'Ana Verdi', phone: '021 555 999', fees: true };

  expect(differences(base, yours, theirs)).toEqual([
    { field: 'name', yours: 'Ana Bianchi', theirs: 'Ana Verdi', contested: true },
    { field: 'phone', yours: '021 555 123', theirs: '021 555 999', contested: false },
    { field: 'fees', yours: false, theirs: true, contested: false },
  ]);
});

it('finds no difference where both typed the same', () => {
  const both = { ...base, phone: '021 555 999' };
  expect(differences(base, { ...both, phone: ' 021 555 999 ' }, both)).toEqual([]);
});

it('keeps their change in a field that was not touched here', () => {
  const yours = { ...base, name: 'Ana Bianchi' };
  const theirs = { ...base, name: 'Ana Verdi', phone: '021 555 999', fees: true };

  expect(merged(base, yours, theirs)).toEqual({ ...base, name: 'Ana Bianchi', phone: '021 555 999', fees: true });
});

it('does not take a space at the end for a change', () => {
  expect(merged({ ...base, name: 'Ana Rossi ' }, { ...base, name: 'Ana Rossi ' }, base)).toEqual(base);
});

it('recognises a save whose answer was lost', () => {
  const typed = { ...base, notes: ' Key under the mat ' };
  expect(isSavedAs(typed, { ...base, notes: 'Key under the mat' })).toBe(true);
  expect(isSavedAs(typed, { ...base, notes: 'Key under the pot' })).toBe(false);
});
