import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NO_CONNECTION_MESSAGE, UNEXPECTED_ERROR_MESSAGE } from '../src/lib/request.ts';
import { failWith, pressButton } from './open-page.tsx';
import {
  buildCanceledInvoice,
  buildPaidInvoice,
  buildPublicInvoice,
  getAmountCardRows,
  INVOICE_CONTENT,
  openPublicInvoice,
  PUBLIC_INVOICE_PATH,
  waitForInvoice,
} from './open-public-invoice.tsx';
import { getTableRows } from './open-public-quote.tsx';

const NOT_FOUND_MESSAGE = "The invoice you're looking for doesn't exist or is not accessible.";
const getDetails = () => screen.getByRole('region', { name: 'Invoice Details' });
const openInvoice = async (invoice = buildPublicInvoice()) => {
  openPublicInvoice(invoice);
  await waitForInvoice();
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('loading a public invoice', () => {
  it('shows a loading message', async () => {
    const response = Promise.withResolvers<unknown>();
    openPublicInvoice(() => response.promise);
    expect(screen.getByText('Loading invoice...')).toBeDefined();
    response.resolve(buildPublicInvoice());
    await waitForInvoice();
    expect(screen.queryByText('Loading invoice...')).toBeNull();
    await waitFor(() => expect(document.title).toBe('Invoice #J25010042 · Tāne Plumbing & Gas'));
  });

  it('shows a not-found page for a missing invoice, without a Retry button', async () => {
    openPublicInvoice(() => failWith('NOT_FOUND', NOT_FOUND_MESSAGE));
    expect(await screen.findByRole('heading', { name: 'Invoice Not Found' })).toBeDefined();
    expect(screen.getByText(NOT_FOUND_MESSAGE)).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it.each([
    ['no connection', () => Promise.reject(new TypeError('Failed to fetch')), NO_CONNECTION_MESSAGE],
    [
      'a server error',
      () => failWith('INTERNAL', '', { reference: '4f1c2a9b8d3e' }),
      `${UNEXPECTED_ERROR_MESSAGE} Reference: 4f1c2a9b8d3e`,
    ],
  ])('shows the reason and offers a retry after %s', async (_name, fail, reason) => {
    const responses = [fail, () => buildPublicInvoice()];
    openPublicInvoice(() => responses.shift()?.());
    expect(await screen.findByRole('heading', { name: 'Invoice Not Found' })).toBeDefined();
    expect([screen.getByText(NOT_FOUND_MESSAGE), screen.getByText(reason)]).toHaveLength(2);
    await pressButton('Try again');
    await waitForInvoice();
  });

  it('reports the invoice as opened once, after two visible seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const reported = vi.fn(() => ({}));
    openPublicInvoice(buildPublicInvoice(), { [`POST ${PUBLIC_INVOICE_PATH}/opened`]: reported });
    await waitForInvoice();
    expect(reported).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10_000);
    await waitFor(() => expect(reported).toHaveBeenCalledTimes(1));
  });
});

describe('public invoice header', () => {
  it('shows number, title, total with currency and due date', async () => {
    await openInvoice();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Invoice #J25010042 Roof');
    expect(getAmountCardRows()).toEqual(['$118.74 | NZD', 'Due Jan 5, 2025 | includes PayPal Fee $3.74']);
    expect(screen.getByRole('link', { name: 'Download PDF' }).getAttribute('href')).toBe(`/api${PUBLIC_INVOICE_PATH}/pdf`);
    expect(screen.queryByRole('region', { name: 'Description' })).toBeNull();
  });

  it('shows Due Immediately without a due date and omits a missing currency', async () => {
    await openInvoice(buildPublicInvoice({ content: { due_on: null, currency: null } }));
    expect(getAmountCardRows()).toEqual(['$118.74', 'Due Immediately | includes PayPal Fee $3.74']);
  });

  it('shows the logo at 30% width, at most 200 px high, and the description', async () => {
    await openInvoice(buildPublicInvoice({ content: { description: 'Replaced the flashing.' }, overrides: { logo_url: '/logo.png' } }));
    const logo = screen.getByRole('img', { name: 'Tāne Plumbing & Gas' });
    expect(logo.className).toMatch(/max-h-\[200px\] w-\[30%\]/);
    expect(screen.getByRole('region', { name: 'Description' }).textContent).toBe('Replaced the flashing.');
  });

  it.each([
    [
      { name: 'Anna Pereira', company_name: 'Ōrākei Dental Ltd', address: '5 Hill Road\nNapier' },
      'Bill ToŌrākei Dental LtdAnna Pereira5 Hill Road\nNapier',
    ],
    [{ name: 'Anna Pereira', company_name: null, address: null }, 'Bill ToAnna Pereira'],
    [null, 'Bill ToCustomer'],
  ])('shows the billed customer %j', async (customer, text) => {
    await openInvoice(buildPublicInvoice({ content: { customer } }));
    expect(screen.getByRole('region', { name: 'Bill To' }).textContent).toBe(text);
  });

  it.each([
    ['Tāne Plumbing & Gas', 'Bill FromTāne Plumbing & Gas12 Karangahape Road09 555 0100office@example.com'],
    [null, 'Bill FromCompany12 Karangahape Road09 555 0100office@example.com'],
  ])('shows the issuer %s', async (company_name, text) => {
    await openInvoice(buildPublicInvoice({ content: { issuer: { ...INVOICE_CONTENT.issuer, company_name } } }));
    expect(screen.getByRole('region', { name: 'Bill From' }).textContent).toBe(text);
  });
});

describe('public invoice details', () => {
  it('are collapsed at first, open on click and are always printed', async () => {
    await openInvoice();
    const button = screen.getByRole('button', { name: 'Invoice Details 2 items' });
    const body = document.getElementById(button.getAttribute('aria-controls') ?? '');
    expect(button.getAttribute('aria-expanded')).toBe('false');
    expect(body?.className).toContain('hidden print:block');
    fireEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(body?.className).not.toContain('hidden');
  });

  it('list items with their prices and tax, then subtotal, GST, fee and total', async () => {
    await openInvoice();
    expect(getTableRows(getDetails())).toEqual([
      'Flashing1 × 57.50 each | 57.50 | inc GST',
      'Fitting itServiceOn the ridge2.5 × 20.00 each | 50.00 | exc GST',
      'Subtotal | 100.00',
      'GST 15% | 15.00',
      'PayPal Fee | 3.74',
      'Total | $118.74',
    ]);
    expect(getDetails().textContent).toContain('Invoice numberINV-2025-0187IssuedJan 3, 2025');
    expect(getDetails().textContent).not.toContain('Replaces');
  });

  it('name the invoice that a corrected one replaces', async () => {
    await openInvoice(buildPublicInvoice({ overrides: { replaces: { invoice_number: 'INV-2025-0159', credit_note: 'CN-2025-0003' } } }));
    expect(getDetails().textContent).toContain('IssuedJan 3, 2025ReplacesINV-2025-0159 (canceled by CN-2025-0003)');
  });

  it('omit the fee after a payment, so that the total minus payments equals the amount due', async () => {
    await openInvoice(buildPublicInvoice({ paid: '50.00' }));
    expect(getTableRows(getDetails()).slice(2)).toEqual(['Subtotal | 100.00', 'GST 15% | 15.00', 'Total | $115.00']);
    expect(getTableRows(screen.getByRole('region', { name: 'Payments' }))).toEqual([
      'Items and GST | 115.00',
      'Paid Jan 4, 2025 | -50.00',
      'Amount due | $65.00',
    ]);
  });

  it('omit the fee row when fees are off and use the singular for one item', async () => {
    const fees = { add_paypal_fees: false, paypal_fee_percentage: null };
    await openInvoice(buildPublicInvoice({ content: { fees, items: INVOICE_CONTENT.items.slice(0, 1) } }));
    expect(screen.getByRole('button', { name: 'Invoice Details 1 item' })).toBeDefined();
    expect(getTableRows(getDetails()).slice(1)).toEqual(['Subtotal | 50.00', 'GST 15% | 7.50', 'Total | $57.50']);
    expect(screen.queryByText(/PayPal Fee/)).toBeNull();
  });

  it('state that an invoice without items has nothing to pay', async () => {
    await openInvoice(buildPublicInvoice({ content: { items: [] } }));
    expect(screen.getByText('No items found for this invoice.')).toBeDefined();
    expect(getAmountCardRows()).toEqual(['$0.00 | NZD', 'There is nothing to pay.']);
    expect(screen.queryByRole('tab')).toBeNull();
  });
});

describe('public invoice in each payment state', () => {
  const getPaymentRows = () => getTableRows(screen.queryByRole('region', { name: 'Payments' }));

  it('shows the current job as a draft before an invoice is issued', async () => {
    await openInvoice(buildPublicInvoice({ issue: null }));
    expect(getAmountCardRows()).toEqual(['Total | Draft', '$118.74 | NZD', 'Due Jan 5, 2025 | includes PayPal Fee $3.74']);
    expect(getDetails().textContent).toContain("This invoice hasn't been issued yet. It shows the job's current state.");
    expect(screen.getByRole('link', { name: 'Pay $118.74' })).toBeDefined();
  });

  it('requests a deposit', async () => {
    await openInvoice(buildPublicInvoice({ issue: null, deposit: '50.00', paid: '10.00' }));
    expect(getAmountCardRows().slice(0, 2)).toEqual(['Deposit due', '$41.50 | NZD']);
    expect(getPaymentRows()).toEqual([
      'Items and GST | 115.00',
      'Paid Jan 4, 2025 | -10.00',
      'Outstanding | 105.00',
      'Deposit due | $40.00',
    ]);
  });

  it('thanks the customer for the deposit and requests nothing more until the work is done', async () => {
    const response = { payment_link: null, bank_name: null, bank_account_number: null };
    await openInvoice(buildPublicInvoice({ issue: null, deposit: '50.00', paid: '50.00', overrides: response }));
    expect(getAmountCardRows()).toEqual([
      'Total | Deposit paid',
      '$115.00 | NZD',
      "Thank you. You'll be invoiced for the rest when the work is done.",
    ]);
    expect(getPaymentRows()).toEqual(['Items and GST | 115.00', 'Paid Jan 4, 2025 | -50.00', 'Remaining | $65.00']);
    expect(screen.queryByRole('heading', { name: /pay/i, level: 2 })?.textContent).toBe('Payments');
    expect(screen.queryByRole('link', { name: /^Pay/ })).toBeNull();
  });

  it('shows payments so far and the amount due', async () => {
    await openInvoice(buildPublicInvoice({ paid: '15.00' }));
    expect(getAmountCardRows().slice(0, 2)).toEqual(['Amount due', '$103.30 | NZD']);
    expect(getPaymentRows()).toEqual(['Items and GST | 115.00', 'Paid Jan 4, 2025 | -15.00', 'Amount due | $100.00']);
    expect(getTableRows(document.getElementById('online-panel'))).toEqual([
      'Amount due | 100.00',
      'PayPal Fee | 3.30',
      'Total online | $103.30',
    ]);
  });

  it('marks a paid invoice as paid and hides payment methods', async () => {
    await openInvoice(buildPaidInvoice());
    expect(getAmountCardRows()).toEqual(['Total | Paid', '$115.00 | NZD', 'Paid in full on Jan 4, 2025']);
    expect(getPaymentRows()).toEqual(['Items and GST | 115.00', 'Paid Jan 4, 2025 | -115.00', 'Amount due | $0.00']);
    expect(screen.queryByText('Select a payment method')).toBeNull();
    expect(screen.queryByRole('link', { name: /^Pay/ })).toBeNull();
  });

  it('shows the overpaid amount', async () => {
    await openInvoice(buildPaidInvoice({ paid: '120.00' }));
    expect(getPaymentRows().at(-1)).toBe('Overpaid | $5.00');
  });

  it.each(['CN-2025-0003', null])('marks a canceled invoice as canceled, with the credit note %s', async (creditNote) => {
    await openInvoice(buildCanceledInvoice(creditNote));
    expect(getAmountCardRows()).toEqual([
      'Total | Canceled',
      '$115.00 | NZD',
      'There is nothing to pay.',
      ...(creditNote === null ? [] : ['Credit note  | CN-2025-0003']),
    ]);
    expect(screen.queryByText('Select a payment method')).toBeNull();
  });
});

describe('public invoice tab that becomes visible again', () => {
  const returnToTab = async (invoice: unknown) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const responses = [buildPublicInvoice(), invoice];
    openPublicInvoice(() => responses.shift() ?? failWith('NOT_FOUND', NOT_FOUND_MESSAGE));
    await waitForInvoice();
    await vi.advanceTimersByTimeAsync(31_000);
    document.dispatchEvent(new Event('visibilitychange'));
  };

  it.each([
    [buildPaidInvoice(), 'This invoice has been paid. Thank you!'],
    [buildCanceledInvoice('CN-2025-0003'), 'This invoice has been canceled.'],
    [buildPublicInvoice({ paid: '15.00' }), 'Payments on this invoice have been updated.'],
    [buildPublicInvoice({ content: { title: 'Roof and gutter' } }), 'This invoice has been updated.'],
  ])('announces how the invoice changed: %#', async (invoice, text) => {
    await returnToTab(invoice);
    const banner = await screen.findByText(text);
    await waitFor(() => expect(document.activeElement).toBe(banner));
  });

  it('does not announce a changed logo', async () => {
    await returnToTab(buildPublicInvoice({ overrides: { logo_url: '/other.png' } }));
    expect(await screen.findByRole('img')).toBeDefined();
    expect(within(screen.getByRole('main')).queryByText(/has been/)).toBeNull();
  });

  it('shows a not-found page when the invoice was deleted', async () => {
    await returnToTab(null);
    expect(await screen.findByRole('heading', { name: 'Invoice Not Found' })).toBeDefined();
  });
});
