import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type Frozen } from '../documents/canonical-json.ts';
import { decimal } from '../money/decimal.ts';
import { lineTotal } from '../money/money.ts';
import {
  billsTheSame,
  type InvoiceContent,
  type InvoiceDocument,
  type InvoiceLine,
  invoiceDocument,
  settledDocument,
} from './invoice-document.ts';
import { invoiceItemName, paymentLink, paymentRequest } from './payment-request.ts';

const line = (unit_price: string, quantity = '1', tax_inclusive = true): InvoiceLine => ({
  name: 'Pipe',
  description: null,
  is_service: false,
  tax_inclusive,
  quantity,
  unit_price,
  total: lineTotal(unit_price, quantity),
});

const content = (over: Partial<InvoiceContent> = {}): InvoiceContent => ({
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
  customer: { name: 'Ana Ruiz', company_name: null },
  due_on: null,
  ...over,
});
const documentOf = (over: Partial<InvoiceContent> = {}) => invoiceDocument(content(over), null);
const figures = ({ subtotal, tax, amount }: InvoiceDocument) => `${subtotal} + ${tax} = ${amount}`;

describe('an invoice', () => {
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
  ])('of %s adds up', (_name, tax_rate, items, expected) => {
    expect(figures(documentOf({ tax_rate, items }))).toBe(expected);
  });

  it.each(['15', '10'])('has no half cent in prices that include GST at %s %%, so that half up and half down agree', (rate) => {
    const gross = 100n + BigInt(rate);
    for (let cents = 1n; cents <= 2n * gross; cents += 1n) expect((cents * 200n) % (2n * gross)).not.toBe(gross);
  });

  it('adds the fee to the total (INV-11, CALC-20)', () => {
    const fees = { add_paypal_fees: true, paypal_fee_percentage: null };
    expect(documentOf({ fixed_amount: '115.00', fees })).toMatchObject({
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
    expect(documentOf({ items: [line('230.00')], fees })).toMatchObject({ fee: '7.18', total: '$237.18' });
    expect(documentOf({ fixed_amount: '0.00', fees })).toMatchObject({ fee: null, total: '$0.00', items: [] });
  });

  it('has no fee once something was paid: the total is what the payments are counted against', () => {
    const fees = { add_paypal_fees: true, paypal_fee_percentage: null };
    const document = documentOf({ fixed_amount: '1150.00', fees });
    expect(settledDocument(document)).toEqual({
      ...document,
      fee: null,
      total: '$1,150.00',
      exact: { ...document.exact, fee: '0.00', total: '1150.00' },
    });
    expect(billsTheSame(settledDocument(document), document)).toBe(true);
  });

  it('counts the items of a fixed job as soon as it has some (FIXED-AMOUNT)', () => {
    expect(documentOf({ fixed_amount: '115.00', items: [line('23.00')] })).toMatchObject({ amount: '23.00', items: [{ name: 'Pipe' }] });
    expect(documentOf({ job_type: 'hourly', fixed_amount: '115.00' })).toMatchObject({ amount: '0.00', items: [] });
  });

  it('bills worked time by its exact total', () => {
    const hours = { ...line('37.92', '2'), total: '75.83' };
    expect(documentOf({ items: [hours] })).toMatchObject({ amount: '75.83', items: [{ unit_price: '37.92', total: '75.83' }] });
  });

  it('prints its title once when the description of the job only repeats it', () => {
    expect(documentOf({ title: 'Roof', description: ' Roof' }).description).toBeNull();
    expect(documentOf({ title: 'Roof', description: 'Roof and gutter' }).description).toBe('Roof and gutter');
    const sentBefore = { ...documentOf(), description: 'Roof' };
    expect(billsTheSame(sentBefore, documentOf({ description: 'Roof' }))).toBe(true);
  });

  it('is due on its day, or immediately (INV-05)', () => {
    expect(documentOf({ due_on: '2025-01-05' }).due).toBe('Due Jan 5, 2025');
    expect(documentOf().due).toBe('Due Immediately');
  });

  it('has its number and day once it was sent', () => {
    expect(invoiceDocument(content(), { invoice_number: 'INV-2026-0187', issued_on: '2026-11-13' })).toMatchObject({
      invoice_number: 'INV-2026-0187',
      issued: 'Nov 13, 2026',
    });
  });
});

describe('two invoices bill the same', () => {
  const sent = invoiceDocument(content({ fixed_amount: '115.00' }), { invoice_number: 'INV-2026-0001', issued_on: '2026-11-13' });

  it.each([
    ['to a customer who was deleted', { customer: null }],
    ['on another day', { due_on: '2027-01-01' }],
    ['with another fee', { fees: { add_paypal_fees: true, paypal_fee_percentage: '3' } }],
    ['from a firm that moved', { issuer: { company_name: 'Renamed', address: '1 New Road', phone: null, email: null } }],
  ])('%s', (_name, over) => {
    expect(billsTheSame(sent, documentOf({ fixed_amount: '115.00', ...over }))).toBe(true);
  });

  it.each([
    ['another price', { fixed_amount: '115.01' }],
    ['another rate', { tax_rate: '10' }],
    ['another title', { title: 'Gutter' }],
    ['another customer', { customer: { name: 'Ben Ruiz', company_name: null } }],
    ['another line', { items: [line('115.00')] }],
  ])('but not %s', (_name, over) => {
    expect(billsTheSame(sent, documentOf({ fixed_amount: '115.00', ...over }))).toBe(false);
  });
});

