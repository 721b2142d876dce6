import { randomUUID } from 'node:crypto';
import type { PaymentMethod } from '@callout/domain/invoices/invoice';
import { toDecimal } from '@callout/domain/money/decimal';
import { subtractMoney, sumMoney } from '@callout/domain/money/money';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { parseCsv, sumCsvColumns } from '../../../test/csv-sums.ts';
import { createFirmJob } from '../../../test/factories/billed-job.ts';
import { buildCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, toTenant } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { runTenantQuery, runTenantTransaction, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { creditInvoice } from '../invoices/credit-invoice.ts';
import { readInvoiceSummary } from '../invoices/invoice-list.sql.ts';
import { findOpenInvoice } from '../invoices/invoices.sql.ts';
import { issueOrReuseInvoice, markInvoiceSent } from '../invoices/issue-invoice.ts';
import { lockJob, repriceJob } from '../jobs/jobs.sql.ts';
import { updateJobStatus } from '../jobs/save-job.ts';
import { settleJob } from '../jobs/settle-job.ts';
import { readPaymentSummary } from './payment-list.sql.ts';
import { recordPayment, reversePayment } from './record-payment.ts';

/** VITE_BOOKS_HISTORIES=10000 starts the long run. Vitest passes such variables on in `import.meta.env`. */
const HISTORY_COUNT = Number((import.meta as { env?: Record<string, string> }).env?.['VITE_BOOKS_HISTORIES'] ?? 60);
const HISTORIES_PER_FIRM = 50;
const MAX_EVENTS = 7;
const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04'] as const;
const RATES = ['15', '10', '12.5', '0'] as const;
const METHODS: readonly PaymentMethod[] = ['bank_transfer', 'cash', 'card', 'paypal', 'other'];

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

type Random = () => number;

/** A seeded generator (mulberry32), so that a failing history can be repeated. */
function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <Value>(random: Random, values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
const pickAmount = (random: Random) => `${Math.floor(random() * 900)}.${String(Math.floor(random() * 99) + 1).padStart(2, '0')}`;

type EventKind = 'issue' | 'correct' | 'credit' | 'pay' | 'pay all' | 'reverse' | 'mark paid' | 'rename';
const EVENT_KINDS: readonly EventKind[] = [
  'issue',
  'issue',
  'correct',
  'correct',
  'credit',
  'pay',
  'pay',
  'pay all',
  'reverse',
  'mark paid',
  'rename',
];

interface History {
  readonly jobId: string;
  readonly payments: string[];
}

/** Runs one event of a job's history. Events that the rules refuse, such as crediting a job without an invoice, change nothing. */
async function runEvent(scope: TenantScope, { jobId, payments }: History, kind: EventKind, random: Random): Promise<void> {
  if (kind === 'issue') {
    const { invoice } = await issueOrReuseInvoice(scope, jobId, {});
    await markInvoiceSent(scope, invoice);
  } else if (kind === 'correct') {
    await lockJob(scope, jobId);
    await scope.db.execute(sql`update jobs set fixed_amount = ${pickAmount(random)} where id = ${jobId}`);
    await settleJob(scope, await repriceJob(scope, jobId));
    if (await findOpenInvoice(scope, jobId)) await runEvent(scope, { jobId, payments }, 'issue', random);
  } else if (kind === 'credit') {
    const invoice = await findOpenInvoice(scope, jobId);
    if (invoice) await creditInvoice(scope, { id: invoice.id, credit_id: randomUUID(), reason: null });
  } else if (kind === 'pay' || kind === 'pay all') {
    const id = randomUUID();
    const amount = kind === 'pay' ? pickAmount(random) : null;
    const input = { id, job_id: jobId, amount, method: pick(random, METHODS), note: null, paid_on: null, is_excess_confirmed: true };
    await recordPayment(scope, input);
    payments.push(id);
  } else if (kind === 'reverse') {
    const id = payments.pop();
    if (id) await reversePayment(scope, { id, reversal_id: randomUUID(), note: null });
  } else if (kind === 'rename') {
    const name = `Renamed ${scope.now}`;
    await scope.db.execute(sql`update jobs set title = ${name} where id = ${jobId}`);
    await scope.db.execute(sql`update customers set name = ${name} where id = (select customer_id from jobs where id = ${jobId})`);
  } else {
    await updateJobStatus(scope, { id: jobId, status: 'paid' });
  }
}

/** Creates a firm with its own GST rate and jobs, and returns random events of those jobs, oldest first. */
async function createHistories(firm: Firm, random: Random, count: number) {
  await test.owner.query('update companies set gst_percentage = $2 where company_id = $1', [firm.companyId, pick(random, RATES)]);
  const { id: customer_id } = await firm.people.admin.client.customers.create(buildCustomer());
  const events: { readonly now: string; readonly kind: EventKind; readonly history: History }[] = [];
  for (let index = 0; index < count; index += 1) {
    const fixed_amount = pickAmount(random);
    const { id: jobId } = await createFirmJob(test, firm, { customer_id, fixed_amount, status: random() < 0.2 ? 'booked' : 'complete' });
    const history = { jobId, payments: [] };
    for (let event = Math.floor(random() * MAX_EVENTS); event >= 0; event -= 1) {
      // Many events are in the hours around midnight at the end of a month.
      const day = pick(random, ['01', '01', '15', '28', '28']);
      const now = `${pick(random, MONTHS)}-${day}T${pick(random, ['00:00', '11:30', '23:59'])}:00.000Z`;
      events.push({ now, kind: pick(random, EVENT_KINDS), history });
    }
  }
  await test.owner.query(`update jobs set created_at = '2026-01-01T00:00Z' where company_id = $1`, [firm.companyId]);
  return events.toSorted((a, b) => (a.now < b.now ? -1 : Number(a.now > b.now)));
}

const getMonthRange = (month: string) => ({ from: `${month}-01`, to: `${month}-31`.replace('02-31', '02-28').replace('04-31', '04-30') });

/** These columns show an invoice's state on the day of the export. All other columns of both exports belong to the books. */
const STATE_COLUMNS: ReadonlySet<string> = new Set(['Paid', 'Balance', 'Status', 'PayPal Fee', 'Replaced by']);

function omitStateColumns(csv: string): string[][] {
  const [header = [], ...rows] = parseCsv(csv);
  return [header, ...rows].map((row) => row.filter((_cell, index) => !STATE_COLUMNS.has(header[index] ?? '')));
}

/** Reads what the pages and the exports show for a month. */
async function readMonth(firm: Firm, month: string) {
  const range = getMonthRange(month);
  const download = async (path: string) =>
    (await test.request('GET', `${path}?${new URLSearchParams(range).toString()}`, { cookie: firm.people.admin.cookie })).body;
  const { total, payments } = await runTenantQuery(test.app.platform.pools.app, toTenant(firm), async (scope) => ({
    total: (await readInvoiceSummary(scope, range, '2026-05-01')).total,
    payments: await readPaymentSummary(scope, range),
  }));
  const [invoiceCsv, paymentCsv] = [await download('/api/invoices.csv'), await download('/api/payments.csv')];
  const [invoiceColumns, paymentColumns] = [sumCsvColumns(invoiceCsv), sumCsvColumns(paymentCsv)];
  return {
    invoiceRows: omitStateColumns(invoiceCsv),
    paymentRows: parseCsv(paymentCsv),
    list: { total: total.amount, tax: total.tax_amount, documents: total.invoices + total.credit_notes, received: payments.amount },
    csv: { total: invoiceColumns['Total'] ?? '0.00', tax: invoiceColumns['GST'] ?? '0.00', received: paymentColumns['Amount'] ?? '0.00' },
  };
}

interface StoredDocument {
  readonly kind: string;
  readonly issued_on: string;
  readonly exact: { readonly amount: string; readonly tax: string };
  readonly is_open: boolean;
  readonly job_id: string;
}

/** Recomputes the same from the frozen documents and the payments themselves. */
async function recomputeBooks(firm: Firm) {
  const { rows: documents } = await test.owner.query<StoredDocument>(
    `select kind, issued_on::text, record::json -> 'document' -> 'exact' as exact, kind = 'invoice' and state = 'open' as is_open, job_id
      from invoices where company_id = $1`,
    [firm.companyId],
  );
  const { rows: received } = await test.owner.query<{ paid_on: string; amount: string; job_id: string }>(
    'select paid_on::text, amount, job_id from payments where company_id = $1',
    [firm.companyId],
  );
  const sumSigned = (rows: readonly StoredDocument[], key: 'amount' | 'tax') =>
    sumMoney(rows.map(({ kind, exact }) => (kind === 'credit_note' ? subtractMoney('0', exact[key]) : exact[key])));
  const recomputeMonth = (month: string) => {
    const issued = documents.filter(({ issued_on }) => issued_on.startsWith(month));
    const amounts = received.filter(({ paid_on }) => paid_on.startsWith(month)).map(({ amount }) => amount);
    return { total: sumSigned(issued, 'amount'), tax: sumSigned(issued, 'tax'), documents: issued.length, received: sumMoney(amounts) };
  };
  const balances = documents
    .filter(({ is_open }) => is_open)
    .map(({ job_id, exact }) =>
      subtractMoney(exact.amount, sumMoney(received.filter((row) => row.job_id === job_id).map((row) => row.amount))),
    )
    .filter((balance) => toDecimal(balance).gt('0'));
  return { recomputeMonth, outstanding: sumMoney(balances) };
}

const isRefused = (error: unknown) => error instanceof Error && 'code' in error && 'status' in error;

it(
  'the months of random histories add up to the cent in lists, sums and exports, and no cell of a closed month ever changes',
  async () => {
    const counts = { histories: 0, events: 0, refused: 0 };
    for (let seed = 1; counts.histories < HISTORY_COUNT; seed += 1) {
      const random = createRandom(seed);
      const firm = await createFirm(test, `Firm ${seed}`);
      const size = Math.min(HISTORIES_PER_FIRM, HISTORY_COUNT - counts.histories);
      const closed = new Map<string, Awaited<ReturnType<typeof readMonth>>>();
      let current: string = MONTHS[0];
      for (const { now, kind, history } of await createHistories(firm, random, size)) {
        if (!now.startsWith(current)) {
          closed.set(current, await readMonth(firm, current));
          current = now.slice(0, 7);
        }
        counts.events += 1;
        const tenant = { ...toTenant(firm), now };
        await runTenantTransaction(test.app.platform.pools.app, tenant, (scope) => runEvent(scope, history, kind, random)).catch(
          (error: unknown) => {
            if (!isRefused(error)) throw error;
            counts.refused += 1;
          },
        );
      }
      const { recomputeMonth, outstanding } = await recomputeBooks(firm);
      for (const month of MONTHS) {
        const books = await readMonth(firm, month);
        const { documents: _, ...sums } = books.list;
        expect([seed, month, books.list, books.csv]).toEqual([seed, month, recomputeMonth(month), sums]);
        expect([seed, month, books]).toEqual([seed, month, closed.get(month) ?? books]);
      }
      const summary = await runTenantQuery(test.app.platform.pools.app, toTenant(firm), (scope) =>
        readInvoiceSummary(scope, {}, '2026-05-01'),
      );
      expect([seed, summary.outstanding.amount]).toEqual([seed, outstanding]);
      counts.histories += size;
    }
    expect(counts.refused).toBeLessThan(counts.events / 2);
    process.stdout.write(`${JSON.stringify(counts)}\n`);
  },
  HISTORY_COUNT * 2000,
);
