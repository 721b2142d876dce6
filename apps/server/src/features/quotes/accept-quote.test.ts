import { randomUUID } from 'node:crypto';
import { NO_OPTION_SELECTED_ERROR, UNKNOWN_OPTION_ERROR } from '@callout/domain/quotes/quote';
import { formatDate } from '@callout/domain/time/date-format';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptAsCustomer, acceptAsMember } from '../../../test/factories/accept-quote.ts';
import { buildCustomer, buildItem, buildJob, buildSupplier, type NewQuoteInput } from '../../../test/factories/inputs.ts';
import {
  buildExampleSections,
  buildQuoteClosedFailure,
  buildServiceLine,
  buildServiceSection,
  createOpenQuote,
} from '../../../test/factories/open-quote.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { readPersistentRows } from '../../../test/stored-data.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let customerId: string;
let { required, first, second } = buildExampleSections();

beforeAll(async () => {
  // All requests in this file come from one network and would exceed the default limits.
  test = await startTestApp({ DATABASE_POOL: '16' }, { requestLimits: { maxBodies: 1000, maxBodiesPerNetwork: 1000 } });
});

beforeEach(async () => {
  firm = await createFirm(test);
  customerId = (await getAdmin().customers.create(buildCustomer({ name: 'Helen Faleolo', address: '5 Rata Street' }))).id;
  ({ required, first, second } = buildExampleSections());
});

const getAdmin = () => firm.people.admin.client;
const getManager = () => firm.people.manager.client;
const getCustomer = () => test.client();
const getDateInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const getToday = () => toLocalDate(new Date().toISOString(), 'UTC');

const createQuote = (overrides: Partial<NewQuoteInput> = {}) =>
  createOpenQuote(getAdmin(), { customer_id: customerId, sections: [required, first, second], ...overrides });
const listJobs = async () => (await getAdmin().jobs.list({})).rows;
const readJobByNumber = async (number: string | null) => {
  const row = (await listJobs()).find(({ job_number }) => job_number === number);
  return getAdmin().jobs.get({ id: row?.id ?? randomUUID() });
};
const buildAnswer = (token: string, overrides: { selected_option_ids?: string[]; accepted_by?: string } = {}) => ({
  token,
  selected_option_ids: [first.id],
  accepted_by: '',
  ...overrides,
});
const buildSelectionFailure = (message: string) => ({ code: 'INVALID_INPUT', data: { fields: { selected_option_ids: message } } });
const listHistory = async (id: string) => (await getAdmin().quotes.history({ id })).rows;

