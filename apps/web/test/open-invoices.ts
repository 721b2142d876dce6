import type { InvoiceRow, InvoiceSummary } from '@callout/contract/invoices';
import type { Role } from '@callout/domain/roles/roles';
import { screen } from '@testing-library/react';
import { ADMIN_USER, CUSTOMER, JOB, PROFILE } from './fixtures.ts';
import { type MockApi, openPage } from './open-page.tsx';

export const OVERDUE_INVOICE: InvoiceRow = {
  id: '018f0000-0000-7000-8000-0000000001a1',
  kind: 'invoice',
  invoice_number: 'INV-2026-0187',
  job_id: JOB.id,
  job_number: 'J26100871',
  title: 'Hot water repair, unit 2',
  customer_id: CUSTOMER.id,
  customer_name: 'Kauri Property Management',
  issued_on: '2026-10-05',
  due_on: '2026-10-12',
  late_after: '2026-10-12',
  state: 'open',
  shown_status: 'overdue',
  days_late: 36,
  subtotal: '364.00',
  tax_amount: '54.60',
  total_amount: '418.60',
  paid_amount: '100.00',
  balance: '318.60',
  currency: 'NZD',
  sent_at: '2026-10-05T00:00:00.000Z',
  handed_over_by: null,
  credited_by: null,
  replaced_by: null,
  created_at: '2026-10-05T00:00:00.000Z',
  job_status: 'invoiced',
  is_mail_failed: false,
  matched: null,
};
const buildInvoiceRow = (number: number, change: Partial<InvoiceRow>): InvoiceRow => ({
  ...OVERDUE_INVOICE,
  id: `018f0000-0000-7000-8000-0000000002${String(number).padStart(2, '0')}`,
  invoice_number: `INV-2026-02${String(number).padStart(2, '0')}`,
  paid_amount: '0.00',
  ...change,
});
export const DUE_INVOICE = buildInvoiceRow(9, {
  customer_name: 'Ōrākei Dental Ltd',
  shown_status: 'due',
  due_on: '2026-11-20',
  late_after: '2026-11-20',
  days_late: -3,
  total_amount: '1026.38',
  balance: '1026.38',
});
export const PAID_INVOICE = buildInvoiceRow(8, {
  shown_status: 'paid',
  due_on: null,
  total_amount: '276.00',
  paid_amount: '276.00',
  balance: '0.00',
});
export const REPLACED_INVOICE = buildInvoiceRow(7, {
  state: 'replaced',
  shown_status: 'replaced',
  balance: '0.00',
  replaced_by: { id: DUE_INVOICE.id, invoice_number: DUE_INVOICE.invoice_number },
});
export const CREDIT_NOTE = buildInvoiceRow(6, {
  kind: 'credit_note',
  invoice_number: 'CN-2026-0003',
  shown_status: 'paid',
  total_amount: '90.00',
  balance: '0.00',
});

export const LAST_YEAR_INVOICE = buildInvoiceRow(5, { issued_on: '2025-12-05', shown_status: 'paid' });

export const INVOICE_SUMMARY: InvoiceSummary = {
  total: { invoices: 4, credit_notes: 1, amount: '1630.98', tax_amount: '212.74' },
  paid: '376.00',
  overpaid: '0.00',
  outstanding: { count: 2, amount: '1344.98', unsent: 0 },
  ages: [
    { age: 'current', count: 1, amount: '1026.38' },
    { age: 'days_30', count: 0, amount: '0.00' },
    { age: 'days_60', count: 1, amount: '318.60' },
    { age: 'days_90', count: 0, amount: '0.00' },
    { age: 'older', count: 0, amount: '0.00' },
  ],
  filters: { all: 5, unpaid: 2, overdue: 1, paid: 1, unsent: 0 },
  is_capped: false,
};
export const OVERDUE_SUMMARY: InvoiceSummary = {
  ...INVOICE_SUMMARY,
  total: { invoices: 1, credit_notes: 0, amount: '418.60', tax_amount: '54.60' },
  paid: '100.00',
  outstanding: { count: 1, amount: '318.60', unsent: 0 },
};

export const buildInvoicePage = (...rows: InvoiceRow[]) => ({ rows, next_cursor: null });
export const OLDEST_INVOICES_CALL = 'GET /invoices?sort=late_after&order=asc';

export function openInvoiceList(path = '/invoices', responses: MockApi = {}, role: Role = 'admin') {
  const opened = openPage(path, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role } }),
    [OLDEST_INVOICES_CALL]: () => buildInvoicePage(OVERDUE_INVOICE, DUE_INVOICE, PAID_INVOICE, REPLACED_INVOICE, CREDIT_NOTE),
    'GET /invoices/summary': () => INVOICE_SUMMARY,
    ...responses,
  });
  return { ...opened, search: () => opened.router.state.location.search };
}

export const EMPTY_JOBS_RESPONSES: MockApi = {
  'GET /jobs?sort=created_at&order=desc': () => ({ rows: [], next_cursor: null }),
  'GET /jobs/count': () => ({ total: 0 }),
};

export async function findInvoiceLink(number: string): Promise<HTMLAnchorElement> {
  const name = await screen.findByText(number);
  const found = name.closest('a');
  if (!found) throw new Error(`${number} is not in a link`);
  return found;
}
export const getInvoiceNumbers = () => [...document.querySelectorAll('[data-name]')].map(({ textContent }) => textContent);
