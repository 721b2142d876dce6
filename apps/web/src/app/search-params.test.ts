import { expect, test } from 'vitest';
import { choiceParam, parseSearch, present, searchParam, stringifySearch, textParam } from './search-params.ts';

test('what looks like a number or a truth stays text', () => {
  expect(parseSearch('?search=0042&token=12345678901234567890&reset=true')).toEqual({
    search: '0042',
    token: '12345678901234567890',
    reset: 'true',
  });
});

test('search parameters survive a round trip', () => {
  const search = { search: "O'Neil & Søn + 1%", order: 'desc' };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

test('absent and empty parameters are left out of the URL', () => {
  expect(stringifySearch(present({ search: '', status: undefined }))).toBe('');
  expect(stringifySearch({ reset: true, next: '/jobs' })).toBe('?reset=true&next=%2Fjobs');
});

test('an unknown choice counts as absent', () => {
  expect(choiceParam({ order: 'sideways' }, 'order', ['asc', 'desc'])).toBeUndefined();
  expect(choiceParam({ order: 'desc' }, 'order', ['asc', 'desc'])).toBe('desc');
  expect(textParam({ search: '' }, 'search')).toBeUndefined();
});

test('a search that no field would take is cut', () => {
  expect(searchParam({ search: 'a'.repeat(300) })).toBe('a'.repeat(200));
  expect(searchParam({ search: '' })).toBeUndefined();
});

test('a parameter that means nothing does not reach the page', () => {
  const typed = { mode: 'sideways' };
  expect({ ...typed, ...present({ mode: choiceParam(typed, 'mode', ['sign-in']) }) }).toEqual({ mode: undefined });
});
