import { createHash, randomUUID } from 'node:crypto';
import { NO_OPTION_SELECTED, UNKNOWN_OPTION } from '@callout/domain/quotes/quote';
import { formatDate } from '@callout/domain/time/date-format';
import { localDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { everyRow } from '../../../test/every-row.ts';
import { newCustomer, newItem, newJob, newSupplier } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { type NewQuoteInput, newQuote, newQuoteLine, newSection } from '../../../test/factories/quotes.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let customerId: string;
/** The spec's example: 230.00 required, 230.00 and 92.00 as options. */
let required: ReturnType<typeof newSection>;
let first: ReturnType<typeof newSection>;
let second: ReturnType<typeof newSection>;

beforeAll(async () => {
  // All of them come from one address here.
  test = await startTestApp({}, { requestLimits: { bodies: 1000, bodiesPerNetwork: 1000 } });
});

beforeEach(async () => {
  firm = await createFirm(test);
  customerId = (await admin().customers.create(newCustomer({ name: 'Helen Faleolo', address: '5 Rata Street' }))).id;
  required = newSection({ name: 'Water heater', always_required: true, items: [newQuoteLine({ name: 'Heater' })] });
  first = newSection({ name: 'Towel rails', items: [newQuoteLine({ name: 'Rail', unit_price: '115.00', quantity: '2' })] });
  second = newSection({
    name: 'Outdoor tap',
    items: [newQuoteLine({ name: 'Tap', unit_price: '40.00', quantity: '2', tax_inclusive: false })],
  });
});

const admin = () => firm.people.admin.client;
const manager = () => firm.people.manager.client;
const customer = () => test.client();
const today = () => localDate(new Date().toISOString(), 'UTC');
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function addQuote(over: Partial<NewQuoteInput> = {}) {
  const quote = await admin().quotes.create(newQuote({ customer_id: customerId, sections: [required, first, second], ...over }));
  return { ...quote, token: quote.public_path.replace('/quote/', '') };
}
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
const refused = (status: string, message: RegExp) => ({
  code: 'QUOTE_CLOSED',
  status: 409,
  message: expect.stringMatching(message),
  data: expect.objectContaining({ status }),
});
const wrong = (message: string) => ({ code: 'INVALID_INPUT', data: { fields: { selected_option_ids: message } } });
const historyOf = async (id: string) => (await admin().quotes.history({ id })).rows;

describe('accepting a quote for the customer', () => {
  it('makes one pending job of everything, at a fixed price', async () => {
    const quote = await addQuote({ sections: [required, first, second] });
    const { quote: accepted, job } = await manager().quotes.accept({ id: quote.id });
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
    expect(await admin().jobs.get({ id: job.id ?? '' })).toMatchObject({
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
      staff_id: null,
      booking_date: null,
      duration: null,
      items: [{ name: 'Heater' }, { name: 'Rail' }, { name: 'Tap' }],
      totals: { total_amount: '552.00' },
    });
    expect(await jobsOf()).toHaveLength(1);
    expect((await admin().notifications.list()).rows).toEqual([]);
    expect((await manager().notifications.list()).rows).toEqual([]);
  });

  it('with a choice takes that option and what is required', async () => {
    const quote = await addQuote();
    const { quote: accepted, job } = await admin().quotes.accept({ id: quote.id, selected_option_ids: [second.id] });
    expect(accepted).toMatchObject({ accepted_option_ids: [required.id, second.id], selected_option_id: second.id });
    const made = await admin().jobs.get({ id: job.id ?? '' });
    expect(made).toMatchObject({ fixed_amount: '322.00', totals: { total_amount: '322.00' } });
    expect(made.items.map(({ name, quantity }) => [name, quantity])).toEqual([
      ['Heater', '1'],
      ['Tap', '2'],
    ]);
  });

  it('copies every line as it was quoted: from a price list or not, in parts of a unit, whatever the list says now', async () => {
    const { id: supplier_id } = await admin().suppliers.create(newSupplier());
    const item = await admin().items.create(newItem({ supplier_id, cost_price: '70.00' }));
    const lines = [
      newQuoteLine({ name: 'Mixer', supplier_item_id: item.id, unit_price: '100.00', is_service: false }),
      newQuoteLine({ name: 'Copper pipe', quantity: '2.375', unit_price: '13.33', tax_inclusive: false, description: 'Per meter' }),
    ];
    const quote = await addQuote({ sections: [newSection({ items: lines })] });
    await admin().items.remove({ id: item.id });
    const { job } = await admin().quotes.accept({ id: quote.id });
    const { items, fixed_amount, totals } = await admin().jobs.get({ id: job.id ?? '' });
    expect(items).toMatchObject([
      { name: 'Mixer', supplier_item_id: null, sku: item.sku, supplier_name: 'Reece Plumbing', cost_price: '70.00', quantity: '1' },
      { name: 'Copper pipe', description: 'Per meter', quantity: '2.375', unit_price: '13.33', total_price: '31.66', cost_price: null },
    ]);
    // 100.00 + 31.66 * 1.15 = 136.409
    expect([fixed_amount, totals.total_amount]).toEqual(['136.41', '136.41']);
  });

  it('keeps the rate it was quoted at, also on the job, when the company charges another one since', async () => {
    const quote = await addQuote();
    await test.owner.query('update companies set gst_percentage = 20 where company_id = $1', [firm.companyId]);
    const { job } = await admin().quotes.accept({ id: quote.id });
    expect(await admin().jobs.get({ id: job.id ?? '' })).toMatchObject({
      fixed_amount: '552.00',
      tax_rate: '15',
      totals: { total_amount: '552.00' },
    });
  });

  it('is not for staff and accountants', async () => {
    const { id } = await addQuote();
    for (const role of ['staff', 'accountant'] as const) {
      await expect(firm.people[role].client.quotes.accept({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(await jobsOf()).toEqual([]);
  });

  it('follows the same rule as the public page: not after its last day, on the day of the company', async () => {
    await test.owner.query(`update companies set timezone = 'Pacific/Kiritimati' where company_id = $1`, [firm.companyId]);
    const companyToday = localDate(new Date().toISOString(), 'Pacific/Kiritimati');
    const yesterday = new Date(Date.parse(companyToday) - 86_400_000).toISOString().slice(0, 10);
    const { id } = await addQuote({ valid_until: yesterday });
    await expect(admin().quotes.accept({ id })).rejects.toMatchObject(refused('expired', /^This quote was valid until \w{3} \d+, \d{4}\./));
    expect(await admin().quotes.get({ id })).toMatchObject({ status: 'draft', shown_status: 'expired', acceptance: null });
    const last = await addQuote({ valid_until: companyToday, sections: [newSection()] });
    expect(await admin().quotes.accept({ id: last.id })).toMatchObject({ quote: { status: 'accepted' } });
    expect(await jobsOf()).toHaveLength(1);
  });

  it('of a quote whose customer was deleted makes a job without one', async () => {
    const quote = await addQuote();
    await admin().customers.remove({ id: customerId });
    const { job } = await admin().quotes.accept({ id: quote.id });
    expect(await admin().jobs.get({ id: job.id ?? '' })).toMatchObject({ customer_id: null, address: null, fixed_amount: '552.00' });
  });
});

describe('accepting on the public page', () => {
  it('makes the job of what is required and chosen, names it and tells admins and managers', async () => {
    const quote = await addQuote();
    const { quote: shown, job_number } = await customer().publicQuotes.accept(answer(quote.token, { accepted_by: ' Tevita Faleolo ' }));
    expect(shown).toMatchObject({ status: 'accepted', is_actionable: false, content: null, accepted: { accepted_by: 'Tevita Faleolo' } });
    const job = await jobOf(job_number);
    expect(job).toMatchObject({ fixed_amount: '460.00', status: 'pending', totals: { total_amount: '460.00' } });
    expect(job.items.map(({ name }) => name)).toEqual(['Heater', 'Rail']);
    expect(await admin().quotes.get({ id: quote.id })).toMatchObject({
      status: 'accepted',
      accepted_option_ids: [required.id, first.id],
      selected_option_id: first.id,
      acceptance: { accepted_by: 'Tevita Faleolo', by_customer: true, job_number },
    });
    for (const role of ['admin', 'manager'] as const) {
      expect((await firm.people[role].client.notifications.list()).rows).toMatchObject([
        {
          type: 'success',
          message: `Quote accepted: ${quote.quote_number} Gas hot water, by Tevita Faleolo. Job #${job_number} has been created.`,
          data: { quote_id: quote.id, job_id: job.id },
        },
      ]);
    }
    for (const role of ['accountant', 'staff'] as const) {
      expect((await firm.people[role].client.notifications.list()).rows).toEqual([]);
    }
  });

  it('is told in the history of the quote and of its job, under the typed name', async () => {
    const quote = await addQuote();
    const { job_number } = await customer().publicQuotes.accept(answer(quote.token, { accepted_by: 'Tevita' }));
    expect((await historyOf(quote.id))[0]).toMatchObject({
      who: 'Tevita',
      action: 'accepted',
      changes: { status: ['draft', 'accepted'], total_amount: [null, '460.00'], job_number: [null, job_number] },
    });
    const { id } = await jobOf(job_number);
    expect((await admin().comments.history({ id })).rows).toMatchObject([
      { who: 'Tevita', action: 'created', changes: { quote: [null, quote.quote_number] } },
    ]);
  });

  it('without a name is by the customer, and counts as contact with them', async () => {
    const quote = await addQuote();
    await test.owner.query(`update customers set last_interaction = '2020-01-01' where id = $1`, [customerId]);
    const before = Date.now();
    const { quote: shown } = await customer().publicQuotes.accept(answer(quote.token));
    expect(shown.accepted?.accepted_by).toBe('Helen Faleolo');
    const { rows } = await admin().customers.list({ sort: 'last_interaction', order: 'desc' });
    expect(Date.parse(rows[0]?.last_interaction ?? '')).toBeGreaterThanOrEqual(before);
  });

  it('keeps the address and browser it came from', async () => {
    const quote = await addQuote();
    const iphone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
    const { token, ...body } = answer(quote.token);
    await test.request('POST', `/api/public/quotes/${token}/accept`, { body, headers: { 'user-agent': iphone } });
    const { acceptance } = await admin().quotes.get({ id: quote.id });
    expect(acceptance).toMatchObject({ network_address: '127.0.0.1', browser: 'Safari on iPhone' });
    const { rows } = await test.owner.query('select user_agent from quote_acceptances where quote_id = $1', [quote.id]);
    expect(rows).toEqual([{ user_agent: iphone }]);
  });

  it('needs one option when there are any, and only its own', async () => {
    const quote = await addQuote();
    const foreign = await addQuote({ sections: [newSection()] });
    const before = await everything();
    const accept = (...selected_option_ids: string[]) => customer().publicQuotes.accept(answer(quote.token, { selected_option_ids }));
    await expect(accept()).rejects.toMatchObject(wrong(NO_OPTION_SELECTED));
    await expect(accept(required.id)).rejects.toMatchObject(wrong(NO_OPTION_SELECTED));
    await expect(accept(first.id, foreign.sections[0]?.id ?? '')).rejects.toMatchObject(wrong(UNKNOWN_OPTION));
    await expect(admin().quotes.accept({ id: quote.id, selected_option_ids: [randomUUID()] })).rejects.toMatchObject(wrong(UNKNOWN_OPTION));
    expect(await everything()).toEqual(before);
  });

  it('needs no choice when everything is required', async () => {
    const quote = await addQuote({ sections: [required] });
    const { job_number } = await customer().publicQuotes.accept(answer(quote.token, { selected_option_ids: [] }));
    expect(await jobOf(job_number)).toMatchObject({ fixed_amount: '230.00' });
    expect(await admin().quotes.get({ id: quote.id })).toMatchObject({ accepted_option_ids: [required.id], selected_option_id: null });
  });

  it('sets nothing else that is posted', async () => {
    const quote = await addQuote();
    const body = { ...answer(''), total_amount: '1.00', job_number: 'J1', status: 'sent', user_id: firm.people.admin.userId };
    const { statusCode } = await test.request('POST', `/api/public/quotes/${quote.token}/accept`, { body });
    expect(statusCode).toBe(200);
    expect(await admin().quotes.get({ id: quote.id })).toMatchObject({ status: 'accepted', acceptance: { total_amount: '460.00' } });
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
    await admin().quotes.update({ ...quote, version, sections: [newSection()], attachment_ids: [] });
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
    const closed = refused('expired', /^This quote was valid until .* It can no longer be accepted or rejected\.$/);
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
    const closed = refused('rejected', new RegExp(`^This quote was rejected on ${formatDate(new Date().toISOString(), 'UTC')}\\.`));
    await expect(customer().publicQuotes.accept(answer(quote.token))).rejects.toMatchObject(closed);
    await expect(admin().quotes.accept({ id: quote.id })).rejects.toMatchObject(closed);
    expect(await jobsOf()).toEqual([]);
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
    return settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason)) as {
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
      const quote = await addQuote({ sections: [{ ...newSection(), id: randomUUID() }] });
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
      const section = newSection({ items: [newQuoteLine({ supplier_item_id: item.id }), newQuoteLine()] });
      const quote = await addQuote({ customer_id, sections: [section] });
      const results = await settle([
        customer().publicQuotes.accept(answer(quote.token, { selected_option_ids: [section.id] })),
        admin().quotes.accept({ id: quote.id }),
        admin().quotes.update({ ...quote, sections: [section], attachment_ids: [] }),
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

describe('what was accepted', () => {
  it('is kept with its hash, which fails once a single cent is changed', async () => {
    const quote = await addQuote();
    await customer().publicQuotes.accept(answer(quote.token));
    const { rows } = await test.owner.query<{ document: string; sha256: string }>(
      'select document, sha256 from quote_acceptances where quote_id = $1',
      [quote.id],
    );
    const { document = '', sha256 } = rows[0] ?? {};
    expect(createHash('sha256').update(document).digest('hex')).toBe(sha256);
    expect(JSON.parse(document)).toMatchObject({ total_amount: '460.00', summary: { total: '$460.00' } });
    const isIntact = async () => [
      (await customer().publicQuotes.get({ token: quote.token })).accepted?.is_intact,
      (await admin().quotes.get({ id: quote.id })).acceptance?.is_intact,
    ];
    expect(await isIntact()).toEqual([true, true]);
    const changed = document.replace('"total_amount":"460.00"', '"total_amount":"460.01"');
    expect(changed).not.toBe(document);
    await test.owner.query('update quote_acceptances set document = $2 where quote_id = $1', [quote.id, changed]);
    expect(await isIntact()).toEqual([false, false]);
  });

  it('can be changed or deleted by no call of the application', async () => {
    const quote = await addQuote();
    await customer().publicQuotes.accept(answer(quote.token));
    const client = await test.app.platform.pools.app.connect();
    try {
      await client.query(`select set_config('app.company_id', $1, false)`, [firm.companyId]);
      for (const statement of ['delete from quote_acceptances', `update quote_acceptances set accepted_by = 'Somebody'`]) {
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
      }
    } finally {
      client.release(true);
    }
  });

  it('and its job exist together or not at all', async () => {
    const quote = await addQuote();
    const before = await everything();
    await test.owner.query(`create function refuse_line() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`);
    await test.owner.query(`create trigger refuse_line before insert on job_items for each row execute function refuse_line()`);
    try {
      await expect(customer().publicQuotes.accept(answer(quote.token))).rejects.toMatchObject({ status: 500 });
      await expect(admin().quotes.accept({ id: quote.id })).rejects.toMatchObject({ status: 500 });
    } finally {
      await test.owner.query('drop function refuse_line cascade');
    }
    expect(await everything()).toEqual(before);
    expect((await customer().publicQuotes.accept(answer(quote.token))).job_number).toMatch(/^J\d{4}0001$/);
  });
});
