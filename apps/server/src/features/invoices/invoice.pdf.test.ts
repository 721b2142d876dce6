import { type InvoiceContent, type InvoiceLine, invoiceDocument } from '@callout/domain/invoices/invoice-document';
import { decimal, fixedText } from '@callout/domain/money/decimal';
import { isPositive, lineTotal } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsIn, readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { readPdfCode } from '../../../test/pdf-code.ts';
import { invoiceEmail, invoiceLetter } from './invoice.mail.ts';
import { codeOf, renderInvoicePdf } from './invoice.pdf.ts';
import type { Biller } from './invoice-content.sql.ts';
import { type InvoiceView, viewInvoice } from './invoice-view.ts';

const line = (over: Partial<InvoiceLine> = {}): InvoiceLine => ({
  name: 'Water heater',
  description: null,
  is_service: false,
  tax_inclusive: true,
  quantity: '1',
  unit_price: '115.00',
  total: '115.00',
  ...over,
});

const issuer = {
  company_name: 'Tāne Plumbing & Gas',
  address: '12 Rātā Street\nAuckland',
  phone: '09 555 0100',
  email: 'office@example.com',
};
const company: Biller = {
  issuer,
  currency: 'NZD',
  logo_url: null,
  timezone: 'Pacific/Auckland',
  today: '2026-11-16',
  termsDays: 7,
  fees: { add_paypal_fees: false, paypal_fee_percentage: null },
  gst_number: '123-456-789',
  paypal_email: 'pay@example.com',
  bank_name: 'Kiwibank',
  bank_account_number: '38-9000-0123456-00',
};
const withFees: Biller = { ...company, fees: { add_paypal_fees: true, paypal_fee_percentage: null } };

const contentOf = (biller: Biller, over: Partial<InvoiceContent> = {}): InvoiceContent => ({
  job_number: 'J26110391',
  title: 'Gas hot water',
  description: 'Remove the old cylinder.\nInstall a new one.',
  job_type: 'fixed',
  fixed_amount: null,
  items: [line()],
  tax_rate: '15',
  fees: biller.fees,
  currency: biller.currency,
  issuer: biller.issuer,
  customer: { name: 'Helen Faleolo', company_name: 'Faleolo Ltd' },
  due_on: '2026-11-23',
  ...over,
});

const issue = { invoice_number: 'INV-2026-0187', issued_on: '2026-11-16' };
const paid = (amount: string, over: object = {}) => ({ id: `p${amount}`, amount, paid_on: '2026-11-17', reverses: null, ...over });

interface Sample {
  readonly biller?: Biller;
  readonly content?: Partial<InvoiceContent>;
  readonly payments?: readonly ReturnType<typeof paid>[];
}

const view = ({ biller = company, content = {}, payments = [] }: Sample = {}, over: Partial<InvoiceView> = {}): InvoiceView => ({
  ...viewInvoice(
    {
      document: invoiceDocument(contentOf(biller, content), issue),
      fees: biller.fees,
      gst_number: biller.gst_number,
      state: 'open',
      isPaid: false,
      deposit: null,
      isDue: true,
      payments,
    },
    biller,
  ),
  ...over,
});

const render = (shown: InvoiceView) => renderInvoicePdf({ view: shown, logo: null });
const textOf = async (shown: InvoiceView) => (await readPdf(await render(shown))).text;
const mailOf = (shown: InvoiceView) =>
  invoiceEmail({ recipient: 'a@example.com', ...invoiceLetter(shown), view: shown, logoUrl: null, url: 'http://localhost/invoice/x' });
const withoutTags = (html: string) => html.replaceAll(/<[^>]*>/g, ' ');

