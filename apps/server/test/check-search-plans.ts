import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { EMBEDDED_DATABASE } from '../src/config.ts';
import { readBoard } from '../src/features/board/board.handlers.ts';
import { customerList } from '../src/features/customers/customers.sql.ts';
import { invoiceList } from '../src/features/invoices/invoice-list.sql.ts';
import { jobList } from '../src/features/jobs/jobs.sql.ts';
import { paymentList } from '../src/features/payments/payment-list.sql.ts';
import { quoteList } from '../src/features/quotes/quotes.sql.ts';
import { itemPickerList } from '../src/features/suppliers/suppliers.sql.ts';
import { countRecords, listRecords } from '../src/platform/db/keyset-list.ts';
import { prepareDatabase } from '../src/platform/db/migrate.ts';
import { createPools } from '../src/platform/db/pools.ts';
import { runTenantQuery, type TenantScope } from '../src/platform/db/tenant-scope.ts';
import { type Firm, toTenant } from './factories/people.ts';

/**
 * Checks how much searches read at the size of a very large installation: one firm with 1,000,000 jobs, and as many again in 1,000 small
 * firms. Run it with `npm run check:search`, if you like with a fraction of that size, and with a folder that keeps the database for the
 * next run: `npm run check:search -- 0.01 data/search`.
 */
const FRACTION = Number(process.argv[2] ?? 1);
const KEPT_FOLDER = process.argv[3];
const SIZES = {
  jobs: 1_000_000 * FRACTION,
  customers: 200_000 * FRACTION,
  supplier_items: 300_000 * FRACTION,
  quotes: 200_000 * FRACTION,
  invoices: 500_000 * FRACTION,
  payments: 500_000 * FRACTION,
};
const SMALL_FIRM_COUNT = Math.ceil(1000 * FRACTION);
const RUN_COUNT = 5;
const FIRMS = { 'biggest firm': '00000000-0000-4000-9000-000000000001', 'smallest firm': '00000000-0000-4000-9000-000000000002' };
const SUPPLIER = '00000000-0000-4000-9000-000000000003';

/** The first words are in most rows, the last ones in few. */
const WORDS =
  'service boiler leaking tap kitchen bathroom roof gutter repair replace install inspect heater hot water cylinder pump valve drain blocked toilet shower pipe burst light switch board power socket cable alarm camera paint fence deck window door lock clean office';
/** SQL for the end of a text, with words in 1, 2, 5, 11 and 2 of 1,000 rows. */
const RARER_WORD = `case when h = 0 then ' a/c' when h <= 2 then ' heatpump' when h <= 7 then ' solar' when h <= 18 then ' skylight' when h <= 20 then ' 24/7' else '' end`;
/** SQL for the words that only rows of one time have: the newest 1 of 1,000, the newest 30 %, the 30 % before, the oldest 40 % and the oldest 1 %. */
const WORD_OF_ITS_TIME = `case when age < 0.001 then ' riverside' when age > 0.99 then ' foundry' else '' end
  || case when age < 0.3 then ' j26' when age < 0.6 then ' j25' else ' j24' end`;
/** The number of buffers (8 kB) that a search may read. The sample takes about 1,000 of them; reading all jobs would take more than 100,000. */
const MAX_BUFFERS = { rare: 3000, other: 15_000, 'of one time': 60_000 };
const SEARCHES: Readonly<Record<keyof typeof MAX_BUFFERS, readonly string[]>> = {
  rare: ['nothing', 'zz', 'n-4321', 'service n-4321', 'service boiler n-4321', '1/2'],
  other: `service, service boiler, paint, office lock, s, r, ervi, s r, service boiler leaking tap, a/c, 24/7, heatpump, solar, skylight,
    service solar, window door lock clean office, office solar`.split(/,\s+/),
  'of one time': ['riverside', 'foundry', 'j26', 'j25', 'j24', 'service j24', 'office j25'],
};