/** What a person reads, back in cents. */
const centsOf = (text: string) => BigInt(text.replace(/[^\d-]/g, ''));
const moneyText = (cents: number) => decimal(String(cents)).times('0.01').toFixed(2);

const anyLine = fc.tuple(fc.nat(5_000_000), fc.integer({ min: 1, max: 40_000 }), fc.boolean());
const anyRate = fc.constantFrom('15', '10', '0', '7', '19', '21', '12.5', '8.875', '100');
const anyFees = fc.record({ add_paypal_fees: fc.boolean(), paypal_fee_percentage: fc.constantFrom(null, '0', '2.9', '3.4', '99.999') });
const anyBill = fc.tuple(fc.array(anyLine, { maxLength: 3 }), anyRate, anyFees, fc.integer({ min: 0, max: 130 }), fc.boolean());

describe('over 100,000 random invoices', () => {
  it('what is printed, stored, asked for and linked agrees to the cent', () => {
    const agrees = fc.property(anyBill, ([lines, tax_rate, fees, paidPercent, isDue]) => {
      const items = lines.map(([cents, thousandths, inclusive]) => line(moneyText(cents), String(thousandths / 1000), inclusive));
      const document = documentOf({ items, tax_rate, fees });
      const [amount, fee, total] = [centsOf(document.amount), centsOf(document.fee ?? '0.00'), centsOf(document.total)];
      // The printed figures add up, and are those that are stored.
      if (centsOf(document.subtotal) + centsOf(document.tax) !== amount) throw new Error('subtotal + tax is not the amount');
      if (amount + fee !== total) throw new Error('amount + fee is not the total');
      const { exact } = document;
      const printed = [document.subtotal, document.tax, document.amount, document.fee ?? '0.00', document.total].map(centsOf);
      const stored = [exact.subtotal, exact.tax, exact.amount, exact.fee, exact.total].map(centsOf);
      if (printed.join() !== stored.join()) throw new Error('printed and stored figures differ');
      // The lines add up to it: exactly where they include the tax.
      const sums = [true, false].map((inclusive) =>
        document.items.filter(({ tax }) => (tax === 'inc GST') === inclusive).reduce((sum, item) => sum + centsOf(item.total), 0n),
      );
      const [inclusive = 0n, exclusive = 0n] = sums;
      if (exclusive === 0n && inclusive !== amount) throw new Error('the lines are not the amount');
      const mills = BigInt(Math.round(Number(tax_rate) * 1000));
      const hundredfold = inclusive * 100_000n + exclusive * (100_000n + mills);
      if (amount !== (hundredfold * 2n + 100_000n) / 200_000n) throw new Error('the amount is not the lines with their tax, half up');
      // The frozen copy says the same.
      const kept: object = document;
      const copy = JSON.parse(canonicalJson(kept as Frozen)) as InvoiceDocument;
      if (!billsTheSame(copy, document)) throw new Error('the stored copy bills something else');
      // What is asked for is what is left, on every surface.
      const paid = moneyText(Number((amount * BigInt(paidPercent)) / 100n));
      const request = paymentRequest({ amount: exact.amount, paid, deposit: null, isDue }, fees);
      if (centsOf(request.outstanding) - centsOf(request.overpaid) + centsOf(paid) !== amount) throw new Error('the balance is wrong');
      if (centsOf(request.amount) + centsOf(request.fee) !== centsOf(request.total)) throw new Error('the request does not add up');
      const link = paymentLink({ business: 'p@x.nz', amount: request.total, currency: 'NZD', item_name: invoiceItemName(document) });
      const linked = link === null ? '0.00' : new URL(link).searchParams.get('amount');
      if (linked !== request.total) throw new Error('the link asks for something else');
      const shown = paid === '0.00' ? document : settledDocument(document);
      if (centsOf(shown.subtotal) + centsOf(shown.tax) + centsOf(shown.fee ?? '0.00') !== centsOf(shown.total))
        throw new Error('not the sum');
      const asked = request.what === 'deposit_paid' ? request.outstanding : request.amount;
      const due = shown.fee === null ? asked : request.total;
      if (centsOf(shown.total) - centsOf(paid) !== centsOf(due) - centsOf(request.overpaid))
        throw new Error('what is due is not what is left');
      if (paidPercent === 0 && request.total !== exact.total) throw new Error('the request is not the total of the invoice');
    });
    expect(() => fc.assert(agrees, { numRuns: 100_000 })).not.toThrow();
  });
});