describe('accepting a quote on the customer’s behalf', () => {
  it('creates one pending job with all sections at a fixed price', async () => {
    const quote = await createQuote({ sections: [required, first, second] });
    const { quote: accepted, job } = await acceptAsMember(getManager(), { id: quote.id });
    expect(accepted).toMatchObject({
      status: 'accepted',
      accepted_option_ids: [required.id, first.id, second.id],
      selected_option_id: null,
      total_amount: '552.00',
      acceptance: {
        accepted_by: 'The manager',
        by_customer: false,
        network_address: '127.0.0.1',
        total_amount: '552.00',
        job_id: job.id,
        job_number: job.job_number,
        is_intact: true,
      },
    });
    expect(await getAdmin().jobs.get({ id: job.id ?? '' })).toMatchObject({
      job_number: job.job_number,
      title: 'Gas hot water',
      description: 'A new water heater.',
      status: 'pending',
      job_type: 'fixed',
      fixed_amount: '552.00',
      hourly_rate: '0.00',
      address: '5 Rata Street',
      customer_id: customerId,
      quote_id: quote.id,
      quote_number: quote.quote_number,
      staff_id: null,
      booking_date: null,
      duration: null,
      items: [{ name: 'Heater' }, { name: 'Rail' }, { name: 'Tap' }],
      totals: { total_amount: '552.00' },
    });
    expect(await listJobs()).toHaveLength(1);
    expect((await getAdmin().notifications.list()).rows).toEqual([]);
    expect((await getManager().notifications.list()).rows).toEqual([]);
  });

  it('uses the title as the job’s description if the quote has none', async () => {
    const quote = await createQuote({ sections: [required], description: '' });
    const { job } = await acceptAsMember(getManager(), { id: quote.id });
    expect(await getAdmin().jobs.get({ id: job.id ?? '' })).toMatchObject({ title: 'Gas hot water', description: 'Gas hot water' });
  });

  it('includes only the selected option and the required sections', async () => {
    const quote = await createQuote();
    const { quote: accepted, job } = await acceptAsMember(getAdmin(), { id: quote.id, selected_option_ids: [second.id] });
    expect(accepted).toMatchObject({ accepted_option_ids: [required.id, second.id], selected_option_id: second.id });
    const createdJob = await getAdmin().jobs.get({ id: job.id ?? '' });
    expect(createdJob).toMatchObject({ fixed_amount: '322.00', totals: { total_amount: '322.00' } });
    expect(createdJob.items.map(({ name, quantity }) => [name, quantity])).toEqual([
      ['Heater', '1'],
      ['Tap', '2'],
    ]);
  });

  it('copies every line as quoted, even if its price list item was deleted', async () => {
    const { id: supplier_id } = await getAdmin().suppliers.create(buildSupplier());
    const item = await getAdmin().items.create(buildItem({ supplier_id, cost_price: '70.00' }));
    const lines = [
      buildServiceLine({ name: 'Mixer', supplier_item_id: item.id, unit_price: '100.00', is_service: false }),
      buildServiceLine({ name: 'Copper pipe', quantity: '2.375', unit_price: '13.33', tax_inclusive: false, description: 'Per meter' }),
    ];
    const quote = await createQuote({ sections: [buildServiceSection({ items: lines })] });
    await getAdmin().items.remove({ id: item.id });
    const { job } = await acceptAsMember(getAdmin(), { id: quote.id });
    const { items, fixed_amount, totals } = await getAdmin().jobs.get({ id: job.id ?? '' });
    expect(items).toMatchObject([
      { name: 'Mixer', supplier_item_id: null, sku: item.sku, supplier_name: 'Reece Plumbing', cost_price: '70.00', quantity: '1' },
      { name: 'Copper pipe', description: 'Per meter', quantity: '2.375', unit_price: '13.33', total_price: '31.66', cost_price: null },
    ]);
    // 100.00 + 31.66 * 1.15 = 136.409, which is rounded to 136.41.
    expect([fixed_amount, totals.total_amount]).toEqual(['136.41', '136.41']);
  });

  it('keeps the quoted tax rate on the job after the company’s rate changes', async () => {
    const quote = await createQuote();
    await test.owner.query('update companies set gst_percentage = 20 where company_id = $1', [firm.companyId]);
    const { job } = await acceptAsMember(getAdmin(), { id: quote.id });
    expect(await getAdmin().jobs.get({ id: job.id ?? '' })).toMatchObject({
      fixed_amount: '552.00',
      tax_rate: '15',
      totals: { total_amount: '552.00' },
    });
  });

  it('fails without items for both members and customers', async () => {
    const empty = buildServiceSection({ name: 'Later', items: [] });
    const quote = await createQuote({ sections: [empty, first] });
    const before = await readPersistentRows(test);
    const failure = { code: 'QUOTE_EMPTY', message: 'There is nothing to accept: the quote has no items.' };
    await expect(acceptAsMember(getAdmin(), { id: quote.id, selected_option_ids: [empty.id] })).rejects.toMatchObject(failure);
    await expect(acceptAsCustomer(getCustomer(), buildAnswer(quote.token, { selected_option_ids: [empty.id] }))).rejects.toMatchObject(
      failure,
    );
    expect(await readPersistentRows(test)).toEqual(before);
    await acceptAsCustomer(getCustomer(), buildAnswer(quote.token, { selected_option_ids: [empty.id, first.id] }));
    expect(await listJobs()).toHaveLength(1);
  });

  it('is forbidden for staff and accountants', async () => {
    const { id } = await createQuote();
    for (const role of ['staff', 'accountant'] as const) {
      await expect(acceptAsMember(firm.people[role].client, { id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(await listJobs()).toEqual([]);
  });

  it('fails after the expiry date in the company’s time zone', async () => {
    await test.owner.query(`update companies set timezone = 'Pacific/Kiritimati' where company_id = $1`, [firm.companyId]);
    const companyToday = toLocalDate(new Date().toISOString(), 'Pacific/Kiritimati');
    const yesterday = new Date(Date.parse(companyToday) - 86_400_000).toISOString().slice(0, 10);
    const { id } = await createQuote({ valid_until: yesterday });
    await expect(acceptAsMember(getAdmin(), { id })).rejects.toMatchObject(
      buildQuoteClosedFailure('expired', /^This quote was valid until \w{3} \d+, \d{4}\./),
    );
    expect(await getAdmin().quotes.get({ id })).toMatchObject({ status: 'draft', shown_status: 'expired', acceptance: null });
    const validToday = await createQuote({ valid_until: companyToday, sections: [buildServiceSection()] });
    expect(await acceptAsMember(getAdmin(), { id: validToday.id })).toMatchObject({ quote: { status: 'accepted' } });
    expect(await listJobs()).toHaveLength(1);
  });

  it('creates a job without a customer if the customer was deleted', async () => {
    const quote = await createQuote();
    await getAdmin().customers.remove({ id: customerId });
    const { job } = await acceptAsMember(getAdmin(), { id: quote.id });
    expect(await getAdmin().jobs.get({ id: job.id ?? '' })).toMatchObject({ customer_id: null, address: null, fixed_amount: '552.00' });
  });
});

describe('accepting a quote on the public page', () => {
  it('creates a job from the required and selected sections, and notifies admins and managers', async () => {
    const quote = await createQuote();
    const { quote: publicQuote, job_number } = await acceptAsCustomer(
      getCustomer(),
      buildAnswer(quote.token, { accepted_by: ' Tevita Faleolo ' }),
    );
    expect(publicQuote).toMatchObject({
      status: 'accepted',
      is_actionable: false,
      content: null,
      accepted: { accepted_by: 'Tevita Faleolo' },
    });
    const job = await readJobByNumber(job_number);
    expect(job).toMatchObject({ fixed_amount: '460.00', status: 'pending', totals: { total_amount: '460.00' } });
    expect(job.items.map(({ name }) => name)).toEqual(['Heater', 'Rail']);
    expect(await getAdmin().quotes.get({ id: quote.id })).toMatchObject({
      status: 'accepted',
      accepted_option_ids: [required.id, first.id],
      selected_option_id: first.id,
      // Before acceptance, the total includes all sections.
      total_amount: '460.00',
      acceptance: { accepted_by: 'Tevita Faleolo', by_customer: true, job_number },
    });
    expect((await getAdmin().quotes.list({})).rows[0]).toMatchObject({ id: quote.id, total_amount: '460.00' });
    for (const role of ['admin', 'manager'] as const) {
      expect((await firm.people[role].client.notifications.list()).rows).toMatchObject([
        {
          type: 'success',
          message: `Quote accepted: ${quote.quote_number} Gas hot water, by Tevita Faleolo. Job #${job_number} was created.`,
          data: { quote_id: quote.id, job_id: job.id },
        },
      ]);
    }
    for (const role of ['accountant', 'staff'] as const) {
      expect((await firm.people[role].client.notifications.list()).rows).toEqual([]);
    }
  });

  it('appears under the entered name in the histories of the quote and the job', async () => {
    const quote = await createQuote();
    const { job_number } = await acceptAsCustomer(getCustomer(), buildAnswer(quote.token, { accepted_by: 'Tevita' }));
    expect((await listHistory(quote.id))[0]).toMatchObject({
      who: 'Tevita',
      action: 'accepted',
      changes: { status: ['draft', 'accepted'], total_amount: [null, '460.00'], job_number: [null, job_number] },
    });
    const { id } = await readJobByNumber(job_number);
    expect((await getAdmin().comments.history({ id })).rows).toMatchObject([
      { who: 'Tevita', action: 'created', changes: { quote: [null, quote.quote_number] } },
    ]);
  });

  it('defaults to the customer’s name and updates their last interaction', async () => {
    const quote = await createQuote();
    await test.owner.query(`update customers set last_interaction = '2020-01-01' where id = $1`, [customerId]);
    const before = Date.now();
    const { quote: publicQuote } = await acceptAsCustomer(getCustomer(), buildAnswer(quote.token));
    expect(publicQuote.accepted?.accepted_by).toBe('Helen Faleolo');
    const { rows } = await getAdmin().customers.list({ sort: 'last_interaction', order: 'desc' });
    expect(Date.parse(rows[0]?.last_interaction ?? '')).toBeGreaterThanOrEqual(before);
  });

  it('records the IP address and the browser', async () => {
    const quote = await createQuote();
    const iphone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
    const { token, ...answer } = buildAnswer(quote.token);
    const body = { ...answer, content_hash: (await getCustomer().publicQuotes.get({ token })).content_hash };
    await test.request('POST', `/api/public/quotes/${token}/accept`, { body, headers: { 'user-agent': iphone } });
    const { acceptance } = await getAdmin().quotes.get({ id: quote.id });
    expect(acceptance).toMatchObject({ network_address: '127.0.0.1', browser: 'Safari on iPhone' });
    const { rows } = await test.owner.query('select user_agent from quote_acceptances where quote_id = $1', [quote.id]);
    expect(rows).toEqual([{ user_agent: iphone }]);
  });

  it('requires at least one option and rejects options of other quotes', async () => {
    const quote = await createQuote();
    const otherQuote = await createQuote({ sections: [buildServiceSection()] });
    const before = await readPersistentRows(test);
    const accept = (...selected_option_ids: string[]) => acceptAsCustomer(getCustomer(), buildAnswer(quote.token, { selected_option_ids }));
    await expect(accept()).rejects.toMatchObject(buildSelectionFailure(NO_OPTION_SELECTED_ERROR));
    await expect(accept(required.id)).rejects.toMatchObject(buildSelectionFailure(NO_OPTION_SELECTED_ERROR));
    await expect(accept(first.id, otherQuote.sections[0]?.id ?? '')).rejects.toMatchObject(buildSelectionFailure(UNKNOWN_OPTION_ERROR));
    await expect(acceptAsMember(getAdmin(), { id: quote.id, selected_option_ids: [randomUUID()] })).rejects.toMatchObject(
      buildSelectionFailure(UNKNOWN_OPTION_ERROR),
    );
    expect(await readPersistentRows(test)).toEqual(before);
  });

  it('needs no selection if all sections are required', async () => {
    const quote = await createQuote({ sections: [required] });
    const { job_number } = await acceptAsCustomer(getCustomer(), buildAnswer(quote.token, { selected_option_ids: [] }));
    expect(await readJobByNumber(job_number)).toMatchObject({ fixed_amount: '230.00' });
    expect(await getAdmin().quotes.get({ id: quote.id })).toMatchObject({ accepted_option_ids: [required.id], selected_option_id: null });
  });

  it('ignores extra fields in the request', async () => {
    const quote = await createQuote();
    const { content_hash } = await getCustomer().publicQuotes.get({ token: quote.token });
    const body = {
      ...buildAnswer(''),
      content_hash,
      total_amount: '1.00',
      job_number: 'J1',
      status: 'sent',
      user_id: firm.people.admin.userId,
    };
    const { statusCode } = await test.request('POST', `/api/public/quotes/${quote.token}/accept`, { body });
    expect(statusCode).toBe(200);
    expect(await getAdmin().quotes.get({ id: quote.id })).toMatchObject({ status: 'accepted', acceptance: { total_amount: '460.00' } });
  });
});

describe('a quote acceptance', () => {
  it('cannot be changed or deleted with the app’s database role', async () => {
    const quote = await createQuote();
    await acceptAsCustomer(getCustomer(), buildAnswer(quote.token));
    const client = await test.app.platform.pools.app.connect();
    try {
      await client.query(`select set_config('app.company_id', $1, false)`, [firm.companyId]);
      for (const statement of ['delete from quote_acceptances', `update quote_acceptances set accepted_by = 'Someone'`]) {
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
      }
    } finally {
      client.release(true);
    }
  });

  it('is rolled back if its job cannot be created', async () => {
    const quote = await createQuote();
    const before = await readPersistentRows(test);
    await test.owner.query(`create function fail_insert() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`);
    await test.owner.query(`create trigger fail_insert before insert on job_items for each row execute function fail_insert()`);
    try {
      await expect(acceptAsCustomer(getCustomer(), buildAnswer(quote.token))).rejects.toMatchObject({ status: 500 });
      await expect(acceptAsMember(getAdmin(), { id: quote.id })).rejects.toMatchObject({ status: 500 });
    } finally {
      await test.owner.query('drop function fail_insert cascade');
    }
    expect(await readPersistentRows(test)).toEqual(before);
    expect((await acceptAsCustomer(getCustomer(), buildAnswer(quote.token))).job_number).toMatch(/^J\d{4}0001$/);
  });
});

describe('a quote that was changed after it was loaded', () => {
  it('can be accepted only after the customer has loaded the new version', async () => {
    const quote = await createQuote();
    const { content_hash } = await getCustomer().publicQuotes.get({ token: quote.token });
    const raisedPrice = { ...first, items: first.items.map((item) => ({ ...item, unit_price: '115.01' })) };
    const { version, title, valid_until } = quote;
    await getAdmin().quotes.update({
      id: quote.id,
      version,
      title,
      valid_until,
      sections: [required, raisedPrice, second],
      attachment_ids: [],
    });
    const before = await readPersistentRows(test);
    const accept = (hash: string | null) => getCustomer().publicQuotes.accept({ ...buildAnswer(quote.token), content_hash: hash ?? '' });
    await expect(accept(content_hash)).rejects.toMatchObject({ code: 'QUOTE_CHANGED', status: 409 });
    expect(await readPersistentRows(test)).toEqual(before);
    const seen = await getCustomer().publicQuotes.get({ token: quote.token });
    expect((await accept(seen.content_hash)).quote.accepted?.document.total_amount).toBe('460.02');
    // Idempotent: a retry after a lost response returns the same acceptance.
    expect((await accept(seen.content_hash)).quote.status).toBe('accepted');
  });

  it('cannot be accepted without naming what was seen', async () => {
    const quote = await createQuote();
    const asCustomer = await test.request('POST', `/api/public/quotes/${quote.token}/accept`, { body: buildAnswer(quote.token) });
    const { cookie } = firm.people.admin;
    const asMember = await test.request('POST', `/api/quotes/${quote.id}/accept`, { cookie, body: { selected_option_ids: [] } });
    expect([asCustomer.json(), asMember.json()]).toMatchObject([{ code: 'INVALID_INPUT' }, { code: 'INVALID_INPUT' }]);
    expect(await listJobs()).toEqual([]);
  });

  it('cannot be accepted by a member with a stale version, but a status change does not affect the customer', async () => {
    const quote = await createQuote();
    const { content_hash } = await getCustomer().publicQuotes.get({ token: quote.token });
    await getAdmin().quotes.setStatus({ id: quote.id, status: 'sent' });
    await expect(getAdmin().quotes.accept({ id: quote.id, version: quote.version })).rejects.toMatchObject({
      code: 'STALE_VERSION',
      data: { current: { status: 'sent' } },
    });
    expect(await listJobs()).toEqual([]);
    await getCustomer().publicQuotes.accept({ ...buildAnswer(quote.token), content_hash: content_hash ?? '' });
    expect(await listJobs()).toHaveLength(1);
  });
});

describe('answering a quote again', () => {
  it('with the same selection returns the existing job, for the customer and for a member', async () => {
    const quote = await createQuote();
    const { job_number } = await acceptAsCustomer(getCustomer(), buildAnswer(quote.token, { accepted_by: 'Tevita' }));
    expect(await acceptAsCustomer(getCustomer(), buildAnswer(quote.token, { selected_option_ids: [first.id, required.id] }))).toMatchObject(
      { job_number, quote: { accepted: { accepted_by: 'Tevita' } } },
    );
    expect(await acceptAsMember(getAdmin(), { id: quote.id, selected_option_ids: [first.id] })).toMatchObject({ job: { job_number } });
    expect(await listJobs()).toHaveLength(1);
    expect((await getAdmin().notifications.list()).rows).toHaveLength(1);
  });

  it('returns the same job number after the quote was edited or the job deleted', async () => {
    const quote = await createQuote();
    const { job_number } = await acceptAsCustomer(getCustomer(), buildAnswer(quote.token));
    const { version } = await getAdmin().quotes.get({ id: quote.id });
    await getAdmin().quotes.update({ ...quote, version, sections: [buildServiceSection()], attachment_ids: [] });
    await getAdmin().jobs.remove({ id: (await readJobByNumber(job_number)).id });
    expect(await acceptAsCustomer(getCustomer(), buildAnswer(quote.token))).toMatchObject({ job_number });
    expect(await acceptAsMember(getAdmin(), { id: quote.id, selected_option_ids: [first.id] })).toMatchObject({
      job: { id: null, job_number },
    });
    expect(await listJobs()).toEqual([]);
  });

  it('with another selection or a rejection fails and reports the job number and the acceptance date', async () => {
    const quote = await createQuote();
    const { job_number } = await acceptAsCustomer(getCustomer(), buildAnswer(quote.token));
    const before = await readPersistentRows(test);
    const day = formatDate(new Date().toISOString(), 'UTC');
    const closed = {
      code: 'QUOTE_CLOSED',
      message: `This quote was accepted on ${day}, and job #${job_number} has been created.`,
      data: { status: 'accepted', job_number },
    };
    const otherSelection = buildAnswer(quote.token, { selected_option_ids: [first.id, second.id] });
    await expect(acceptAsCustomer(getCustomer(), otherSelection)).rejects.toMatchObject(closed);
    await expect(getCustomer().publicQuotes.reject({ token: quote.token })).rejects.toMatchObject(closed);
    await expect(acceptAsMember(getAdmin(), { id: quote.id })).rejects.toMatchObject(closed);
    expect(await readPersistentRows(test)).toEqual(before);
  });

  it('fails if the quote expired while the page was open', async () => {
    const quote = await createQuote({ valid_until: getDateInDays(3) });
    await test.owner.query('update quotes set valid_until = $2 where id = $1', [quote.id, getDateInDays(-3)]);
    const before = await readPersistentRows(test);
    const closed = buildQuoteClosedFailure('expired', /^This quote was valid until .* It can no longer be accepted or rejected\.$/);
    await expect(acceptAsCustomer(getCustomer(), buildAnswer(quote.token))).rejects.toMatchObject(closed);
    await expect(getCustomer().publicQuotes.reject({ token: quote.token })).rejects.toMatchObject(closed);
    expect(await readPersistentRows(test)).toEqual(before);
  });
});

describe('rejecting a quote', () => {
  it('is idempotent and notifies admins and managers once', async () => {
    const quote = await createQuote();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await getCustomer().publicQuotes.reject({ token: quote.token })).toMatchObject({
        quote: { status: 'rejected', is_actionable: false },
      });
    }
    for (const role of ['admin', 'manager'] as const) {
      expect((await firm.people[role].client.notifications.list()).rows).toMatchObject([
        {
          type: 'warning',
          message: `Quote rejected: ${quote.quote_number} Gas hot water, by Helen Faleolo.`,
          data: { quote_id: quote.id },
        },
      ]);
    }
    expect(await listHistory(quote.id)).toMatchObject([
      { who: 'Helen Faleolo', action: 'rejected', changes: { status: ['draft', 'rejected'] } },
      { action: 'created' },
    ]);
    expect(await getAdmin().quotes.get({ id: quote.id })).toMatchObject({ status: 'rejected', rejected_at: expect.any(String) });
  });

  it('prevents the customer and members from accepting it afterwards', async () => {
    const quote = await createQuote();
    await getCustomer().publicQuotes.reject({ token: quote.token });
    const closed = buildQuoteClosedFailure(
      'rejected',
      new RegExp(`^This quote was rejected on ${formatDate(new Date().toISOString(), 'UTC')}\\.`),
    );
    await expect(acceptAsCustomer(getCustomer(), buildAnswer(quote.token))).rejects.toMatchObject(closed);
    await expect(acceptAsMember(getAdmin(), { id: quote.id })).rejects.toMatchObject(closed);
    expect(await listJobs()).toEqual([]);
  });

  it('is undone when a member reopens the quote', async () => {
    const quote = await createQuote();
    for (const status of ['draft', 'sent'] as const) {
      await getCustomer().publicQuotes.reject({ token: quote.token });
      expect(await getAdmin().quotes.setStatus({ id: quote.id, status })).toMatchObject({ status, rejected_at: null, is_actionable: true });
    }
  });

  it('keeps the status "rejected" after the expiry date', async () => {
    const quote = await createQuote({ valid_until: getToday() });
    await getCustomer().publicQuotes.reject({ token: quote.token });
    await test.owner.query('update quotes set valid_until = $2 where id = $1', [quote.id, getDateInDays(-3)]);
    expect(await getCustomer().publicQuotes.get({ token: quote.token })).toMatchObject({ status: 'rejected' });
  });
});

describe('concurrent answers', () => {
  const collectResults = async (calls: readonly Promise<unknown>[]) => {
    const settled = await Promise.allSettled(calls);
    return settled.map((one): unknown => (one.status === 'fulfilled' ? one.value : one.reason)) as {
      code?: string;
      job_number?: string;
      job?: { job_number: string };
      data?: { job_number: string | null; status: string };
    }[];
  };

  it('create one job for 200 acceptances, and every response contains its number', async () => {
    const quote = await createQuote();
    const { version } = await getAdmin().quotes.get({ id: quote.id });
    const content_hash = (await getCustomer().publicQuotes.get({ token: quote.token })).content_hash ?? '';
    const results = await collectResults(
      Array.from({ length: 100 }, (_, index) => [
        // Every second customer request selects a different option.
        getCustomer().publicQuotes.accept({
          ...buildAnswer(quote.token, { selected_option_ids: [index % 2 === 0 ? first.id : second.id] }),
          content_hash,
        }),
        getAdmin().quotes.accept({ id: quote.id, version, selected_option_ids: [first.id] }),
      ]).flat(),
    );
    const [job, ...others] = await listJobs();
    expect(others).toEqual([]);
    expect(results).toHaveLength(200);
    const jobNumbers = results.map((result) => result.job_number ?? result.job?.job_number ?? result.data?.job_number);
    expect(new Set(jobNumbers)).toEqual(new Set([job?.job_number]));
    expect(new Set(results.map(({ code }) => code))).toEqual(new Set([undefined, 'QUOTE_CLOSED']));
    expect((await listHistory(quote.id)).filter(({ action }) => action === 'accepted')).toHaveLength(1);
    expect((await getAdmin().notifications.list()).rows.length).toBeLessThanOrEqual(1);
  });

  it('have one winner, and the other request fails', async () => {
    for (let round = 0; round < 10; round += 1) {
      const quote = await createQuote({ sections: [{ ...buildServiceSection(), id: randomUUID() }] });
      const selected_option_ids = [quote.sections[0]?.id ?? ''];
      const results = await collectResults([
        acceptAsCustomer(getCustomer(), buildAnswer(quote.token, { selected_option_ids })),
        getCustomer().publicQuotes.reject({ token: quote.token }),
      ]);
      const { status, acceptance } = await getAdmin().quotes.get({ id: quote.id });
      expect(results.filter(({ code }) => code === 'QUOTE_CLOSED')).toMatchObject([{ data: { status } }]);
      expect(acceptance !== null).toBe(status === 'accepted');
    }
  });

  it('never deadlock with edits, new jobs, or deletions of the customer or an item', async () => {
    const { id: supplier_id } = await getAdmin().suppliers.create(buildSupplier());
    const staff = await test.owner.query<{ id: string }>('select id from staff_members where company_id = $1', [firm.companyId]);
    for (let round = 0; round < 8; round += 1) {
      const item = await getAdmin().items.create(buildItem({ supplier_id }));
      const customer_id = (await getAdmin().customers.create(buildCustomer())).id;
      const only = buildServiceSection({ items: [buildServiceLine({ supplier_item_id: item.id }), buildServiceLine()] });
      const quote = await createQuote({ customer_id, sections: [only] });
      const results = await collectResults([
        acceptAsCustomer(getCustomer(), buildAnswer(quote.token, { selected_option_ids: [only.id] })),
        acceptAsMember(getAdmin(), { id: quote.id }),
        getAdmin().quotes.update({ ...quote, sections: [only], attachment_ids: [] }),
        getAdmin().jobs.create(buildJob({ customer_id, staff_id: staff.rows[0]?.id ?? '' })),
        getAdmin().customers.remove({ id: customer_id }),
        getAdmin().items.remove({ id: item.id }),
      ]);
      expect(results.map(({ code }) => code).filter((code) => code === 'INTERNAL' || code === 'DATABASE')).toEqual([]);
      // If the edit came first, both answers were refused, and the customer accepts again.
      await acceptAsCustomer(getCustomer(), buildAnswer(quote.token, { selected_option_ids: [only.id] }));
      const { acceptance } = await getAdmin().quotes.get({ id: quote.id });
      expect((await getAdmin().jobs.get({ id: acceptance?.job_id ?? '' })).items).toHaveLength(2);
    }
  });
});

describe('a signed-in member on the public page', () => {
  const readAcceptance = async (id: string) => (await getAdmin().quotes.get({ id })).acceptance;

  it('cannot answer without the permission to accept quotes', async () => {
    const quote = await createQuote();
    const before = await readPersistentRows(test);
    const { publicQuotes, quotes } = firm.people.staff.client;
    const failure = { code: 'FORBIDDEN', status: 403, message: 'You do not have permission to accept or reject quotes' };
    await expect(acceptAsMember({ quotes }, { id: quote.id })).rejects.toMatchObject(failure);
    await expect(acceptAsCustomer({ publicQuotes }, buildAnswer(quote.token, { accepted_by: 'Helen' }))).rejects.toMatchObject(failure);
    await expect(publicQuotes.reject({ token: quote.token })).rejects.toMatchObject(failure);
    expect(await readPersistentRows(test)).toEqual(before);
  });

  it('is recorded under their own name, never as the customer', async () => {
    const [accepted, rejected] = [await createQuote(), await createQuote({ sections: [buildServiceSection()] })];
    const { publicQuotes } = firm.people.manager.client;
    await acceptAsCustomer({ publicQuotes }, buildAnswer(accepted.token, { accepted_by: 'Helen', selected_option_ids: [first.id] }));
    expect(await readAcceptance(accepted.id)).toMatchObject({
      accepted_by: 'The manager',
      by_customer: false,
      section_ids: [required.id, first.id],
    });
    await publicQuotes.reject({ token: rejected.token });
    expect((await listHistory(rejected.id))[0]).toMatchObject({ action: 'rejected' });
    expect(JSON.stringify((await listHistory(rejected.id))[0])).toContain('The manager');
  });

  it('counts as the customer if they belong to another company', async () => {
    const quote = await createQuote();
    const other = await createFirm(test);
    await acceptAsCustomer(other.people.staff.client, buildAnswer(quote.token, { accepted_by: 'Helen' }));
    expect(await readAcceptance(quote.id)).toMatchObject({ accepted_by: 'Helen', by_customer: true });
  });
});

it('reports an accepted quote without an acceptance record as accepted, not as expired', async () => {
  const quote = await createQuote();
  await test.owner.query(`update quotes set status = 'accepted' where id = $1`, [quote.id]);
  await expect(acceptAsCustomer(getCustomer(), buildAnswer(quote.token))).rejects.toMatchObject(
    buildQuoteClosedFailure('accepted', /^This quote was accepted\. It can no/),
  );
});
