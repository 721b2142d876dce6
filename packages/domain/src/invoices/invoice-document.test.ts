import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CanonicalValue, toCanonicalJson } from '../documents/canonical-json.ts';
import { toDecimal } from '../money/decimal.ts';
import { calculateLineTotal } from '../money/money.ts';
import {
  buildInvoiceDocument,
  hasSameBilledContent,
  type InvoiceContent,
  type InvoiceDocument,
  type InvoiceLine,
  withoutPaymentFee,
} from './invoice-document.ts';
import { buildPaymentLink, calculatePaymentRequest, formatInvoiceItemName } from './payment-request.ts';

const line = (unit_price: string, quantity = '1', tax_inclusive = true): InvoiceLine => ({
  name: 'Pipe',
  description: null,
  is_service: false,
  tax_inclusive,
  quantity,
  unit_price,
  total: calculateLineTotal(unit_price, quantity),
});

const content = (overrides: Partial<InvoiceContent> = {}): InvoiceContent => ({
  job_number: 'J25010042',
  title: 'Roof',
  description: null,
  job_type: 'fixed',
  fixed_amount: null,
  items: [],
  tax_rate: '15',
  fees: { add_paypal_fees: false, paypal_fee_percentage: null },
  currency: 'NZD',
  issuer: { company_name: 'Tane Plumbing', address: null, phone: null, email: null },
  customer: { name: 'Ana Ruiz', company_name: null, address: '5 Hill Road' },
  due_on: null,
  ...overrides,
});
const buildDocument = (overrides: Partial<InvoiceContent> = {}) => buildInvoiceDocument(content(overrides), null);
const formatFigures = ({ subtotal, tax, amount }: InvoiceDocument) => `${subtotal} + ${tax} = ${amount}`;

describe('invoice document', () => {
  it.each([
    ['138.66 at 19 %', '19', [line('138.66', '1', false)], '138.66 + 26.35 = 165.01'],
    ['138.66 inclusive at 19 %', '19', [line('138.66')], '116.52 + 22.14 = 138.66'],
    ['340.00 + 13.90 inclusive at 19 %', '19', [line('340.00'), line('13.90')], '297.39 + 56.51 = 353.90'],
    ['2 x 379.00 inclusive at 21 %', '21', [line('379.00', '2')], '626.45 + 131.55 = 758.00'],
    ['20 x 800 + 10 x 1000 inclusive at 7 %', '7', [line('800.00', '20'), line('1000.00', '10')], '24,299.07 + 1,700.93 = 26,000.00'],
    ['50,000 inclusive at 10 %', '10', [line('50000.00')], '45,454.55 + 4,545.45 = 50,000.00'],
    ['8500 - 7500 at 19 %', '19', [line('8500.00', '1', false), line('-7500.00', '1', false)], '1,000.00 + 190.00 = 1,190.00'],
    ['8500 - 7500 inclusive at 19 %', '19', [line('8500.00'), line('-7500.00')], '840.34 + 159.66 = 1,000.00'],
    [
      '115.00 inclusive and 100.00 exclusive at 15 % (CALC-03)',
      '15',
      [line('115.00'), line('100.00', '1', false)],
      '200.00 + 30.00 = 230.00',
    ],
    ['0.02 inclusive and 0.02 exclusive at 15 % (CALC-25)', '15', [line('0.02'), line('0.02', '1', false)], '0.04 + 0.00 = 0.04'],
    ['half a cent of GST in New Zealand', '15', [line('0.10', '1', false)], '0.10 + 0.02 = 0.12'],
    ['half a cent of GST in Australia', '10', [line('0.05', '1', false)], '0.05 + 0.01 = 0.06'],
    ['half a cent of three lines together', '15', [line('0.10', '3', false)], '0.30 + 0.05 = 0.35'],
    ['half a cent of a line', '15', [line('0.01', '0.5')], '0.01 + 0.00 = 0.01'],
  ])('adds up for %s', (_name, tax_rate, items, expected) => {
    expect(formatFigures(buildDocument({ tax_rate, items }))).toBe(expected);
  });

  it.each(['15', '10'])('never has half a cent in GST-inclusive prices at %s %%, so rounding half up and half down agree', (rate) => {
    const gross = 100n + BigInt(rate);
    for (let cents = 1n; cents <= 2n * gross; cents += 1n) expect((cents * 200n) % (2n * gross)).not.toBe(gross);
  });

  it('adds the PayPal fee to the total (INV-11, CALC-20)', () => {
    const fees = { add_paypal_fees: true, paypal_fee_percentage: null };
    expect(buildDocument({ fixed_amount: '115.00', fees })).toMatchObject({
      items: [{ name: 'Roof', quantity: '1', unit_price: '115.00', total: '115.00', tax: 'inc GST' }],
      subtotal: '100.00',
      tax_label: 'GST 15%',
      tax: '15.00',
      amount: '115.00',
      fee: '3.74',
      total: '$118.74',
      reference: '#J25010042',
      exact: { subtotal: '100.00', tax: '15.00', amount: '115.00', fee: '3.74', total: '118.74' },
    });
    expect(buildDocument({ items: [line('230.00')], fees })).toMatchObject({ fee: '7.18', total: '$237.18' });
    expect(buildDocument({ fixed_amount: '0.00', fees })).toMatchObject({ fee: null, total: '$0.00', items: [] });
  });

  it('drops the fee once a payment counts toward the amount', () => {
    const fees = { add_paypal_fees: true, paypal_fee_percentage: null };
    const document = buildDocument({ fixed_amount: '1150.00', fees });
    expect(withoutPaymentFee(document)).toEqual({
      ...document,
      fee: null,
      total: '$1,150.00',
      exact: { ...document.exact, fee: '0.00', total: '1150.00' },
    });
    expect(hasSameBilledContent(withoutPaymentFee(document), document)).toBe(true);
  });

  it('bills the items of a fixed-price job instead of its fixed amount (FIXED-AMOUNT)', () => {
    expect(buildDocument({ fixed_amount: '115.00', items: [line('23.00')] })).toMatchObject({ amount: '23.00', items: [{ name: 'Pipe' }] });
    expect(buildDocument({ job_type: 'hourly', fixed_amount: '115.00' })).toMatchObject({ amount: '0.00', items: [] });
  });

  it('bills worked time at its stored total', () => {
    const hours = { ...line('37.92', '2'), total: '75.83' };
    expect(buildDocument({ items: [hours] })).toMatchObject({ amount: '75.83', items: [{ unit_price: '37.92', total: '75.83' }] });
  });

  it('omits a description that only repeats the title', () => {
    expect(buildDocument({ title: 'Roof', description: ' Roof' }).description).toBeNull();
    expect(buildDocument({ title: 'Roof', description: 'Roof and gutter' }).description).toBe('Roof and gutter');
    const sentBefore = { ...buildDocument(), description: 'Roof' };
    expect(hasSameBilledContent(sentBefore, buildDocument({ description: 'Roof' }))).toBe(true);
  });

  it('prints the due date, or Due Immediately without one (INV-05)', () => {
    expect(buildDocument({ due_on: '2025-01-05' }).due).toBe('Due Jan 5, 2025');
    expect(buildDocument().due).toBe('Due Immediately');
  });

  it('has a number and an issue date once the invoice is sent', () => {
    expect(buildInvoiceDocument(content(), { invoice_number: 'INV-2026-0187', issued_on: '2026-11-13' })).toMatchObject({
      invoice_number: 'INV-2026-0187',
      issued: 'Nov 13, 2026',
    });
  });
});

