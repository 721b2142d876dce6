import type { DebtAge } from '@callout/domain/invoices/invoice-list';
import { decimal, fixedText } from '@callout/domain/money/decimal';
import { sumMoney } from '@callout/domain/money/money';
import { addDays, localDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newCustomer } from '../../../test/factories/inputs.ts';
import { type InvoiceSeed, insertInvoices } from '../../../test/factories/invoice-rows.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
/** In the company's zone, which is most of a day ahead of UTC. */
let today: string;
const ZONE = 'Pacific/Auckland';

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  await test.owner.query('update companies set timezone = $2 where company_id = $1', [firm.companyId, ZONE]);
  today = localDate(new Date().toISOString(), ZONE);
});

const client = () => firm.people.accountant.client;
const insert = (seeds: readonly InvoiceSeed[]) => insertInvoices(test, firm.companyId, seeds);
const daysAgo = (days: number) => addDays(today, -days);
const titles = async (input: Parameters<ReturnType<typeof client>['invoices']['list']>[0]) =>
  (await client().invoices.list(input)).rows.map(({ title }) => title);
/** Late for this many days today. */
const late = (days: number, title: string, over: Partial<InvoiceSeed> = {}): InvoiceSeed => ({
  title,
  issued_on: daysAgo(days + 7),
  late_after: daysAgo(days),
  ...over,
});

