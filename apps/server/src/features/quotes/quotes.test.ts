import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { openEventStream } from '../../../test/event-stream.ts';
import { acceptAsMember } from '../../../test/factories/accept-quote.ts';
import { buildCustomer, buildItem, buildQuote, buildQuoteLine, buildQuoteSection, buildSupplier } from '../../../test/factories/inputs.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { createQuotingFirm, type QuotingFirm } from '../../../test/factories/quoting-firm.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let quoting: QuotingFirm;

beforeAll(async () => {
  test = await startTestApp();
  quoting = await createQuotingFirm(test);
});

const getAdmin = () => quoting.firm.people.admin.client;

/** Builds the input that the quote form sends when it saves. */
function buildUpdate(quote: Awaited<ReturnType<QuotingFirm['createQuote']>>, overrides: object = {}) {
  const { id, version, title, description, valid_until, sections, attachments } = quote;
  return { id, version, title, description, valid_until, sections, attachment_ids: attachments.map((file) => file.id), ...overrides };
}

describe('a new quote', () => {
  it('is a draft with a number, the company’s tax rate and calculated totals', async () => {
    const input = quoting.buildQuote({
      sections: [
        buildQuoteSection({
          always_required: true,
          items: [buildQuoteLine({ unit_price: '57.50' }), buildQuoteLine({ unit_price: '10.00', quantity: '3', tax_inclusive: false })],
        }),
        buildQuoteSection({ name: 'Towel rail', description: 'Wired', items: [buildQuoteLine({ unit_price: '46', quantity: '2' })] }),
      ],
    });
    const posted = { ...input, quote_number: 'Q1', status: 'accepted', total_amount: '1', user_id: randomUUID() };
    expect(await getAdmin().quotes.create(posted)).toMatchObject({
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

  it('copies price list details, so later price changes do not affect it', async () => {
    const supplier = await getAdmin().suppliers.create(buildSupplier());
    const item = await getAdmin().items.create(buildItem({ supplier_id: supplier.id, sku: 'OLD-1', cost_price: '70.00' }));
    const { id } = await quoting.createQuote({
      sections: [buildQuoteSection({ items: [buildQuoteLine({ supplier_item_id: item.id, quantity: '2' })] })],
    });
    const { version } = await getAdmin().items.get({ id: item.id });
    await getAdmin().items.update({ ...buildItem({ supplier_id: supplier.id, sku: 'NEW-1', cost_price: '1.00' }), id: item.id, version });
    const readLine = () =>
      getAdmin()
        .quotes.get({ id })
        .then(({ sections }) => sections[0]?.items[0]);
    expect(await readLine()).toMatchObject({
      sku: 'OLD-1',
      supplier_name: 'Reece Plumbing',
      cost_price: '70.00',
      pricing_method: 'margin',
      supplier_item_id: item.id,
    });
    await getAdmin().items.remove({ id: item.id });
    expect(await readLine()).toMatchObject({ sku: 'OLD-1', cost_price: '70.00', supplier_item_id: null, total_price: '200.00' });
    // A form that was opened before the item was deleted still sends the item's id.
    const quote = await getAdmin().quotes.get({ id });
    const sections = quote.sections.map((section) => ({
      ...section,
      items: section.items.map((each) => ({ ...each, supplier_item_id: item.id })),
    }));
    expect((await getAdmin().quotes.update(buildUpdate(quote, { sections, title: 'Still here' }))).sections[0]?.items[0]).toMatchObject({
      sku: 'OLD-1',
    });
  });

  it('is created only once, even by concurrent requests', async () => {
    const input = quoting.buildQuote({ sections: [buildQuoteSection({ items: [quoting.buildPickedLine({ quantity: '1.50' })] })] });
    const responses = await Promise.all([1, 2, 3].map(() => getAdmin().quotes.create(input)));
    expect(new Set(responses.map(({ quote_number }) => quote_number)).size).toBe(1);
    await expect(getAdmin().quotes.create({ ...input, title: 'Another one' })).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it.each<[string, object]>([
    ['tax', { tax_inclusive: false }],
    ['description', { description: 'Brushed brass' }],
    ['kind', { is_service: true }],
    ['item', { supplier_item_id: null }],
  ])('cannot reuse the id of a quote with a line that differs only in its %s', async (_what, overrides) => {
    const line = quoting.buildPickedLine({ is_service: false });
    const input = quoting.buildQuote({ sections: [buildQuoteSection({ items: [line] })] });
    await getAdmin().quotes.create(input);
    const changed = { ...input, sections: input.sections.map((section) => ({ ...section, items: [{ ...line, ...overrides }] })) };
    await expect(getAdmin().quotes.create(changed)).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it('advances the customer’s last interaction', async () => {
    const customer = await getAdmin().customers.create(buildCustomer());
    await test.owner.query('update customers set last_interaction = null where id = $1', [customer.id]);
    await quoting.createQuote({ customer_id: customer.id });
    expect((await getAdmin().customers.get({ id: customer.id })).last_interaction).not.toBeNull();
  });

  it.each<[string, object, string]>([
    ['no customer', { customer_id: '' }, 'Customer is required'],
    ['no title', { title: '  ' }, 'Title is required'],
    ['no section', { sections: [] }, 'At least one section is required'],
    ['a section without a name', { sections: [buildQuoteSection({ name: ' ' })] }, 'Please enter a section name'],
    ['a quantity of 0', { sections: [buildQuoteSection({ items: [buildQuoteLine({ quantity: '0' })] })] }, 'Quantity must be at least 1'],
    ['a quantity of 1e9', { sections: [buildQuoteSection({ items: [buildQuoteLine({ quantity: '1e9' })] })] }, 'Quantity must be a number'],
    [
      'a price with three decimals',
      { sections: [buildQuoteSection({ items: [buildQuoteLine({ unit_price: '1.005' })] })] },
      'with up to 2 decimal places',
    ],
    [
      'an unknown item',
      { sections: [buildQuoteSection({ items: [buildQuoteLine({ supplier_item_id: randomUUID() })] })] },
      'no longer exists',
    ],
    ['an unknown file', { attachment_ids: [randomUUID()] }, 'A file is missing'],
    [
      'a line total that is too large',
      { sections: [buildQuoteSection({ items: [buildQuoteLine({ unit_price: '9999999999', quantity: '100' })] })] },
      'must be at most',
    ],
    [
      'a quote total that is too large',
      { sections: [buildQuoteSection({ items: Array.from({ length: 2 }, () => buildQuoteLine({ unit_price: '9000000000' })) })] },
      'must be at most',
    ],
  ])('cannot be created with %s', async (_name, overrides, message) => {
    const input = { ...quoting.buildQuote(), ...overrides };
    const failure = await getAdmin()
      .quotes.create(input)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'INVALID_INPUT' });
    expect(JSON.stringify(failure)).toContain(message);
    await expect(getAdmin().quotes.get({ id: input.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('quote numbers', () => {
  it('are unique within a company, even if 64 quotes are created at once', async () => {
    const { quote_number } = await quoting.createQuote();
    const { rows } = await test.owner.query<{ company_id: string }>('select company_id from quotes where quote_number = $1', [
      quote_number,
    ]);
    expect(rows).toHaveLength(1);
    const numbers = (await Promise.all(Array.from({ length: 64 }, () => quoting.createQuote()))).map((quote) => quote.quote_number);
    expect(new Set([...numbers, quote_number]).size).toBe(65);
  });
});

describe('saving a quote', () => {
  it('preserves the ids of sections and lines, even when lines move between sections', async () => {
    const quote = await quoting.createQuote({
      sections: [
        buildQuoteSection({ name: 'A', items: [quoting.buildPickedLine({ name: 'one' }), quoting.buildPickedLine({ name: 'two' })] }),
        buildQuoteSection({ name: 'B', items: [] }),
        buildQuoteSection({ name: 'C' }),
      ],
    });
    const [a, b] = quote.sections;
    if (!a || !b) throw new Error('The quote has no sections');
    const [one, two] = a.items;
    const added = buildQuoteSection({ name: 'D', items: [] });
    const saved = await getAdmin().quotes.update(
      buildUpdate(quote, { sections: [{ ...b, items: [two, one] }, { ...a, name: 'A2', always_required: true, items: [] }, added] }),
    );
    expect(saved.sections.map(({ id, name, items }) => [id, name, items.map((line) => line.id)])).toEqual([
      [b.id, 'B', [two?.id, one?.id]],
      [a.id, 'A2', []],
      [added.id, 'D', []],
    ]);
    expect(saved.sections[0]?.items[0]).toMatchObject({ name: 'two', sku: 'TAP-1', cost_price: '70.00' });
    // Move the lines back and remove the section they were in, in the same save.
    const moved = await getAdmin().quotes.update(buildUpdate(saved, { sections: [{ ...a, items: saved.sections[0]?.items ?? [] }] }));
    expect(moved.sections.map(({ id, items }) => [id, items.map(({ sku }) => sku)])).toEqual([[a.id, ['TAP-1', 'TAP-1']]]);
  });

  it('rejects a stale version and returns the current one', async () => {
    const quote = await quoting.createQuote();
    const saved = await getAdmin().quotes.update(buildUpdate(quote, { title: 'Theirs' }));
    const failure = await getAdmin()
      .quotes.update(buildUpdate(quote, { title: 'Mine', sections: [buildQuoteSection({ name: 'Mine' })] }))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'STALE_VERSION', data: { current: { title: 'Theirs', version: 2 } } });
    expect(await getAdmin().quotes.get({ id: quote.id })).toEqual(saved);
  });

  it('rejects the id of a section or line of another quote', async () => {
    const [other, quote] = [await quoting.createQuote(), await quoting.createQuote()];
    const [theirs] = other.sections;
    const sections = [
      [buildQuoteSection({ id: theirs?.id ?? '' })],
      [buildQuoteSection({ items: [buildQuoteLine({ id: theirs?.items[0]?.id ?? '' })] })],
    ];
    for (const takenIds of sections) {
      await expect(getAdmin().quotes.update(buildUpdate(quote, { sections: takenIds }))).rejects.toMatchObject({ code: 'ID_TAKEN' });
      await expect(quoting.createQuote({ sections: takenIds })).rejects.toMatchObject({ code: 'ID_TAKEN' });
    }
    expect(await getAdmin().quotes.get({ id: other.id })).toEqual(other);
    expect(await getAdmin().quotes.get({ id: quote.id })).toEqual(quote);
  });

  it('keeps the tax rate and the accepted total of an accepted quote', async () => {
    const quote = await quoting.createQuote();
    const accepted = (await acceptAsMember(getAdmin(), { id: quote.id })).quote;
    await test.owner.query('update companies set gst_percentage = 12.5 where company_id = $1', [quoting.firm.companyId]);
    const saved = await getAdmin().quotes.update(buildUpdate(accepted, { title: 'Accepted' }));
    await test.owner.query('update companies set gst_percentage = 15 where company_id = $1', [quoting.firm.companyId]);
    expect(saved).toMatchObject({
      title: 'Accepted',
      tax_rate: '15',
      subtotal: quote.subtotal,
      accepted_option_ids: [quote.sections[0]?.id],
    });
    // The removed section is gone from the quote, but the acceptance still contains it.
    const dearer = buildQuoteSection({ items: [buildQuoteLine({ unit_price: '999.00' })] });
    const emptied = await getAdmin().quotes.update(buildUpdate(saved, { sections: [dearer] }));
    expect(emptied).toMatchObject({ accepted_option_ids: [], selected_option_id: null });
    expect(emptied.acceptance?.section_ids).toEqual([quote.sections[0]?.id]);
    const { rows } = await getAdmin().quotes.list({ customer_id: quoting.customerId });
    const listed = rows.find(({ id }) => id === quote.id);
    expect([emptied.total_amount, listed?.total_amount]).toEqual([accepted.total_amount, accepted.total_amount]);
  });

  it('can clear the expiry date, but cannot change the status or the customer', async () => {
    const quote = await quoting.createQuote({ valid_until: '2030-01-31' });
    await getAdmin().quotes.setStatus({ id: quote.id, status: 'sent' });
    const change = { ...buildUpdate(quote, { version: 2, valid_until: null }), status: 'draft' };
    await expect(getAdmin().quotes.update({ ...change, customer_id: randomUUID() })).rejects.toMatchObject({
      data: { fields: { customer_id: 'The customer can no longer be changed.' } },
    });
    expect(await getAdmin().quotes.update(change)).toMatchObject({ status: 'sent', customer_id: quoting.customerId, valid_until: null });
  });

  it('replaces the attached files', async () => {
    const [first, second] = [await quoting.uploadPlan(), await quoting.uploadPlan()];
    const quote = await quoting.createQuote({ attachment_ids: [first, second] });
    expect(quote.attachments.map(({ id, url }) => [id, url])).toEqual([first, second].map((id) => [id, `/api/files/${id}`]));
    const saved = await getAdmin().quotes.update(buildUpdate(quote, { attachment_ids: [second] }));
    expect(saved.attachments.map(({ id }) => id)).toEqual([second]);
    expect((await test.request('GET', `/api/files/${first}`, { cookie: quoting.firm.people.admin.cookie })).statusCode).toBe(404);
    expect((await getAdmin().quotes.update(buildUpdate(saved, { attachment_ids: [] }))).attachments).toEqual([]);
    // A file can't be attached to two quotes.
    const third = await quoting.uploadPlan();
    await quoting.createQuote({ attachment_ids: [third] });
    await expect(quoting.createQuote({ attachment_ids: [third] })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('applies the company’s current tax rate', async () => {
    const quote = await quoting.createQuote();
    await test.owner.query('update companies set gst_percentage = 12.5 where company_id = $1', [quoting.firm.companyId]);
    expect(await getAdmin().quotes.get({ id: quote.id })).toMatchObject({ tax_rate: '15', subtotal: '86.96' });
    expect(await getAdmin().quotes.update(buildUpdate(quote))).toMatchObject({ tax_rate: '12.5', subtotal: '88.89' });
    await test.owner.query('update companies set gst_percentage = 15 where company_id = $1', [quoting.firm.companyId]);
  });

  it('records the changes in the history', async () => {
    const quote = await quoting.createQuote({ sections: [buildQuoteSection({ name: 'Bath' })] });
    await getAdmin().quotes.update(
      buildUpdate(quote, { title: 'Big bathroom', sections: [buildQuoteSection({ name: 'Bath', always_required: true, items: [] })] }),
    );
    await getAdmin().quotes.setStatus({ id: quote.id, status: 'sent' });
    const { rows } = await getAdmin().quotes.history({ id: quote.id });
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

describe('a quote past its expiry date', () => {
  it('is displayed and filtered as expired, but its stored status is unchanged', async () => {
    const quote = await quoting.createQuote({ valid_until: '2020-01-31', title: 'Long ago' });
    expect(quote).toMatchObject({ status: 'draft', shown_status: 'expired', is_actionable: false });
    const listIds = async (status: 'draft' | 'expired') => (await getAdmin().quotes.list({ status })).rows.map(({ id }) => id);
    expect(await listIds('expired')).toContain(quote.id);
    expect(await listIds('draft')).not.toContain(quote.id);
    expect((await getAdmin().quotes.count({ status: 'expired' })).total).toBe((await listIds('expired')).length);
  });
});

describe('the quote list', () => {
  it('can be searched by title, number and description, and includes the customer', async () => {
    const { quote_number, id } = await quoting.createQuote({ title: 'Xylophone room', description: 'With a harpsichord' });
    for (const search of ['xyloph', quote_number.slice(1), 'harpsi']) {
      expect((await getAdmin().quotes.list({ search })).rows.map((row) => row.id)).toContain(id);
    }
    expect((await getAdmin().quotes.list({ search: 'xyloph' })).rows[0]).toMatchObject({
      customer: { name: 'Ana Ruiz' },
      is_mail_failed: false,
    });
  });

  it('sorts by total or expiry date, with missing dates last', async () => {
    const other = await createFirm(test, 'Sorted');
    const { customers, quotes } = other.people.admin.client;
    const { id: customer_id } = await customers.create(buildCustomer());
    for (const [title, valid_until, unit_price] of [
      ['A', '2030-05-01', '20.00'],
      ['B', null, '3.00'],
      ['C', '2029-12-31', '100.00'],
    ] as const) {
      await quotes.create(
        buildQuote({ customer_id, title, valid_until, sections: [buildQuoteSection({ items: [buildQuoteLine({ unit_price })] })] }),
      );
    }
    const listTitles = async (input: object) => (await quotes.list(input)).rows.map(({ title }) => title).join('');
    expect(await listTitles({})).toBe('CBA');
    expect(await listTitles({ sort: 'total_amount', order: 'asc' })).toBe('BAC');
    expect(await listTitles({ sort: 'valid_until', order: 'asc' })).toBe('CAB');
    expect(await listTitles({ sort: 'valid_until', order: 'desc' })).toBe('ACB');
  });

  it('is searchable from the command palette by number, title and customer', async () => {
    const customer = await getAdmin().customers.create(buildCustomer({ name: 'Zebedee Quill' }));
    const quote = await quoting.createQuote({ customer_id: customer.id, title: 'Sauna' });
    for (const search of [`#${quote.quote_number}`, 'sauna', 'zebedee']) {
      expect((await getAdmin().quotes.find({ search })).rows[0]).toMatchObject({ id: quote.id, shown_status: 'draft' });
    }
  });
});

describe('the quote status', () => {
  it('can be set by hand only to draft or sent', async () => {
    const { id } = await quoting.createQuote();
    expect(await getAdmin().quotes.setStatus({ id, status: 'sent' })).toMatchObject({ status: 'sent', sent_at: expect.any(String) });
    expect(await getAdmin().quotes.setStatus({ id, status: 'draft' })).toMatchObject({ status: 'draft' });
    const accepted = 'accepted' as 'sent';
    await expect(getAdmin().quotes.setStatus({ id, status: accepted })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('deleting a quote or a related record', () => {
  it('removes the quote together with its files', async () => {
    const fileId = await quoting.uploadPlan();
    const { id } = await quoting.createQuote({ attachment_ids: [fileId] });
    await getAdmin().quotes.remove({ id });
    await expect(getAdmin().quotes.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Quote not found' });
    expect((await test.request('GET', `/api/files/${fileId}`, { cookie: quoting.firm.people.admin.cookie })).statusCode).toBe(404);
  });

  it('keeps the quotes when their customer is deleted', async () => {
    const customer = await getAdmin().customers.create(buildCustomer());
    const { id } = await quoting.createQuote({ customer_id: customer.id });
    await getAdmin().customers.remove({ id: customer.id });
    expect(await getAdmin().quotes.get({ id })).toMatchObject({ customer_id: null, customer: null, total_amount: '100.00' });
  });
});

it('publishes a quote change when its customer is changed or deleted, or its job is deleted', async () => {
  const customer = await getAdmin().customers.create(buildCustomer());
  const { id } = await quoting.createQuote({ customer_id: customer.id });
  const { job } = await acceptAsMember(getAdmin(), { id });
  const expectQuotesPublished = async (change: () => Promise<unknown>) => {
    const { events } = await openEventStream(test, quoting.firm.people.staff.cookie);
    await change();
    await expect.poll(() => JSON.stringify(events)).toContain('"quotes"');
  };
  const { version } = await getAdmin().customers.get({ id: customer.id });
  await expectQuotesPublished(() => getAdmin().customers.update({ ...customer, version, type: 'individual', email: 'new@example.com' }));
  await expectQuotesPublished(() => getAdmin().customers.remove({ id: customer.id }));
  await expectQuotesPublished(() => getAdmin().jobs.remove({ id: job.id ?? '' }));
});

describe('quote permissions', () => {
  it('let staff view quotes without costs and profit, but not change them', async () => {
    const { id } = await quoting.createQuote({ sections: [buildQuoteSection({ items: [quoting.buildPickedLine()] })] });
    const { quotes } = quoting.firm.people.staff.client;
    const visibleQuote = await quotes.get({ id });
    expect(JSON.stringify(visibleQuote)).not.toMatch(/cost|margin|markup|profit/);
    expect((await getAdmin().quotes.get({ id })).estimated_profit).toBe('30.00');
    await expect(quotes.create(quoting.buildQuote())).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(quoting.firm.people.accountant.client.quotes.remove({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

const createCustomer = async () => (await getAdmin().customers.create(buildCustomer())).id;
const createQuoteWithCustomer = async (overrides: Partial<Parameters<typeof buildQuote>[0]> = {}) =>
  getAdmin().quotes.create(buildQuote({ customer_id: await createCustomer(), ...overrides }));
const ID_TAKEN_FAILURE = { code: 'ID_TAKEN' };

describe('a quote id', () => {
  it('cannot be reused after the quote was accepted and deleted', async () => {
    const original = await createQuoteWithCustomer();
    const accepted = await createQuoteWithCustomer({ title: 'Accepted' });
    await acceptAsMember(getAdmin(), { id: accepted.id });
    await getAdmin().quotes.remove({ id: accepted.id });
    await expect(createQuoteWithCustomer({ id: accepted.id })).rejects.toMatchObject(ID_TAKEN_FAILURE);
    await expect(getAdmin().quotes.duplicate({ id: original.id, new_id: accepted.id })).rejects.toMatchObject(ID_TAKEN_FAILURE);
    await expect(getAdmin().quotes.get({ id: accepted.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('makes creating a quote idempotent, even if the customer has been deleted since', async () => {
    const customer_id = await createCustomer();
    const request = buildQuote({ customer_id });
    const { quote_number } = await getAdmin().quotes.create(request);
    await getAdmin().customers.remove({ id: customer_id });
    expect(await getAdmin().quotes.create(request)).toMatchObject({ quote_number, customer_id: null });
    await expect(getAdmin().quotes.create({ ...request, title: 'Another one' })).rejects.toMatchObject(ID_TAKEN_FAILURE);
    await expect(getAdmin().quotes.create({ ...request, id: randomUUID() })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('the id of a duplicated quote', () => {
  it('makes duplicating idempotent, even if the original has been renamed or deleted since', async () => {
    const original = await createQuoteWithCustomer();
    const request = { id: original.id, new_id: randomUUID() };
    const copy = await getAdmin().quotes.duplicate(request);
    await getAdmin().quotes.update({ ...original, title: 'Renamed', attachment_ids: [] });
    expect(await getAdmin().quotes.duplicate(request)).toEqual(copy);
    await getAdmin().quotes.remove({ id: original.id });
    expect(await getAdmin().quotes.duplicate(request)).toEqual(copy);
  });

  it('cannot be the id of another quote, even one with the same content', async () => {
    const [original, lookalike] = [await createQuoteWithCustomer(), await createQuoteWithCustomer()];
    const copy = await getAdmin().quotes.duplicate({ id: lookalike.id, new_id: randomUUID() });
    for (const new_id of [original.id, lookalike.id, copy.id]) {
      await expect(getAdmin().quotes.duplicate({ id: original.id, new_id })).rejects.toMatchObject(ID_TAKEN_FAILURE);
    }
  });
});