describe('comparison of a job with its sent invoice', () => {
  const sent = buildInvoiceDocument(content({ fixed_amount: '115.00' }), { invoice_number: 'INV-2026-0001', issued_on: '2026-11-13' });

  it.each([
    ['a deleted customer', { customer: null }],
    ['a changed due date', { due_on: '2027-01-01' }],
    ['a changed fee', { fees: { add_paypal_fees: true, paypal_fee_percentage: '3' } }],
    ['changed company details', { issuer: { company_name: 'Renamed', address: '1 New Road', phone: null, email: null } }],
    ['an address equal to the printed one', { customer: { name: 'Ana Ruiz', company_name: null, address: '5 Hill Road' } }],
  ])('ignores %s', (_name, overrides) => {
    expect(hasSameBilledContent(sent, buildDocument({ fixed_amount: '115.00', ...overrides }))).toBe(true);
  });

  it.each([
    ['a changed price', { fixed_amount: '115.01' }],
    ['a changed tax rate', { tax_rate: '10' }],
    ['a changed title', { title: 'Gutter' }],
    ['a different customer', { customer: { name: 'Ben Ruiz', company_name: null, address: null } }],
    ['a corrected address', { customer: { name: 'Ana Ruiz', company_name: null, address: '7 Hill Road' } }],
    ['a removed address', { customer: { name: 'Ana Ruiz', company_name: null, address: null } }],
    ['a changed line', { items: [line('115.00')] }],
  ])('detects %s', (_name, overrides) => {
    expect(hasSameBilledContent(sent, buildDocument({ fixed_amount: '115.00', ...overrides }))).toBe(false);
  });

  it('ignores the address if the invoice was frozen without one', () => {
    const old = { ...sent, customer: { name: 'Ana Ruiz', company_name: null, address: null } };
    expect(hasSameBilledContent(old, buildDocument({ fixed_amount: '115.00' }))).toBe(true);
  });
});

