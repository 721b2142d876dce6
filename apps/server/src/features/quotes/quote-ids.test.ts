import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { newCustomer, newQuote } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp } from '../../../test/test-app.ts';

let firm: Firm;

beforeAll(async () => {
  firm = await createFirm(await startTestApp());
});

const admin = () => firm.people.admin.client;
const addCustomer = async () => (await admin().customers.create(newCustomer())).id;
const addQuote = async (over: Partial<Parameters<typeof newQuote>[0]> = {}) =>
  admin().quotes.create(newQuote({ customer_id: await addCustomer(), ...over }));
const ID_TAKEN = { code: 'ID_TAKEN' };

describe('the id of a quote', () => {
  it('that was accepted and deleted names what was accepted for ever, and no other quote', async () => {
    const original = await addQuote();
    const accepted = await addQuote({ title: 'Accepted' });
    await admin().quotes.accept({ id: accepted.id });
    await admin().quotes.remove({ id: accepted.id });
    await expect(addQuote({ id: accepted.id })).rejects.toMatchObject(ID_TAKEN);
    await expect(admin().quotes.duplicate({ id: original.id, new_id: accepted.id })).rejects.toMatchObject(ID_TAKEN);
    await expect(admin().quotes.get({ id: accepted.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('answers a repeated request with its quote, also when the customer was deleted since', async () => {
    const customer_id = await addCustomer();
    const request = newQuote({ customer_id });
    const { quote_number } = await admin().quotes.create(request);
    await admin().customers.remove({ id: customer_id });
    expect(await admin().quotes.create(request)).toMatchObject({ quote_number, customer_id: null });
    await expect(admin().quotes.create({ ...request, title: 'Another one' })).rejects.toMatchObject(ID_TAKEN);
    await expect(admin().quotes.create({ ...request, id: randomUUID() })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('the id of a copy', () => {
  it('answers a repeated request, also when the original was renamed or deleted since', async () => {
    const original = await addQuote();
    const request = { id: original.id, new_id: randomUUID() };
    const copy = await admin().quotes.duplicate(request);
    await admin().quotes.update({ ...original, title: 'Renamed', attachment_ids: [] });
    expect(await admin().quotes.duplicate(request)).toEqual(copy);
    await admin().quotes.remove({ id: original.id });
    expect(await admin().quotes.duplicate(request)).toEqual(copy);
  });

  it('is taken when another quote has it, however much the two look alike', async () => {
    const [original, alike] = [await addQuote(), await addQuote()];
    const copy = await admin().quotes.duplicate({ id: alike.id, new_id: randomUUID() });
    for (const new_id of [original.id, alike.id, copy.id]) {
      await expect(admin().quotes.duplicate({ id: original.id, new_id })).rejects.toMatchObject(ID_TAKEN);
    }
  });
});
