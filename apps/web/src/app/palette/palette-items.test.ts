import { expect, test } from 'vitest';
import { MENU } from '../menu.ts';
import { type FoundRecords, matchesTerm, paletteGroups } from './palette-items.ts';

const mia = { id: '7', name: 'Mia Tane', company_name: null, contact_name: null, phone: '021', matched: 'name' as const };
const roof = { id: '8', job_number: 'J26110042', title: 'Roof repair', customer: mia };
const heat = { id: '9', quote_number: 'Q001234', title: 'Heat pump', customer: null };
const bill = {
  id: '10',
  job_id: '8',
  job_number: 'J26110042',
  invoice_number: 'INV-2026-0187',
  title: 'Roof repair',
  customer_name: 'Mia Tane',
};
const tap = { id: '11', name: 'Mixer tap', sku: 'TAP-1', supplier: { id: '12', company_name: 'Reece' } };
const NOTHING: FoundRecords = { customers: [], jobs: [], quotes: [], invoices: [], items: [] };
const groupsOf = (term: string, role = 'admin', found: Partial<FoundRecords> = {}) =>
  paletteGroups({ term, menu: MENU, role, found: { ...NOTHING, ...found } });
const labels = (...asked: Parameters<typeof groupsOf>) => groupsOf(...asked).flatMap(({ items }) => items.map(({ label }) => label));

test('every typed word must begin a word of the label', () => {
  expect(matchesTerm('Items & Services', 'ser it')).toBe(true);
  expect(matchesTerm('Items & Services', 'vices')).toBe(false);
  expect(matchesTerm('Job Board', '')).toBe(true);
});

test('found customers come first, then what can be made, then pages', () => {
  expect(labels('', 'admin', { customers: [mia] }).slice(0, 2)).toEqual(['Mia Tane', 'New Customer']);
  expect(labels('quo')).toEqual(['New Quote', 'Quotes']);
});

test('found jobs follow the customers, but come first when their number was typed', () => {
  expect(labels('mia', 'admin', { customers: [mia], jobs: [roof] }).slice(0, 2)).toEqual(['Mia Tane', 'Roof repair']);
  expect(labels('#j2611', 'admin', { customers: [mia], jobs: [roof] }).slice(0, 2)).toEqual(['Roof repair', 'Mia Tane']);
});

test('found quotes follow the jobs, but come first when their number was typed', () => {
  expect(labels('mia', 'admin', { customers: [mia], jobs: [roof], quotes: [heat] }).slice(0, 3)).toEqual([
    'Mia Tane',
    'Roof repair',
    'Heat pump',
  ]);
  expect(labels('q0012', 'admin', { customers: [mia], jobs: [roof], quotes: [heat] }).slice(0, 3)).toEqual([
    'Heat pump',
    'Mia Tane',
    'Roof repair',
  ]);
});

test('found invoices and items come last, but an invoice comes first when its number was typed', () => {
  const found = { customers: [mia], jobs: [roof], quotes: [heat], invoices: [bill], items: [tap] };
  expect(labels('mi', 'admin', found)).toEqual(['Mia Tane', 'Roof repair', 'Heat pump', 'INV-2026-0187', 'Mixer tap']);
  expect(labels('2026-01', 'admin', found)[0]).toBe('INV-2026-0187');
});

test('an invoice opens the payment page of its job, an item its dialog, New Task its form', () => {
  const hrefs = (term: string, found?: Partial<FoundRecords>) =>
    groupsOf(term, 'admin', found).flatMap(({ items }) => items.map(({ href }) => href));
  expect(hrefs('mi', { invoices: [bill], items: [tap] })).toEqual(['/jobs/8/payment', '/items-services/suppliers/12?item=11']);
  expect(hrefs('new task')).toEqual(['/todo?add=true']);
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
