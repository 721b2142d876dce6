import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { acceptAsMember } from '../../../test/factories/accept-quote.ts';
import { buildCustomer, buildQuote } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp } from '../../../test/test-app.ts';

let firm: Firm;

beforeAll(async () => {
  firm = await createFirm(await startTestApp());
});

const getAdmin = () => firm.people.admin.client;
const createCustomer = async () => (await getAdmin().customers.create(buildCustomer())).id;
const createQuote = async (overrides: Partial<Parameters<typeof buildQuote>[0]> = {}) =>
  getAdmin().quotes.create(buildQuote({ customer_id: await createCustomer(), ...overrides }));
const ID_TAKEN_FAILURE = { code: 'ID_TAKEN' };

describe('a quote id', () => {
  it('cannot be reused after the quote was accepted and deleted', async () => {
    const original = await createQuote();
    const accepted = await createQuote({ title: 'Accepted' });
    await acceptAsMember(getAdmin(), { id: accepted.id });
    await getAdmin().quotes.remove({ id: accepted.id });
    await expect(createQuote({ id: accepted.id })).rejects.toMatchObject(ID_TAKEN_FAILURE);
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
    const original = await createQuote();
    const request = { id: original.id, new_id: randomUUID() };
    const copy = await getAdmin().quotes.duplicate(request);
    await getAdmin().quotes.update({ ...original, title: 'Renamed', attachment_ids: [] });
    expect(await getAdmin().quotes.duplicate(request)).toEqual(copy);
    await getAdmin().quotes.remove({ id: original.id });
    expect(await getAdmin().quotes.duplicate(request)).toEqual(copy);
  });

  it('cannot be the id of another quote, even one with the same content', async () => {
    const [original, lookalike] = [await createQuote(), await createQuote()];
    const copy = await getAdmin().quotes.duplicate({ id: lookalike.id, new_id: randomUUID() });
    for (const new_id of [original.id, lookalike.id, copy.id]) {
      await expect(getAdmin().quotes.duplicate({ id: original.id, new_id })).rejects.toMatchObject(ID_TAKEN_FAILURE);
    }
  });
});
