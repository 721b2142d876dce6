import type { ContentLine } from '@callout/domain/documents/document-parts';
import { initialSelection } from '@callout/domain/quotes/quote';
import { type QuoteContent, type QuoteDocument, quoteDocument } from '@callout/domain/quotes/quote-document';
import { describe, expect, it } from 'vitest';
import { amountsIn, readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { quoteEmail } from './quote.mail.ts';
import { renderQuotePdf } from './quote.pdf.ts';

const line = (name: string, unit_price: string, over: Partial<ContentLine> = {}): ContentLine => ({
  name,
  description: null,
  is_service: false,
  tax_inclusive: true,
  quantity: '1',
  unit_price,
  ...over,
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
        line('Water heater', '12185', { tax_inclusive: false }),
        line('Pipe', '264.5', { quantity: '2.5', description: 'Copper' }),
        line('Washer', '0.03', { tax_inclusive: false }),
      ],
    },
    { id: 'trap', name: 'Trap', description: null, always_required: true, items: [line('Trap', '0.03', { tax_inclusive: false })] },
    { id: 'tap', name: 'Outdoor tap', description: null, always_required: false, items: [line('Tap', '103.50', { quantity: '3' })] },
  ],
};

/** Every amount that the page prints for a document. */
function amountsOf({ sections, summary }: QuoteDocument): string[] {
  const totals = ({ subtotal, tax, total }: { subtotal: string; tax: string; total: string }) => [subtotal, tax, total];
  const ofSections = sections.flatMap((section) => [
    ...section.items.flatMap(({ unit_price, total }) => [unit_price, total]),
    ...(sections.length > 1 ? totals(section) : []),
  ]);
  return [...ofSections, ...totals(summary), ...(summary.rounding ? [summary.rounding] : [])];
}

const render = (document: QuoteDocument, accepted: string | null = null) =>
  renderQuotePdf({ document, logo: null, accepted, warning: null });
const mailOf = (document: QuoteDocument) =>
  quoteEmail({ recipient: 'a@example.com', subject: 'Quote', body: 'Hi', document, logoUrl: null, url: 'http://localhost/quote/x' });
/** The amounts of the HTML are those of its text. */
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ');

describe('the PDF of a quote', () => {
  it('has every amount of the page and the mail, and no other', async () => {
    const document = quoteDocument(content, initialSelection(content.sections));
    const expected = amountsOf(document).toSorted();
    expect(expected).toContain('$14,674.07');
    const { text, html } = mailOf(document);
    expect((await readPdf(await render(document))).amounts.toSorted()).toEqual(expected);
    expect(amountsIn(text).toSorted()).toEqual(expected);
    expect(amountsIn(textOf(html)).toSorted()).toEqual(expected);
  });

  it('has a total only when something is chosen', async () => {
    const options = { ...content, sections: content.sections.map((section) => ({ ...section, always_required: false })) };
    const document = quoteDocument(options, initialSelection(options.sections));
    const { text, amounts } = await readPdf(await render(document));
    expect(text).not.toContain('Summary');
    expect(amounts.toSorted()).toEqual(amountsIn(mailOf(document).text).toSorted());
    expect(amounts).not.toContain('$0.00');
  });

  it('names both sides, the dates, what is chosen, and its pages', async () => {
    const { text } = await readPdf(await render(quoteDocument(content, [])));
    for (const part of [
      'Quote Q418205',
      'Created Nov 16, 2026',
      'Valid until Dec 15, 2026',
      'Tāne Plumbing & Gas',
      '12 Rātā Street',
      'Helen Faleolo',
      'Option, not selected',
      'GST 15%',
      'exc GST',
      'Rounding',
      'Page 2 of 2',
    ])
      expect(text).toContain(part);
  });

  it('keeps its foot within the page, however long the name of the company is', async () => {
    const issuer = { ...content.issuer, company_name: 'Harbour Plumbing '.repeat(12).trim() };
    const { text } = await readPdf(await render(quoteDocument({ ...content, issuer }, [])));
    expect(text).toMatch(/Quote Q418205 · Harbour Plumbing .{20,90}… · Page 2 of 2/);
  });

  it('names a company before its contact, as the mail does', async () => {
    const document = quoteDocument({ ...content, customer: { name: 'Helen Faleolo', company_name: 'Faleolo Builders' } }, []);
    expect((await readPdf(await render(document))).text).toMatch(/Faleolo Builders\s+Helen Faleolo/);
    expect(mailOf(document).text).toContain('for Faleolo Builders, Helen Faleolo');
  });

  it('of what was accepted says by whom and when, and leaves out what was not', async () => {
    const document = quoteDocument(content, []);
    const { text } = await readPdf(await render(document, 'Accepted by Helen Faleolo on Nov 16, 2026'));
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
  ])('keeps a name in %s as text', async (_language, name) => {
    const document = quoteDocument({ ...content, title: name, customer: { name, company_name: null } }, []);
    const { text } = await readPdf(await render(document));
    expect(text.split(name)).toHaveLength(3);
  });

  it('replaces what no font has, and joins letters and their marks', async () => {
    const title = 'Wa\u0304nanga 漢字 👩‍🔧 \u0007done';
    const { text } = await readPdf(await render(quoteDocument({ ...content, title }, [])));
    expect(text).toMatch(/Wānanga \uFFFD\uFFFD .* done/);
  });

  it('of 500 lines repeats the columns on every page and loses none', async () => {
    const items = Array.from({ length: 500 }, (_, index) =>
      line(`Line ${index + 1}.`, '10.00', { description: index % 50 === 0 ? 'long '.repeat(150) : null }),
    );
    const sections = [{ id: 'all', name: 'All', description: null, always_required: true, items }];
    const { pages, text, amounts } = await readPdf(await render(quoteDocument({ ...content, sections }, [])));
    expect(pages.length).toBeGreaterThan(10);
    expect(items.filter(({ name }) => !text.includes(name))).toEqual([]);
    expect(amounts).toHaveLength(1003);
    for (const [index, page] of pages.entries()) expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    const withLines = pages.filter((page) => page.includes('Line '));
    expect(withLines.filter((page) => !page.includes('Unit price'))).toEqual([]);
  });

  it('lets long names and endless words wrap, and a description run over pages', async () => {
    const items = [line('x'.repeat(200), '1.00', { description: 'a line\n'.repeat(400).trim() })];
    const sections = [{ id: 'all', name: 'y'.repeat(200), description: null, always_required: true, items }];
    const { pages, text } = await readPdf(await render(quoteDocument({ ...content, sections }, [])));
    expect(pages.length).toBeGreaterThan(4);
    expect(text.match(/a line/g)).toHaveLength(400);
    expect(text.match(/x/g)?.length).toBeGreaterThanOrEqual(200);
  });

  it('of the longest words a quote can hold takes little time', async () => {
    const items = Array.from({ length: 100 }, (_, index) => line(`Line ${index + 1}.`, '1.00', { description: 'i'.repeat(2000) }));
    const sections = [{ id: 'all', name: 'All', description: null, always_required: true, items }];
    const document = quoteDocument({ ...content, sections }, []);
    const start = performance.now();
    await render(document);
    expect(performance.now() - start).toBeLessThan(6000);
  });
});
