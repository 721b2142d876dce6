import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@callout/domain/time/time-units';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { acceptAsCustomer } from '../../../test/factories/accept-quote.ts';
import { createBilledJob } from '../../../test/factories/billed-job.ts';
import { buildCustomer, buildJobUpdate, buildQuote, buildQuoteLine, buildQuoteSection } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { buildPng } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

/** Unchanged public pages are answered from memory. Signed-in callers never are, so a member of another firm reads the page as it is now. */

let test: TestApp;
let firm: Firm;
let stranger: Firm;
let customerId: string;

beforeAll(async () => {
  test = await startTestApp({ TRUST_PROXY: '1' });
  stranger = await createFirm(test, 'Stranger');
});

beforeEach(async () => {
  firm = await createFirm(test);
  customerId = (await getAdmin().customers.create(buildCustomer({ name: 'Helen Faleolo' }))).id;
});

afterEach(() => vi.useRealTimers());

const getAdmin = () => firm.people.admin.client;
const updateCompany = (values: string) => test.owner.query(`update companies set ${values} where company_id = $1`, [firm.companyId]);
const moveClockBy = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

const read = (path: string, headers: Record<string, string> = {}) => test.request('GET', path, { headers });

/** Returns the page as an anonymous visitor sees it, after checking that it is the page as it is now. */
async function readCurrentPage(path: string): Promise<string> {
  const { body, statusCode } = await read(path);
  const current = await test.request('GET', path, { cookie: stranger.people.admin.cookie });
  expect([statusCode, body]).toEqual([current.statusCode, current.body]);
  return body;
}

/** Reads the page before and after a change, and again from memory. Returns true if the change is shown. */
async function showsChange(path: string, change: () => Promise<unknown>): Promise<boolean> {
  const before = await readCurrentPage(path);
  await change();
  const after = await readCurrentPage(path);
  return after !== before && (await readCurrentPage(path)) === after;
}

async function upload(): Promise<string> {
  const id = randomUUID();
  await uploadFile(test, `/api/files/${id}`, firm.people.admin.cookie, 'plan.png', buildPng());
  return id;
}

const buildSections = () => [buildQuoteSection({ items: [buildQuoteLine({ unit_price: '100.00' })] })];

async function createQuote(overrides: Partial<Parameters<typeof buildQuote>[0]> = {}) {
  const quote = await getAdmin().quotes.create(buildQuote({ customer_id: customerId, sections: buildSections(), ...overrides }));
  const token = quote.public_path.replace('/quote/', '');
  return { ...quote, token, path: `/api/public/quotes/${token}` };
}

const acceptQuote = async ({ token, sections }: Awaited<ReturnType<typeof createQuote>>) =>
  acceptAsCustomer(
    { publicQuotes: test.client().publicQuotes },
    { token, selected_option_ids: sections.map(({ id }) => id), accepted_by: 'Helen' },
  );

/** Counts the statements that `act` runs on any connection. */
async function countStatements(act: () => Promise<unknown>): Promise<number> {
  const client = await test.app.platform.pools.app.connect();
  client.release();
  const query = vi.spyOn(Object.getPrototypeOf(client) as typeof client, 'query');
  try {
    await act();
    return query.mock.calls.length;
  } finally {
    query.mockRestore();
  }
}

