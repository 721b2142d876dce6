import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { NO_CONNECTION_MESSAGE } from '../src/lib/request.ts';
import { ADMIN_USER, PROFILE } from './fixtures.ts';
import {
  buildInvoicePage,
  DUE_INVOICE,
  EMPTY_JOBS_RESPONSES,
  findInvoiceLink,
  INVOICE_SUMMARY,
  OLDEST_INVOICES_CALL,
  OVERDUE_INVOICE,
  openInvoiceList,
} from './open-invoices.ts';
import { EMPTY_INVOICE_SUMMARY, failWith, pressButton } from './open-page.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  window.dispatchEvent(new Event('online'));
});

it('marks an invoice whose email failed', async () => {
  openInvoiceList('/invoices', { [OLDEST_INVOICES_CALL]: () => buildInvoicePage({ ...OVERDUE_INVOICE, is_mail_failed: true }) });
  expect(within(await findInvoiceLink('INV-2026-0187')).getByText('Email failed')).toBeDefined();
});

it('links to completed jobs when there are no invoices', async () => {
  openInvoiceList('/invoices', { [OLDEST_INVOICES_CALL]: () => buildInvoicePage(), 'GET /invoices/summary': () => EMPTY_INVOICE_SUMMARY });
  expect(await screen.findByText('No invoices yet')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Completed jobs' }).getAttribute('href')).toBe('/jobs?status=complete');
  expect(screen.queryByRole('link', { name: 'Export CSV' })).toBeNull();
  expect(screen.queryByLabelText('Search invoices')).toBeNull();
});

it('offers to clear a search without results and shows an empty overdue list as good news', async () => {
  const { search } = openInvoiceList('/invoices?search=zzz', {
    'GET /invoices?search=zzz&sort=late_after&order=asc': () => buildInvoicePage(),
    'GET /invoices/summary?search=zzz': () => EMPTY_INVOICE_SUMMARY,
    'GET /invoices?filter=overdue&sort=late_after&order=asc': () => buildInvoicePage(),
    'GET /invoices/summary?filter=overdue': () => EMPTY_INVOICE_SUMMARY,
  });
  expect(await screen.findByText('Nothing matches “zzz”.')).toBeDefined();
  await pressButton('Clear search and filters');
  await findInvoiceLink('INV-2026-0187');
  expect(search()).toEqual({});
  await pressButton(/^Overdue/);
  expect(await screen.findByText('Nobody owes you anything here.')).toBeDefined();
});

it('shows one error when the invoice list fails to load and reloads it on Retry', async () => {
  const server = { isDown: true };
  const response =
    <Data,>(data: Data) =>
    () =>
      server.isDown ? failWith('FORBIDDEN') : data;
  openInvoiceList('/invoices', {
    [OLDEST_INVOICES_CALL]: response(buildInvoicePage(OVERDUE_INVOICE)),
    'GET /invoices/summary': response(INVOICE_SUMMARY),
  });
  expect(await screen.findAllByText('A failure on purpose')).toHaveLength(1);
  server.isDown = false;
  await pressButton('Retry');
  await findInvoiceLink('INV-2026-0187');
});

it('keeps the invoice list when its totals fail to load and reloads them on Retry', async () => {
  const sums = { response: (): unknown => failWith('FORBIDDEN', 'No sums') };
  openInvoiceList('/invoices', { 'GET /invoices/summary': () => sums.response() });
  await findInvoiceLink('INV-2026-0187');
  expect(await screen.findByText('No sums')).toBeDefined();
  sums.response = () => INVOICE_SUMMARY;
  await pressButton('Retry');
  expect(await screen.findByText('4 invoices, 1 credit note')).toBeDefined();
});

it('shows why the totals of a tab failed to load, and reloads them on Retry', async () => {
  const sums = { response: (): unknown => failWith('FORBIDDEN', 'No sums') };
  openInvoiceList('/invoices?filter=unpaid', {
    'GET /invoices?filter=unpaid&sort=late_after&order=asc': () => buildInvoicePage(OVERDUE_INVOICE),
    'GET /invoices/summary?filter=unpaid': () => sums.response(),
  });
  expect(await screen.findByText('No sums')).toBeDefined();
  sums.response = () => INVOICE_SUMMARY;
  await pressButton('Retry');
  expect(await screen.findByText('4 invoices, 1 credit note')).toBeDefined();
});

it('shows one offline message and loads the invoice list once back online', async () => {
  openInvoiceList('/jobs', EMPTY_JOBS_RESPONSES);
  const invoices = await screen.findByRole('link', { name: 'Invoices' });
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  await act(async () => fireEvent.click(invoices));
  expect(await within(screen.getByRole('main')).findAllByText(NO_CONNECTION_MESSAGE)).toHaveLength(1);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await findInvoiceLink('INV-2026-0187');
});

it('ignores invalid URL parameters of the invoice list', async () => {
  openInvoiceList('/invoices?filter=sleeping&age=young&from=yesterday&customer_id=7&sort=weight&order=up');
  expect(await findInvoiceLink('INV-2026-0187')).toBeDefined();
});

it.each([
  ['manager', 1],
  ['accountant', 1],
  ['staff', 0],
] as const)('for the role %s, the jobs page has %s links to the invoices', async (role, count) => {
  openInvoiceList('/jobs', EMPTY_JOBS_RESPONSES, role);
  await screen.findByText('No jobs found');
  expect(screen.queryAllByRole('link', { name: 'Invoices' })).toHaveLength(count);
});

it.each([390, 1440])('highlights Jobs in the menu on the invoices page at %i px', async (width) => {
  window.happyDOM.setViewport({ width });
  openInvoiceList();
  await screen.findByRole('heading', { level: 1, name: 'Invoices' });
  if (width < 1024) await pressButton('More');
  const menu = within(screen.getByRole('navigation', { name: 'Main menu' }));
  expect(menu.getAllByRole('link', { current: 'page' }).map(({ textContent }) => textContent)).toEqual(['Jobs']);
  window.happyDOM.setViewport({ width: 1024 });
});

it("reloads an open invoice list at midnight in the company's time zone", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-16T10:59:30Z') });
  const server = { row: DUE_INVOICE };
  openInvoiceList('/invoices', {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, timezone: 'Pacific/Auckland' } }),
    [OLDEST_INVOICES_CALL]: () => buildInvoicePage(server.row),
  });
  const shown = await findInvoiceLink('INV-2026-0209');
  expect(within(shown).queryByText(/late/)).toBeNull();
  server.row = { ...DUE_INVOICE, shown_status: 'overdue', days_late: 1 };
  await act(async () => vi.advanceTimersByTime(60_000));
  expect(await screen.findByText(/1 day late/)).toBeDefined();
  vi.useRealTimers();
});