/** Parses displayed money back to cents. */
const parseCents = (text: string) => BigInt(text.replace(/[^\d-]/g, ''));
const formatCents = (cents: number) => toDecimal(String(cents)).times('0.01').toFixed(2);

const anyLine = fc.tuple(fc.nat(5_000_000), fc.integer({ min: 1, max: 40_000 }), fc.boolean());
const anyRate = fc.constantFrom('15', '10', '0', '7', '19', '21', '12.5', '8.875', '100');
const anyFees = fc.record({ add_paypal_fees: fc.boolean(), paypal_fee_percentage: fc.constantFrom(null, '0', '2.9', '3.4', '99.999') });
const anyBill = fc.tuple(fc.array(anyLine, { maxLength: 3 }), anyRate, anyFees, fc.integer({ min: 0, max: 130 }), fc.boolean());

describe('100,000 random invoices', () => {
  // A busy machine takes more than the usual minute.
  it('have the same amounts on the document, in storage, in the payment request and in the payment link', { timeout: 300_000 }, () => {
    const invoicesAgree = fc.property(anyBill, ([lines, tax_rate, fees, paidPercent, isDue]) => {
      const items = lines.map(([cents, thousandths, inclusive]) => line(formatCents(cents), String(thousandths / 1000), inclusive));
      const document = buildDocument({ items, tax_rate, fees });
      const [amount, fee, total] = [parseCents(document.amount), parseCents(document.fee ?? '0.00'), parseCents(document.total)];
      // The printed figures add up and match the stored ones.
      if (parseCents(document.subtotal) + parseCents(document.tax) !== amount) throw new Error('subtotal + tax is not the amount');
      if (amount + fee !== total) throw new Error('amount + fee is not the total');
      const { exact } = document;
      const printed = [document.subtotal, document.tax, document.amount, document.fee ?? '0.00', document.total].map(parseCents);
      const stored = [exact.subtotal, exact.tax, exact.amount, exact.fee, exact.total].map(parseCents);
      if (printed.join() !== stored.join()) throw new Error('printed and stored figures differ');
      // Lines that include tax add up to the amount exactly. Other lines do after their tax is added and rounded.
      const sums = [true, false].map((inclusive) =>
        document.items.filter(({ tax }) => (tax === 'inc GST') === inclusive).reduce((sum, item) => sum + parseCents(item.total), 0n),
      );
      const [inclusive = 0n, exclusive = 0n] = sums;
      if (exclusive === 0n && inclusive !== amount) throw new Error('the lines do not add up to the amount');
      const mills = BigInt(Math.round(Number(tax_rate) * 1000));
      const hundredfoldTotal = inclusive * 100_000n + exclusive * (100_000n + mills);
      if (amount !== (hundredfoldTotal * 2n + 100_000n) / 200_000n)
        throw new Error('the amount is not the lines plus tax, rounded half up');
      // The stored copy bills the same as the original document.
      const plainDocument: object = document;
      const copy = JSON.parse(toCanonicalJson(plainDocument as CanonicalValue)) as InvoiceDocument;
      if (!hasSameBilledContent(copy, document)) throw new Error('the stored copy is a different bill');
      // The payment request, the payment link and the document agree on the amount still due.
      const paid = formatCents(Number((amount * BigInt(paidPercent)) / 100n));
      const request = calculatePaymentRequest({ amount: exact.amount, paid, deposit: null, isDue }, fees);
      if (parseCents(request.outstanding) - parseCents(request.overpaid) + parseCents(paid) !== amount)
        throw new Error('the balance is wrong');
      if (parseCents(request.amount) + parseCents(request.fee) !== parseCents(request.total))
        throw new Error('the request does not add up');
      const link = buildPaymentLink({
        business: 'p@x.nz',
        amount: request.total,
        currency: 'NZD',
        item_name: formatInvoiceItemName(document),
      });
      const linked = link === null ? '0.00' : new URL(link).searchParams.get('amount');
      if (linked !== request.total) throw new Error('the link requests a different amount');
      const displayed = paid === '0.00' ? document : withoutPaymentFee(document);
      if (parseCents(displayed.subtotal) + parseCents(displayed.tax) + parseCents(displayed.fee ?? '0.00') !== parseCents(displayed.total))
        throw new Error('the displayed figures do not add up');
      const requested = request.what === 'deposit_paid' ? request.outstanding : request.amount;
      const due = displayed.fee === null ? requested : request.total;
      if (parseCents(displayed.total) - parseCents(paid) !== parseCents(due) - parseCents(request.overpaid))
        throw new Error('the amount due is not what is left');
      if (paidPercent === 0 && request.total !== exact.total) throw new Error('the request is not the invoice total');
    });
    expect(() => fc.assert(invoicesAgree, { numRuns: 100_000 })).not.toThrow();
  });
});
