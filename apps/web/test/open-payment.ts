import type { Profile } from '@callout/contract/company';
import type { Billing } from '@callout/contract/invoices';
import { act, fireEvent, screen } from '@testing-library/react';
import { type Answers, openPage, press } from './open-page.tsx';
import { BILLING, INVOICE, INVOICE_MAIL, JOB, JOB_PARTS, OWNER, PAYMENT, PROFILE } from './people.ts';

export const PAYMENT_PATH = `/jobs/${JOB.id}/payment`;
const BILLING_PATH = `/jobs/${JOB.id}/billing`;
export const SEND = `POST /jobs/${JOB.id}/invoices`;

/** A company that can be paid in both ways. */
const BANKED: Profile = { ...PROFILE, bank_name: 'ANZ', bank_account_number: '12-3456-7890123-00' };

/** Sent three days before, with the mail that took it. */
export const INVOICED: Partial<Billing> = {
  job: { ...BILLING.job, status: 'invoiced' },
  document: { ...BILLING.document, invoice_number: INVOICE.invoice_number, issued: 'Apr 3, 2026' },
  invoice: INVOICE,
  invoices: [INVOICE],
  mails: [INVOICE_MAIL],
};

export const PARTLY_PAID: Partial<Billing> = {
  paid_amount: '50.00',
  payments: [PAYMENT],
  request: { what: 'balance', outstanding: '65.00', overpaid: '0.00', amount: '65.00', fee: '2.25', total: '67.25' },
};

export const PAID: Partial<Billing> = {
  ...INVOICED,
  job: { ...BILLING.job, status: 'paid' },
  paid_amount: '115.00',
  payments: [{ ...PAYMENT, amount: '115.00' }],
  request: { what: 'balance', outstanding: '0.00', overpaid: '0.00', amount: '0.00', fee: '0.00', total: '0.00' },
  payment_link: null,
};

/** Nothing on the job costs anything. */
const FREE = {
  ...BILLING.document,
  items: [],
  fee: null,
  total: '$0.00',
  exact: { subtotal: '0.00', tax: '0.00', amount: '0.00', fee: '0.00', total: '0.00' },
};
export const NOTHING_TO_BILL: Partial<Billing> = {
  document: FREE,
  current: FREE,
  request: { what: 'balance', outstanding: '0.00', overpaid: '0.00', amount: '0.00', fee: '0.00', total: '0.00' },
  payment_link: null,
};

/** The server's bill, which tests may change under the page. */
export function openPayment(change: Partial<Billing> = {}, more: Answers = {}, profile: Partial<Profile> = {}) {
  const server = { billing: { ...BILLING, ...change } };
  const page = openPage(PAYMENT_PATH, {
    'GET /me': () => ({ ...OWNER, profile: { ...BANKED, ...profile } }),
    [`GET ${BILLING_PATH}`]: () => server.billing,
    [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, status: server.billing.job.status, paid_amount: server.billing.paid_amount }),
    ...JOB_PARTS,
    ...more,
  });
  return { ...page, server };
}

export const findBill = () => screen.findByRole('region', { name: 'Invoice' });

/** Opens a menu behind '…' and chooses. */
export async function chooseFrom(menu: string | RegExp, item: string) {
  await press(menu);
  const entry = await screen.findByRole('menuitem', { name: item });
  await act(async () => fireEvent.click(entry));
}
