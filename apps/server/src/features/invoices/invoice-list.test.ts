import { PAGE_SIZE } from '@callout/contract/lists';
import type { DebtAge } from '@callout/domain/invoices/invoice-list';
import { toDecimal, toFixedString } from '@callout/domain/money/decimal';
import { sumMoney } from '@callout/domain/money/money';
import { MAX_SUMMED_ROWS } from '@callout/domain/text/count-format';
import { addDays, toLocalDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sumCsvColumns } from '../../../test/csv-sums.ts';
import { buildCustomer } from '../../../test/factories/inputs.ts';
import { type InvoiceSeed, insertInvoices } from '../../../test/factories/invoice-rows.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
/** Today's date in the company's time zone, which is half a day ahead of UTC. */
let today: string;
const TIME_ZONE = 'Pacific/Auckland';

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  await test.owner.query('update companies set timezone = $2 where company_id = $1', [firm.companyId, TIME_ZONE]);
  today = toLocalDate(new Date().toISOString(), TIME_ZONE);
});

const getAccountant = () => firm.people.accountant.client;
const insertRows = (seeds: readonly InvoiceSeed[]) => insertInvoices(test, firm.companyId, seeds);
const getDaysAgo = (days: number) => addDays(today, -days);
const listTitles = async (input: Parameters<ReturnType<typeof getAccountant>['invoices']['list']>[0]) =>
  (await getAccountant().invoices.list(input)).rows.map(({ title }) => title);
/** Builds an invoice that has been late for `days` days. */
const buildLateInvoice = (days: number, title: string, overrides: Partial<InvoiceSeed> = {}): InvoiceSeed => ({
  title,
  issued_on: getDaysAgo(days + 7),
  late_after: getDaysAgo(days),
  ...overrides,
});

