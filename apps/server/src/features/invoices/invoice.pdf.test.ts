import { buildInvoiceDocument, type InvoiceContent, type InvoiceLine } from '@callout/domain/invoices/invoice-document';
import { toDecimal, toFixedString } from '@callout/domain/money/decimal';
import { calculateLineTotal, isPositiveAmount } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-format';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAmounts, readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { readPdfQrCode } from '../../../test/pdf-qr-code.ts';
import type { BillingCompany } from '../company/company.sql.ts';
import { buildInvoiceMail, buildInvoiceMessage } from './invoice.mail.ts';
import { encodeQrCode, renderInvoicePdf } from './invoice.pdf.ts';
import { buildRenderableInvoice, type RenderableInvoice } from './renderable-invoice.ts';

const buildLine = (overrides: Partial<InvoiceLine> = {}): InvoiceLine => ({
  name: 'Water heater',
  description: null,
  is_service: false,
  tax_inclusive: true,
  quantity: '1',
  unit_price: '115.00',
  total: '115.00',
  ...overrides,
});

const issuer = {
  company_name: 'Tāne Plumbing & Gas',
  address: '12 Rātā Street\nAuckland',
  phone: '09 555 0100',
  email: 'office@example.com',
};
const baseCompany: BillingCompany = {
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
const companyWithFees: BillingCompany = { ...baseCompany, fees: { add_paypal_fees: true, paypal_fee_percentage: null } };

const buildContent = (company: BillingCompany, overrides: Partial<InvoiceContent> = {}): InvoiceContent => ({
  job_number: 'J26110391',
  title: 'Gas hot water',
  description: 'Remove the old cylinder.\nInstall a new one.',
  job_type: 'fixed',
  fixed_amount: null,
  items: [buildLine()],
  tax_rate: '15',
  fees: company.fees,
  currency: company.currency,
  issuer: company.issuer,
  customer: { name: 'Helen Faleolo', company_name: 'Faleolo Ltd', address: '5 Hill Road\nNapier' },
  due_on: '2026-11-23',
  ...overrides,
});

const ISSUE = { invoice_number: 'INV-2026-0187', issued_on: '2026-11-16' };
const buildPayment = (amount: string, extra: object = {}) => ({
  id: `p${amount}`,
  amount,
  paid_on: '2026-11-17',
  reverses: null,
  ...extra,
});

interface ViewOptions {
  readonly company?: BillingCompany;
  readonly content?: Partial<InvoiceContent>;
  readonly payments?: readonly ReturnType<typeof buildPayment>[];
}

const buildView = (
  { company = baseCompany, content = {}, payments = [] }: ViewOptions = {},
  changes: Partial<RenderableInvoice> = {},
): RenderableInvoice => ({
  ...buildRenderableInvoice(
    {
      document: buildInvoiceDocument(buildContent(company, content), ISSUE),
      fees: company.fees,
      gst_number: company.gst_number,
      state: 'open',
      isPaid: false,
      deposit: null,
      isDue: true,
      payments,
    },
    company,
  ),
  ...changes,
});

const renderPdf = (view: RenderableInvoice) => renderInvoicePdf({ view, logo: null });
const readPdfText = async (view: RenderableInvoice) => (await readPdf(await renderPdf(view))).text;
const buildMail = (view: RenderableInvoice) =>
  buildInvoiceMail({ recipient: 'a@example.com', ...buildInvoiceMessage(view), view, logoUrl: null, url: 'http://localhost/invoice/x' });
const NOT_PAYABLE = { payment_link: null, bank_name: null, bank_account_number: null };
const stripTags = (html: string) => html.replaceAll(/<[^>]*>/g, ' ');

describe('an invoice PDF', () => {
  it('contains both parties, numbers, dates, the GST number and payment instructions', async () => {
    const text = await readPdfText(buildView());
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
      '5 Hill Road',
      'Napier',
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

  it('prints the discount of a line, as does the email', async () => {
    const discounted = buildLine({ discount: '11.50', discount_percent: '10', total: '103.50' });
    const view = buildView({ content: { items: [discounted, buildLine({ discount: '5.00', discount_percent: null, total: '110.00' })] } });
    const text = await readPdfText(view);
    for (const part of ['Discount 10%: -11.50', '103.50', 'Discount: -5.00', '110.00', '$213.50']) expect(text).toContain(part);
    const mail = buildMail(view);
    for (const body of [mail.text, stripTags(mail.html)]) {
      expect(body).toContain('1 × 115.00 inc GST · Discount 10%: -11.50');
      expect(body).toContain('Discount: -5.00');
    }
  });

  it('has a QR code with the payment link and its amount', async () => {
    const view = buildView({ company: companyWithFees });
    expect(view.payment_link).toContain('amount=118.74');
    const bytes = await renderPdf(view);
    expect(await readPdfQrCode(bytes)).toBe(view.payment_link);
    const { text } = await readPdf(bytes);
    expect(text).toContain('Pay $118.74 with PayPal');
    expect(text).not.toContain('https://');
  });

  it('omits PayPal and bank details that the company does not have', async () => {
    const view = buildView({ company: { ...baseCompany, paypal_email: null, bank_name: null, bank_account_number: null } });
    const bytes = await renderPdf(view);
    expect(await readPdfQrCode(bytes)).toBeNull();
    expect((await readPdf(bytes)).text).not.toMatch(/How to pay|PayPal|Reference/);
    expect(buildMail(view).text).not.toMatch(/bank transfer|Bank|Account number|Reference/);
    expect(buildMail(buildView()).text).toMatch(/Pay by bank transfer[^]*Bank: Kiwibank/);
  });

  it('prints a payment link that is too long for a QR code', async () => {
    const view = buildView({ content: { title: '🔧'.repeat(200) } });
    expect(encodeQrCode(view.payment_link ?? '')).toBeNull();
    const bytes = await renderPdf(view);
    expect(await readPdfQrCode(bytes)).toBeNull();
    expect((await readPdf(bytes)).text).toContain('https://www.paypal.com/cgi-bin/webscr');
  });

  it("has the title 'Tax Invoice' only with a GST number, tax and an invoice number", async () => {
    const readHeading = async (view: RenderableInvoice) => (await readPdfText(view)).split('\n')[0];
    expect(await readHeading(buildView())).toBe('Tax Invoice');
    expect(await readHeading(buildView({ company: { ...baseCompany, gst_number: null } }))).toBe('Invoice');
    expect(await readHeading(buildView({ content: { tax_rate: '0' } }))).toBe('Invoice');
    const draft = { ...buildView(), state: 'draft' as const };
    const document = { ...draft.document, invoice_number: null, issued: null };
    const text = await readPdfText({ ...draft, document });
    expect(text.split('\n')[0]).toBe('Invoice');
    expect(text).toContain('Draft: not sent yet');
  });

  it('lists payments without reversed ones, and the amount due', async () => {
    const payments = [buildPayment('-5.00', { id: 'r', reverses: 'p5.00' }), buildPayment('5.00'), buildPayment('50.00')];
    const { amounts, text } = await readPdf(await renderPdf(buildView({ company: companyWithFees, payments })));
    expect(text).toContain('Paid Nov 17, 2026 -50.00');
    expect(amounts).not.toContain('-5.00');
    expect(text).toContain('Amount due by bank transfer $65.00');
    expect(text).toContain('Amount due online (includes $2.25 PayPal Fee) $67.25');
  });

  it.each<[string, () => RenderableInvoice, string]>([
    ['paid', () => buildView({ payments: [buildPayment('115.00')] }), 'Paid'],
    ['canceled', () => buildView({}, { ...NOT_PAYABLE, state: 'canceled' }), 'Canceled'],
    [
      'credited',
      () => buildView({}, { ...NOT_PAYABLE, state: 'canceled', credit_note: 'CN-2026-0003' }),
      'Canceled by credit note CN-2026-0003',
    ],
    ['replaced', () => buildView({}, { ...NOT_PAYABLE, state: 'canceled', replaced_by: 'INV-2026-0188' }), 'Replaced by INV-2026-0188'],
  ])('is marked as %s and requests no payment', async (_state, createView, label) => {
    const bytes = await renderPdf(createView());
    const { text } = await readPdf(bytes);
    expect(text.split('\n')).toContain(label);
    expect(text).not.toContain('How to pay');
    expect(await readPdfQrCode(bytes)).toBeNull();
  });

  it.each<[string, Partial<Parameters<typeof buildRenderableInvoice>[0]>]>([
    ['part paid', { payments: [buildPayment('50.00')] }],
    ['paid', { payments: [buildPayment('115.00')] }],
    ['paid without a payment', { state: 'draft', isPaid: true }],
    ['canceled', { state: 'canceled' }],
  ])('has no fee in its total once it is %s', (_name, overrides) => {
    const { fees, gst_number } = companyWithFees;
    const document = buildInvoiceDocument(buildContent(companyWithFees), ISSUE);
    const input = { document, fees, gst_number, state: 'open' as const, isPaid: false, deposit: null, isDue: true, payments: [] };
    expect(buildRenderableInvoice(input, companyWithFees).document).toMatchObject({ fee: '3.74', total: '$118.74' });
    expect(buildRenderableInvoice({ ...input, ...overrides }, companyWithFees).document).toMatchObject({
      fee: null,
      total: '$115.00',
      exact: { fee: '0.00', total: '115.00' },
    });
  });

  it('warns if the stored copy does not match its hash', async () => {
    expect(await readPdfText(buildView({}, { is_intact: false }))).toContain('This copy may have been altered since it was saved.');
  });

  it('for a credit note names the canceled invoice and has negative amounts without the fee', async () => {
    const changes = { ...NOT_PAYABLE, kind: 'credit_note', state: 'canceled', credits: 'INV-2026-0187', reason: 'Wrong customer' } as const;
    const base = buildView({ company: companyWithFees }, changes);
    const view = { ...base, document: { ...base.document, invoice_number: 'CN-2026-0003' } };
    const { text, amounts } = await readPdf(await renderPdf(view));
    expect(text).toContain('Credit Note CN-2026-0003 for INV-2026-0187');
    expect(text).toContain('Reason: Wrong customer');
    expect(amounts).toEqual(['-115.00', '-115.00', '-100.00', '-15.00', '-$115.00']);
  });

  it('breaks pages between lines and repeats the column headings for an invoice with 500 lines', async () => {
    const items = Array.from({ length: 500 }, (_, index) => buildLine({ name: `Part ${index + 1}`, unit_price: '1.15', total: '1.15' }));
    const { pages, text } = await readPdf(await renderPdf(buildView({ content: { items } })));
    expect(pages.length).toBeGreaterThan(10);
    for (const page of pages.slice(0, -1)) expect(page).toContain('Item Qty Unit price Total');
    expect(text.match(/Part \d+ 1 1\.15 inc GST 1\.15/g)).toHaveLength(500);
    expect(text).toContain('Total $575.00');
    expect(text).toContain(`Page ${pages.length} of ${pages.length}`);
  });
});

const arbitraryAmount = (max: number) => fc.integer({ min: 1, max }).map((value) => toDecimal(String(value)).times('0.01').toFixed(2));

const arbitraryInvoice = fc.record({
  lines: fc.array(fc.record({ price: arbitraryAmount(900_000), quantity: fc.integer({ min: 1, max: 40 }), tax_inclusive: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  }),
  tax_rate: fc.constantFrom('0', '7', '10', '15', '19', '21'),
  hasFees: fc.boolean(),
  share: fc.constantFrom('0', '0', '0.3', '1'),
});

/** Extracts the totals, in cents, from the text of a PDF or email. */
function parseFigures(text: string) {
  const all = (row: RegExp) =>
    Array.from(text.matchAll(row), ([, amount = '']) => Math.round(Number(amount.replaceAll(/[$,]/g, '')) * 100));
  const sum = (row: RegExp) => all(row).reduce((total, amount) => total + amount, 0);
  const fee = sum(/^ *PayPal Fee \(online payment only\):? (\S+)$/gm);
  return {
    parts: sum(/^ *Subtotal:? (\S+)$/gm) + sum(/^ *GST [\d.]+%:? (\S+)$/gm) + fee,
    total: sum(/^ *Total:? (\S+)$/gm),
    paid: -sum(/^ *Paid \w{3} \d+, \d+:? (\S+)$/gm),
    due: fee > 0 ? sum(/^ *Amount due online \(.*\):? (\$\S+)$/gm) : sum(/^ *Amount due(?: by bank transfer)?:? (\S+)$/gm),
  };
}

describe('an invoice email', () => {
  it('wraps long bank details to fit a phone screen, but never wraps amounts', () => {
    const view = buildView();
    const { html } = buildMail(view);
    const findCell = (text: string | null) => html.split('<td').find((cell) => cell.includes(`>${text}<`));
    for (const text of [view.bank_name, view.bank_account_number, view.document.reference])
      expect(findCell(text)).toContain('overflow-wrap:anywhere');
    expect(findCell('115.00')).toContain('white-space:nowrap');
  });
});

describe("an invoice's document, email, PDF and QR code", () => {
  it('contain the same amounts', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryInvoice, async ({ lines, tax_rate, hasFees, share }) => {
        const items = lines.map(({ price, quantity, tax_inclusive }, index) =>
          buildLine({
            name: `Line ${index}`,
            unit_price: price,
            quantity: String(quantity),
            tax_inclusive,
            total: calculateLineTotal(price, String(quantity)),
          }),
        );
        const sample = { company: hasFees ? companyWithFees : baseCompany, content: { items, tax_rate, description: null } };
        const { amount } = buildView(sample).document.exact;
        const paidAmount = toFixedString(toDecimal(amount).times(share), 2);
        const view = buildView({ ...sample, payments: isPositiveAmount(paidAmount) ? [buildPayment(paidAmount)] : [] });
        const { document, request, state, payment_link } = view;
        const requested = [formatMoney(request.amount, 'NZD'), ...(request.fee === '0.00' ? [] : [formatMoney(request.total, 'NZD')])];
        const expected = [
          ...document.items.flatMap(({ unit_price, total }) => [unit_price, total]),
          document.subtotal,
          document.tax,
          ...(document.fee ? [document.fee] : []),
          document.total,
          ...view.payments.map((payment) => `-${payment.amount}`),
          ...requested,
          ...(request.fee === '0.00' ? [] : [formatMoney(request.fee, 'NZD')]),
        ].toSorted();
        const bytes = await renderPdf(view);
        const { text, amounts } = await readPdf(bytes);
        const linkAmount = /amount=([\d.]+)/.exec(payment_link ?? '')?.[1];
        // The text of the payment link comes after 'Scan this code' and repeats an amount, so `pdfAmounts` excludes it.
        const linkText = text.slice(text.indexOf('Scan this code'));
        const pdfAmounts = payment_link ? findAmounts(text.slice(0, text.indexOf('Scan this code'))) : amounts;
        expect(pdfAmounts.toSorted()).toEqual(expected);
        expect(payment_link === null || linkText.includes(`Pay ${formatMoney(request.total, 'NZD')} with PayPal`)).toBe(true);
        const mail = buildMail(view);
        for (const surface of [text, mail.text]) {
          const { parts, total, paid: received, due } = parseFigures(surface);
          expect(total).toBeGreaterThan(0);
          expect([parts, total - received]).toEqual([total, due]);
        }
        const inMessage = state === 'paid' ? [] : requested;
        expect(findAmounts(mail.text).toSorted()).toEqual([...expected, ...inMessage].toSorted());
        expect(findAmounts(stripTags(mail.html)).toSorted()).toEqual([...expected, ...inMessage].toSorted());
        expect(await readPdfQrCode(bytes)).toBe(payment_link);
        expect(linkAmount ?? request.total).toBe(request.total);
        expect(state).toBe(request.outstanding === '0.00' ? 'paid' : 'open');
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});
