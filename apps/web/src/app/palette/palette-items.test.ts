import { expect, test } from 'vitest';
import { MENU } from '../menu.ts';
import { matchesTerm, paletteGroups } from './palette-items.ts';

const mia = { id: '7', name: 'Mia Tane', company_name: null, contact_name: null, phone: '021', matched: 'name' as const };
const roof = { id: '8', job_number: 'J26110042', title: 'Roof repair', customer: mia };
const heat = { id: '9', quote_number: 'Q001234', title: 'Heat pump', customer: null };
const labels = (term: string, role = 'admin', customers: (typeof mia)[] = [], jobs: (typeof roof)[] = [], quotes: (typeof heat)[] = []) =>
  paletteGroups({ term, menu: MENU, role, customers, jobs, quotes }).flatMap(({ items }) => items.map(({ label }) => label));

test('every typed word must begin a word of the label', () => {
  expect(matchesTerm('Items & Services', 'ser it')).toBe(true);
  expect(matchesTerm('Items & Services', 'vices')).toBe(false);
  expect(matchesTerm('Job Board', '')).toBe(true);
});

test('found customers come first, then what can be made, then pages', () => {
  expect(labels('', 'admin', [mia]).slice(0, 2)).toEqual(['Mia Tane', 'New Customer']);
  expect(labels('quo')).toEqual(['New Quote', 'Quotes']);
});

test('found jobs follow the customers, but come first when their number was typed', () => {
  expect(labels('mia', 'admin', [mia], [roof]).slice(0, 2)).toEqual(['Mia Tane', 'Roof repair']);
  expect(labels('#j2611', 'admin', [mia], [roof]).slice(0, 2)).toEqual(['Roof repair', 'Mia Tane']);
});

test('found quotes follow the jobs, but come first when their number was typed', () => {
  expect(labels('mia', 'admin', [mia], [roof], [heat]).slice(0, 3)).toEqual(['Mia Tane', 'Roof repair', 'Heat pump']);
  expect(labels('q0012', 'admin', [mia], [roof], [heat]).slice(0, 3)).toEqual(['Heat pump', 'Mia Tane', 'Roof repair']);
});

test('the time sheet, jobs and suppliers can be reached by typing', () => {
  expect(labels('time')).toEqual(['Time sheet']);
  expect(labels('new', 'admin')).toEqual(expect.arrayContaining(['New Job', 'New Supplier']));
});

test('the invoices can be reached by typing, by those who may see them', () => {
  expect(labels('inv')).toEqual(['Invoices']);
  expect(labels('owes', 'accountant')).toEqual(['Who owes us']);
  expect(labels('inv', 'staff')).toEqual([]);
});

test('what a role may not make is not offered', () => {
  expect(labels('new', 'staff')).not.toContain('New Quote');
});
