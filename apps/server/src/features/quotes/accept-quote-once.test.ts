import { randomUUID } from 'node:crypto';
import { formatDate } from '@callout/domain/time/date-format';
import { localDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { everyRow } from '../../../test/every-row.ts';
import { type NewQuoteInput, newCustomer, newItem, newJob, newSupplier } from '../../../test/factories/inputs.ts';
import { addOfferedQuote, closedFailure, offeredSections, serviceLine, serviceSection } from '../../../test/factories/offered-quote.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let customerId: string;
let { required, first, second } = offeredSections();

beforeAll(async () => {
  // All of them come from one address here.
  test = await startTestApp({ DATABASE_POOL: '16' }, { requestLimits: { bodies: 1000, bodiesPerNetwork: 1000 } });
});

beforeEach(async () => {
  firm = await createFirm(test);
  customerId = (await admin().customers.create(newCustomer({ name: 'Helen Faleolo', address: '5 Rata Street' }))).id;
  ({ required, first, second } = offeredSections());
});

const admin = () => firm.people.admin.client;
const customer = () => test.client();
const today = () => localDate(new Date().toISOString(), 'UTC');
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const addQuote = (over: Partial<NewQuoteInput> = {}) =>
  addOfferedQuote(admin(), { customer_id: customerId, sections: [required, first, second], ...over });
/** Every row, except how often calls were made. */
async function everything() {
  const { 'public.rate_limits': _, ...rows } = await everyRow(test);
  return rows;
}
const jobsOf = async () => (await admin().jobs.list({})).rows;
const jobOf = async (number: string | null) => {
  const row = (await jobsOf()).find(({ job_number }) => job_number === number);
  return admin().jobs.get({ id: row?.id ?? randomUUID() });
};
const answer = (token: string, over: { selected_option_ids?: string[]; accepted_by?: string } = {}) => ({
  token,
  selected_option_ids: [first.id],
  accepted_by: '',
  ...over,
});
const historyOf = async (id: string) => (await admin().quotes.history({ id })).rows;

describe('a quote that was changed since it was read', () => {
  it('is not accepted by the customer, who sees the new one first', async () => {
    const quote = await addQuote();
    const { content_hash } = await customer().publicQuotes.get({ token: quote.token });
    const dearer = { ...first, items: first.items.map((item) => ({ ...item, unit_price: '115.01' })) };
    const { version, title, valid_until } = quote;
    await admin().quotes.update({ id: quote.id, version, title, valid_until, sections: [required, dearer, second], attachment_ids: [] });
    const before = await everything();
    const accept = (hash: string | null) => customer().publicQuotes.accept({ ...answer(quote.token), content_hash: hash ?? '' });
    await expect(accept(content_hash)).rejects.toMatchObject({ code: 'QUOTE_CHANGED', status: 409 });
    expect(await everything()).toEqual(before);
    const seen = await customer().publicQuotes.get({ token: quote.token });
    expect((await accept(seen.content_hash)).quote.accepted?.document.total_amount).toBe('460.02');
    // Sent again after a lost answer, it is the same acceptance.
    expect((await accept(seen.content_hash)).quote.status).toBe('accepted');
  });

  it('is not accepted for the customer either, but its status may change', async () => {
    const quote = await addQuote();
    const { content_hash } = await customer().publicQuotes.get({ token: quote.token });
    await admin().quotes.setStatus({ id: quote.id, status: 'sent' });
    await expect(admin().quotes.accept({ id: quote.id, version: quote.version })).rejects.toMatchObject({
      code: 'STALE_VERSION',
      data: { current: { status: 'sent' } },
    });
    expect(await jobsOf()).toEqual([]);
    await customer().publicQuotes.accept({ ...answer(quote.token), content_hash: content_hash ?? '' });
    expect(await jobsOf()).toHaveLength(1);
  });
});

describe('answering again', () => {
  it('with the same choice answers with the job that exists, from either side', async () => {
    const quote = await addQuote();
    const { job_number } = await customer().publicQuotes.accept(answer(quote.token, { accepted_by: 'Tevita' }));
    expect(await customer().publicQuotes.accept(answer(quote.token, { selected_option_ids: [first.id, required.id] }))).toMatchObject({
      job_number,
      quote: { accepted: { accepted_by: 'Tevita' } },
    });
    expect(await admin().quotes.accept({ id: quote.id, selected_option_ids: [first.id] })).toMatchObject({ job: { job_number } });
    expect(await jobsOf()).toHaveLength(1);
    expect((await admin().notifications.list()).rows).toHaveLength(1);
  });

  it('answers alike when the quote was edited since, or its job deleted', async () => {
    const quote = await addQuote();
    const { job_number } = await customer().publicQuotes.accept(answer(quote.token));
    const { version } = await admin().quotes.get({ id: quote.id });
    await admin().quotes.update({ ...quote, version, sections: [serviceSection()], attachment_ids: [] });
    await admin().jobs.remove({ id: (await jobOf(job_number)).id });
    expect(await customer().publicQuotes.accept(answer(quote.token))).toMatchObject({ job_number });
    expect(await admin().quotes.accept({ id: quote.id, selected_option_ids: [first.id] })).toMatchObject({ job: { id: null, job_number } });
    expect(await jobsOf()).toEqual([]);
  });

  it('with another choice, or a rejection, is refused and names the job and the day', async () => {
    const quote = await addQuote();
    const { job_number } = await customer().publicQuotes.accept(answer(quote.token));
    const before = await everything();
    const day = formatDate(new Date().toISOString(), 'UTC');
    const closed = {
      code: 'QUOTE_CLOSED',
      message: `This quote was accepted on ${day}, and job #${job_number} has been created.`,
      data: { status: 'accepted', job_number },
    };
    const other = answer(quote.token, { selected_option_ids: [first.id, second.id] });
    await expect(customer().publicQuotes.accept(other)).rejects.toMatchObject(closed);
    await expect(customer().publicQuotes.reject({ token: quote.token })).rejects.toMatchObject(closed);
    await expect(admin().quotes.accept({ id: quote.id })).rejects.toMatchObject(closed);
    expect(await everything()).toEqual(before);
  });

  it('after its last day, from a tab that was left open, changes nothing', async () => {
    const quote = await addQuote({ valid_until: inDays(3) });
    await test.owner.query('update quotes set valid_until = $2 where id = $1', [quote.id, inDays(-3)]);
    const before = await everything();
    const closed = closedFailure('expired', /^This quote was valid until .* It can no longer be accepted or rejected\.$/);
    await expect(customer().publicQuotes.accept(answer(quote.token))).rejects.toMatchObject(closed);
    await expect(customer().publicQuotes.reject({ token: quote.token })).rejects.toMatchObject(closed);
    expect(await everything()).toEqual(before);
  });
});

describe('rejecting', () => {
  it('is told to admins and managers once, however often it is sent', async () => {
    const quote = await addQuote();
    for (let time = 0; time < 2; time += 1) {
      expect(await customer().publicQuotes.reject({ token: quote.token })).toMatchObject({
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
    expect(await historyOf(quote.id)).toMatchObject([
      { who: 'Helen Faleolo', action: 'rejected', changes: { status: ['draft', 'rejected'] } },
      { action: 'created' },
    ]);
    expect(await admin().quotes.get({ id: quote.id })).toMatchObject({ status: 'rejected', rejected_at: expect.any(String) });
  });

  it('is final: the quote is accepted by nobody afterwards', async () => {
    const quote = await addQuote();
    await customer().publicQuotes.reject({ token: quote.token });
    const closed = closedFailure('rejected', new RegExp(`^This quote was rejected on ${formatDate(new Date().toISOString(), 'UTC')}\\.`));
    await expect(customer().publicQuotes.accept(answer(quote.token))).rejects.toMatchObject(closed);
    await expect(admin().quotes.accept({ id: quote.id })).rejects.toMatchObject(closed);
    expect(await jobsOf()).toEqual([]);
  });

  it('is forgotten once the quote is opened again by hand', async () => {
    const quote = await addQuote();
    for (const status of ['draft', 'sent'] as const) {
      await customer().publicQuotes.reject({ token: quote.token });
      expect(await admin().quotes.setStatus({ id: quote.id, status })).toMatchObject({ status, rejected_at: null, is_actionable: true });
    }
  });

  it('stays a rejection after the last day', async () => {
    const quote = await addQuote({ valid_until: today() });
    await customer().publicQuotes.reject({ token: quote.token });
    await test.owner.query('update quotes set valid_until = $2 where id = $1', [quote.id, inDays(-3)]);
    expect(await customer().publicQuotes.get({ token: quote.token })).toMatchObject({ status: 'rejected' });
  });
});

describe('at the same time', () => {
  const settle = async (calls: readonly Promise<unknown>[]) => {
    const settled = await Promise.allSettled(calls);
    return settled.map((one): unknown => (one.status === 'fulfilled' ? one.value : one.reason)) as {
      code?: string;
      job_number?: string;
      job?: { job_number: string };
      data?: { job_number: string | null; status: string };
    }[];
  };

  it('200 accepts from both sides make one job, and everybody is told which', async () => {
    const quote = await addQuote();
    const results = await settle(
      Array.from({ length: 100 }, (_, index) => [
        // Every other one chooses otherwise.
        customer().publicQuotes.accept(answer(quote.token, { selected_option_ids: [index % 2 === 0 ? first.id : second.id] })),
        admin().quotes.accept({ id: quote.id, selected_option_ids: [first.id] }),
      ]).flat(),
    );
    const [job, ...others] = await jobsOf();
    expect(others).toEqual([]);
    expect(results).toHaveLength(200);
    const named = results.map((result) => result.job_number ?? result.job?.job_number ?? result.data?.job_number);
    expect(new Set(named)).toEqual(new Set([job?.job_number]));
    expect(new Set(results.map(({ code }) => code))).toEqual(new Set([undefined, 'QUOTE_CLOSED']));
    expect((await historyOf(quote.id)).filter(({ action }) => action === 'accepted')).toHaveLength(1);
    expect((await admin().notifications.list()).rows.length).toBeLessThanOrEqual(1);
  });

  it('accept and reject have one winner, and the other is told', async () => {
    for (let round = 0; round < 10; round += 1) {
      const quote = await addQuote({ sections: [{ ...serviceSection(), id: randomUUID() }] });
      const selected_option_ids = [quote.sections[0]?.id ?? ''];
      const results = await settle([
        customer().publicQuotes.accept(answer(quote.token, { selected_option_ids })),
        customer().publicQuotes.reject({ token: quote.token }),
      ]);
      const { status, acceptance } = await admin().quotes.get({ id: quote.id });
      expect(results.filter(({ code }) => code === 'QUOTE_CLOSED')).toMatchObject([{ data: { status } }]);
      expect(acceptance !== null).toBe(status === 'accepted');
    }
  });

  it('a quote is accepted or edited, its customer or item deleted and a job made, without a deadlock', async () => {
    const { id: supplier_id } = await admin().suppliers.create(newSupplier());
    const staff = await test.owner.query<{ id: string }>('select id from staff_members where company_id = $1', [firm.companyId]);
    for (let round = 0; round < 8; round += 1) {
      const item = await admin().items.create(newItem({ supplier_id }));
      const customer_id = (await admin().customers.create(newCustomer())).id;
      const only = serviceSection({ items: [serviceLine({ supplier_item_id: item.id }), serviceLine()] });
      const quote = await addQuote({ customer_id, sections: [only] });
      const results = await settle([
        customer().publicQuotes.accept(answer(quote.token, { selected_option_ids: [only.id] })),
        admin().quotes.accept({ id: quote.id }),
        admin().quotes.update({ ...quote, sections: [only], attachment_ids: [] }),
        admin().jobs.create(newJob({ customer_id, staff_id: staff.rows[0]?.id ?? '' })),
        admin().customers.remove({ id: customer_id }),
        admin().items.remove({ id: item.id }),
      ]);
      expect(results.map(({ code }) => code).filter((code) => code === 'INTERNAL' || code === 'DATABASE')).toEqual([]);
      const { acceptance } = await admin().quotes.get({ id: quote.id });
      expect((await admin().jobs.get({ id: acceptance?.job_id ?? '' })).items).toHaveLength(2);
    }
  });
});

describe('a member of the company on the public page', () => {
  const shownIn = async (id: string) => (await admin().quotes.get({ id })).acceptance;

  it('who may not accept quotes is refused, and nothing happens', async () => {
    const quote = await addQuote();
    const before = await everything();
    const { publicQuotes, quotes } = firm.people.staff.client;
    const refusal = { code: 'FORBIDDEN', status: 403, message: 'You do not have permission to accept or reject quotes' };
    await expect(quotes.accept({ id: quote.id })).rejects.toMatchObject(refusal);
    await expect(publicQuotes.accept(answer(quote.token, { accepted_by: 'Helen' }))).rejects.toMatchObject(refusal);
    await expect(publicQuotes.reject({ token: quote.token })).rejects.toMatchObject(refusal);
    expect(await everything()).toEqual(before);
  });

  it('who may is recorded as the member, never as the customer', async () => {
    const [accepted, rejected] = [await addQuote(), await addQuote({ sections: [serviceSection()] })];
    const { publicQuotes } = firm.people.manager.client;
    await publicQuotes.accept(answer(accepted.token, { accepted_by: 'Helen', selected_option_ids: [first.id] }));
    expect(await shownIn(accepted.id)).toMatchObject({
      accepted_by: 'The manager',
      by_customer: false,
      section_ids: [required.id, first.id],
    });
    await publicQuotes.reject({ token: rejected.token });
    expect((await historyOf(rejected.id))[0]).toMatchObject({ action: 'rejected' });
    expect(JSON.stringify((await historyOf(rejected.id))[0])).toContain('The manager');
  });

  it('of another company is a customer like any other', async () => {
    const quote = await addQuote();
    const other = await createFirm(test);
    await other.people.staff.client.publicQuotes.accept(answer(quote.token, { accepted_by: 'Helen' }));
    expect(await shownIn(quote.id)).toMatchObject({ accepted_by: 'Helen', by_customer: true });
  });
});

it('an accepted quote whose acceptance is missing is not called expired', async () => {
  const quote = await addQuote();
  await test.owner.query(`update quotes set status = 'accepted' where id = $1`, [quote.id]);
  await expect(customer().publicQuotes.accept(answer(quote.token))).rejects.toMatchObject(
    closedFailure('accepted', /^This quote was accepted\. It can no/),
  );
});
