import type { LineContent } from '@callout/domain/documents/document-parts';
import { getInitialSelection } from '@callout/domain/quotes/quote';
import { buildQuoteDocument, type QuoteContent, type QuoteDocument } from '@callout/domain/quotes/quote-document';
import { describe, expect, it } from 'vitest';
import { findAmounts, readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { buildQuoteMail } from './quote.mail.ts';
import { renderQuotePdf } from './quote.pdf.ts';

const buildLine = (name: string, unit_price: string, overrides: Partial<LineContent> = {}): LineContent => ({
  name,
  description: null,
  is_service: false,
  tax_inclusive: true,
  quantity: '1',
  unit_price,
  ...overrides,
});

const content: QuoteContent = {
  quote_number: 'Q418205',
  title: 'Gas hot water',
  description: 'Remove the old cylinder.\nInstall a new one.',
  created_on: '2026-11-16',
  valid_until: '2026-12-15',
  currency: 'NZD',
  tax_rate: '15',
  deposit: null,
  issuer: { company_name: 'Tāne Plumbing & Gas', address: '12 Rātā Street\nAuckland', phone: '09 555 0100', email: 'office@example.com' },
  customer: { name: 'Helen Faleolo', company_name: null },
  sections: [
    {
      id: 'hot',
      name: 'Gas hot water',
      description: 'Rinnai 26',
      always_required: true,
      items: [
        buildLine('Water heater', '12185', { tax_inclusive: false }),
        buildLine('Pipe', '264.5', { quantity: '2.5', description: 'Copper' }),
        buildLine('Washer', '0.03', { tax_inclusive: false }),
      ],
    },
    { id: 'trap', name: 'Trap', description: null, always_required: true, items: [buildLine('Trap', '0.03', { tax_inclusive: false })] },
    { id: 'tap', name: 'Outdoor tap', description: null, always_required: false, items: [buildLine('Tap', '103.50', { quantity: '3' })] },
  ],
};

/** Lists every amount that the public page shows. */
function listAmounts({ sections, has_section_tax, summary }: QuoteDocument): string[] {
  const listTotals = ({ subtotal, tax, total }: { subtotal: string; tax: string; total: string }) => [subtotal, tax, total];
  const sectionAmounts = sections.flatMap((section) => [
    ...section.items.flatMap(({ unit_price, total }) => [unit_price, total]),
    ...(sections.length > 1 ? (has_section_tax ? listTotals(section) : [section.total]) : []),
  ]);
  return [...sectionAmounts, ...listTotals(summary), ...(summary.rounding ? [summary.rounding] : [])];
}

const renderPdf = (document: QuoteDocument, accepted: string | null = null) =>
  renderQuotePdf({ document, logo: null, accepted, warning: null });
const buildMail = (document: QuoteDocument) =>
  buildQuoteMail({ recipient: 'a@example.com', subject: 'Quote', body: 'Hi', document, logoUrl: null, url: 'http://localhost/quote/x' });
const stripTags = (html: string) => html.replaceAll(/<[^>]*>/g, ' ');

describe('a rendered quote PDF', () => {
  it('has exactly the same amounts as the page and the email', async () => {
    const document = buildQuoteDocument(content, getInitialSelection(content.sections));
    const expected = listAmounts(document).toSorted();
    expect(expected).toContain('$14,674.07');
    const { text, html } = buildMail(document);
    expect((await readPdf(await renderPdf(document))).amounts.toSorted()).toEqual(expected);
    expect(findAmounts(text).toSorted()).toEqual(expected);
    expect(findAmounts(stripTags(html)).toSorted()).toEqual(expected);
  });

  it('has a total only if at least one section is selected', async () => {
    const options = { ...content, sections: content.sections.map((section) => ({ ...section, always_required: false })) };
    const document = buildQuoteDocument(options, getInitialSelection(options.sections));
    const { text, amounts } = await readPdf(await renderPdf(document));
    expect(text).not.toContain('Summary');
    expect(amounts.toSorted()).toEqual(findAmounts(buildMail(document).text).toSorted());
    expect(amounts).not.toContain('$0.00');
  });

  it('contains both parties, the dates, the selection and page numbers', async () => {
    const { text } = await readPdf(await renderPdf(buildQuoteDocument(content, [])));
    for (const part of [
      'Quote Q418205',
      'Created Nov 16, 2026',
      'Valid until Dec 15, 2026',
      'Tāne Plumbing & Gas',
      '12 Rātā Street',
      'Helen Faleolo',
      'Optional',
      'GST 15%',
      'exc GST',
      'Rounding',
      'Page 1 of 1',
    ])
      expect(text).toContain(part);
  });

  it('truncates long company names in the footer', async () => {
    const issuer = { ...content.issuer, company_name: 'Harbour Plumbing '.repeat(12).trim() };
    const { text } = await readPdf(await renderPdf(buildQuoteDocument({ ...content, issuer }, [])));
    expect(text).toMatch(/Quote Q418205 · Harbour Plumbing .{20,90}… · Page \d of \d/);
  });

  it('prints the company before the contact, as the email does', async () => {
    const document = buildQuoteDocument({ ...content, customer: { name: 'Helen Faleolo', company_name: 'Faleolo Builders' } }, []);
    expect((await readPdf(await renderPdf(document))).text).toMatch(/Faleolo Builders\s+Helen Faleolo/);
    expect(buildMail(document).text).toContain('for Faleolo Builders, Helen Faleolo');
  });

  it('shows who accepted the quote and when, and omits options that were not selected', async () => {
    const document = buildQuoteDocument(content, []);
    const { text } = await readPdf(await renderPdf(document, 'Accepted by Helen Faleolo on Nov 16, 2026'));
    expect(text).toContain('Accepted by Helen Faleolo on Nov 16, 2026');
    expect(text).not.toContain('Outdoor tap');
    expect(text).toContain(document.summary.total);
  });

  it.each([
    ['Māori', 'Āwhina Ngāpō, Ōtāhuhu'],
    ['Greek', 'Ελένη Παπαδοπούλου, Αθήνα'],
    ['Cyrillic', 'Наталія Їжакевич, Київ; Ђорђе'],
    ['Polish', 'Zażółć gęślą jaźń'],
    ['Czech', 'Příliš žluťoučký kůň úpěl'],
    ['Turkish', 'Işık Ğüzel, İstanbul'],
    ['Icelandic', 'Þórður Æðey'],
    ['Romanian', 'Ștefan Țepeș'],
    ['Maltese', 'Ġorġ Ħaż-Żebbuġ'],
    ['Sámi', 'Áŋŋel Ŧuomas Šaččat'],
    ['Latvian', 'Ķīlis Ņukša Ģirts'],
    ['Georgian', 'ნინო ბერიძე'],
    ['Armenian', 'Անի Սարգսյան'],
  ])('preserves a %s name as searchable text', async (_language, name) => {
    const document = buildQuoteDocument({ ...content, title: name, customer: { name, company_name: null } }, []);
    const { text } = await readPdf(await renderPdf(document));
    expect(text.split(name)).toHaveLength(3);
  });

  it('replaces unsupported characters and composes accents', async () => {
    const title = 'Wa\u0304nanga 漢字 👩‍🔧 \u0007done';
    const { text } = await readPdf(await renderPdf(buildQuoteDocument({ ...content, title }, [])));
    expect(text).toMatch(/Wānanga \uFFFD\uFFFD .* done/);
  });

  it('prints all 500 lines and repeats the column headers on every page', async () => {
    const items = Array.from({ length: 500 }, (_, index) =>
      buildLine(`Line ${index + 1}.`, '10.00', { description: index % 50 === 0 ? 'long '.repeat(150) : null }),
    );
    const sections = [{ id: 'all', name: 'All', description: null, always_required: true, items }];
    const { pages, text, amounts } = await readPdf(await renderPdf(buildQuoteDocument({ ...content, sections }, [])));
    expect(pages.length).toBeGreaterThan(10);
    expect(items.filter(({ name }) => !text.includes(name))).toEqual([]);
    expect(amounts).toHaveLength(1003);
    for (const [index, page] of pages.entries()) expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    const withLines = pages.filter((page) => page.includes('Line '));
    expect(withLines.filter((page) => !page.includes('Unit price'))).toEqual([]);
  });

  it('wraps long names and words, and continues descriptions on the next page', async () => {
    const items = [buildLine('x'.repeat(200), '1.00', { description: 'a line\n'.repeat(400).trim() })];
    const sections = [{ id: 'all', name: 'y'.repeat(200), description: null, always_required: true, items }];
    const { pages, text } = await readPdf(await renderPdf(buildQuoteDocument({ ...content, sections }, [])));
    expect(pages.length).toBeGreaterThan(4);
    expect(text.match(/a line/g)).toHaveLength(400);
    expect(text.match(/x/g)?.length).toBeGreaterThanOrEqual(200);
  });

  it('renders the longest possible words in reasonable time', async () => {
    const items = Array.from({ length: 100 }, (_, index) => buildLine(`Line ${index + 1}.`, '1.00', { description: 'i'.repeat(2000) }));
    const sections = [{ id: 'all', name: 'All', description: null, always_required: true, items }];
    const document = buildQuoteDocument({ ...content, sections }, []);
    const start = performance.now();
    await renderPdf(document);
    expect(performance.now() - start).toBeLessThan(6000);
  });
});
