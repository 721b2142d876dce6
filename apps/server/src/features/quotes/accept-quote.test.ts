import { randomUUID } from 'node:crypto';
import { NO_OPTION_SELECTED, UNKNOWN_OPTION } from '@callout/domain/quotes/quote';
import { localDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { everyRow } from '../../../test/every-row.ts';
import { type NewQuoteInput, newCustomer, newItem, newSupplier } from '../../../test/factories/inputs.ts';
import { addOfferedQuote, closedFailure, offeredSections, serviceLine, serviceSection } from '../../../test/factories/offered-quote.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let customerId: string;
let { required, first, second } = offeredSections();

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  customerId = (await admin().customers.create(newCustomer({ name: 'Helen Faleolo', address: '5 Rata Street' }))).id;
  ({ required, first, second } = offeredSections());
});

const admin = () => firm.people.admin.client;
const manager = () => firm.people.manager.client;
const customer = () => test.client();

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
      quote_number: quote.quote_number,
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

  it('of a quote without a description names the work after its title, so that the job can be saved', async () => {
    const quote = await addQuote({ sections: [required], description: '' });
    const { job } = await manager().quotes.accept({ id: quote.id });
    expect(await admin().jobs.get({ id: job.id ?? '' })).toMatchObject({ title: 'Gas hot water', description: 'Gas hot water' });
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
      serviceLine({ name: 'Mixer', supplier_item_id: item.id, unit_price: '100.00', is_service: false }),
      serviceLine({ name: 'Copper pipe', quantity: '2.375', unit_price: '13.33', tax_inclusive: false, description: 'Per meter' }),
    ];
    const quote = await addQuote({ sections: [serviceSection({ items: lines })] });
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

  it('needs an item, for a member as for the customer', async () => {
    const empty = serviceSection({ name: 'Later', items: [] });
    const quote = await addQuote({ sections: [empty, first] });
    const before = await everything();
    const refusal = { code: 'QUOTE_EMPTY', message: 'There is nothing to accept: the quote has no items.' };
    await expect(admin().quotes.accept({ id: quote.id, selected_option_ids: [empty.id] })).rejects.toMatchObject(refusal);
    await expect(customer().publicQuotes.accept(answer(quote.token, { selected_option_ids: [empty.id] }))).rejects.toMatchObject(refusal);
    expect(await everything()).toEqual(before);
    await customer().publicQuotes.accept(answer(quote.token, { selected_option_ids: [empty.id, first.id] }));
    expect(await jobsOf()).toHaveLength(1);
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
    await expect(admin().quotes.accept({ id })).rejects.toMatchObject(
      closedFailure('expired', /^This quote was valid until \w{3} \d+, \d{4}\./),
    );
    expect(await admin().quotes.get({ id })).toMatchObject({ status: 'draft', shown_status: 'expired', acceptance: null });
    const last = await addQuote({ valid_until: companyToday, sections: [serviceSection()] });
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
      // Of everything that was offered, before.
      total_amount: '460.00',
      acceptance: { accepted_by: 'Tevita Faleolo', by_customer: true, job_number },
    });
    expect((await admin().quotes.list({})).rows[0]).toMatchObject({ id: quote.id, total_amount: '460.00' });
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
    const foreign = await addQuote({ sections: [serviceSection()] });
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

describe('what was accepted', () => {
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
