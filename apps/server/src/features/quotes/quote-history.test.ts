import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newCustomer, newQuote, newQuoteLine, newSection } from '../../../test/factories/inputs.ts';
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
  const { id: customer_id } = await customers.create(newCustomer());
  const line = (name: string, over: object = {}) => newQuoteLine({ name, unit_price: '50.00', quantity: '2', ...over });
  const sections = [
    newSection({ name: 'Bath', items: ['Tub', 'Tap', 'Drain'].map((name) => line(name)) }),
    newSection({ name: 'Hall', items: [] }),
  ];
  quote = await quotes.create(newQuote({ customer_id, sections }));
});

type Sections = Quote['sections'];

/** What the history tells of saving the quote with these sections. */
async function changesBy(edit: (sections: Sections) => Sections) {
  const { quotes } = firm.people.admin.client;
  await quotes.update({ ...quote, sections: edit(quote.sections), attachment_ids: [] });
  const { rows } = await quotes.history({ id: quote.id });
  return rows.filter(({ action }) => action === 'edited').map(({ changes }) => changes);
}

/** Changes the lines of the first section. */
const withLines = (change: (items: Sections[number]['items']) => Sections[number]['items']) => (sections: Sections) =>
  sections.map((section, index) => (index === 0 ? { ...section, items: change(section.items) } : section));
const withFirst = (over: object) => withLines((items) => items.map((item, index) => (index === 0 ? { ...item, ...over } : item)));
const TUB = 'Bath: 2 × Tub at 50.00';

describe('the history of a quote tells', () => {
  it.each<[string, (sections: Sections) => Sections, [string | null, string | null]]>([
    ['another text of a line', withFirst({ description: 'Cast iron' }), [TUB, `${TUB} (Cast iron)`]],
    ['a quantity against a price', withFirst({ quantity: '4', unit_price: '25.00' }), [TUB, 'Bath: 4 × Tub at 25.00']],
    [
      'the last two lines the other way round',
      withLines(([tub, tap, drain]) => [tub, drain, tap].filter((item) => item !== undefined)),
      ['Bath: 2 × Tap at 50.00\nBath: 2 × Drain at 50.00', 'Bath: 2 × Drain at 50.00\nBath: 2 × Tap at 50.00'],
    ],
    [
      'a line in another section',
      ([bath, hall]) =>
        bath && hall
          ? [
              { ...bath, items: bath.items.slice(1) },
              { ...hall, items: bath.items.slice(0, 1) },
            ]
          : [],
      [TUB, 'Hall: 2 × Tub at 50.00'],
    ],
  ])('%s, although the total is the same', async (_what, edit, items) => {
    expect(await changesBy(edit)).toEqual([{ items }]);
  });

  it('a line that was removed', async () => {
    expect(await changesBy(withLines((items) => items.slice(1)))).toMatchObject([{ items: [TUB, null] }]);
  });

  it('another description of a section', async () => {
    const edit = (sections: Sections) =>
      sections.map((section) => ({ ...section, description: section.name === 'Hall' ? 'Upstairs' : null }));
    expect(await changesBy(edit)).toEqual([{ section_descriptions: ['Hall: ', 'Hall: Upstairs'] }]);
  });

  it('a new tax rate', async () => {
    const setRate = (rate: string) =>
      test.owner.query('update companies set gst_percentage = $2 where company_id = $1', [firm.companyId, rate]);
    await setRate('12.5');
    const changes = await changesBy((sections) => sections);
    await setRate('15');
    expect(changes).toEqual([{ tax_rate: ['15', '12.5'] }]);
  });

  it('nothing of a save that changes nothing', async () => {
    expect(await changesBy((sections) => sections)).toEqual([]);
  });

  it('only so much of a large change, and never half a character', async () => {
    const long = `${'x'.repeat(275)}😀 more`;
    const lines = Array.from({ length: 400 }, () => newQuoteLine({ name: 'Tile', description: long, unit_price: '0.00' }));
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
