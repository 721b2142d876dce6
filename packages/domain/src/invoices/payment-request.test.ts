import { describe, expect, it } from 'vitest';
import { depositOf, invoiceItemName, isAllDue, jobItemName, paymentLink, paymentRequest } from './payment-request.ts';

const OFF = { add_paypal_fees: false, paypal_fee_percentage: null };
const ON = { add_paypal_fees: true, paypal_fee_percentage: null };

describe('a deposit', () => {
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
    ['1', null, '0.49', null],
  ])('of %s percent or %s of %s is %s', (deposit_percentage, deposit_amount, total, expected) => {
    expect(depositOf({ deposit_percentage, deposit_amount }, total)).toBe(expected);
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
] as const)('a job that is %s is due before its invoice: %s, and after it always', (status, expected) => {
  expect([isAllDue(status, false), isAllDue(status, true)]).toEqual([expected, true]);
});

describe('what a customer is asked to pay', () => {
  const owed = { amount: '115.00', paid: '0.00', deposit: null, isDue: false };

  it.each([
    ['all of it', owed, ON, { what: 'balance', outstanding: '115.00', overpaid: '0.00', amount: '115.00', fee: '3.74', total: '118.74' }],
    ['without the fee when it is off', owed, OFF, { amount: '115.00', fee: '0.00', total: '115.00' }],
    ['what is left', { ...owed, paid: '50.00', isDue: true }, ON, { outstanding: '65.00', amount: '65.00', fee: '2.25', total: '67.25' }],
    ['nothing once it is paid', { ...owed, paid: '115.00' }, ON, { outstanding: '0.00', amount: '0.00', fee: '0.00', total: '0.00' }],
    ['nothing when too much was paid', { ...owed, paid: '120.00' }, ON, { outstanding: '0.00', overpaid: '5.00', total: '0.00' }],
    [
      'only the deposit before the invoice',
      { ...owed, deposit: '34.50' },
      OFF,
      { what: 'deposit', outstanding: '115.00', amount: '34.50' },
    ],
    ['what is left of the deposit', { ...owed, deposit: '34.50', paid: '4.50' }, OFF, { what: 'deposit', amount: '30.00' }],
    [
      'nothing between the deposit and the end of the work',
      { ...owed, deposit: '34.50', paid: '34.50' },
      ON,
      { what: 'deposit_paid', outstanding: '80.50', amount: '0.00', fee: '0.00', total: '0.00' },
    ],
    ['nothing after a deposit that no quote asked for', { ...owed, paid: '10.00' }, OFF, { what: 'deposit_paid', amount: '0.00' }],
    [
      'the rest once the work is done',
      { ...owed, deposit: '34.50', paid: '34.50', isDue: true },
      OFF,
      { what: 'balance', amount: '80.50' },
    ],
    ['nothing once the deposit was all of it', { ...owed, deposit: '115.00', paid: '115.00' }, OFF, { what: 'balance', amount: '0.00' }],
    ['all of it once it is due', { ...owed, deposit: '34.50', isDue: true }, OFF, { what: 'balance', amount: '115.00' }],
    ['all of it when the job costs less by now', { ...owed, amount: '20.00', deposit: '34.50' }, OFF, { what: 'balance', amount: '20.00' }],
  ])('is %s', (_name, job, fees, expected) => {
    expect(paymentRequest(job, fees)).toMatchObject(expected);
  });

  it('is nothing for a total of 0, and no fee (FEE-ZERO)', () => {
    expect(paymentRequest({ ...owed, amount: '0.00' }, ON)).toMatchObject({ amount: '0.00', fee: '0.00', total: '0.00' });
  });

  it('has the fixed fee alone at a percentage of 0 (CALC-09)', () => {
    expect(paymentRequest({ ...owed, amount: '100.00' }, { ...ON, paypal_fee_percentage: '0' })).toMatchObject({
      fee: '0.30',
      total: '100.30',
    });
  });
});

describe('the payment link', () => {
  const job = { job_number: 'J25010042', title: 'Roof & gutter #1' };
  const link = { business: 'p@x.nz', amount: '118.74', currency: null, item_name: jobItemName(job) };

  it('names who is paid, the amount in dollars unless the firm has a currency, and the job (PAY-12, PAY-17, CONST-10)', () => {
    const url = new URL(paymentLink(link) ?? '');
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
    expect(new URL(paymentLink({ ...link, currency: 'NZD' }) ?? '').searchParams.get('currency_code')).toBe('NZD');
    expect(invoiceItemName(job)).toBe('Invoice #J25010042 - Roof & gutter #1');
  });

  it('does not exist without an account or an amount', () => {
    expect(paymentLink({ ...link, business: null })).toBeNull();
    expect(paymentLink({ ...link, business: '' })).toBeNull();
    expect(paymentLink({ ...link, amount: '0.00' })).toBeNull();
  });

  it('encodes what people typed (SEC-13)', () => {
    const hostile = '"><script>&amount=0.01&business=evil@x.nz#';
    const url = new URL(paymentLink({ ...link, item_name: hostile }) ?? '');
    expect([url.searchParams.get('item_name'), url.searchParams.getAll('amount'), url.hash]).toEqual([hostile, ['118.74'], '']);
  });
});
