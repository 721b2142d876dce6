import { type CanonicalValue, toCanonicalJson } from '@callout/domain/documents/canonical-json';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { acceptAsCustomer } from '../../../test/factories/accept-quote.ts';
import { buildCustomer, buildQuote, buildQuoteLine, buildQuoteSection, type NewQuoteInput } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { hashDocument } from '../documents/freeze-document.ts';

let test: TestApp;
let firm: Firm;
let customerId: string;
const required = buildQuoteSection({ name: 'Water heater', always_required: true, items: [buildQuoteLine({ unit_price: '2300.00' })] });
const option = buildQuoteSection({ name: 'Outdoor tap', items: [buildQuoteLine({ unit_price: '92.00' })] });

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  customerId = (await getAdmin().customers.create(buildCustomer({ name: 'Helen Faleolo', email: 'helen@example.com' }))).id;
});

const getAdmin = () => firm.people.admin.client;
const createQuote = (overrides: Partial<NewQuoteInput> = {}) =>
  getAdmin().quotes.create(buildQuote({ customer_id: customerId, sections: [required, option], ...overrides }));
const getToken = ({ public_path }: { public_path: string }) => public_path.replace('/quote/', '');
const readJobId = async (quoteId: string) => (await getAdmin().quotes.get({ id: quoteId })).acceptance?.job_id ?? '';
const acceptQuote = async (quote: { public_path: string }, selected_option_ids: string[] = []) =>
  (await acceptAsCustomer(test.client(), { token: getToken(quote), selected_option_ids, accepted_by: '' })).quote;

describe('a deposit on a quote', () => {
  it('is a percentage or an amount, appears in the history, and is copied to a duplicate', async () => {
    const input = buildQuote({ customer_id: customerId, sections: [required], deposit_percentage: '30.00' });
    const quote = await getAdmin().quotes.create(input);
    expect(quote).toMatchObject({ deposit_percentage: '30', deposit_amount: null });
    // Idempotent: a retry returns the same quote.
    expect(await getAdmin().quotes.create(input)).toEqual(quote);
    const copy = await getAdmin().quotes.duplicate({ id: quote.id, new_id: crypto.randomUUID() });
    expect(copy).toMatchObject({ deposit_percentage: '30', deposit_amount: null });
    const { id, version, title, valid_until, sections } = quote;
    const update = { id, version, title, valid_until, sections, attachment_ids: [], deposit_amount: '690' };
    const changed = await getAdmin().quotes.update(update);
    expect(changed).toMatchObject({ deposit_percentage: null, deposit_amount: '690.00' });
    const { rows } = await getAdmin().quotes.history({ id });
    expect(rows.map(({ changes }) => changes['deposit'])).toContainEqual(['30%', '690.00']);
  });

  it.each([
    { deposit_percentage: '0' },
    { deposit_percentage: '101' },
    { deposit_percentage: '12.345' },
    { deposit_amount: '-1' },
    { deposit_percentage: '10', deposit_amount: '10' },
  ])('is rejected if invalid: %j', async (deposit) => {
    await expect(createQuote(deposit)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('appears below the total on the page, in the PDF and in the email', async () => {
    const quote = await createQuote({ deposit_percentage: '30' });
    const { content } = await test.client().publicQuotes.get({ token: getToken(quote) });
    expect(content?.deposit).toEqual({ deposit_percentage: '30', deposit_amount: null });
    const readPdfText = async (query: string) =>
      (await readPdf((await test.request('GET', `/api/public/quotes/${getToken(quote)}/pdf${query}`)).rawPayload)).text;
    expect(await readPdfText('')).toMatch(/Deposit on acceptance\s*\$690\.00/);
    expect(await readPdfText(`?sections=${option.id}`)).toMatch(/Deposit on acceptance\s*\$717\.60/);
    await getAdmin().quotes.send({ id: quote.id, mail_id: crypto.randomUUID(), subject: 'Your quote', body: 'Hi' });
    const { rows } = await test.app.platform.pools.system.query<{ mail: string }>('select outbox_mails::text as mail from outbox_mails');
    expect(rows.find(({ mail }) => mail.includes('Your quote'))?.mail).toMatch(/Deposit on acceptance[^$]*\$690\.00/);
  });

  it('is calculated from the accepted total, with a link to its payment page until it is paid', async () => {
    const quote = await createQuote({ deposit_percentage: '30' });
    const accepted = await acceptQuote(quote, [option.id]);
    expect(accepted.accepted?.document.deposit).toBe('$717.60');
    expect(accepted.deposit_path).toMatch(/^\/invoice\/[\w-]{22}$/);
    const jobId = await readJobId(quote.id);
    expect(await getAdmin().jobs.get({ id: jobId })).toMatchObject({ deposit_amount: '717.60', paid_amount: '0.00' });
    const link = `select token from public_links where record_kind = 'invoice' and record_id = $1`;
    const { rows } = await test.app.platform.pools.system.query<{ token: string }>(link, [jobId]);
    expect(rows).toEqual([{ token: accepted.deposit_path?.replace('/invoice/', '') }]);
    const readDepositPathAfter = async (change: string) => {
      await test.app.platform.pools.system.query(`update jobs set ${change} where id = $1`, [jobId]);
      return (await test.client().publicQuotes.get({ token: getToken(quote) })).deposit_path;
    };
    expect(await readDepositPathAfter('paid_amount = 700')).toBe(accepted.deposit_path);
    expect(await readDepositPathAfter('paid_amount = 717.60')).toBe(null);
    expect(await readDepositPathAfter('paid_amount = 0, billed_amount = 2392')).toBe(null);
    expect(await readDepositPathAfter(`billed_amount = null, status = 'canceled'`)).toBe(null);
    expect(await readDepositPathAfter(`status = 'complete'`)).toBe(null);
    expect(await readDepositPathAfter(`status = 'booked'`)).toBe(accepted.deposit_path);
  });

  it('is limited to the total, and an amount of 0 means no deposit', async () => {
    const fullDeposit = await createQuote({ sections: [required], deposit_amount: '5000.00' });
    expect((await acceptQuote(fullDeposit)).accepted?.document.deposit).toBe('$2,300.00');
    const noDeposit = await createQuote({ sections: [buildQuoteSection({ always_required: true })], deposit_amount: '0' });
    expect(await acceptQuote(noDeposit)).toMatchObject({ deposit_path: null, accepted: { document: { deposit: null } } });
    expect(await getAdmin().jobs.get({ id: await readJobId(noDeposit.id) })).toMatchObject({ deposit_amount: null });
  });

  it('may be missing from acceptances stored before deposits were introduced', async () => {
    const quote = await createQuote({ sections: [required] });
    await acceptQuote(quote);
    const { system } = test.app.platform.pools;
    const read = 'select record from quote_acceptances where quote_id = $1';
    const { rows } = await system.query<{ record: string }>(read, [quote.id]);
    const record = JSON.parse(rows[0]?.record ?? '') as { document: Record<string, CanonicalValue> };
    const { deposit, ...document } = record.document;
    expect(deposit).toBe(null);
    const oldRecord = { ...record, document };
    await test.owner.query('update quote_acceptances set record = $2, sha256 = $3 where quote_id = $1', [
      quote.id,
      toCanonicalJson(oldRecord),
      hashDocument(oldRecord),
    ]);
    const publicQuote = await test.client().publicQuotes.get({ token: getToken(quote) });
    expect(publicQuote).toMatchObject({ deposit_path: null, accepted: { is_intact: true, document: { total_amount: '2300.00' } } });
  });
});
