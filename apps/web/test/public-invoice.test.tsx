import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NO_CONNECTION, UNEXPECTED } from '../src/lib/request.ts';
import { press, refuse } from './open-page.tsx';
import {
  amountCard,
  CALL,
  CONTENT,
  canceledInvoice,
  openPublicInvoice,
  paidInvoice,
  publicInvoice,
  waitForInvoice,
} from './open-public-invoice.tsx';
import { rowsIn } from './open-public-quote.tsx';

const MISSING = "The invoice you're looking for doesn't exist or is not accessible.";
const details = () => screen.getByRole('region', { name: 'Invoice Details' });
const open = async (invoice = publicInvoice()) => {
  openPublicInvoice(invoice);
  await waitForInvoice();
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('reading an invoice', () => {
  it('says that it is loading', async () => {
    const answer = Promise.withResolvers<unknown>();
    openPublicInvoice(() => answer.promise);
    expect(screen.getByText('Loading invoice...')).toBeDefined();
    answer.resolve(publicInvoice());
    await waitForInvoice();
    expect(screen.queryByText('Loading invoice...')).toBeNull();
    await waitFor(() => expect(document.title).toBe('Invoice #J25010042 · Tāne Plumbing & Gas'));
  });

  it('says that an invoice does not exist, without offering to try again', async () => {
    openPublicInvoice(() => refuse('NOT_FOUND', MISSING));
    expect(await screen.findByRole('heading', { name: 'Invoice Not Found' })).toBeDefined();
    expect(screen.getByText(MISSING)).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it.each([
    ['no connection', () => Promise.reject(new TypeError('Failed to fetch')), NO_CONNECTION],
    ['an error of the server', () => refuse('INTERNAL'), UNEXPECTED],
  ])('shows the same with the reason after %s, and tries again', async (_name, fail, reason) => {
    const answers = [fail, () => publicInvoice()];
    openPublicInvoice(() => answers.shift()?.());
    expect(await screen.findByRole('heading', { name: 'Invoice Not Found' })).toBeDefined();
    expect([screen.getByText(MISSING), screen.getByText(reason)]).toHaveLength(2);
    await press('Try again');
    await waitForInvoice();
  });

  it('reports once that it was opened, after it has been visible for two seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const reported = vi.fn(() => ({}));
    openPublicInvoice(publicInvoice(), { [`POST ${CALL}/opened`]: reported });
    await waitForInvoice();
    expect(reported).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10_000);
    await waitFor(() => expect(reported).toHaveBeenCalledTimes(1));
  });
});

describe('the head of an invoice', () => {
  it('has number, title, total with currency and due date', async () => {
    await open();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Invoice #J25010042 Roof');
    expect(amountCard()).toEqual(['$118.74 | NZD', 'Due Jan 5, 2025 | includes PayPal Fee $3.74']);
    expect(screen.getByRole('link', { name: 'Download PDF' }).getAttribute('href')).toBe(`/api${CALL}/pdf`);
    expect(screen.queryByRole('region', { name: 'Description' })).toBeNull();
  });

  it('is due immediately without a date, and needs no currency', async () => {
    await open(publicInvoice({ content: { due_on: null, currency: null } }));
    expect(amountCard()).toEqual(['$118.74', 'Due Immediately | includes PayPal Fee $3.74']);
  });

  it('has the logo at 30 % of the width and at most 200 px, and the description', async () => {
    await open(publicInvoice({ content: { description: 'Replaced the flashing.' }, answer: { logo_url: '/logo.png' } }));
    const logo = screen.getByRole('img', { name: 'Tāne Plumbing & Gas' });
    expect(logo.className).toMatch(/max-h-\[200px\] w-\[30%\]/);
    expect(screen.getByRole('region', { name: 'Description' }).textContent).toBe('Replaced the flashing.');
  });

  it.each([
    [{ name: 'Anna Pereira', company_name: 'Ōrākei Dental Ltd' }, 'Bill ToŌrākei Dental LtdAnna Pereira'],
    [{ name: 'Anna Pereira', company_name: null }, 'Bill ToAnna Pereira'],
    [null, 'Bill ToCustomer'],
  ])('is billed to %j', async (customer, text) => {
    await open(publicInvoice({ content: { customer } }));
    expect(screen.getByRole('region', { name: 'Bill To' }).textContent).toBe(text);
  });

  it.each([
    ['Tāne Plumbing & Gas', 'Bill FromTāne Plumbing & Gas12 Karangahape Road09 555 0100office@example.com'],
    [null, 'Bill FromCompany12 Karangahape Road09 555 0100office@example.com'],
  ])('is billed from %s', async (company_name, text) => {
    await open(publicInvoice({ content: { issuer: { ...CONTENT.issuer, company_name } } }));
    expect(screen.getByRole('region', { name: 'Bill From' }).textContent).toBe(text);
  });
});

describe('the details', () => {
  it('are collapsed at first, open on a click and are always printed', async () => {
    await open();
    const button = screen.getByRole('button', { name: 'Invoice Details 2 items' });
    const body = document.getElementById(button.getAttribute('aria-controls') ?? '');
    expect(button.getAttribute('aria-expanded')).toBe('false');
    expect(body?.className).toContain('hidden print:block');
    fireEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(body?.className).not.toContain('hidden');
  });

  it('list items with service, quantity, unit price, total and tax, then subtotal, GST, fee and total', async () => {
    await open();
    expect(rowsIn(details())).toEqual([
      'Flashing1 × 57.50 each | 57.50 | inc GST',
      'Fitting itServiceOn the ridge2.5 × 20.00 each | 50.00 | exc GST',
      'Subtotal | 100.00',
      'GST 15% | 15.00',
      'PayPal Fee | 3.74',
      'Total | $118.74',
    ]);
    expect(details().textContent).toContain('Invoice numberINV-2025-0187IssuedJan 3, 2025');
    expect(details().textContent).not.toContain('Replaces');
  });

  it('of a corrected invoice name the one that it replaces', async () => {
    await open(publicInvoice({ answer: { replaces: 'INV-2025-0159' } }));
    expect(details().textContent).toContain('IssuedJan 3, 2025ReplacesINV-2025-0159');
  });

  it('have no fee once something was paid, so that the total less the payments is what is due', async () => {
    await open(publicInvoice({ paid: '50.00' }));
    expect(rowsIn(details()).slice(2)).toEqual(['Subtotal | 100.00', 'GST 15% | 15.00', 'Total | $115.00']);
    expect(rowsIn(screen.getByRole('region', { name: 'Payments' }))).toEqual([
      'Items and GST | 115.00',
      'Paid Jan 4, 2025 | -50.00',
      'Amount due | $65.00',
    ]);
  });

  it('have no fee when there is none, and count one item', async () => {
    const fees = { add_paypal_fees: false, paypal_fee_percentage: null };
    await open(publicInvoice({ content: { fees, items: CONTENT.items.slice(0, 1) } }));
    expect(screen.getByRole('button', { name: 'Invoice Details 1 item' })).toBeDefined();
    expect(rowsIn(details()).slice(1)).toEqual(['Subtotal | 50.00', 'GST 15% | 7.50', 'Total | $57.50']);
    expect(screen.queryByText(/PayPal Fee/)).toBeNull();
  });

  it('say that there are no items, and nothing is to be paid', async () => {
    await open(publicInvoice({ content: { items: [] } }));
    expect(screen.getByText('No items found for this invoice.')).toBeDefined();
    expect(amountCard()).toEqual(['$0.00 | NZD', 'There is nothing to pay.']);
    expect(screen.queryByRole('tab')).toBeNull();
  });
});

describe('an invoice that is not simply to be paid', () => {
  const payments = () => rowsIn(screen.queryByRole('region', { name: 'Payments' }));

  it('shows a job of which nothing was sent as it is now', async () => {
    await open(publicInvoice({ issue: null }));
    expect(amountCard()).toEqual(['Total | Draft', '$118.74 | NZD', 'Due Jan 5, 2025 | includes PayPal Fee $3.74']);
    expect(details().textContent).toContain('This invoice has not been issued yet. It shows the job as it is now.');
    expect(screen.getByRole('link', { name: 'Pay $118.74' })).toBeDefined();
  });

  it('asks for a deposit', async () => {
    await open(publicInvoice({ issue: null, deposit: '50.00', paid: '10.00' }));
    expect(amountCard().slice(0, 2)).toEqual(['Deposit due', '$41.50 | NZD']);
    expect(payments()).toEqual(['Items and GST | 115.00', 'Paid Jan 4, 2025 | -10.00', 'Outstanding | 105.00', 'Deposit due | $40.00']);
  });

  it('thanks for a deposit, and asks for nothing until the work is done', async () => {
    const answer = { payment_link: null, bank_name: null, bank_account_number: null };
    await open(publicInvoice({ issue: null, deposit: '50.00', paid: '50.00', answer }));
    expect(amountCard()).toEqual(['Total | Deposit paid', '$115.00 | NZD', 'Thank you. The rest is invoiced when the work is done.']);
    expect(payments()).toEqual(['Items and GST | 115.00', 'Paid Jan 4, 2025 | -50.00', 'Remaining | $65.00']);
    expect(screen.queryByRole('heading', { name: /pay/i, level: 2 })?.textContent).toBe('Payments');
    expect(screen.queryByRole('link', { name: /^Pay/ })).toBeNull();
  });

  it('shows what was paid so far and what is left', async () => {
    await open(publicInvoice({ paid: '15.00' }));
    expect(amountCard().slice(0, 2)).toEqual(['Amount due', '$103.30 | NZD']);
    expect(payments()).toEqual(['Items and GST | 115.00', 'Paid Jan 4, 2025 | -15.00', 'Amount due | $100.00']);
    expect(rowsIn(document.getElementById('online-panel'))).toEqual(['Amount due | 100.00', 'PayPal Fee | 3.30', 'Total online | $103.30']);
  });

  it('is marked as paid and cannot be paid again', async () => {
    await open(paidInvoice());
    expect(amountCard()).toEqual(['Total | Paid', '$115.00 | NZD', 'Paid in full on Jan 4, 2025']);
    expect(payments()).toEqual(['Items and GST | 115.00', 'Paid Jan 4, 2025 | -115.00', 'Amount due | $0.00']);
    expect(screen.queryByText('Select a payment method')).toBeNull();
    expect(screen.queryByRole('link', { name: /^Pay/ })).toBeNull();
  });

  it('says what was paid too much', async () => {
    await open(paidInvoice({ paid: '120.00' }));
    expect(payments().at(-1)).toBe('Overpaid | $5.00');
  });

  it.each(['CN-2025-0003', null])('is marked as canceled, with the credit note %s', async (creditNote) => {
    await open(canceledInvoice(creditNote));
    expect(amountCard()).toEqual([
      'Total | Canceled',
      '$115.00 | NZD',
      'There is nothing to pay.',
      ...(creditNote === null ? [] : ['Credit note  | CN-2025-0003']),
    ]);
    expect(screen.queryByText('Select a payment method')).toBeNull();
  });
});

describe('a tab that comes back into view', () => {
  const comeBack = async (invoice: unknown) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const answers = [publicInvoice(), invoice];
    openPublicInvoice(() => answers.shift() ?? refuse('NOT_FOUND', MISSING));
    await waitForInvoice();
    await vi.advanceTimersByTimeAsync(31_000);
    document.dispatchEvent(new Event('visibilitychange'));
  };

  it.each([
    [paidInvoice(), 'This invoice has been paid. Thank you!'],
    [canceledInvoice('CN-2025-0003'), 'This invoice has been canceled.'],
    [publicInvoice({ paid: '15.00' }), 'Payments on this invoice have been updated.'],
    [publicInvoice({ content: { title: 'Roof and gutter' } }), 'This invoice has been updated.'],
  ])('says what has become of the invoice: %#', async (invoice, text) => {
    await comeBack(invoice);
    const banner = await screen.findByText(text);
    await waitFor(() => expect(document.activeElement).toBe(banner));
  });

  it('says nothing about another logo', async () => {
    await comeBack(publicInvoice({ answer: { logo_url: '/other.png' } }));
    expect(await screen.findByRole('img')).toBeDefined();
    expect(within(screen.getByRole('main')).queryByText(/has been/)).toBeNull();
  });

  it('no longer shows what is gone', async () => {
    await comeBack(null);
    expect(await screen.findByRole('heading', { name: 'Invoice Not Found' })).toBeDefined();
  });
});