describe('the list of invoices', () => {
  it('shows what is unpaid first, the oldest debt at the top, and below it what is settled, the newest at the top', async () => {
    await insert([
      late(-7, 'sent today'),
      late(40, 'old debt'),
      { title: 'paid long ago', issued_on: daysAgo(300), paid_amount: '115.00' },
      { title: 'paid lately', issued_on: daysAgo(3), paid_amount: '115.00' },
      late(2, 'part paid', { paid_amount: '100.00' }),
      { title: 'replaced', issued_on: daysAgo(200), state: 'replaced' },
    ]);
    expect(await titles({})).toEqual(['old debt', 'part paid', 'sent today', 'paid lately', 'replaced', 'paid long ago']);
    const { rows } = await client().invoices.list({});
    expect(rows[1]).toMatchObject({
      shown_status: 'overdue',
      days_late: 2,
      paid_amount: '100.00',
      balance: '15.00',
      replaced_by: null,
      job_status: 'invoiced',
      is_mail_failed: false,
      matched: null,
    });
    expect(rows.map(({ shown_status }) => shown_status)).toEqual(['overdue', 'overdue', 'due', 'paid', 'replaced', 'paid']);
  });

  it('sorts by number, customer and total, both ways, page by page', async () => {
    await insert(
      Array.from({ length: 120 }, (_, index) => ({
        issued_on: daysAgo(index % 9),
        customer_name: `Customer ${index % 7}`,
        total_amount: String((index * 37) % 120),
        paid_amount: index % 2 ? '0' : String((index * 37) % 120),
      })),
    );
    for (const sort of ['late_after', 'invoice_number', 'customer', 'total_amount'] as const) {
      const found: string[] = [];
      for (const order of ['asc', 'desc'] as const) {
        const pages: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await client().invoices.list({ sort, order, cursor });
          pages.push(...page.rows.map(({ id }) => id));
          cursor = page.next_cursor ?? undefined;
        } while (cursor);
        expect(new Set(pages).size).toBe(120);
        found.push((order === 'asc' ? pages : pages.toReversed()).join());
      }
      expect(found[0]).toBe(found[1]);
    }
    await expect(
      client().invoices.list({ cursor: Buffer.from('["late_after asc","1.5","x"]').toString('base64url') }),
    ).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('finds by number, job, title and customer, and says whether the customer matched', async () => {
    await insert([late(1, 'Hot water', { customer_name: 'Zoë Ngata' }), late(1, 'Blocked drain', { customer_name: 'Helen Faleolo' })]);
    for (const search of ['zoe', 'HOT', `INV-${daysAgo(8).slice(0, 4)}-0001`, 'T000000'])
      expect(await titles({ search })).toEqual(['Hot water']);
    const matched = async (search: string) => (await client().invoices.list({ search })).rows.map((row) => row.matched);
    expect(await matched('ngata')).toEqual(['customer']);
    expect(await matched('drain')).toEqual(['other']);
    expect(await client().invoices.count({ search: 'zoe' })).toEqual({ total: 1 });
  });

  it('names what replaced or credited an invoice, and whether the newest mail with it failed', async () => {
    const [first, , third] = await insert([
      late(3, 'first', { state: 'replaced' }),
      late(3, 'second', { replaces: 0, state: 'credited' }),
      late(3, 'credit', { kind: 'credit_note', replaces: 1 }),
    ]);
    const mail = (id: string, status: string, minutes: number) =>
      test.owner.query(
        `insert into invoice_mails (company_id, id, invoice_id, kind, mail_id, recipient, subject, body, status, queued_at)
          values ($1, gen_random_uuid(), $2, 'invoice', gen_random_uuid(), 'a@example.com', 'S', 'B', $3, now() - make_interval(mins => $4))`,
        [firm.companyId, id, status, minutes],
      );
    await mail(first ?? '', 'failed', 1);
    await mail(first ?? '', 'sent', 5);
    await mail(third ?? '', 'failed', 5);
    await mail(third ?? '', 'sent', 1);
    const { rows } = await client().invoices.list({ sort: 'invoice_number' });
    expect(rows.map(({ replaced_by }) => replaced_by?.kind)).toEqual(['invoice', 'credit_note', undefined]);
    expect(rows[0]?.replaced_by).toMatchObject({ invoice_number: rows[1]?.invoice_number, id: rows[1]?.id });
    expect(rows.map(({ shown_status }) => shown_status)).toEqual(['replaced', 'canceled', 'paid']);
    expect(rows.map(({ is_mail_failed }) => is_mail_failed)).toEqual([true, false, false]);
  });

  it('is only for who manages payments', async () => {
    for (const role of ['staff'] as const) {
      for (const call of ['list', 'count', 'summary', 'debtors'] as const)
        await expect(firm.people[role].client.invoices[call]({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect((await test.request('GET', '/api/invoices.csv', { cookie: firm.people[role].cookie })).statusCode).toBe(403);
    }
  });
});

/** Days late, balance. One on each side of every boundary. */
const DEBTS: readonly (readonly [number, string, DebtAge])[] = [
  [-7, '100.00', 'current'],
  [0, '10.01', 'current'],
  [1, '20.02', 'days_30'],
  [30, '0.99', 'days_30'],
  [31, '300.00', 'days_60'],
  [60, '0.01', 'days_60'],
  [61, '41.50', 'days_90'],
  [90, '8.50', 'days_90'],
  [91, '1000.00', 'older'],
  [400, '0.05', 'older'],
];

/** What each filter may show. */
const STATUSES = {
  all: ['due', 'overdue', 'paid', 'replaced', 'canceled'],
  unpaid: ['due', 'overdue'],
  overdue: ['overdue'],
  paid: ['paid'],
} as const;

describe('the sums of invoices', () => {
  it('are of the rows that the same filter lists, for every filter, age, period, customer and search', async () => {
    const { id: customer_id } = await firm.people.admin.client.customers.create(newCustomer());
    await insert(
      Array.from({ length: 200 }, (_, index): InvoiceSeed => {
        const total = decimal(String((index * 7919) % 100_000))
          .times('0.01')
          .plus('1');
        const paid = [decimal('0'), total.times('0.5'), total, total.plus('5')][index % 4] ?? total;
        return {
          ...late((index % 130) - 10, index % 3 ? 'Tap' : 'Drain'),
          total_amount: fixedText(total, 2),
          paid_amount: fixedText(paid, 2),
          customer_id: index % 5 ? null : customer_id,
          state: index % 11 === 10 ? 'replaced' : index % 13 === 12 ? 'credited' : 'open',
          kind: index % 17 === 16 ? 'credit_note' : 'invoice',
        };
      }),
    );
    const inputs: Parameters<ReturnType<typeof client>['invoices']['summary']>[0][] = [
      {},
      { filter: 'unpaid' },
      { filter: 'overdue' },
      { filter: 'paid' },
      ...DEBTS.map(([, , age]) => ({ age })),
      { filter: 'overdue', age: 'current' },
      { filter: 'overdue', age: 'days_60' },
      { filter: 'paid', age: 'days_30' },
      { from: daysAgo(60), to: daysAgo(20) },
      { filter: 'unpaid', customer_id },
      { search: 'drain', filter: 'overdue', from: daysAgo(100) },
    ];
    for (const input of inputs) {
      const { rows, text } = await everything(input);
      const summary = await client().invoices.summary(input);
      const counted = rows.filter(({ kind, state }) => kind === 'invoice' && state === 'open');
      const owed = rows.filter(({ balance }) => Number(balance) > 0);
      expect(summary.total).toEqual({ count: counted.length, amount: sumMoney(counted.map((row) => row.total_amount)) });
      expect(summary.paid).toBe(sumMoney(counted.map((row) => row.paid_amount)));
      expect(summary.outstanding).toEqual({ count: owed.length, amount: sumMoney(owed.map((row) => row.balance)) });
      expect(sumMoney(summary.ages.map(({ amount }) => amount))).toBe(summary.outstanding.amount);
      expect(summary.ages.reduce((sum, { count }) => sum + count, 0)).toBe(owed.length);
      expect(await client().invoices.count(input)).toEqual({ total: rows.length });
      const others = { ...input, filter: undefined };
      expect(summary.filters).toEqual({
        all: (await client().invoices.count(others)).total,
        unpaid: (await client().invoices.count({ ...others, filter: 'unpaid' })).total,
        overdue: (await client().invoices.count({ ...others, filter: 'overdue' })).total,
        paid: (await client().invoices.count({ ...others, filter: 'paid' })).total,
      });
      expect(text.trim().split('\r\n')).toHaveLength(rows.length + 1);
      const shownStatuses: readonly string[] = STATUSES[input.filter ?? 'all'];
      expect(rows.filter(({ shown_status }) => !shownStatuses.includes(shown_status))).toEqual([]);
    }
  });

  it('put every debt into its age, to the day of the company', async () => {
    await insert(DEBTS.map(([days, total_amount, age]) => late(days, age, { total_amount })));
    const { ages, outstanding } = await client().invoices.summary({});
    expect(ages).toEqual([
      { age: 'current', count: 2, amount: '110.01' },
      { age: 'days_30', count: 2, amount: '21.01' },
      { age: 'days_60', count: 2, amount: '300.01' },
      { age: 'days_90', count: 2, amount: '50.00' },
      { age: 'older', count: 2, amount: '1000.05' },
    ]);
    expect(outstanding).toEqual({ count: 10, amount: '1481.08' });
    for (const { age } of ages) expect(await titles({ age })).toEqual([age, age]);
    expect(await client().invoices.count({ filter: 'overdue' })).toEqual({ total: 8 });
  });

  it('of nothing are zero', async () => {
    expect(await client().invoices.summary({})).toMatchObject({ total: { count: 0, amount: '0.00' }, paid: '0.00' });
    expect(await client().invoices.debtors({})).toMatchObject({ rows: [], total: { invoices: 0, total: '0.00', older: '0.00' } });
  });
});

describe('who owes us', () => {
  it('is as computed by hand: by customer and age, the largest first, deleted customers by the name that was billed', async () => {
    const { customers } = firm.people.admin.client;
    const [helen, tevita, gone] = await Promise.all(
      ['Helen Faleolo', 'Tevita Moana', 'Gone Ltd'].map(async (name) => (await customers.create(newCustomer({ name }))).id),
    );
    const of = (customer_id: string | undefined, customer_name: string, days: number, total_amount: string, paid_amount = '0') =>
      late(days, 'Tap', { customer_id: customer_id ?? null, customer_name, total_amount, paid_amount });
    await insert([
      of(helen, 'Helen Faleolo', -3, '115.00'),
      of(helen, 'Helen Smith', 12, '230.00', '100.00'),
      of(helen, 'Helen Faleolo', 95, '46.50'),
      of(helen, 'Helen Faleolo', 5, '999.00', '999.00'),
      of(tevita, 'Tevita Moana', 31, '1000.00', '0.01'),
      of(tevita, 'Tevita Moana', 61, '0.02'),
      of(gone, 'Gone Ltd', 1, '10.00'),
      of(gone, 'Gone Ltd', 2, '5.00'),
      { ...of(tevita, 'Tevita Moana', 61, '70.00'), state: 'credited' },
    ]);
    await customers.remove({ id: gone ?? '' });
    const zero = { current: '0.00', days_30: '0.00', days_60: '0.00', days_90: '0.00', older: '0.00' };
    expect(await client().invoices.debtors({})).toEqual({
      rows: [
        { ...zero, customer_id: tevita, customer_name: 'Tevita Moana', invoices: 2, days_60: '999.99', days_90: '0.02', total: '1000.01' },
        {
          ...zero,
          customer_id: helen,
          customer_name: 'Helen Faleolo',
          invoices: 3,
          current: '115.00',
          days_30: '130.00',
          older: '46.50',
          total: '291.50',
        },
        { ...zero, customer_id: null, customer_name: 'Gone Ltd', invoices: 2, days_30: '15.00', total: '15.00' },
      ],
      total: { invoices: 7, current: '115.00', days_30: '145.00', days_60: '999.99', days_90: '0.02', older: '46.50', total: '1306.51' },
    });
    expect((await client().invoices.summary({})).outstanding).toEqual({ count: 7, amount: '1306.51' });
  });
});

describe('the export for the bookkeeper', () => {
  it('has a line per invoice in the order of their numbers, safe to open, with the day in its name', async () => {
    await insert([
      late(1, '=HYPERLINK("http://x")', { customer_name: '@Helen, "H"', total_amount: '1150.00', paid_amount: '150.00' }),
      late(1, 'Tap', { state: 'credited' }),
      late(0, 'Tap', { kind: 'credit_note', replaces: 1 }),
      late(0, 'Tap', { state: 'replaced' }),
      late(0, 'Tap', { replaces: 3 }),
    ]);
    const { headers, statusCode, body } = await download({});
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="invoices-${today}.csv"`,
      'cache-control': 'private, no-store',
    });
    const year = daysAgo(8).slice(0, 4);
    expect(body.split('\r\n')).toEqual([
      '\uFEFF"Number","Kind","Issued","Due","Job","Title","Customer","Subtotal","GST","Total","Paid","Balance","Status","Currency"',
      `"INV-${year}-0001","Invoice","${daysAgo(8)}","","T000000","'=HYPERLINK(""http://x"")","'@Helen, ""H""","1150.00","0.00","1150.00","150.00","1000.00","Overdue","NZD"`,
      `"INV-${year}-0002","Invoice","${daysAgo(8)}","","T000001","Tap","Helen Faleolo","115.00","0.00","115.00","0.00","0.00","Canceled","NZD"`,
      `"CN-${year}-0003","Credit note","${daysAgo(7)}","","T000002","Tap","Helen Faleolo","-115.00","0.00","-115.00","0.00","0.00","","NZD"`,
      `"INV-${year}-0004","Invoice","${daysAgo(7)}","","T000003","Tap","Helen Faleolo","","","","","","Replaced by INV-${year}-0005","NZD"`,
      `"INV-${year}-0005","Invoice","${daysAgo(7)}","","T000004","Tap","Helen Faleolo","115.00","0.00","115.00","0.00","115.00","Due","NZD"`,
      '',
    ]);
    /** Counted from the end, since titles and names may have commas; a replaced invoice has no amounts. */
    const sumOf = (column: number) =>
      sumMoney(
        body
          .trim()
          .split('\r\n')
          .slice(1)
          .map((row) => row.split('","').at(column) || '0.00'),
      );
    const { total, paid, outstanding } = await client().invoices.summary({});
    expect([sumOf(-5), sumOf(-4), sumOf(-3)]).toEqual([total.amount, paid, outstanding.amount]);
  });

  it('has every invoice of many pages once, and refuses what is no filter', async () => {
    await insert(Array.from({ length: 230 }, (_, index) => late(index % 50, 'Tap')));
    const numbers = (await download({})).body.match(/"INV-\d+-\d+"/g) ?? [];
    expect(new Set(numbers).size).toBe(230);
    for (const day of ['0000-01-01', '1999-12-31', '2200-01-01']) {
      expect((await download({ from: day })).json()).toMatchObject({ data: { fields: { from: 'Please enter a date' } } });
      await expect(client().invoices.list({ to: day })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    expect((await download({ from: '2000-01-01', to: '2199-12-31' })).statusCode).toBe(200);
    const refused = await download({ from: 'yesterday', filter: 'lost' });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      422,
      { code: 'INVALID_INPUT', data: { fields: { from: 'Please enter a date', filter: expect.any(String) as string } } },
    ]);
  });
});

const download = (query: Record<string, string | undefined>) => {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return test.request('GET', `/api/invoices.csv?${new URLSearchParams(Object.fromEntries(given)).toString()}`, {
    cookie: firm.people.accountant.cookie,
  });
};

/** All pages of the list, and the export, for the same filter. */
async function everything(input: Parameters<ReturnType<typeof client>['invoices']['summary']>[0]) {
  const rows = [];
  let cursor: string | undefined;
  do {
    const page = await client().invoices.list({ ...input, cursor });
    rows.push(...page.rows);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return { rows, text: (await download(input)).body };
}
