import { describe, expect, it } from 'vitest';
import {
  buildPaymentLink,
  calculateDeposit,
  calculatePaymentRequest,
  formatInvoiceItemName,
  formatJobItemName,
  isFullAmountDue,
  splitOnlinePayment,
} from './payment-request.ts';

const NO_FEES = { add_paypal_fees: false, paypal_fee_percentage: null };
const FEES = { add_paypal_fees: true, paypal_fee_percentage: null };

describe('deposit', () => {
  it.each([
    ['30', null, '2300.00', '690.00'],
    ['33.33', null, '100.00', '33.33'],
    ['12.5', null, '0.04', '0.01'],
    ['100', null, '115.00', '115.00'],
    [null, '500.00', '2300.00', '500.00'],
    [null, '500.00', '115.00', '115.00'],
    [null, null, '115.00', null],
    [null, '0.00', '115.00', null],
    ['30', null, '0.00', null],
    [null, '500.00', '0.00', null],
    [null, '-5.00', '115.00', null],
    [null, '115.01', '115.00', '115.00'],
    ['1', null, '0.49', null],
  ])('with a percentage of %s or an amount of %s on a total of %s is %s', (deposit_percentage, deposit_amount, total, expected) => {
    expect(calculateDeposit({ deposit_percentage, deposit_amount }, total)).toBe(expected);
  });
});

it.each([
  ['pending', false],
  ['contacted', false],
  ['booked', false],
  ['complete', true],
  ['invoiced', true],
  ['paid', true],
  ['canceled', true],
] as const)('the full amount of a %s job is due before the invoice is sent: %s; afterward it is always due', (status, expected) => {
  expect([isFullAmountDue(status, false), isFullAmountDue(status, true)]).toEqual([expected, true]);
});

describe('payment request', () => {
  const owed = { amount: '115.00', paid: '0.00', deposit: null, isDue: false };

  it.each([
    [
      'the full amount',
      owed,
      FEES,
      { what: 'balance', outstanding: '115.00', overpaid: '0.00', amount: '115.00', fee: '3.74', total: '118.74' },
    ],
    ['the amount without a fee', owed, NO_FEES, { amount: '115.00', fee: '0.00', total: '115.00' }],
    [
      'the remaining balance',
      { ...owed, paid: '50.00', isDue: true },
      FEES,
      { outstanding: '65.00', amount: '65.00', fee: '2.25', total: '67.25' },
    ],
    ['nothing once fully paid', { ...owed, paid: '115.00' }, FEES, { outstanding: '0.00', amount: '0.00', fee: '0.00', total: '0.00' }],
    ['nothing when overpaid', { ...owed, paid: '120.00' }, FEES, { outstanding: '0.00', overpaid: '5.00', total: '0.00' }],
    [
      'only the deposit before the invoice',
      { ...owed, deposit: '34.50' },
      NO_FEES,
      { what: 'deposit', outstanding: '115.00', amount: '34.50' },
    ],
    ['the rest of the deposit', { ...owed, deposit: '34.50', paid: '4.50' }, NO_FEES, { what: 'deposit', amount: '30.00' }],
    [
      'nothing between the deposit and the end of the work',
      { ...owed, deposit: '34.50', paid: '34.50' },
      FEES,
      { what: 'deposit_paid', outstanding: '80.50', amount: '0.00', fee: '0.00', total: '0.00' },
    ],
    ['nothing after an unrequested deposit', { ...owed, paid: '10.00' }, NO_FEES, { what: 'deposit_paid', amount: '0.00' }],
    [
      'the rest once the work is done',
      { ...owed, deposit: '34.50', paid: '34.50', isDue: true },
      NO_FEES,
      { what: 'balance', amount: '80.50' },
    ],
    ['nothing once the deposit covers it', { ...owed, deposit: '115.00', paid: '115.00' }, NO_FEES, { what: 'balance', amount: '0.00' }],
    ['the full amount once it is due', { ...owed, deposit: '34.50', isDue: true }, NO_FEES, { what: 'balance', amount: '115.00' }],
    ['all of a price below the deposit', { ...owed, amount: '20.00', deposit: '34.50' }, NO_FEES, { what: 'balance', amount: '20.00' }],
  ])('asks for %s', (_name, job, fees, expected) => {
    expect(calculatePaymentRequest(job, fees)).toMatchObject(expected);
  });

  it('asks for neither an amount nor a fee if the total is 0 (FEE-ZERO)', () => {
    expect(calculatePaymentRequest({ ...owed, amount: '0.00' }, FEES)).toMatchObject({ amount: '0.00', fee: '0.00', total: '0.00' });
  });

  it('includes only the fixed fee at 0 percent (CALC-09)', () => {
    expect(calculatePaymentRequest({ ...owed, amount: '100.00' }, { ...FEES, paypal_fee_percentage: '0' })).toMatchObject({
      fee: '0.30',
      total: '100.30',
    });
  });
});