describe('the PDF of an invoice', () => {
  it('names both sides, the numbers, the days, the GST number and how to pay', async () => {
    const text = await textOf(view());
    for (const part of [
      'Tax Invoice',
      'Invoice #J26110391',
      'INV-2026-0187',
      'Issued Nov 16, 2026',
      'Due Nov 23, 2026',
      'GST number 123-456-789',
      'Bill From',
      'Tāne Plumbing & Gas',
      '12 Rātā Street',
      'Bill To',
      'Faleolo Ltd',
      'Helen Faleolo',
      'Gas hot water',
      'Install a new one.',
      'GST 15%',
      'Kiwibank',
      '38-9000-0123456-00',
      'Payment Reference #J26110391',
      'Please include the payment reference when making your transfer',
      'Page 1 of 1',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/Paid|Canceled|Draft/);
  });

  it('has a QR code of the payment link, with the amount that it asks for', async () => {
    const shown = view({ biller: withFees });
    expect(shown.payment_link).toContain('amount=118.74');
    const bytes = await render(shown);
    expect(await readPdfCode(bytes)).toBe(shown.payment_link);
    expect((await readPdf(bytes)).text.replaceAll('\n', '')).toContain(shown.payment_link);
  });

  it('has neither code nor link without a PayPal account, and no bank without bank details', async () => {
    const shown = view({ biller: { ...company, paypal_email: null, bank_name: null, bank_account_number: null } });
    const bytes = await render(shown);
    expect(await readPdfCode(bytes)).toBeNull();
    expect((await readPdf(bytes)).text).not.toMatch(/How to pay|PayPal|Reference/);
  });

  it('prints a link that is too long for a code', async () => {
    const shown = view({ content: { title: '🔧'.repeat(200) } });
    expect(codeOf(shown.payment_link ?? '')).toBeNull();
    const bytes = await render(shown);
    expect(await readPdfCode(bytes)).toBeNull();
    expect((await readPdf(bytes)).text).toContain('https://www.paypal.com/cgi-bin/webscr');
  });

  it("is called 'Tax Invoice' only with a GST number, tax and an invoice number", async () => {
    const heading = async (shown: InvoiceView) => (await textOf(shown)).split('\n')[0];
    expect(await heading(view())).toBe('Tax Invoice');
    expect(await heading(view({ biller: { ...company, gst_number: null } }))).toBe('Invoice');
    expect(await heading(view({ content: { tax_rate: '0' } }))).toBe('Invoice');
    const draft = { ...view(), state: 'draft' as const };
    const document = { ...draft.document, invoice_number: null, issued: null };
    const text = await textOf({ ...draft, document });
    expect(text.split('\n')[0]).toBe('Invoice');
    expect(text).toContain('Draft: not sent yet');
  });

  it('counts payments, without those that were taken back, and says what is left', async () => {
    const payments = [paid('-5.00', { id: 'r', reverses: 'p5.00' }), paid('5.00'), paid('50.00')];
    const { amounts, text } = await readPdf(await render(view({ biller: withFees, payments })));
    expect(text).toContain('Paid Nov 17, 2026 -50.00');
    expect(amounts).not.toContain('-5.00');
    expect(text).toContain('Amount due by bank transfer $65.00');
    expect(text).toContain('Amount due online (includes $2.25 PayPal fee) $67.25');
  });

  it.each<[string, () => InvoiceView, string]>([
    ['paid', () => view({ payments: [paid('115.00')] }), 'Paid'],
    ['canceled', () => view({}, { state: 'canceled', payment_link: null, bank_name: null, bank_account_number: null }), 'Canceled'],
    [
      'credited',
      () => view({}, { state: 'canceled', credit_note: 'CN-2026-0003', payment_link: null, bank_name: null, bank_account_number: null }),
      'Canceled by credit note CN-2026-0003',
    ],
    [
      'replaced',
      () => view({}, { state: 'canceled', replaced_by: 'INV-2026-0188', payment_link: null, bank_name: null, bank_account_number: null }),
      'Replaced by INV-2026-0188',
    ],
  ])('says that it is %s, and asks for nothing', async (_state, make, mark) => {
    const bytes = await render(make());
    const { text } = await readPdf(bytes);
    expect(text.split('\n')).toContain(mark);
    expect(text).not.toContain('How to pay');
    expect(await readPdfCode(bytes)).toBeNull();
  });

  it.each<[string, Partial<Parameters<typeof viewInvoice>[0]>]>([
    ['part paid', { payments: [paid('50.00')] }],
    ['paid', { payments: [paid('115.00')] }],
    ['paid without a payment', { state: 'draft', isPaid: true }],
    ['canceled', { state: 'canceled' }],
  ])('has no fee in its total once it is %s: the rows add up', (_name, over) => {
    const { fees, gst_number } = withFees;
    const document = invoiceDocument(contentOf(withFees), issue);
    const viewed = { document, fees, gst_number, state: 'open' as const, isPaid: false, deposit: null, isDue: true, payments: [] };
    expect(viewInvoice(viewed, withFees).document).toMatchObject({ fee: '3.74', total: '$118.74' });
    expect(viewInvoice({ ...viewed, ...over }, withFees).document).toMatchObject({
      fee: null,
      total: '$115.00',
      exact: { fee: '0.00', total: '115.00' },
    });
  });

  it('says when the copy is not what was kept', async () => {
    expect(await textOf(view({}, { is_intact: false }))).toContain('This copy does not match the fingerprint it was saved with.');
  });

  it('of a credit note names the invoice, and takes back all of it without the fee', async () => {
    const base = view({ biller: withFees }, { kind: 'credit_note', state: 'canceled', credits: 'INV-2026-0187', reason: 'Wrong customer' });
    const shown = {
      ...base,
      document: { ...base.document, invoice_number: 'CN-2026-0003' },
      payment_link: null,
      bank_name: null,
      bank_account_number: null,
    };
    const { text, amounts } = await readPdf(await render(shown));
    expect(text).toContain('Credit Note CN-2026-0003 for INV-2026-0187');
    expect(text).toContain('Reason: Wrong customer');
    expect(amounts).toEqual(['-115.00', '-115.00', '-100.00', '-15.00', '-$115.00']);
  });

  it('of 500 lines breaks between lines, with the columns on every page', async () => {
    const items = Array.from({ length: 500 }, (_, index) => line({ name: `Part ${index + 1}`, unit_price: '1.15', total: '1.15' }));
    const { pages, text } = await readPdf(await render(view({ content: { items } })));
    expect(pages.length).toBeGreaterThan(10);
    for (const page of pages.slice(0, -1)) expect(page).toContain('Item Qty Unit price Total');
    expect(text.match(/Part \d+ 1 1\.15 inc GST 1\.15/g)).toHaveLength(500);
    expect(text).toContain('Total $575.00');
    expect(text).toContain(`Page ${pages.length} of ${pages.length}`);
  });
});

const cents = (max: number) => fc.integer({ min: 1, max }).map((value) => decimal(String(value)).times('0.01').toFixed(2));

const samples = fc.record({
  lines: fc.array(fc.record({ price: cents(900_000), quantity: fc.integer({ min: 1, max: 40 }), tax_inclusive: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  }),
  tax_rate: fc.constantFrom('0', '7', '10', '15', '19', '21'),
  hasFees: fc.boolean(),
  share: fc.constantFrom('0', '0', '0.3', '1'),
});

/** What a person adds up on paper and in the mail, in cents. */
function figuresIn(text: string) {
  const all = (row: RegExp) =>
    Array.from(text.matchAll(row), ([, amount = '']) => Math.round(Number(amount.replaceAll(/[$,]/g, '')) * 100));
  const sum = (row: RegExp) => all(row).reduce((total, amount) => total + amount, 0);
  const fee = sum(/^ *PayPal Fee:? (\S+)$/gm);
  return {
    parts: sum(/^ *Subtotal:? (\S+)$/gm) + sum(/^ *GST [\d.]+%:? (\S+)$/gm) + fee,
    total: sum(/^ *Total:? (\S+)$/gm),
    paid: -sum(/^ *Paid \w{3} \d+, \d+:? (\S+)$/gm),
    due: fee > 0 ? sum(/^ *Amount due online \(.*\):? (\$\S+)$/gm) : sum(/^ *Amount due(?: by bank transfer)?:? (\S+)$/gm),
  };
}

describe('the mail of an invoice', () => {
  it('lets the bank details break, so that it is no wider than a phone, and keeps amounts whole', () => {
    const shown = view();
    const { html } = mailOf(shown);
    const cellOf = (text: string | null) => html.split('<td').find((cell) => cell.includes(`>${text}<`));
    for (const text of [shown.bank_name, shown.bank_account_number, shown.document.reference])
      expect(cellOf(text)).toContain('overflow-wrap:anywhere');
    expect(cellOf('115.00')).toContain('white-space:nowrap');
  });
});

describe('every surface of an invoice', () => {
  it('prints the same amounts: document, mail, PDF, QR code', async () => {
    await fc.assert(
      fc.asyncProperty(samples, async ({ lines, tax_rate, hasFees, share }) => {
        const items = lines.map(({ price, quantity, tax_inclusive }, index) =>
          line({
            name: `Line ${index}`,
            unit_price: price,
            quantity: String(quantity),
            tax_inclusive,
            total: lineTotal(price, String(quantity)),
          }),
        );
        const sample = { biller: hasFees ? withFees : company, content: { items, tax_rate, description: null } };
        const { amount } = view(sample).document.exact;
        const share_paid = fixedText(decimal(amount).times(share), 2);
        const shown = view({ ...sample, payments: isPositive(share_paid) ? [paid(share_paid)] : [] });
        const { document, request, state, payment_link } = shown;
        const asked = [formatMoney(request.amount, 'NZD'), ...(request.fee === '0.00' ? [] : [formatMoney(request.total, 'NZD')])];
        const expected = [
          ...document.items.flatMap(({ unit_price, total }) => [unit_price, total]),
          document.subtotal,
          document.tax,
          ...(document.fee ? [document.fee] : []),
          document.total,
          ...shown.payments.map((payment) => `-${payment.amount}`),
          ...asked,
          ...(request.fee === '0.00' ? [] : [formatMoney(request.fee, 'NZD')]),
        ].toSorted();
        const bytes = await render(shown);
        const { text, amounts } = await readPdf(bytes);
        const linkAmount = /amount=([\d.]+)/.exec(payment_link ?? '')?.[1];
        // The printed link has an amount of its own.
        const ofLink = text.slice(text.indexOf('Scan this code'));
        const ownAmounts = payment_link ? amountsIn(text.slice(0, text.indexOf('Scan this code'))) : amounts;
        expect(ownAmounts.toSorted()).toEqual(expected);
        expect(payment_link === null || ofLink.replaceAll('\n', '').includes(payment_link)).toBe(true);
        const mail = mailOf(shown);
        for (const surface of [text, mail.text]) {
          const { parts, total, paid: received, due } = figuresIn(surface);
          expect(total).toBeGreaterThan(0);
          expect([parts, total - received]).toEqual([total, due]);
        }
        const inLetter = state === 'paid' ? [] : asked;
        expect(amountsIn(mail.text).toSorted()).toEqual([...expected, ...inLetter].toSorted());
        expect(amountsIn(withoutTags(mail.html)).toSorted()).toEqual([...expected, ...inLetter].toSorted());
        expect(await readPdfCode(bytes)).toBe(payment_link);
        expect(linkAmount ?? request.total).toBe(request.total);
        expect(state).toBe(request.outstanding === '0.00' ? 'paid' : 'open');
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});
