import { expect, test } from 'vitest';
import { MENU } from '../menu.ts';
import { matchesTerm, paletteGroups } from './palette-items.ts';

const mia = { id: '7', name: 'Mia Tane', company_name: null, contact_name: null, phone: '021', matched: 'name' as const };
const labels = (term: string, role = 'admin', customers: (typeof mia)[] = []) =>
  paletteGroups({ term, menu: MENU, role, customers }).flatMap(({ items }) => items.map(({ label }) => label));

test('every typed word must begin a word of the label', () => {
  expect(matchesTerm('Items & Services', 'ser it')).toBe(true);
  expect(matchesTerm('Items & Services', 'vices')).toBe(false);
  expect(matchesTerm('Job Board', '')).toBe(true);
});

test('found customers come first, then what can be made, then pages', () => {
  expect(labels('', 'admin', [mia]).slice(0, 2)).toEqual(['Mia Tane', 'New Customer']);
  expect(labels('quo')).toEqual(['New Quote', 'Quotes']);
});

test('what a role may not make is not offered', () => {
  expect(labels('new', 'staff')).not.toContain('New Quote');
});
