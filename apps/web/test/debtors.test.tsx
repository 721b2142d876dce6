import type { Debtor } from '@callout/contract/invoices';
import { screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { type Answers, openPage, press, refuse } from './open-page.tsx';
import { CUSTOMER, OWNER } from './people.ts';

const KAURI: Debtor = {
  customer_id: CUSTOMER.id,
  customer_name: 'Kauri Property Management',
  invoices: 2,
  current: '0.00',
  days_30: '1063.75',
  days_60: '418.60',
  days_90: '0.00',
  older: '0.00',
  total: '1482.35',
};
const DELETED: Debtor = {
  ...KAURI,
  customer_id: null,
  customer_name: 'J. Wihongi',
  invoices: 1,
  days_30: '310.50',
  days_60: '0.00',
  total: '310.50',
};
const TOTAL = { invoices: 3, current: '0.00', days_30: '1374.25', days_60: '418.60', days_90: '0.00', older: '0.00', total: '1792.85' };

const openDebtors = (more: Answers = {}) =>
  openPage('/invoices/debtors', {
    'GET /me': () => OWNER,
    'GET /invoices/debtors': () => ({ rows: [KAURI, DELETED], total: TOTAL }),
    ...more,
  });

const setWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => {
  setWidth(1024);
});

const cellsOf = (name: RegExp) =>
  within(screen.getByRole('row', { name }))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

it('customers stand by age with a row of totals', async () => {
  openDebtors();
  await screen.findByRole('table', { name: 'Customers by age of debt' });
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Customer',
    'Invoices',
    'Not due yet',
    '1–30 days late',
    '31–60 days late',
    '61–90 days late',
    'Over 90 days late',
    'Total',
  ]);
  expect(cellsOf(/^Kauri/)).toEqual(['2', '–', '1,063.75', '418.60', '–', '–', '1,482.35']);
  expect(cellsOf(/^All customers/)).toEqual(['3', '$0.00', '$1,374.25', '$418.60', '$0.00', '$0.00', '$1,792.85']);
});

it.each([1024, 390])('a customer opens their unpaid invoices at %s px; a deleted one is looked for by name', async (width) => {
  setWidth(width);
  openDebtors();
  const link = await screen.findByRole('link', { name: /^Kauri/ });
  expect(link.getAttribute('href')).toBe(`/invoices?filter=unpaid&customer_id=${CUSTOMER.id}`);
  expect(screen.getByRole('link', { name: /^J\. Wihongi/ }).getAttribute('href')).toBe('/invoices?filter=unpaid&search=J.+Wihongi');
});

it('a phone shows only the ages that a customer has', async () => {
  setWidth(390);
  openDebtors();
  const card = within(await screen.findByRole('link', { name: /^Kauri/ }));
  for (const text of ['1–30 days late', '1,063.75', '31–60 days late', '418.60', '1,482.35']) expect(card.getByText(text)).toBeDefined();
  expect(card.queryByText('Not due yet')).toBeNull();
  expect(screen.getByText('$1,792.85')).toBeDefined();
});

it('prints, with the day above the table', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  openDebtors();
  await screen.findByRole('table');
  await press('Print');
  expect(print).toHaveBeenCalledOnce();
  expect(screen.getByText(/^Who owes us, /)).toBeDefined();
});

it('with no debts it says so', async () => {
  openDebtors({ 'GET /invoices/debtors': () => ({ rows: [], total: TOTAL }) });
  expect(await screen.findByText('Nobody owes you anything')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Print' }).disabled).toBe(true);
});

it('what cannot be read says why and is read again on request', async () => {
  const server = { answer: (): unknown => refuse('FORBIDDEN') };
  openDebtors({ 'GET /invoices/debtors': () => server.answer() });
  expect(await screen.findByText('A failure on purpose')).toBeDefined();
  server.answer = () => ({ rows: [KAURI], total: TOTAL });
  await press('Retry');
  expect(await screen.findByRole('table')).toBeDefined();
});