describe('the invoice list', () => {
  it('lists unpaid invoices first, oldest debt at the top, followed by settled invoices, newest first', async () => {
    await insertRows([
      buildLateInvoice(-7, 'sent today'),
      buildLateInvoice(40, 'old debt'),
      { title: 'paid long ago', issued_on: getDaysAgo(300), paid_amount: '115.00' },
      { title: 'paid lately', issued_on: getDaysAgo(3), paid_amount: '115.00' },
      buildLateInvoice(2, 'part paid', { paid_amount: '100.00' }),
      { title: 'replaced', issued_on: getDaysAgo(200), state: 'replaced' },
    ]);
    expect(await listTitles({})).toEqual(['old debt', 'part paid', 'sent today', 'paid lately', 'replaced', 'paid long ago']);
    const { rows } = await getAccountant().invoices.list({});
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

  it('sorts by due date, number, customer or total, in both directions and across pages', async () => {
    await insertRows(
      Array.from({ length: 120 }, (_, index) => ({
        issued_on: getDaysAgo(index % 9),
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
          const page = await getAccountant().invoices.list({ sort, order, cursor });
          pages.push(...page.rows.map(({ id }) => id));
          cursor = page.next_cursor ?? undefined;
        } while (cursor);
        expect(new Set(pages).size).toBe(120);
        found.push((order === 'asc' ? pages : pages.toReversed()).join());
      }
      expect(found[0]).toBe(found[1]);
    }
    await expect(
      getAccountant().invoices.list({ cursor: Buffer.from('["late_after asc","1.5","x"]').toString('base64url') }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('searches number, job, title and customer, and reports whether the customer matched', async () => {
    await insertRows([
      buildLateInvoice(1, 'Hot water', { customer_name: 'Zoë Ngata' }),
      buildLateInvoice(1, 'Blocked drain', { customer_name: 'Helen Faleolo' }),
    ]);
    for (const search of ['zoe', 'HOT', `INV-${getDaysAgo(8).slice(0, 4)}-0001`, 'T000000'])
      expect(await listTitles({ search })).toEqual(['Hot water']);
    const matched = async (search: string) => (await getAccountant().invoices.list({ search })).rows.map((row) => row.matched);
    expect(await matched('ngata')).toEqual(['customer']);
    expect(await matched('drain')).toEqual(['other']);
    expect(await getAccountant().invoices.count({ search: 'zoe' })).toEqual({ total: 1 });
  });

  it('includes the replacement or credit note, and whether the latest email failed', async () => {
    const [first, , third] = await insertRows([
      buildLateInvoice(3, 'first', { state: 'replaced' }),
      buildLateInvoice(3, 'second', { replaces: 0, state: 'credited' }),
      buildLateInvoice(3, 'credit', { kind: 'credit_note', replaces: 1 }),
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
    const { rows } = await getAccountant().invoices.list({ sort: 'invoice_number' });
    const toRelated = (row: (typeof rows)[number] | undefined) => row && { id: row.id, invoice_number: row.invoice_number };
    expect(rows.map(({ credited_by, replaced_by }) => [credited_by, replaced_by])).toEqual([
      [null, toRelated(rows[1])],
      [toRelated(rows[2]), null],
      [null, null],
    ]);
    expect(rows.map(({ shown_status }) => shown_status)).toEqual(['replaced', 'canceled', 'paid']);
    expect(rows.map(({ is_mail_failed }) => is_mail_failed)).toEqual([true, false, false]);
  });

  it('is forbidden to staff, and so are its sums and its export', async () => {
    for (const role of ['staff'] as const) {
      for (const call of ['list', 'count', 'summary', 'debtors'] as const)
        await expect(firm.people[role].client.invoices[call]({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect((await test.request('GET', '/api/invoices.csv', { cookie: firm.people[role].cookie })).statusCode).toBe(403);
    }
  });
});

/** Days late, balance and age. There is a debt on each side of every age boundary. */
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

const ALLOWED_STATUSES = {
  all: ['unsent', 'due', 'overdue', 'paid', 'replaced', 'canceled'],
  unpaid: ['unsent', 'due', 'overdue'],
  overdue: ['overdue'],
  paid: ['paid'],
  unsent: ['unsent', 'paid'],
} as const;

describe('the invoice summary', () => {
  it('matches the listed rows for every filter, age, period, customer and search', async () => {
    const { id: customer_id } = await firm.people.admin.client.customers.create(buildCustomer());
    await insertRows(
      Array.from({ length: 200 }, (_, index): InvoiceSeed => {
        const total = toDecimal(String((index * 7919) % 100_000))
          .times('0.01')
          .plus('1');
        const paid = [toDecimal('0'), total.times('0.5'), total, total.plus('5')][index % 4] ?? total;
        return {
          ...buildLateInvoice((index % 130) - 10, index % 3 ? 'Tap' : 'Drain'),
          total_amount: toFixedString(total, 2),
          paid_amount: toFixedString(paid, 2),
          customer_id: index % 5 ? null : customer_id,
          state: index % 11 === 10 ? 'replaced' : index % 13 === 12 ? 'credited' : 'open',
          kind: index % 17 === 16 ? 'credit_note' : 'invoice',
          ...(index % 7 === 6 ? { sent_on: null } : index % 19 === 18 && { sent_on: getDaysAgo(20) }),
        };
      }),
    );
    const inputs: Parameters<ReturnType<typeof getAccountant>['invoices']['summary']>[0][] = [
      {},
      { filter: 'unpaid' },
      { filter: 'overdue' },
      { filter: 'paid' },
      { filter: 'unsent' },
      { filter: 'unsent', age: 'current' },
      ...DEBTS.map(([, , age]) => ({ age })),
      { filter: 'overdue', age: 'current' },
      { filter: 'overdue', age: 'days_60' },
      { filter: 'paid', age: 'days_30' },
      { from: getDaysAgo(60), to: getDaysAgo(20) },
      { filter: 'unpaid', customer_id },
      { search: 'drain', filter: 'overdue', from: getDaysAgo(100) },
    ];
    for (const input of inputs) {
      const { rows, text } = await readListAndCsv(input);
      const summary = await getAccountant().invoices.summary(input);
      const counted = rows.filter(({ kind, state }) => kind === 'invoice' && state === 'open');
      const owed = rows.filter(({ balance }) => Number(balance) > 0);
      const columns = sumCsvColumns(text);
      expect(summary.total).toEqual({
        invoices: rows.filter(({ kind }) => kind === 'invoice').length,
        credit_notes: rows.filter(({ kind }) => kind === 'credit_note').length,
        amount: sumMoney(rows.map(getSignedTotal)),
        tax_amount: columns['GST'],
      });
      expect(columns).toMatchObject({ Total: summary.total.amount, Balance: summary.outstanding.amount });
      expect(summary.paid).toBe(sumMoney(counted.map((row) => row.paid_amount)));
      expect(summary.is_capped).toBe(false);
      expect(summary.outstanding).toEqual({
        count: owed.length,
        amount: sumMoney(owed.map((row) => row.balance)),
        unsent: owed.filter(({ sent_at }) => sent_at === null).length,
      });
      expect(sumMoney(summary.ages.map(({ amount }) => amount))).toBe(summary.outstanding.amount);
      expect(summary.ages.reduce((sum, { count }) => sum + count, 0)).toBe(owed.length);
      expect(await getAccountant().invoices.count(input)).toEqual({ total: rows.length });
      const others = { ...input, filter: undefined };
      expect(summary.filters).toEqual({
        all: (await getAccountant().invoices.count(others)).total,
        unpaid: (await getAccountant().invoices.count({ ...others, filter: 'unpaid' })).total,
        overdue: (await getAccountant().invoices.count({ ...others, filter: 'overdue' })).total,
        paid: (await getAccountant().invoices.count({ ...others, filter: 'paid' })).total,
        unsent: (await getAccountant().invoices.count({ ...others, filter: 'unsent' })).total,
      });
      expect(text.trim().split('\r\n')).toHaveLength(rows.length + 1);
      const allowedStatuses: readonly string[] = ALLOWED_STATUSES[input.filter ?? 'all'];
      expect(rows.filter(({ shown_status }) => !allowedStatuses.includes(shown_status))).toEqual([]);
    }
  });

  it("calculates the age of every debt in the company's time zone", async () => {
    await insertRows(DEBTS.map(([days, total_amount, age]) => buildLateInvoice(days, age, { total_amount })));
    const { ages, outstanding } = await getAccountant().invoices.summary({});
    expect(ages).toEqual([
      { age: 'current', count: 2, amount: '110.01' },
      { age: 'days_30', count: 2, amount: '21.01' },
      { age: 'days_60', count: 2, amount: '300.01' },
      { age: 'days_90', count: 2, amount: '50.00' },
      { age: 'older', count: 2, amount: '1000.05' },
    ]);
    expect(outstanding).toEqual({ count: 10, amount: '1481.08', unsent: 0 });
    for (const { age } of ages) expect(await listTitles({ age })).toEqual([age, age]);
    expect(await getAccountant().invoices.count({ filter: 'overdue' })).toEqual({ total: 8 });
  });

  it('counts an unsent invoice as outstanding, but as overdue only when its terms have passed since the day it is sent', async () => {
    await insertRows([
      buildLateInvoice(40, 'unsent', { sent_on: null }),
      buildLateInvoice(40, 'sent today', { sent_on: today }),
      buildLateInvoice(40, 'sent last week', { sent_on: getDaysAgo(8) }),
      buildLateInvoice(40, 'sent in time'),
      buildLateInvoice(40, 'paid', { sent_on: null, paid_amount: '115.00' }),
    ]);
    expect(await listTitles({})).toEqual(['sent in time', 'sent last week', 'sent today', 'unsent', 'paid']);
    expect(await listTitles({ filter: 'overdue' })).toEqual(['sent in time', 'sent last week']);
    expect(await listTitles({ filter: 'unsent' })).toEqual(['unsent', 'paid']);
    expect(await listTitles({ age: 'current' })).toEqual(['sent today', 'unsent']);
    const { rows } = await getAccountant().invoices.list({ filter: 'unpaid' });
    expect(rows.map(({ shown_status, days_late, late_after }) => [shown_status, days_late, late_after])).toEqual([
      ['overdue', 40, getDaysAgo(40)],
      ['overdue', 1, getDaysAgo(1)],
      ['due', -7, getDaysAgo(-7)],
      ['unsent', 0, getDaysAgo(40)],
    ]);
    expect(await getAccountant().invoices.debtors({})).toMatchObject({
      total: { current: '230.00', days_30: '115.00', days_60: '115.00' },
    });
    expect(await getAccountant().dashboard.money()).toMatchObject({
      outstanding: { amount: '460.00', invoices: 4 },
      overdue: { amount: '230.00', invoices: 2 },
      unsent: { amount: '115.00', invoices: 2 },
    });
  });

  it('counts a canceled invoice on its day and its credit note on its own day, so that a closed month never changes (Q1)', async () => {
    const months = [
      { from: '2026-03-01', to: '2026-03-31' },
      { from: '2026-04-01', to: '2026-04-30' },
    ];
    const readMonths = () =>
      Promise.all(
        months.map(async (month) => {
          const { total } = await getAccountant().invoices.summary(month);
          const { Total = '0.00' } = sumCsvColumns((await downloadCsv(month)).body);
          return [total.amount, total.invoices, total.credit_notes, Total];
        }),
      );
    const [id] = await insertRows([{ issued_on: '2026-03-31' }]);
    const march = ['115.00', 1, 0, '115.00'];
    expect(await readMonths()).toEqual([march, ['0.00', 0, 0, '0.00']]);
    const { system } = test.app.platform.pools;
    await system.query(`update invoices set state = 'credited' where id = $1`, [id]);
    await system.query(
      `insert into invoices (company_id, id, kind, year, number, invoice_number, job_id, job_number, title, customer_name, customer_key,
          issued_on, late_after, subtotal, tax_amount, total_amount, replaces, record, sha256, created_by, created_at, search_text)
        select company_id, gen_random_uuid(), 'credit_note', year, 1, 'CN-2026-0001', job_id, job_number, title, customer_name, customer_key,
          '2026-04-01', '2026-04-01', subtotal, tax_amount, total_amount, id, record, sha256, created_by, created_at, search_text
        from invoices where id = $1`,
      [id],
    );
    expect(await readMonths()).toEqual([march, ['-115.00', 0, 1, '-115.00']]);
    expect(await getAccountant().invoices.summary({})).toMatchObject({ total: { amount: '0.00' }, outstanding: { amount: '0.00' } });
  });

  it('is marked as incomplete if a search matches more invoices than it adds up', async () => {
    await insertRows(Array.from({ length: MAX_SUMMED_ROWS + 1 }, () => ({ issued_on: today, title: 'Tap' })));
    const [count, amount] = [MAX_SUMMED_ROWS + 1, '1150115.00'];
    expect(await getAccountant().invoices.summary({ search: 'tap' })).toMatchObject({
      is_capped: true,
      outstanding: { count, amount },
      filters: { all: null, unpaid: count, paid: null },
    });
    expect(await getAccountant().invoices.summary({ search: 'tap', filter: 'unpaid' })).toMatchObject({
      is_capped: false,
      total: { invoices: count, amount },
    });
    expect(await getAccountant().invoices.summary({})).toMatchObject({
      is_capped: false,
      total: { invoices: MAX_SUMMED_ROWS + 1, amount: '1150115.00' },
    });
  });

  it('is zero if there are no invoices', async () => {
    expect(await getAccountant().invoices.summary({})).toMatchObject({
      total: { invoices: 0, credit_notes: 0, amount: '0.00' },
      paid: '0.00',
    });
    expect(await getAccountant().invoices.debtors({})).toMatchObject({ rows: [], total: { invoices: 0, total: '0.00', older: '0.00' } });
  });
});

describe('the list of debtors', () => {
  it('groups debts by customer and age, largest first, and groups deleted customers by the name on their invoices', async () => {
    const { customers } = firm.people.admin.client;
    const [helen, tevita, deleted] = await Promise.all(
      ['Helen Faleolo', 'Tevita Moana', 'Gone Ltd'].map(async (name) => (await customers.create(buildCustomer({ name }))).id),
    );
    const buildDebt = (customer_id: string | undefined, customer_name: string, days: number, total_amount: string, paid_amount = '0') =>
      buildLateInvoice(days, 'Tap', { customer_id: customer_id ?? null, customer_name, total_amount, paid_amount });
    await insertRows([
      buildDebt(helen, 'Helen Faleolo', -3, '115.00'),
      buildDebt(helen, 'Helen Smith', 12, '230.00', '100.00'),
      buildDebt(helen, 'Helen Faleolo', 95, '46.50'),
      buildDebt(helen, 'Helen Faleolo', 5, '999.00', '999.00'),
      buildDebt(tevita, 'Tevita Moana', 31, '1000.00', '0.01'),
      buildDebt(tevita, 'Tevita Moana', 61, '0.02'),
      buildDebt(deleted, 'Gone Ltd', 1, '10.00'),
      buildDebt(deleted, 'Gone Ltd', 2, '5.00'),
      { ...buildDebt(tevita, 'Tevita Moana', 61, '70.00'), state: 'credited' },
    ]);
    await customers.remove({ id: deleted ?? '' });
    const zero = { unsent: 0, current: '0.00', days_30: '0.00', days_60: '0.00', days_90: '0.00', older: '0.00' };
    expect(await getAccountant().invoices.debtors({})).toEqual({
      rows: [
        {
          ...zero,
          id: tevita,
          customer_id: tevita,
          customer_name: 'Tevita Moana',
          invoices: 2,
          days_60: '999.99',
          days_90: '0.02',
          total: '1000.01',
        },
        {
          ...zero,
          id: helen,
          customer_id: helen,
          customer_name: 'Helen Faleolo',
          invoices: 3,
          current: '115.00',
          days_30: '130.00',
          older: '46.50',
          total: '291.50',
        },
        { ...zero, id: expect.any(String), customer_id: null, customer_name: 'Gone Ltd', invoices: 2, days_30: '15.00', total: '15.00' },
      ],
      next_cursor: null,
      total: {
        customers: 3,
        invoices: 7,
        unsent: 0,
        current: '115.00',
        days_30: '145.00',
        days_60: '999.99',
        days_90: '0.02',
        older: '46.50',
        total: '1306.51',
      },
    });
    expect((await getAccountant().invoices.summary({})).outstanding).toEqual({ count: 7, amount: '1306.51', unsent: 0 });
  });

  it('pages through all of them, with the totals of all on each page', async () => {
    const names = Array.from({ length: 2 * PAGE_SIZE + 3 }, (_, index) => `Debtor ${String(index).padStart(3, '0')}`);
    // Many owe the same, so that the name has to break ties.
    await insertRows(
      names.map((customer_name, index) => buildLateInvoice(1, 'Tap', { customer_name, total_amount: `${1 + (index % 2)}.10` })),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { rows, next_cursor, total } = await getAccountant().invoices.debtors({ cursor });
      expect(total).toMatchObject({ customers: names.length, invoices: names.length, days_30: '164.30', total: '164.30' });
      seen.push(...rows.map(({ total: debt, customer_name }) => `${debt} ${customer_name}`));
      cursor = next_cursor ?? undefined;
    } while (cursor !== undefined);
    const expected = [1, 0].flatMap((odd) => names.filter((_, index) => index % 2 === odd).map((name) => `${odd + 1}.10 ${name}`));
    expect(seen).toEqual(expected);
    await expect(getAccountant().invoices.debtors({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('the CSV export of invoices', () => {
  it('has one row per invoice, sorted by number, and escapes formulas', async () => {
    await insertRows([
      buildLateInvoice(1, '=HYPERLINK("http://x")', { customer_name: '@Helen, "H"', total_amount: '1150.00', paid_amount: '150.00' }),
      buildLateInvoice(1, 'Tap', { state: 'credited' }),
      buildLateInvoice(0, 'Tap', { kind: 'credit_note', replaces: 1 }),
      buildLateInvoice(0, 'Tap', { state: 'replaced' }),
      buildLateInvoice(0, 'Tap', { replaces: 3 }),
    ]);
    const { headers, statusCode, body } = await downloadCsv({});
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="invoices-${today}.csv"`,
      'cache-control': 'private, no-store',
    });
    const year = getDaysAgo(8).slice(0, 4);
    expect(body.split('\r\n')).toEqual([
      '\uFEFF"Number","Kind","Issued","Due","Job","Title","Customer","Subtotal","GST","Total","Paid","Balance","Status","Currency","PayPal Fee","Cancels","Replaced by"',
      `"INV-${year}-0001","Invoice","${getDaysAgo(8)}","","T000000","'=HYPERLINK(""http://x"")","'@Helen, ""H""","1150.00","0.00","1150.00","150.00","1000.00","Overdue","NZD","0.00","",""`,
      `"INV-${year}-0002","Invoice","${getDaysAgo(8)}","","T000001","Tap","Helen Faleolo","115.00","0.00","115.00","0.00","0.00","Canceled","NZD","0.00","",""`,
      `"CN-${year}-0003","Credit note","${getDaysAgo(7)}","","T000002","Tap","Helen Faleolo","-115.00","0.00","-115.00","0.00","0.00","","NZD","0.00","INV-${year}-0002",""`,
      `"INV-${year}-0004","Invoice","${getDaysAgo(7)}","","T000003","Tap","Helen Faleolo","","","","","","Replaced by INV-${year}-0005","NZD","","","INV-${year}-0005"`,
      `"INV-${year}-0005","Invoice","${getDaysAgo(7)}","","T000004","Tap","Helen Faleolo","115.00","0.00","115.00","0.00","115.00","Due","NZD","0.00","",""`,
      '',
    ]);
    const { total, paid, outstanding } = await getAccountant().invoices.summary({});
    const { Total, Paid, Balance } = sumCsvColumns(body);
    expect([Total, Paid, Balance]).toEqual([total.amount, paid, outstanding.amount]);
  });

  it('contains each invoice once across many pages, and rejects invalid filters', async () => {
    await insertRows(Array.from({ length: 230 }, (_, index) => buildLateInvoice(index % 50, 'Tap')));
    const numbers = (await downloadCsv({})).body.match(/"INV-\d+-\d+"/g) ?? [];
    expect(new Set(numbers).size).toBe(230);
    for (const day of ['0000-01-01', '1999-12-31', '2200-01-01']) {
      expect((await downloadCsv({ from: day })).json()).toMatchObject({ data: { fields: { from: 'Please enter a date' } } });
      await expect(getAccountant().invoices.list({ to: day })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    expect((await downloadCsv({ from: '2000-01-01', to: '2199-12-31' })).statusCode).toBe(200);
    const rejected = await downloadCsv({ from: 'yesterday', filter: 'lost' });
    expect([rejected.statusCode, rejected.json()]).toMatchObject([
      422,
      { code: 'INVALID_INPUT', data: { fields: { from: 'Please enter a date', filter: expect.any(String) as string } } },
    ]);
  });
});

/** Credit notes are subtracted. Invoices that were replaced before corrections issued credit notes count as 0. */
const getSignedTotal = ({ kind, state, total_amount }: { kind: string; state: string; total_amount: string }) =>
  state === 'replaced' ? '0.00' : kind === 'credit_note' ? `-${total_amount}` : total_amount;

const downloadCsv = (query: Record<string, string | undefined>) => {
  const params = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return test.request('GET', `/api/invoices.csv?${new URLSearchParams(Object.fromEntries(params)).toString()}`, {
    cookie: firm.people.accountant.cookie,
  });
};

/** Reads all pages of the list and the CSV export with the same filters. */
async function readListAndCsv(input: Parameters<ReturnType<typeof getAccountant>['invoices']['summary']>[0]) {
  const rows = [];
  let cursor: string | undefined;
  do {
    const page = await getAccountant().invoices.list({ ...input, cursor });
    rows.push(...page.rows);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return { rows, text: (await downloadCsv(input)).body };
}
