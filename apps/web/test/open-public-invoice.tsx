import type { PublicInvoice } from '@callout/contract/public-invoices';
import {
  buildInvoiceDocument,
  type InvoiceContent,
  type InvoiceIssuance,
  withoutPaymentFee,
} from '@callout/domain/invoices/invoice-document';
import {
  buildPaymentLink,
  calculatePaymentRequest,
  formatInvoiceItemName,
  type PaymentRequestInput,
} from '@callout/domain/invoices/payment-request';
import { formatMoney } from '@callout/domain/money/money-format';
import { render, screen } from '@testing-library/react';
import { PublicInvoicePage } from '../src/features/invoices/public/public-invoice-page.tsx';
import { type MockApi, mockServer } from './open-page.tsx';

export const PUBLIC_TOKEN = 'mCk3J0dX-q1Yw7Zr_b2NnA';
export const PUBLIC_INVOICE_PATH = `/public/invoices/${PUBLIC_TOKEN}`;

/** The specification's worked example: 115.00 including 15.00 tax, or 118.74 with the PayPal fee of 3.74. */
export const INVOICE_CONTENT: InvoiceContent = {
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
  customer: { name: 'Anna Pereira', company_name: 'Ōrākei Dental Ltd', address: null },
  due_on: '2025-01-05',
};

const ISSUANCE: InvoiceIssuance = { invoice_number: 'INV-2025-0187', issued_on: '2025-01-03' };

interface PublicInvoiceFixture {
  content?: Partial<InvoiceContent>;
  /** Null builds a draft, which hasn't been issued. */
  issue?: InvoiceIssuance | null;
  paid?: string;
  deposit?: string | null;
  /** Fields that replace those of the built response. */
  overrides?: Partial<PublicInvoice>;
}

/** Builds the response like the server: the domain functions calculate the document and the payment request. */
export function buildPublicInvoice({
  content,
  issue = ISSUANCE,
  paid = '0.00',
  deposit = null,
  overrides,
}: PublicInvoiceFixture = {}): PublicInvoice {
  const all = { ...INVOICE_CONTENT, ...content };
  const pricedDocument = buildInvoiceDocument(all, issue);
  const isPayable = overrides?.state !== 'paid' && overrides?.state !== 'canceled';
  const document = isPayable && paid === '0.00' ? pricedDocument : withoutPaymentFee(pricedDocument);
  const owed: PaymentRequestInput = { amount: document.exact.amount, paid, deposit, isDue: issue !== null };
  const request = calculatePaymentRequest(owed, all.fees);
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
    payment_link: buildPaymentLink({ business: 'pay@example.com', amount: request.total, currency, item_name: formatInvoiceItemName(all) }),
    bank_name: 'Kiwibank',
    bank_account_number: '38-9000-0123456-00',
    ...overrides,
  };
}

const NO_PAYMENT_METHODS = { payment_link: null, bank_name: null, bank_account_number: null };

export const buildPaidInvoice = (fixture: PublicInvoiceFixture = {}) =>
  buildPublicInvoice({ paid: '115.00', ...fixture, overrides: { state: 'paid', ...NO_PAYMENT_METHODS, ...fixture.overrides } });

export const buildCanceledInvoice = (credit_note: string | null) =>
  buildPublicInvoice({ overrides: { state: 'canceled', credit_note, ...NO_PAYMENT_METHODS } });

/** Opens an invoice as the customer would. Only the server is mocked. */
export function openPublicInvoice(invoice: PublicInvoice | (() => unknown), responses: MockApi = {}): void {
  const read = typeof invoice === 'function' ? invoice : () => invoice;
  mockServer({ [`GET ${PUBLIC_INVOICE_PATH}`]: read, [`POST ${PUBLIC_INVOICE_PATH}/opened`]: () => ({}), ...responses });
  render(<PublicInvoicePage token={PUBLIC_TOKEN} />);
}

export const waitForInvoice = () => screen.findByRole('heading', { name: /^Invoice #/, level: 1 });

/** Returns the rows of the card with the large total. ` | ` separates the parts of a row. */
export const getAmountCardRows = () =>
  [...screen.getByRole('region', { name: 'Amount' }).querySelectorAll('p')].map((row) =>
    [...row.childNodes].map((part) => part.textContent).join(' | '),
  );
