import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStream } from '../../../test/event-stream.ts';
import { newCustomer, newItem, newQuote, newQuoteLine, newSection, newSupplier } from '../../../test/factories/inputs.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { createQuotingFirm, type QuotingFirm } from '../../../test/factories/quoting-firm.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let quoting: QuotingFirm;

beforeAll(async () => {
  test = await startTestApp();
  quoting = await createQuotingFirm(test);
});

const admin = () => quoting.firm.people.admin.client;

/** What a form sends to save a quote as it is, but for what the test is about. */
function changeOf(quote: Awaited<ReturnType<QuotingFirm['create']>>, over: object = {}) {
  const { id, version, title, description, valid_until, sections, attachments } = quote;
  return { id, version, title, description, valid_until, sections, attachment_ids: attachments.map((file) => file.id), ...over };
}

describe('a new quote', () => {
  it('is a draft with a number, the company’s rate and totals of the server', async () => {
    const input = quoting.quoteOf({
      sections: [
        newSection({
          always_required: true,
          items: [newQuoteLine({ unit_price: '57.50' }), newQuoteLine({ unit_price: '10.00', quantity: '3', tax_inclusive: false })],
        }),
        newSection({ name: 'Towel rail', description: 'Wired', items: [newQuoteLine({ unit_price: '46', quantity: '2' })] }),
      ],
    });
    const posted = { ...input, quote_number: 'Q1', status: 'accepted', total_amount: '1', user_id: randomUUID() };
    expect(await admin().quotes.create(posted)).toMatchObject({
      quote_number: expect.stringMatching(/^Q\d{6}$/) as string,
      status: 'draft',
      shown_status: 'draft',
      is_actionable: true,
      tax_rate: '15',
      subtotal: '160.00',
      tax_amount: '24.00',
      total_amount: '184.00',
      sections: [
        { name: 'Items & Services', always_required: true, subtotal: '80.00', tax_amount: '12.00', total_amount: '92.00' },
        { name: 'Towel rail', description: 'Wired', always_required: false, total_amount: '92.00' },
      ],
      public_path: expect.stringMatching(/^\/quote\/[\w-]{22}$/) as string,
      version: 1,
    });
  });

  it('copies what it needs of the price list, which later changes leave alone', async () => {
    const supplier = await admin().suppliers.create(newSupplier());
    const item = await admin().items.create(newItem({ supplier_id: supplier.id, sku: 'OLD-1', cost_price: '70.00' }));
    const { id } = await quoting.create({
      sections: [newSection({ items: [newQuoteLine({ supplier_item_id: item.id, quantity: '2' })] })],
    });
    const { version } = await admin().items.get({ id: item.id });
    await admin().items.update({ ...newItem({ supplier_id: supplier.id, sku: 'NEW-1', cost_price: '1.00' }), id: item.id, version });
    const line = () =>
      admin()
        .quotes.get({ id })
        .then(({ sections }) => sections[0]?.items[0]);
    expect(await line()).toMatchObject({
      sku: 'OLD-1',
      supplier_name: 'Reece Plumbing',
      cost_price: '70.00',
      pricing_method: 'margin',
      supplier_item_id: item.id,
    });
    await admin().items.remove({ id: item.id });
    expect(await line()).toMatchObject({ sku: 'OLD-1', cost_price: '70.00', supplier_item_id: null, total_price: '200.00' });
    // A form that was opened before still names the item.
    const quote = await admin().quotes.get({ id });
    const sections = quote.sections.map((section) => ({
      ...section,
      items: section.items.map((each) => ({ ...each, supplier_item_id: item.id })),
    }));
    expect((await admin().quotes.update(changeOf(quote, { sections, title: 'Still here' }))).sections[0]?.items[0]).toMatchObject({
      sku: 'OLD-1',
    });
  });

  it('is created once, however often the request is sent', async () => {
    const input = quoting.quoteOf({ sections: [newSection({ items: [quoting.picked({ quantity: '1.50' })] })] });
    const answers = await Promise.all([1, 2, 3].map(() => admin().quotes.create(input)));
    expect(new Set(answers.map(({ quote_number }) => quote_number)).size).toBe(1);
    await expect(admin().quotes.create({ ...input, title: 'Another one' })).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it.each<[string, object]>([
    ['tax', { tax_inclusive: false }],
    ['description', { description: 'Brushed brass' }],
    ['kind', { is_service: true }],
    ['item', { supplier_item_id: null }],
  ])('is not taken for another one that differs in the %s of a line only', async (_what, over) => {
    const line = quoting.picked({ is_service: false });
    const input = quoting.quoteOf({ sections: [newSection({ items: [line] })] });
    await admin().quotes.create(input);
    const changed = { ...input, sections: input.sections.map((section) => ({ ...section, items: [{ ...line, ...over }] })) };
    await expect(admin().quotes.create(changed)).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it('advances the customer’s last interaction', async () => {
    const customer = await admin().customers.create(newCustomer());
    await test.owner.query('update customers set last_interaction = null where id = $1', [customer.id]);
    await quoting.create({ customer_id: customer.id });
    expect((await admin().customers.get({ id: customer.id })).last_interaction).not.toBeNull();
  });

  it.each<[string, object, string]>([
    ['no customer', { customer_id: '' }, 'Customer is required'],
    ['no title', { title: '  ' }, 'Title is required'],
    ['no section', { sections: [] }, 'At least one section is required'],
    ['a section without a name', { sections: [newSection({ name: ' ' })] }, 'Please enter a section name'],
    ['a quantity of 0', { sections: [newSection({ items: [newQuoteLine({ quantity: '0' })] })] }, 'Quantity must be at least 1'],
    ['a quantity of 1e9', { sections: [newSection({ items: [newQuoteLine({ quantity: '1e9' })] })] }, 'Quantity must be a number'],
    [
      'three decimals in a price',
      { sections: [newSection({ items: [newQuoteLine({ unit_price: '1.005' })] })] },
      'with up to 2 decimal places',
    ],
    ['an unknown item', { sections: [newSection({ items: [newQuoteLine({ supplier_item_id: randomUUID() })] })] }, 'no longer exists'],
    ['an unknown file', { attachment_ids: [randomUUID()] }, 'A file is no longer there'],
    [
      'a total too large',
      { sections: [newSection({ items: [newQuoteLine({ unit_price: '9999999999', quantity: '100' })] })] },
      'must be at most',
    ],
    [
      'a sum too large',
      { sections: [newSection({ items: Array.from({ length: 2 }, () => newQuoteLine({ unit_price: '9000000000' })) })] },
      'must be at most',
    ],
  ])('with %s is refused in one sentence, and nothing is stored', async (_name, over, message) => {
    const input = { ...quoting.quoteOf(), ...over };
    const refused = await admin()
      .quotes.create(input)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'INVALID_INPUT' });
    expect(JSON.stringify(refused)).toContain(message);
    await expect(admin().quotes.get({ id: input.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the numbers of quotes', () => {
  it('are different although their clock repeats', async () => {
    const { quote_number } = await quoting.create();
    const { rows } = await test.owner.query<{ company_id: string }>('select company_id from quotes where quote_number = $1', [
      quote_number,
    ]);
    expect(rows).toHaveLength(1);
    const numbers = (await Promise.all(Array.from({ length: 20 }, () => quoting.create()))).map((quote) => quote.quote_number);
    expect(new Set([...numbers, quote_number]).size).toBe(21);
  });
});

describe('saving a quote', () => {
  it('keeps the ids of kept sections and lines, adds and removes the others, and moves lines between sections', async () => {
    const quote = await quoting.create({
      sections: [
        newSection({ name: 'A', items: [quoting.picked({ name: 'one' }), quoting.picked({ name: 'two' })] }),
        newSection({ name: 'B', items: [] }),
        newSection({ name: 'C' }),
      ],
    });
    const [a, b] = quote.sections;
    if (!a || !b) throw new Error('The quote has no sections');
    const [one, two] = a.items;
    const added = newSection({ name: 'D', items: [] });
    const saved = await admin().quotes.update(
      changeOf(quote, { sections: [{ ...b, items: [two, one] }, { ...a, name: 'A2', always_required: true, items: [] }, added] }),
    );
    expect(saved.sections.map(({ id, name, items }) => [id, name, items.map((line) => line.id)])).toEqual([
      [b.id, 'B', [two?.id, one?.id]],
      [a.id, 'A2', []],
      [added.id, 'D', []],
    ]);
    expect(saved.sections[0]?.items[0]).toMatchObject({ name: 'two', sku: 'TAP-1', cost_price: '70.00' });
    // Their section is removed at the same time.
    const moved = await admin().quotes.update(changeOf(saved, { sections: [{ ...a, items: saved.sections[0]?.items ?? [] }] }));
    expect(moved.sections.map(({ id, items }) => [id, items.map(({ sku }) => sku)])).toEqual([[a.id, ['TAP-1', 'TAP-1']]]);
  });

  it('from an older version is refused with the current one, and changes nothing', async () => {
    const quote = await quoting.create();
    const saved = await admin().quotes.update(changeOf(quote, { title: 'Theirs' }));
    const refused = await admin()
      .quotes.update(changeOf(quote, { title: 'Mine', sections: [newSection({ name: 'Mine' })] }))
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'STALE_VERSION', data: { current: { title: 'Theirs', version: 2 } } });
    expect(await admin().quotes.get({ id: quote.id })).toEqual(saved);
  });

  it('never takes a section or a line of another quote', async () => {
    const [other, quote] = [await quoting.create(), await quoting.create()];
    const [theirs] = other.sections;
    const sections = [[newSection({ id: theirs?.id ?? '' })], [newSection({ items: [newQuoteLine({ id: theirs?.items[0]?.id ?? '' })] })]];
    for (const taken of sections) {
      await expect(admin().quotes.update(changeOf(quote, { sections: taken }))).rejects.toMatchObject({ code: 'ID_TAKEN' });
      await expect(quoting.create({ sections: taken })).rejects.toMatchObject({ code: 'ID_TAKEN' });
    }
    expect(await admin().quotes.get({ id: other.id })).toEqual(other);
    expect(await admin().quotes.get({ id: quote.id })).toEqual(quote);
  });

  it('keeps the rate of what was accepted', async () => {
    const quote = await quoting.create();
    const accepted = (await admin().quotes.accept({ id: quote.id })).quote;
    await test.owner.query('update companies set gst_percentage = 12.5 where company_id = $1', [quoting.firm.companyId]);
    const saved = await admin().quotes.update(changeOf(accepted, { title: 'Accepted' }));
    await test.owner.query('update companies set gst_percentage = 15 where company_id = $1', [quoting.firm.companyId]);
    expect(saved).toMatchObject({
      title: 'Accepted',
      tax_rate: '15',
      subtotal: quote.subtotal,
      accepted_option_ids: [quote.sections[0]?.id],
    });
    // A section that is removed is no longer named by the quote; the acceptance keeps it.
    const emptied = await admin().quotes.update(changeOf(saved, { sections: [newSection()] }));
    expect(emptied).toMatchObject({ accepted_option_ids: [], selected_option_id: null });
    expect(emptied.acceptance?.section_ids).toEqual([quote.sections[0]?.id]);
  });

  it('keeps its status and ignores another customer; the last day can be cleared', async () => {
    const quote = await quoting.create({ valid_until: '2030-01-31' });
    await admin().quotes.setStatus({ id: quote.id, status: 'sent' });
    const change = { ...changeOf(quote, { version: 2, valid_until: null }), customer_id: randomUUID(), status: 'draft' };
    expect(await admin().quotes.update(change)).toMatchObject({ status: 'sent', customer_id: quoting.customerId, valid_until: null });
  });

  it('stores exactly the given files, also none', async () => {
    const [first, second] = [await quoting.upload(), await quoting.upload()];
    const quote = await quoting.create({ attachment_ids: [first, second] });
    expect(quote.attachments.map(({ id, url }) => [id, url])).toEqual([first, second].map((id) => [id, `/api/files/${id}`]));
    const saved = await admin().quotes.update(changeOf(quote, { attachment_ids: [second] }));
    expect(saved.attachments.map(({ id }) => id)).toEqual([second]);
    expect((await test.request('GET', `/api/files/${first}`, { cookie: quoting.firm.people.admin.cookie })).statusCode).toBe(404);
    expect((await admin().quotes.update(changeOf(saved, { attachment_ids: [] }))).attachments).toEqual([]);
    // A file of one quote cannot be taken by another.
    const third = await quoting.upload();
    await quoting.create({ attachment_ids: [third] });
    await expect(quoting.create({ attachment_ids: [third] })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('uses the rate that the company has then, and a later change of it alters nothing', async () => {
    const quote = await quoting.create();
    await test.owner.query('update companies set gst_percentage = 12.5 where company_id = $1', [quoting.firm.companyId]);
    expect(await admin().quotes.get({ id: quote.id })).toMatchObject({ tax_rate: '15', subtotal: '86.96' });
    expect(await admin().quotes.update(changeOf(quote))).toMatchObject({ tax_rate: '12.5', subtotal: '88.89' });
    await test.owner.query('update companies set gst_percentage = 15 where company_id = $1', [quoting.firm.companyId]);
  });

  it('tells in the history what changed', async () => {
    const quote = await quoting.create({ sections: [newSection({ name: 'Bath' })] });
    await admin().quotes.update(
      changeOf(quote, { title: 'Big bathroom', sections: [newSection({ name: 'Bath', always_required: true, items: [] })] }),
    );
    await admin().quotes.setStatus({ id: quote.id, status: 'sent' });
    const { rows } = await admin().quotes.history({ id: quote.id });
    expect(rows.map(({ who, action, changes }) => [who, action, changes])).toEqual([
      ['The admin', 'edited', { status: ['draft', 'sent'] }],
      [
        'The admin',
        'edited',
        {
          title: ['New bathroom', 'Big bathroom'],
          sections: ['Bath', 'Bath (required)'],
          total_amount: ['100.00', '0.00'],
          items: ['Bath: 1 × Kitchen mixer tap at 100.00', null],
        },
      ],
      ['The admin', 'created', { total_amount: [null, '100.00'] }],
    ]);
  });
});

describe('a quote past its last day', () => {
  it('shows as expired, in the list and by its filter, and its stored status stays', async () => {
    const quote = await quoting.create({ valid_until: '2020-01-31', title: 'Long ago' });
    expect(quote).toMatchObject({ status: 'draft', shown_status: 'expired', is_actionable: false });
    const titles = async (status: 'draft' | 'expired') => (await admin().quotes.list({ status })).rows.map(({ id }) => id);
    expect(await titles('expired')).toContain(quote.id);
    expect(await titles('draft')).not.toContain(quote.id);
    expect((await admin().quotes.count({ status: 'expired' })).total).toBe((await titles('expired')).length);
  });
});

describe('the list of quotes', () => {
  it('finds by parts of title, number and description, and shows the customer', async () => {
    const { quote_number, id } = await quoting.create({ title: 'Xylophone room', description: 'With a harpsichord' });
    for (const search of ['xyloph', quote_number.slice(1), 'harpsi']) {
      expect((await admin().quotes.list({ search })).rows.map((row) => row.id)).toContain(id);
    }
    expect((await admin().quotes.list({ search: 'xyloph' })).rows[0]).toMatchObject({
      customer: { name: 'Ana Ruiz' },
      is_mail_failed: false,
    });
  });

  it('sorts by total and last day, those without one last', async () => {
    const other = await createFirm(test, 'Sorted');
    const { customers, quotes } = other.people.admin.client;
    const { id: customer_id } = await customers.create(newCustomer());
    for (const [title, valid_until, unit_price] of [
      ['A', '2030-05-01', '20.00'],
      ['B', null, '3.00'],
      ['C', '2029-12-31', '100.00'],
    ] as const) {
      await quotes.create(newQuote({ customer_id, title, valid_until, sections: [newSection({ items: [newQuoteLine({ unit_price })] })] }));
    }
    const titles = async (input: object) => (await quotes.list(input)).rows.map(({ title }) => title).join('');
    expect(await titles({})).toBe('CBA');
    expect(await titles({ sort: 'total_amount', order: 'asc' })).toBe('BAC');
    expect(await titles({ sort: 'valid_until', order: 'asc' })).toBe('CAB');
    expect(await titles({ sort: 'valid_until', order: 'desc' })).toBe('ACB');
  });

  it('is found from the palette by number, title and customer', async () => {
    const customer = await admin().customers.create(newCustomer({ name: 'Zebedee Quill' }));
    const quote = await quoting.create({ customer_id: customer.id, title: 'Sauna' });
    for (const search of [`#${quote.quote_number}`, 'sauna', 'zebedee']) {
      expect((await admin().quotes.find({ search })).rows[0]).toMatchObject({ id: quote.id, shown_status: 'draft' });
    }
  });
});

describe('the status of a quote', () => {
  it('is set by hand to draft or sent only', async () => {
    const { id } = await quoting.create();
    expect(await admin().quotes.setStatus({ id, status: 'sent' })).toMatchObject({ status: 'sent', sent_at: expect.any(String) as string });
    expect(await admin().quotes.setStatus({ id, status: 'draft' })).toMatchObject({ status: 'draft' });
    const accepted = 'accepted' as 'sent';
    await expect(admin().quotes.setStatus({ id, status: accepted })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('deleting', () => {
  it('a quote removes it with its files', async () => {
    const fileId = await quoting.upload();
    const { id } = await quoting.create({ attachment_ids: [fileId] });
    await admin().quotes.remove({ id });
    await expect(admin().quotes.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Quote not found' });
    expect((await test.request('GET', `/api/files/${fileId}`, { cookie: quoting.firm.people.admin.cookie })).statusCode).toBe(404);
  });

  it('a customer keeps their quotes', async () => {
    const customer = await admin().customers.create(newCustomer());
    const { id } = await quoting.create({ customer_id: customer.id });
    await admin().customers.remove({ id: customer.id });
    expect(await admin().quotes.get({ id })).toMatchObject({ customer_id: null, customer: null, total_amount: '100.00' });
  });
});

it('is read again by open pages when its customer changes or is deleted, and when its job is', async () => {
  const customer = await admin().customers.create(newCustomer());
  const { id } = await quoting.create({ customer_id: customer.id });
  const { job } = await admin().quotes.accept({ id });
  const quotesPublished = async (change: () => Promise<unknown>) => {
    const { events } = await openStream(test, quoting.firm.people.staff.cookie);
    await change();
    await expect.poll(() => JSON.stringify(events)).toContain('"quotes"');
  };
  const { version } = await admin().customers.get({ id: customer.id });
  await quotesPublished(() => admin().customers.update({ ...customer, version, type: 'individual', email: 'new@example.com' }));
  await quotesPublished(() => admin().customers.remove({ id: customer.id }));
  await quotesPublished(() => admin().jobs.remove({ id: job.id ?? '' }));
});

describe('roles', () => {
  it('staff see quotes without cost and profit, and cannot change them', async () => {
    const { id } = await quoting.create({ sections: [newSection({ items: [quoting.picked()] })] });
    const { quotes } = quoting.firm.people.staff.client;
    const seen = await quotes.get({ id });
    expect(JSON.stringify(seen)).not.toMatch(/cost|margin|markup|profit/);
    expect((await admin().quotes.get({ id })).estimated_profit).toBe('30.00');
    await expect(quotes.create(quoting.quoteOf())).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(quoting.firm.people.accountant.client.quotes.remove({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