/** Fills the tables without triggers and foreign keys. */
function buildSeedStatements(): string[] {
  const company = (size: number) =>
    `case when i <= ${size} then '${FIRMS['biggest firm']}' when i % ${SMALL_FIRM_COUNT} = 0 then '${FIRMS['smallest firm']}'
      else ('00000000-0000-4000-8000-' || lpad((i % ${SMALL_FIRM_COUNT})::text, 12, '0'))::uuid end`;
  // Ids start with the time. The newest row has the smallest number.
  const id = `(lpad(to_hex((extract(epoch from now()) * 1000)::bigint - i * 60000::bigint), 12, '0') || right(gen_random_uuid()::text, 22))::uuid`;
  const rows = (table: keyof typeof SIZES) =>
    `(select *, name || E'\\n' || number || E'\\n' || text || ${RARER_WORD} || ${WORD_OF_ITS_TIME} as search_text from (
        select i, abs(hashint4(i)) % 1000 as h, (i % ${SIZES[table]})::numeric / ${SIZES[table]} as age, ${company(SIZES[table])} as company_id,
          ${id} as id, pick_words(3 + i % 3) || ' ' || i % 5000 as name, 'n-' || i as number, pick_words(12) as text
        from generate_series(${2 * SIZES[table]}, 1, -1) i) generated) seeds`;
  return [
    'set session_replication_role = replica',
    `create function pick_words(count integer) returns text language sql volatile as $$ select string_agg(
      (string_to_array('${WORDS}', ' '))[1 + floor(power(random(), 2) * 40)::int], ' ') from generate_series(1, count) where count is not null $$`,
    `insert into jobs (company_id, id, job_number, title, description, status, job_type, title_key, search_text, created_at, staff_id)
      select company_id, id, number, name, text, (array['pending', 'contacted', 'booked', 'complete'])[1 + i % 4], 'fixed', name, search_text,
        now() - i * interval '1 minute', ('00000000-0000-4000-a000-' || lpad((i % 50)::text, 12, '0'))::uuid from ${rows('jobs')}`,
    `insert into customers (company_id, id, name, email, phone, address, name_key, search_text)
      select company_id, id, name, '', '', text, name, search_text from ${rows('customers')}`,
    `insert into suppliers (company_id, id, company_name, name_key, search_text) select distinct company_id, '${SUPPLIER}'::uuid, 'Reece', 'reece', 'reece' from jobs`,
    `insert into supplier_items (company_id, id, supplier_id, name, sku, cost_price, pricing_method, tax_inclusive, is_service, selling_price, profit_margin,
        name_key, sku_key, search_text)
      select company_id, id, '${SUPPLIER}', name, number, 1, 'fixed', true, false, 1, 0, name, number, search_text from ${rows('supplier_items')}`,
    `insert into quotes (company_id, id, quote_number, title, status, tax_rate, subtotal, tax_amount, total_amount, title_key, search_text)
      select company_id, id, number, name, 'draft', 0, 1, 0, 1, name, search_text from ${rows('quotes')}`,
    `insert into invoices (company_id, id, kind, year, number, invoice_number, job_id, job_number, title, customer_name, customer_key, issued_on, late_after,
        subtotal, tax_amount, total_amount, record, sha256, created_by, created_at, search_text)
      select company_id, id, 'invoice', 2026, i, number, id, number, name, name, name, '2026-01-01', '2026-01-15', 1, 0, 1, '', repeat('0', 64), 'Ana', now(),
        search_text from ${rows('invoices')}`,
    `insert into payments (company_id, id, job_id, amount, paid_on, method, recorded_by, recorded_at, customer_name, customer_key, search_text)
      select company_id, id, id, 1, '2026-01-01', 'cash', 'Ana', now(), name, name, search_text from ${rows('payments')}`,
  ];
}

