import { expect, test } from 'vitest';
import { parseChoiceParam, parseSearch, parseSearchTerm, parseTextParam, stringifySearch, toOptionalParams } from './search-params.ts';

test('keeps numbers and booleans as strings', () => {
  expect(parseSearch('?search=0042&token=12345678901234567890&reset=true')).toEqual({
    search: '0042',
    token: '12345678901234567890',
    reset: 'true',
  });
});

test('round-trips search parameters', () => {
  const search = { search: "O'Neil & Søn + 1%", order: 'desc' };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

test('omits undefined and empty parameters from the URL', () => {
  expect(stringifySearch(toOptionalParams({ search: '', status: undefined }))).toBe('');
  expect(stringifySearch({ reset: true, next: '/jobs' })).toBe('?reset=true&next=%2Fjobs');
});

test('ignores unknown choices and empty strings', () => {
  expect(parseChoiceParam({ order: 'sideways' }, 'order', ['asc', 'desc'])).toBeUndefined();
  expect(parseChoiceParam({ order: 'desc' }, 'order', ['asc', 'desc'])).toBe('desc');
  expect(parseTextParam({ search: '' }, 'search')).toBeUndefined();
});

test('truncates a search term that is too long', () => {
  expect(parseSearchTerm({ search: 'a'.repeat(300) })).toBe('a'.repeat(200));
  expect(parseSearchTerm({ search: '' })).toBeUndefined();
});

test('overrides an invalid parameter with undefined', () => {
  const rawSearch = { mode: 'sideways' };
  expect({ ...rawSearch, ...toOptionalParams({ mode: parseChoiceParam(rawSearch, 'mode', ['sign-in']) }) }).toEqual({ mode: undefined });
});
