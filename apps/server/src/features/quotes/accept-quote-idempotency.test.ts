import { randomUUID } from 'node:crypto';
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
import { readAllRows } from '../../../test/stored-data.ts';
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
const getCustomer = () => test.client();
const getToday = () => toLocalDate(new Date().toISOString(), 'UTC');
const getDateInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const createQuote = (overrides: Partial<NewQuoteInput> = {}) =>
  createOpenQuote(getAdmin(), { customer_id: customerId, sections: [required, first, second], ...overrides });
/** Excludes the rate limit counters, which change with every call. */
async function readComparableRows() {
  const { 'public.rate_limits': _, ...rows } = await readAllRows(test);
  return rows;
}
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
const listHistory = async (id: string) => (await getAdmin().quotes.history({ id })).rows;

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
    const before = await readComparableRows();
    const accept = (hash: string | null) => getCustomer().publicQuotes.accept({ ...buildAnswer(quote.token), content_hash: hash ?? '' });
    await expect(accept(content_hash)).rejects.toMatchObject({ code: 'QUOTE_CHANGED', status: 409 });
    expect(await readComparableRows()).toEqual(before);
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
    const before = await readComparableRows();
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
    expect(await readComparableRows()).toEqual(before);
  });

  it('fails if the quote expired while the page was open', async () => {
    const quote = await createQuote({ valid_until: getDateInDays(3) });
    await test.owner.query('update quotes set valid_until = $2 where id = $1', [quote.id, getDateInDays(-3)]);
    const before = await readComparableRows();
    const closed = buildQuoteClosedFailure('expired', /^This quote was valid until .* It can no longer be accepted or rejected\.$/);
    await expect(acceptAsCustomer(getCustomer(), buildAnswer(quote.token))).rejects.toMatchObject(closed);
    await expect(getCustomer().publicQuotes.reject({ token: quote.token })).rejects.toMatchObject(closed);
    expect(await readComparableRows()).toEqual(before);
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
    const before = await readComparableRows();
    const { publicQuotes, quotes } = firm.people.staff.client;
    const failure = { code: 'FORBIDDEN', status: 403, message: 'You do not have permission to accept or reject quotes' };
    await expect(acceptAsMember({ quotes }, { id: quote.id })).rejects.toMatchObject(failure);
    await expect(acceptAsCustomer({ publicQuotes }, buildAnswer(quote.token, { accepted_by: 'Helen' }))).rejects.toMatchObject(failure);
    await expect(publicQuotes.reject({ token: quote.token })).rejects.toMatchObject(failure);
    expect(await readComparableRows()).toEqual(before);
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