/** Builds the indexes at the end, which is faster. */
async function seed(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
      where tablename = any($1) and not exists (select from pg_constraint where conname = indexname)`,
    [Object.keys(SIZES)],
  );
  const dropped = rows.map(({ name }) => `drop index ${name}`);
  for (const statement of [...dropped, ...buildSeedStatements(), ...rows.map(({ definition }) => definition)]) {
    const start = performance.now();
    await client.query(statement);
    const seconds = (performance.now() - start) / 1000;
    if (seconds > 1) console.log(`${seconds.toFixed(0).padStart(6)} s  ${statement.slice(0, 60)}…`);
  }
  await client.query('vacuum analyze');
}

const READS: Readonly<Record<string, (scope: TenantScope, search: string) => Promise<unknown>>> = {
  jobs: (scope, search) => listRecords(scope, jobList, { search, sort: 'title', order: 'asc' }),
  'jobs, newest first': (scope, search) => listRecords(scope, jobList, { search, sort: 'created_at', order: 'desc' }),
  'jobs, oldest first': (scope, search) => listRecords(scope, jobList, { search, sort: 'created_at', order: 'asc' }),
  customers: (scope, search) => listRecords(scope, customerList, { search, sort: 'name', order: 'asc' }),
  items: (scope, search) => listRecords(scope, itemPickerList, { search, sort: 'name', order: 'asc', supplier_status: 'active' }),
  quotes: (scope, search) => listRecords(scope, quoteList, { search, sort: 'title', order: 'asc' }),
  invoices: (scope, search) => listRecords(scope, invoiceList, { search, sort: 'customer', order: 'asc' }),
  payments: (scope, search) => listRecords(scope, paymentList, { search, sort: 'customer', order: 'asc' }),
  'jobs, count': (scope, search) => countRecords(scope, jobList, { search }),
  board: (scope, search) => readBoard(scope, { search }),
};

/** Adds up the time and the buffers of the statements, which auto_explain reports to the client. */
function addUpPlans(plans: readonly string[]): { readonly ms: number; readonly buffers: number } {
  const sum = (pattern: RegExp) => plans.reduce((total, plan) => total + addUp(pattern.exec(plan)?.slice(1) ?? []), 0);
  const addUp = (figures: readonly (string | undefined)[]) => figures.reduce((total, figure) => total + Number(figure ?? 0), 0);
  return { ms: sum(/duration: ([\d.]+) ms/), buffers: sum(/Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/) };
}

/** Runs the search until its rows are in the cache, and then a few times more. Other processes on the machine only make it slower. */
async function measure(run: () => Promise<unknown>, plans: string[]): Promise<{ ms: number; buffers: number }> {
  const best = { ms: Number.POSITIVE_INFINITY, buffers: 0 };
  for (let runIndex = 0; runIndex < RUN_COUNT; runIndex += 1) {
    plans.length = 0;
    await run();
    const { ms, buffers } = addUpPlans(plans);
    Object.assign(best, { ms: Math.min(best.ms, ms), buffers });
  }
  return best;
}

async function checkSearches(pool: pg.Pool): Promise<void> {
  const plans: string[] = [];
  pool.on('connect', (client) => void client.on('notice', ({ message }) => plans.push(message ?? '')));
  for (const [firm, companyId] of Object.entries(FIRMS)) {
    const tenant = toTenant({ companyId, people: { admin: { userId: randomUUID(), email: 'ana@example.com' } } } as Firm);
    for (const [list, read] of Object.entries(READS)) {
      for (const kind of Object.keys(MAX_BUFFERS) as (keyof typeof MAX_BUFFERS)[]) {
        for (const search of SEARCHES[kind]) {
          const { ms, buffers } = await measure(() => runTenantQuery(pool, tenant, (scope) => read(scope, search)), plans);
          // The board counts and reads six statuses.
          const isTooMuch = buffers > MAX_BUFFERS[kind] * (list === 'board' ? 2 : 1);
          if (isTooMuch) process.exitCode = 1;
          const verdict = isTooMuch ? 'TOO MUCH' : 'ok      ';
          console.log(`${verdict} ${ms.toFixed(1).padStart(8)} ms ${String(buffers).padStart(8)} buffers  ${firm}, ${list}: ${search}`);
        }
      }
    }
  }
}

async function checkSearchPlans(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const settings = { fsync: 'off', shared_buffers: '2GB', maintenance_work_mem: '512MB', max_wal_size: '4GB' };
  const postgres = await startEmbeddedPostgres({ ...EMBEDDED_DATABASE, dataDir: join(folder, 'data'), log: () => undefined, settings });
  const owner = new pg.Client(postgres.connection);
  try {
    await owner.connect();
    const { logins } = await prepareDatabase({ owner: postgres.connection }, ['the secret of a measurement']);
    const { rowCount } = await owner.query('select from jobs limit 1');
    if (rowCount === 0) await seed(owner);
    for (const setting of ['log_min_duration = 0', `log_level = 'notice'`, 'log_analyze = on', 'log_buffers = on', 'log_timing = off'])
      await owner.query(`alter database ${postgres.connection.database} set auto_explain.${setting}`);
    await owner.query(`alter database ${postgres.connection.database} set session_preload_libraries = 'auto_explain'`);
    const pools = createPools(logins, 2, console.error);
    await checkSearches(pools.app);
    await pools.app.end();
  } finally {
    await owner.end();
    await postgres.stop();
  }
}

const folder = KEPT_FOLDER === undefined ? mkdtempSync(join(tmpdir(), 'callout-search-')) : resolve(KEPT_FOLDER);
try {
  await checkSearchPlans(folder);
} finally {
  if (KEPT_FOLDER === undefined) rmSync(folder, { recursive: true, force: true });
}