describe('an unchanged public page', () => {
  it('is answered from memory after a single statement', async () => {
    const job = await createBilledJob(test, firm, { customer_id: customerId, lines: [{ unit_price: '100' }] });
    const { public_path } = await getAdmin().invoices.billing({ id: job.id });
    for (const path of [(await createQuote()).path, `/api/public${public_path.replace('/invoice/', '/invoices/')}`]) {
      const first = await readCurrentPage(path);
      const repeat = { body: '' };
      expect(await countStatements(async () => void (repeat.body = (await read(path)).body))).toBe(1);
      expect(repeat.body).toBe(first);
    }
  });

  it('is not sent again to a browser that has it, until it changes', async () => {
    const { path, id, version } = await createQuote();
    const { headers, statusCode } = await read(path);
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', etag: expect.stringMatching(/^"[\w-]{43}"$/) });
    const revalidate = () => read(path, { 'if-none-match': `W/${headers.etag}` });
    const unchanged = await revalidate();
    expect([statusCode, unchanged.statusCode, unchanged.body]).toEqual([200, 304, '']);
    await getAdmin().quotes.update({
      ...buildQuote({ customer_id: customerId, sections: buildSections() }),
      id,
      version,
      title: 'Changed',
    });
    expect((await revalidate()).statusCode).toBe(200);
  });

  it('counts toward the limit of its link', async () => {
    const { path } = await createQuote();
    const statuses: number[] = [];
    for (let request = 0; request < 121; request += 1) statuses.push((await read(path, { 'x-forwarded-for': '203.0.113.7' })).statusCode);
    expect([statuses[0], statuses.at(-2), statuses.at(-1)]).toEqual([200, 200, 429]);
  });

  it('shows the link to the app to members only', async () => {
    const { path, id } = await createQuote();
    await readCurrentPage(path);
    const seenByMember = await test.request('GET', path, { cookie: firm.people.admin.cookie });
    expect(seenByMember.json()).toMatchObject({ member_path: `/quotes/${id}` });
    expect(seenByMember.headers['cache-control']).toBe('no-store');
    expect((await read(path)).json()).toMatchObject({ member_path: null });
  });

  it('is not found once its link is revoked or its company is closed', async () => {
    const [deleted, closed] = [await createQuote(), await createQuote()];
    for (const { path } of [deleted, closed]) await readCurrentPage(path);
    await getAdmin().quotes.remove({ id: deleted.id });
    expect((await read(deleted.path)).statusCode).toBe(404);
    await updateCompany(`deletes_at = now() + interval '7 days'`);
    expect((await read(closed.path)).statusCode).toBe(404);
    await updateCompany('deletes_at = null');
    expect((await read(closed.path)).statusCode).toBe(200);
  });
});

it('a public page opens in a time zone that PostgreSQL does not know', async () => {
  const { path } = await createQuote();
  await updateCompany("timezone = 'AET'");
  expect((await read(path)).statusCode).toBe(200);
});

describe('the public quote page shows at once', () => {
  it.each(["company_name = 'Renamed'", "currency = 'EUR'", "timezone = 'Pacific/Kiritimati'"])('a company with %s', async (values) => {
    const { path, id } = await createQuote();
    await test.owner.query(`update quotes set created_at = '2026-01-01T12:00:00Z' where id = $1`, [id]);
    expect(await showsChange(path, () => updateCompany(values))).toBe(true);
  });

  it('an edited quote, its renamed customer and its deleted customer', async () => {
    const { path, id, version } = await createQuote();
    const edited = { ...buildQuote({ customer_id: customerId, sections: buildSections(), description: 'New' }), id, version };
    expect(await showsChange(path, () => getAdmin().quotes.update(edited))).toBe(true);
    const customer = await getAdmin().customers.get({ id: customerId });
    expect(
      await showsChange(path, () =>
        getAdmin().customers.update({
          ...buildCustomer({ name: 'Helen Smith' }),
          id: customerId,
          version: customer.version,
          status: 'active',
        }),
      ),
    ).toBe(true);
    expect(await showsChange(path, () => getAdmin().customers.remove({ id: customerId }))).toBe(true);
  });

  it('added and removed files, and their thumbnails', async () => {
    const { path, id, version } = await createQuote();
    const file = await upload();
    const input = { ...buildQuote({ customer_id: customerId, sections: buildSections() }), id };
    expect(await showsChange(path, () => getAdmin().quotes.update({ ...input, version, attachment_ids: [file] }))).toBe(true);
    expect(await showsChange(path, () => test.owner.query(`delete from files where owner_id = $1 and purpose = 'thumbnail'`, [file]))).toBe(
      true,
    );
    expect(await showsChange(path, () => getAdmin().quotes.update({ ...input, version: version + 1, attachment_ids: [] }))).toBe(true);
  });

  it('an acceptance, its paid deposit and a record that was tampered with', async () => {
    const quote = await createQuote({ deposit_percentage: '10' });
    expect(await showsChange(quote.path, () => acceptQuote(quote))).toBe(true);
    const { acceptance } = await getAdmin().quotes.get({ id: quote.id });
    expect(
      await showsChange(quote.path, () =>
        getAdmin().payments.record({ id: randomUUID(), job_id: acceptance?.job_id ?? '', amount: '50.00' }),
      ),
    ).toBe(true);
    expect(
      await showsChange(quote.path, () =>
        test.owner.query(`update quote_acceptances set accepted_by = 'Someone else' where quote_id = $1`, [quote.id]),
      ),
    ).toBe(true);
  });

  it('a rejection', async () => {
    const { path, token } = await createQuote();
    expect(await showsChange(path, () => test.client().publicQuotes.reject({ token }))).toBe(true);
  });

  it('that the quote has expired', async () => {
    const { path } = await createQuote({ valid_until: new Date(Date.now() + DAY_MS).toISOString().slice(0, 10) });
    expect(await showsChange(path, async () => moveClockBy(3 * DAY_MS))).toBe(true);
  });
});

