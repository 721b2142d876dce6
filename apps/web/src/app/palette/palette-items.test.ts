import { expect, test } from 'vitest';
import { MENU_ENTRIES } from '../menu.ts';
import { buildPaletteGroups, matchesTerm, type SearchResults } from './palette-items.ts';

const customer = { id: '7', name: 'Mia Tane', company_name: null, contact_name: null, phone: '021', matched: 'name' as const };
const job = { id: '8', job_number: 'J26110042', title: 'Roof repair', customer };
const quote = { id: '9', quote_number: 'Q001234', title: 'Heat pump', customer: null };
const invoice = {
  id: '10',
  job_id: '8',
  job_number: 'J26110042',
  invoice_number: 'INV-2026-0187',
  title: 'Roof repair',
  customer_name: 'Mia Tane',
};
const item = { id: '11', name: 'Mixer tap', sku: 'TAP-1', supplier: { id: '12', company_name: 'Reece' } };
const NO_RESULTS: SearchResults = { customers: [], jobs: [], quotes: [], invoices: [], items: [] };
const buildGroups = (term: string, role = 'admin', found: Partial<SearchResults> = {}) =>
  buildPaletteGroups({ term, menu: MENU_ENTRIES, role, found: { ...NO_RESULTS, ...found } });
const listLabels = (...args: Parameters<typeof buildGroups>) =>
  buildGroups(...args).flatMap(({ items }) => items.map(({ label }) => label));

test('matches the beginning of any word in a label', () => {
  expect(matchesTerm('Items & Services', 'ser it')).toBe(true);
  expect(matchesTerm('Items & Services', 'vices')).toBe(false);
  expect(matchesTerm('Job Board', '')).toBe(true);
});

test('lists customers first, then items to create, then pages', () => {
  expect(listLabels('', 'admin', { customers: [customer] }).slice(0, 2)).toEqual(['Mia Tane', 'New Customer']);
  expect(listLabels('quo')).toEqual(['New Quote', 'Quotes']);
});

test('lists jobs after customers, or first if the term is a job number', () => {
  expect(listLabels('mia', 'admin', { customers: [customer], jobs: [job] }).slice(0, 2)).toEqual(['Mia Tane', 'Roof repair']);
  expect(listLabels('#j2611', 'admin', { customers: [customer], jobs: [job] }).slice(0, 2)).toEqual(['Roof repair', 'Mia Tane']);
});

test('lists quotes after jobs, or first if the term is a quote number', () => {
  expect(listLabels('mia', 'admin', { customers: [customer], jobs: [job], quotes: [quote] }).slice(0, 3)).toEqual([
    'Mia Tane',
    'Roof repair',
    'Heat pump',
  ]);
  expect(listLabels('q0012', 'admin', { customers: [customer], jobs: [job], quotes: [quote] }).slice(0, 3)).toEqual([
    'Heat pump',
    'Mia Tane',
    'Roof repair',
  ]);
});

test('lists invoices and items last, or invoices first if the term is an invoice number', () => {
  const found = { customers: [customer], jobs: [job], quotes: [quote], invoices: [invoice], items: [item] };
  expect(listLabels('mi', 'admin', found)).toEqual(['Mia Tane', 'Roof repair', 'Heat pump', 'INV-2026-0187', 'Mixer tap']);
  expect(listLabels('2026-01', 'admin', found)[0]).toBe('INV-2026-0187');
});

test('links invoices to the payment page, items to their dialog and New Task to its form', () => {
  const listHrefs = (term: string, found?: Partial<SearchResults>) =>
    buildGroups(term, 'admin', found).flatMap(({ items }) => items.map(({ href }) => href));
  expect(listHrefs('mi', { invoices: [invoice], items: [item] })).toEqual(['/jobs/8/payment', '/items-services/suppliers/12?item=11']);
  expect(listHrefs('new task')).toEqual(['/todo?add=true']);
});

test('finds the time sheet, New Job and New Supplier', () => {
  expect(listLabels('time')).toEqual(['Time sheet']);
  expect(listLabels('new', 'admin')).toEqual(expect.arrayContaining(['New Job', 'New Supplier']));
});

test('finds the invoice pages only for roles that may see them', () => {
  expect(listLabels('inv')).toEqual(['Invoices']);
  expect(listLabels('owes', 'accountant')).toEqual(['Who owes us']);
  expect(listLabels('inv', 'staff')).toEqual([]);
});

test('hides records that the role may not create', () => {
  expect(listLabels('new', 'staff')).not.toContain('New Quote');
});
