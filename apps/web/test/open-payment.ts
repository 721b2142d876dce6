import type { Profile } from '@callout/contract/company';
import type { Billing } from '@callout/contract/invoices';
import { act, fireEvent, screen } from '@testing-library/react';
import { BILLING, INVOICE, INVOICE_MAIL, PAYMENT } from './billing-fixtures.ts';
import { ADMIN_USER, JOB, JOB_PAGE_RESPONSES, PROFILE } from './fixtures.ts';
import { type MockApi, openPage, pressButton } from './open-page.tsx';

export const PAYMENT_PATH = `/jobs/${JOB.id}/payment`;
const BILLING_PATH = `/jobs/${JOB.id}/billing`;
export const SEND_INVOICE_CALL = `POST /jobs/${JOB.id}/invoices`;

/** Profile of a company that accepts bank transfers in addition to PayPal. */
const PROFILE_WITH_BANK: Profile = { ...PROFILE, bank_name: 'ANZ', bank_account_number: '12-3456-7890123-00' };

/** Billing with an invoice that was emailed on April 3, two days before `BILLING.today`. */
export const INVOICED_BILLING: Partial<Billing> = {
  job: { ...BILLING.job, status: 'invoiced' },
  document: { ...BILLING.document, invoice_number: INVOICE.invoice_number, issued: 'Apr 3, 2026' },
  invoice: INVOICE,
  invoices: [INVOICE],
  mails: [INVOICE_MAIL],
};

export const PARTLY_PAID_BILLING: Partial<Billing> = {
  paid_amount: '50.00',
  payments: [PAYMENT],
  request: { what: 'balance', outstanding: '65.00', overpaid: '0.00', amount: '65.00', fee: '2.25', total: '67.25' },
};

export const PAID_BILLING: Partial<Billing> = {
  ...INVOICED_BILLING,
  job: { ...BILLING.job, status: 'paid' },
  paid_amount: '115.00',
  payments: [{ ...PAYMENT, amount: '115.00' }],
  request: { what: 'balance', outstanding: '0.00', overpaid: '0.00', amount: '0.00', fee: '0.00', total: '0.00' },
  payment_link: null,
};

/** The invoice document of a job without charges. */
const FREE_DOCUMENT = {
  ...BILLING.document,
  items: [],
  fee: null,
  total: '$0.00',
  exact: { subtotal: '0.00', tax: '0.00', amount: '0.00', fee: '0.00', total: '0.00' },
};
export const FREE_BILLING: Partial<Billing> = {
  document: FREE_DOCUMENT,
  current: FREE_DOCUMENT,
  request: { what: 'balance', outstanding: '0.00', overpaid: '0.00', amount: '0.00', fee: '0.00', total: '0.00' },
  payment_link: null,
};

/** Opens the page. Returns the mock server's billing state, which tests can change while the page is open. */
export function openPaymentPage(change: Partial<Billing> = {}, responses: MockApi = {}, profile: Partial<Profile> = {}) {
  const server = { billing: { ...BILLING, ...change } };
  const page = openPage(PAYMENT_PATH, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE_WITH_BANK, ...profile } }),
    [`GET ${BILLING_PATH}`]: () => server.billing,
    [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, status: server.billing.job.status, paid_amount: server.billing.paid_amount }),
    ...JOB_PAGE_RESPONSES,
    ...responses,
  });
  return { ...page, server };
}

export const findInvoice = () => screen.findByRole('region', { name: 'Invoice' });

/** Opens a "…" menu and chooses an item. */
export async function chooseMenuItem(menu: string | RegExp, item: string) {
  await pressButton(menu);
  const entry = await screen.findByRole('menuitem', { name: item });
  await act(async () => fireEvent.click(entry));
}
