import { canonicalJson, type Frozen } from '@callout/domain/documents/canonical-json';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { type NewQuoteInput, newCustomer, newQuote, newQuoteLine, newSection } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { hashOf } from '../../platform/db/frozen-record.ts';

let test: TestApp;
let firm: Firm;
let customerId: string;
const required = newSection({ name: 'Water heater', always_required: true, items: [newQuoteLine({ unit_price: '2300.00' })] });
const option = newSection({ name: 'Outdoor tap', items: [newQuoteLine({ unit_price: '92.00' })] });

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  customerId = (await admin().customers.create(newCustomer({ name: 'Helen Faleolo', email: 'helen@example.com' }))).id;
});

const admin = () => firm.people.admin.client;
const create = (over: Partial<NewQuoteInput> = {}) =>
  admin().quotes.create(newQuote({ customer_id: customerId, sections: [required, option], ...over }));
const tokenOf = ({ public_path }: { public_path: string }) => public_path.replace('/quote/', '');
const jobIdOf = async (quoteId: string) => (await admin().quotes.get({ id: quoteId })).acceptance?.job_id ?? '';
const accept = async (quote: { public_path: string }, selected_option_ids: string[] = []) =>
  (await test.client().publicQuotes.accept({ token: tokenOf(quote), selected_option_ids, accepted_by: '' })).quote;

describe('a deposit on a quote', () => {
  it('is a percentage or an amount, kept as typed without trailing zeros, in the history, and copied', async () => {
    const input = newQuote({ customer_id: customerId, sections: [required], deposit_percentage: '30.00' });
    const quote = await admin().quotes.create(input);
    expect(quote).toMatchObject({ deposit_percentage: '30', deposit_amount: null });
    // The same request again is the same quote.
    expect(await admin().quotes.create(input)).toEqual(quote);
    const copy = await admin().quotes.duplicate({ id: quote.id, new_id: crypto.randomUUID() });
    expect(copy).toMatchObject({ deposit_percentage: '30', deposit_amount: null });
    const { id, version, title, valid_until, sections } = quote;
    const changed = await admin().quotes.update({ id, version, title, valid_until, sections, attachment_ids: [], deposit_amount: '690' });
    expect(changed).toMatchObject({ deposit_percentage: null, deposit_amount: '690.00' });
    const { rows } = await admin().quotes.history({ id });
    expect(rows.map(({ changes }) => changes['deposit'])).toContainEqual(['30%', '690.00']);
  });

  it.each([
    { deposit_percentage: '0' },
    { deposit_percentage: '101' },
    { deposit_percentage: '12.345' },
    { deposit_amount: '-1' },
    { deposit_percentage: '10', deposit_amount: '10' },
  ])('of %j is refused', async (deposit) => {
    await expect(create(deposit)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('is printed below the total on page, PDF and mail', async () => {
    const quote = await create({ deposit_percentage: '30' });
    const { content } = await test.client().publicQuotes.get({ token: tokenOf(quote) });
    expect(content?.deposit).toEqual({ deposit_percentage: '30', deposit_amount: null });
    const pdf = async (query: string) =>
      (await readPdf((await test.request('GET', `/api/public/quotes/${tokenOf(quote)}/pdf${query}`)).rawPayload)).text;
    expect(await pdf('')).toMatch(/Deposit on acceptance\s*\$690\.00/);
    expect(await pdf(`?sections=${option.id}`)).toMatch(/Deposit on acceptance\s*\$717\.60/);
    await admin().quotes.send({ id: quote.id, mail_id: crypto.randomUUID(), subject: 'Your quote', body: 'Hello' });
    const { rows } = await test.app.platform.pools.system.query<{ mail: string }>('select outbox_mails::text as mail from outbox_mails');
    expect(rows.find(({ mail }) => mail.includes('Your quote'))?.mail).toMatch(/Deposit on acceptance[^$]*\$690\.00/);
  });

  it('is of what was accepted: the job asks for it, and the customer finds where to pay it until they have', async () => {
    const quote = await create({ deposit_percentage: '30' });
    const accepted = await accept(quote, [option.id]);
    expect(accepted.accepted?.document.deposit).toBe('$717.60');
    expect(accepted.deposit_path).toMatch(/^\/invoice\/[\w-]{22}$/);
    const jobId = await jobIdOf(quote.id);
    expect(await admin().jobs.get({ id: jobId })).toMatchObject({ deposit_amount: '717.60', paid_amount: '0.00' });
    const link = `select token from public_links where record_kind = 'invoice' and record_id = $1`;
    const { rows } = await test.app.platform.pools.system.query<{ token: string }>(link, [jobId]);
    expect(rows).toEqual([{ token: accepted.deposit_path?.replace('/invoice/', '') }]);
    const pathAfter = async (change: string) => {
      await test.app.platform.pools.system.query(`update jobs set ${change} where id = $1`, [jobId]);
      return (await test.client().publicQuotes.get({ token: tokenOf(quote) })).deposit_path;
    };
    expect(await pathAfter('paid_amount = 700')).toBe(accepted.deposit_path);
    expect(await pathAfter('paid_amount = 717.60')).toBe(null);
    expect(await pathAfter('paid_amount = 0, billed_amount = 2392')).toBe(null);
    expect(await pathAfter(`billed_amount = null, status = 'canceled'`)).toBe(null);
    expect(await pathAfter(`status = 'complete'`)).toBe(null);
    expect(await pathAfter(`status = 'booked'`)).toBe(accepted.deposit_path);
  });

  it('of an amount is at most all of it, and of 0 is none', async () => {
    const all = await create({ sections: [required], deposit_amount: '5000.00' });
    expect((await accept(all)).accepted?.document.deposit).toBe('$2,300.00');
    const none = await create({ sections: [newSection({ always_required: true })], deposit_amount: '0' });
    expect(await accept(none)).toMatchObject({ deposit_path: null, accepted: { document: { deposit: null } } });
    expect(await admin().jobs.get({ id: await jobIdOf(none.id) })).toMatchObject({ deposit_amount: null });
  });

  it('is unknown to what was accepted before there were deposits, which stays readable and intact', async () => {
    const quote = await create({ sections: [required] });
    await accept(quote);
    const { system } = test.app.platform.pools;
    const read = 'select record from quote_acceptances where quote_id = $1';
    const { rows } = await system.query<{ record: string }>(read, [quote.id]);
    const record = JSON.parse(rows[0]?.record ?? '') as { document: Record<string, Frozen> };
    const { deposit, ...document } = record.document;
    expect(deposit).toBe(null);
    const old = { ...record, document };
    await test.owner.query('update quote_acceptances set record = $2, sha256 = $3 where quote_id = $1', [
      quote.id,
      canonicalJson(old),
      hashOf(old),
    ]);
    const shown = await test.client().publicQuotes.get({ token: tokenOf(quote) });
    expect(shown).toMatchObject({ deposit_path: null, accepted: { is_intact: true, document: { total_amount: '2300.00' } } });
  });
});
