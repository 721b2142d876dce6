import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCustomer, buildQuote, buildQuoteLine, buildQuoteSection } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

type Quote = Awaited<ReturnType<Firm['people']['admin']['client']['quotes']['get']>>;

let test: TestApp;
let firm: Firm;
let quote: Quote;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
});

beforeEach(async () => {
  const { customers, quotes } = firm.people.admin.client;
  const { id: customer_id } = await customers.create(buildCustomer());
  const buildLine = (name: string, overrides: object = {}) => buildQuoteLine({ name, unit_price: '50.00', quantity: '2', ...overrides });
  const sections = [
    buildQuoteSection({ name: 'Bath', items: ['Tub', 'Tap', 'Drain'].map((name) => buildLine(name)) }),
    buildQuoteSection({ name: 'Hall', items: [] }),
  ];
  quote = await quotes.create(buildQuote({ customer_id, sections }));
});

type Sections = Quote['sections'];

/** Saves the quote with the edited sections and returns the changes that its history records. */
async function readChangesAfter(edit: (sections: Sections) => Sections) {
  const { quotes } = firm.people.admin.client;
  await quotes.update({ ...quote, sections: edit(quote.sections), attachment_ids: [] });
  const { rows } = await quotes.history({ id: quote.id });
  return rows.filter(({ action }) => action === 'edited').map(({ changes }) => changes);
}

/** Returns an edit that changes the lines of the first section. */
const withLines = (change: (items: Sections[number]['items']) => Sections[number]['items']) => (sections: Sections) =>
  sections.map((section, index) => (index === 0 ? { ...section, items: change(section.items) } : section));
const withFirstLine = (overrides: object) =>
  withLines((items) => items.map((item, index) => (index === 0 ? { ...item, ...overrides } : item)));
const TUB_LINE = 'Bath: 2 × Tub at 50.00';

describe('the history of a quote', () => {
  it.each<[string, (sections: Sections) => Sections, [string | null, string | null]]>([
    ['a new line description', withFirstLine({ description: 'Cast iron' }), [TUB_LINE, `${TUB_LINE} (Cast iron)`]],
    ['a quantity and a price that cancel out', withFirstLine({ quantity: '4', unit_price: '25.00' }), [TUB_LINE, 'Bath: 4 × Tub at 25.00']],
    [
      'two swapped lines',
      withLines(([tub, tap, drain]) => [tub, drain, tap].filter((item) => item !== undefined)),
      ['Bath: 2 × Tap at 50.00\nBath: 2 × Drain at 50.00', 'Bath: 2 × Drain at 50.00\nBath: 2 × Tap at 50.00'],
    ],
    [
      'a line moved to another section',
      ([bath, hall]) =>
        bath && hall
          ? [
              { ...bath, items: bath.items.slice(1) },
              { ...hall, items: bath.items.slice(0, 1) },
            ]
          : [],
      [TUB_LINE, 'Hall: 2 × Tub at 50.00'],
    ],
  ])('records %s, even if the total stays the same', async (_what, edit, items) => {
    expect(await readChangesAfter(edit)).toEqual([{ items }]);
  });

  it('records a removed line', async () => {
    expect(await readChangesAfter(withLines((items) => items.slice(1)))).toMatchObject([{ items: [TUB_LINE, null] }]);
  });

  it('records a new section description', async () => {
    const edit = (sections: Sections) =>
      sections.map((section) => ({ ...section, description: section.name === 'Hall' ? 'Upstairs' : null }));
    expect(await readChangesAfter(edit)).toEqual([{ section_descriptions: ['Hall: ', 'Hall: Upstairs'] }]);
  });

  it('records a new tax rate', async () => {
    const setTaxRate = (rate: string) =>
      test.owner.query('update companies set gst_percentage = $2 where company_id = $1', [firm.companyId, rate]);
    await setTaxRate('12.5');
    const changes = await readChangesAfter((sections) => sections);
    await setTaxRate('15');
    expect(changes).toEqual([{ tax_rate: ['15', '12.5'] }]);
  });

  it('records nothing for a save without changes', async () => {
    expect(await readChangesAfter((sections) => sections)).toEqual([]);
  });

  it('truncates long entries without splitting a character', async () => {
    const long = `${'x'.repeat(275)}😀 more`;
    const lines = Array.from({ length: 400 }, () => buildQuoteLine({ name: 'Tile', description: long, unit_price: '0.00' }));
    const { quotes } = firm.people.admin.client;
    const sections = quote.sections.map((section, index) => (index === 1 ? { ...section, items: lines } : section));
    await quotes.update({ ...quote, sections, attachment_ids: [] });
    const [edited] = (await quotes.history({ id: quote.id })).rows;
    const [was, is] = edited?.changes['items'] ?? [];
    expect(was).toBeNull();
    expect(is?.split('\n')).toHaveLength(21);
    expect(is).toMatch(/x…\nHall.*\nand 380 more$/s);
    expect(is?.isWellFormed()).toBe(true);
  });
});
