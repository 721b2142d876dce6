import type { PublicInvoice } from '@callout/contract/public-invoices';
import { type InvoiceContent, type InvoiceIssue, invoiceDocument, settledDocument } from '@callout/domain/invoices/invoice-document';
import { invoiceItemName, type Owed, paymentLink, paymentRequest } from '@callout/domain/invoices/payment-request';
import { formatMoney } from '@callout/domain/money/money-text';
import { render, screen } from '@testing-library/react';
import { PublicInvoicePage } from '../src/features/invoices/public/public-invoice.tsx';
import { type Answers, playServer } from './open-page.tsx';

export const TOKEN = 'mCk3J0dX-q1Yw7Zr_b2NnA';
export const CALL = `/public/invoices/${TOKEN}`;

/** 115.00 with the tax of 15.00; with the fee of 3.74 it is 118.74: the worked example of the spec. */
export const CONTENT: InvoiceContent = {
  job_number: 'J25010042',
  title: 'Roof',
  description: null,
  job_type: 'hourly',
  fixed_amount: null,
  items: [
    { name: 'Flashing', description: null, is_service: false, tax_inclusive: true, quantity: '1', unit_price: '57.50', total: '57.50' },
    {
      name: 'Fitting it',
      description: 'On the ridge',
      is_service: true,
      tax_inclusive: false,
      quantity: '2.5',
      unit_price: '20.00',
      total: '50.00',
    },
  ],
  tax_rate: '15',
  fees: { add_paypal_fees: true, paypal_fee_percentage: null },
  currency: 'NZD',
  issuer: { company_name: 'Tāne Plumbing & Gas', address: '12 Karangahape Road', phone: '09 555 0100', email: 'office@example.com' },
  customer: { name: 'Anna Pereira', company_name: 'Ōrākei Dental Ltd' },
  due_on: '2025-01-05',
};

const ISSUE: InvoiceIssue = { invoice_number: 'INV-2025-0187', issued_on: '2025-01-03' };

interface Fixture {
  content?: Partial<InvoiceContent>;
  /** Null for a draft. */
  issue?: InvoiceIssue | null;
  paid?: string;
  deposit?: string | null;
  /** What the answer has beside the document and what is asked for. */
  answer?: Partial<PublicInvoice>;
}

/** As the server answers: the document and the request are made by the functions of the domain. */
export function publicInvoice({ content, issue = ISSUE, paid = '0.00', deposit = null, answer }: Fixture = {}): PublicInvoice {
  const all = { ...CONTENT, ...content };
  const priced = invoiceDocument(all, issue);
  const isAsked = answer?.state !== 'paid' && answer?.state !== 'canceled';
  const document = isAsked && paid === '0.00' ? priced : settledDocument(priced);
  const owed: Owed = { amount: document.exact.amount, paid, deposit, isDue: issue !== null };
  const request = paymentRequest(owed, all.fees);
  const payments = paid === '0.00' ? [] : [{ date: 'Jan 4, 2025', amount: paid }];
  const { currency } = all;
  return {
    state: issue === null ? 'draft' : 'open',
    document: {
      ...document,
      issuer: { ...document.issuer },
      customer: document.customer && { ...document.customer },
      items: [...document.items],
      exact: { ...document.exact },
    },
    logo_url: null,
    payments,
    paid_amount: paid,
    request: { ...request },
    deposit: request.what === 'deposit' ? formatMoney(request.amount, currency) : null,
    credit_note: null,
    replaces: null,
    payment_link: paymentLink({ business: 'pay@example.com', amount: request.total, currency, item_name: invoiceItemName(all) }),
    bank_name: 'Kiwibank',
    bank_account_number: '38-9000-0123456-00',
    ...answer,
  };
}

const NO_METHODS = { payment_link: null, bank_name: null, bank_account_number: null };

export const paidInvoice = (fixture: Fixture = {}) =>
  publicInvoice({ paid: '115.00', ...fixture, answer: { state: 'paid', ...NO_METHODS, ...fixture.answer } });

export const canceledInvoice = (credit_note: string | null) => publicInvoice({ answer: { state: 'canceled', credit_note, ...NO_METHODS } });

/** The page of an invoice as a customer opens it; only the server is simulated. */
export function openPublicInvoice(invoice: PublicInvoice | (() => unknown), answers: Answers = {}): void {
  const read = typeof invoice === 'function' ? invoice : () => invoice;
  playServer({ [`GET ${CALL}`]: read, [`POST ${CALL}/opened`]: () => ({}), ...answers });
  render(<PublicInvoicePage token={TOKEN} />);
}

export const waitForInvoice = () => screen.findByRole('heading', { name: /^Invoice #/, level: 1 });

/** The card with the large total, as a person reads it. */
export const amountCard = () =>
  [...screen.getByRole('region', { name: 'Amount' }).querySelectorAll('p')].map((row) =>
    [...row.childNodes].map((part) => part.textContent).join(' | '),
  );
