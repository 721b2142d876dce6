import type { PaymentRow, PaymentSummary } from '@callout/contract/payments';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ADMIN_USER } from './fixtures.ts';
import { failWith, type MockApi, openPage, pressButton } from './open-page.tsx';

const PAYMENT: PaymentRow = {
  id: '6f0b8a52-6f0e-4d53-9f5e-0d4f3c1b2a01',
  amount: '115.00',
  fee: '0.00',
  paid_on: '2026-11-14',
  method: 'bank_transfer',
  note: 'Ref 4711',
  recorded_by: 'Mia',
  recorded_at: '2026-11-14T10:00:00.000Z',
  reverses: null,
  is_reversed: true,
  job_id: '6f0b8a52-6f0e-4d53-9f5e-0d4f3c1b2a02',
  job_number: 'J26110001',
  job_title: 'Hot water',
  customer_name: 'Kauri Property Management',
  invoice_number: 'INV-2026-0187',
  is_invoice_canceled: false,
  matched: null,
};
const REVERSAL: PaymentRow = {
  ...PAYMENT,
  id: '6f0b8a52-6f0e-4d53-9f5e-0d4f3c1b2a03',
  amount: '-115.00',
  is_invoice_canceled: true,
  paid_on: '2026-11-16',
  reverses: PAYMENT.id,
  is_reversed: false,
};
const DEPOSIT: PaymentRow = {
  ...PAYMENT,
  id: '6f0b8a52-6f0e-4d53-9f5e-0d4f3c1b2a04',
  amount: '50.00',
  fee: '1.50',
  method: 'paypal',
  note: null,
  is_reversed: false,
  customer_name: null,
  invoice_number: null,
};
const SUMMARY: PaymentSummary = { entries: 3, reversals: 1, amount: '50.00', fee: '1.50', is_capped: false };
const LIST_CALL = 'GET /payments?sort=paid_on&order=desc';

const openPayments = (path = '/invoices/payments', responses: MockApi = {}) =>
  openPage(path, {
    'GET /me': () => ADMIN_USER,
    [LIST_CALL]: () => ({ rows: [REVERSAL, PAYMENT, DEPOSIT], next_cursor: null }),
    'GET /payments/summary': () => SUMMARY,
    ...responses,
  });

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => {
  setViewportWidth(1024);
});

it.each([1440, 390])('lists payments, deposits and reversals with their totals at %i pixels', async (width) => {
  setViewportWidth(width);
  openPayments();
  const [reversal, payment, deposit] = await screen.findAllByRole('link', { name: /Nov 1[46], 2026/ });
  expect(reversal?.textContent).toContain('-115.00');
  expect(reversal?.textContent).toContain('Reversal, bank transfer');
  expect(reversal?.textContent).toContain('INV-2026-0187, canceled');
  expect(payment?.textContent).toContain('Bank transfer, reversed');
  expect(payment?.querySelector('.line-through')).toBeNull();
  expect(payment?.textContent).toMatch(/Kauri Property Management.*INV-2026-0187(?!, canceled)/);
  expect(payment?.textContent).toContain('Ref 4711');
  expect(deposit?.textContent).toContain('No Customer');
  expect(deposit?.textContent).toContain('1.50 fee');
  const totals = within(await screen.findByLabelText('List totals'));
  for (const text of ['2 payments, 1 reversal', '$50.00', 'PayPal fees, in addition', '$1.50'])
    expect(totals.getByText(text)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe('/api/payments.csv?');
});

it('keeps the list of payments when its totals fail to load and reloads them on Retry', async () => {
  const totals = { response: (): unknown => failWith('FORBIDDEN', 'No sums') };
  openPayments('/invoices/payments', { 'GET /payments/summary': () => totals.response() });
  expect(await screen.findByText('No sums')).toBeDefined();
  expect(await screen.findAllByRole('link', { name: /Nov 1[46], 2026/ })).toHaveLength(3);
  totals.response = () => ({ ...SUMMARY, reversals: 0 });
  await pressButton('Retry');
  expect(await screen.findByText('3 payments')).toBeDefined();
});

it('shows one error when the list of payments and its totals fail to load', async () => {
  const fail = () => failWith('FORBIDDEN');
  openPayments('/invoices/payments', { [LIST_CALL]: fail, 'GET /payments/summary': fail });
  expect(await screen.findAllByText('A failure on purpose')).toHaveLength(1);
});

it('filters by method and period, in the list, the totals, the export and the URL', async () => {
  const { router } = openPayments('/invoices/payments?from=2026-10-01&to=2026-10-31', {
    'GET /payments?from=2026-10-01&to=2026-10-31&sort=paid_on&order=desc': () => ({ rows: [PAYMENT], next_cursor: null }),
    'GET /payments/summary?from=2026-10-01&to=2026-10-31': () => SUMMARY,
    'GET /payments?method=cash&from=2026-10-01&to=2026-10-31&sort=paid_on&order=desc': () => ({ rows: [], next_cursor: null }),
    'GET /payments/summary?method=cash&from=2026-10-01&to=2026-10-31': () => ({ ...SUMMARY, entries: 0 }),
  });
  const period = 'from=2026-10-01&to=2026-10-31';
  await waitFor(() => expect(screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(`/api/payments.csv?${period}`));
  await act(async () => fireEvent.change(screen.getByLabelText('Method'), { target: { value: 'cash' } }));
  expect(await screen.findByText('No payments match these filters.')).toBeDefined();
  expect(router.state.location.search).toEqual({ method: 'cash', from: '2026-10-01', to: '2026-10-31' });
});

it('has an empty state without an export', async () => {
  openPayments('/invoices/payments', {
    [LIST_CALL]: () => ({ rows: [], next_cursor: null }),
    'GET /payments/summary': () => ({ ...SUMMARY, entries: 0 }),
  });
  expect(await screen.findByText('No payments yet')).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Export CSV' })).toBeNull();
});

it('can be sorted on a phone', async () => {
  setViewportWidth(390);
  const { router } = openPayments('/invoices/payments', {
    'GET /payments?sort=amount&order=asc': () => ({ rows: [], next_cursor: null }),
  });
  fireEvent.change(await screen.findByLabelText('Sort by'), { target: { value: 'amount asc' } });
  await waitFor(() => expect(router.state.location.href).toBe('/invoices/payments?sort=amount&order=asc'));
});

it('says so instead of showing totals if a search matches too many payments', async () => {
  openPayments('/invoices/payments?search=e', {
    'GET /payments?search=e&sort=paid_on&order=desc': () => ({ rows: [PAYMENT], next_cursor: null }),
    'GET /payments/summary?search=e': () => ({ ...SUMMARY, is_capped: true }),
  });
  expect(await screen.findByText('More than 10,000 payments match. Narrow them down to see their totals.')).toBeDefined();
});