describe('payment link', () => {
  const job = { job_number: 'J25010042', title: 'Roof & gutter #1' };
  const link = { business: 'p@x.nz', amount: '118.74', currency: null, item_name: formatJobItemName(job) };

  it('contains the account, amount and job, in USD unless the firm has a currency (PAY-12, PAY-17, CONST-10)', () => {
    const url = new URL(buildPaymentLink(link) ?? '');
    expect(url.origin + url.pathname).toBe('https://www.paypal.com/cgi-bin/webscr');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      cmd: '_xclick',
      business: 'p@x.nz',
      amount: '118.74',
      currency_code: 'USD',
      item_name: 'Job #J25010042 - Roof & gutter #1',
      no_shipping: '1',
      no_note: '1',
    });
    expect(new URL(buildPaymentLink({ ...link, currency: 'NZD' }) ?? '').searchParams.get('currency_code')).toBe('NZD');
    expect(formatInvoiceItemName(job)).toBe('Invoice #J25010042 - Roof & gutter #1');
  });

  it('requests even a single cent', () => {
    expect(new URL(buildPaymentLink({ ...link, amount: '0.01' }) ?? '').searchParams.get('amount')).toBe('0.01');
  });

  it('is null without a PayPal account or an amount to pay', () => {
    expect(buildPaymentLink({ ...link, business: null })).toBeNull();
    expect(buildPaymentLink({ ...link, business: '' })).toBeNull();
    expect(buildPaymentLink({ ...link, amount: '0.00' })).toBeNull();
  });

  it('encodes user input (SEC-13)', () => {
    const hostile = '"><script>&amount=0.01&business=evil@x.nz#';
    const url = new URL(buildPaymentLink({ ...link, item_name: hostile }) ?? '');
    expect([url.searchParams.get('item_name'), url.searchParams.getAll('amount'), url.hash]).toEqual([hostile, ['118.74'], '']);
  });
});

describe('an online payment', () => {
  it.each([
    ['118.74', { amount: '115.00', outstanding: '115.00' }, ['115.00', '3.74']],
    ['51.80', { amount: '50.00', outstanding: '115.00' }, ['50.00', '1.80']],
    ['118.74', { amount: '50.00', outstanding: '115.00' }, ['115.00', '3.74']],
    ['115', { amount: '115.00', outstanding: '115.00' }, ['115.00', '0.00']],
    ['118.73', { amount: '115.00', outstanding: '115.00' }, ['118.73', '0.00']],
  ])('of %s for %j is split into %j', (received, request, [amount, fee]) => {
    expect(splitOnlinePayment(received, request, FEES)).toEqual({ amount, fee });
  });

  it('has no fee if the company does not charge one', () => {
    const request = { amount: '115.00', outstanding: '115.00' };
    expect(splitOnlinePayment('118.74', request, NO_FEES)).toEqual({ amount: '118.74', fee: '0.00' });
  });
});