describe('the public invoice page shows at once', () => {
  async function createJob() {
    const job = await createBilledJob(test, firm, { customer_id: customerId, lines: [{ unit_price: '100' }] });
    const { public_path } = await getAdmin().invoices.billing({ id: job.id });
    return { ...job, path: `/api/public${public_path.replace('/invoice/', '/invoices/')}` };
  }
  const send = (id: string) => getAdmin().invoices.send({ id, mail_id: randomUUID(), by_hand: true });

  it('a changed job, changed lines and a renamed customer', async () => {
    const job = await createJob();
    const customer = await getAdmin().customers.get({ id: customerId });
    expect(await showsChange(job.path, () => getAdmin().jobs.update(buildJobUpdate(job, { title: 'Changed' })))).toBe(true);
    expect(
      await showsChange(job.path, () => test.owner.query(`update job_items set name = 'Another part' where job_id = $1`, [job.id])),
    ).toBe(true);
    expect(
      await showsChange(job.path, () =>
        getAdmin().customers.update({
          ...buildCustomer({ name: 'Helen Smith' }),
          id: customerId,
          version: customer.version,
          status: 'active',
        }),
      ),
    ).toBe(true);
  });

  it('a sent, corrected and credited invoice', async () => {
    const job = await createJob();
    expect(await showsChange(job.path, () => send(job.id))).toBe(true);
    await test.owner.query(`update job_items set name = 'Another part' where job_id = $1`, [job.id]);
    expect(await showsChange(job.path, () => send(job.id))).toBe(true);
    const { invoice } = await getAdmin().invoices.billing({ id: job.id });
    expect(
      await showsChange(job.path, () => getAdmin().invoices.credit({ id: invoice?.id ?? '', credit_id: randomUUID(), reason: 'Wrong' })),
    ).toBe(true);
  });

  it('payments and reversals', async () => {
    const job = await createJob();
    await send(job.id);
    const payment = { id: randomUUID(), job_id: job.id, amount: '15.00' };
    expect(await showsChange(job.path, () => getAdmin().payments.record(payment))).toBe(true);
    expect(await showsChange(job.path, () => getAdmin().payments.reverse({ id: payment.id, reversal_id: randomUUID() }))).toBe(true);
  });

  it('a company’s new bank account and logo', async () => {
    const job = await createJob();
    expect(await showsChange(job.path, () => updateCompany(`bank_name = 'Kiwibank', bank_account_number = '38-9000'`))).toBe(true);
    expect(await showsChange(job.path, () => updateCompany(`avatar_url = '/api/company/logo/1'`))).toBe(true);
  });

  it('the new due date of a draft on the next day', async () => {
    const job = await createJob();
    await updateCompany('payment_terms_days = 7');
    expect(await showsChange(job.path, async () => moveClockBy(DAY_MS))).toBe(true);
  });
});
