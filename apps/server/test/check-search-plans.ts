import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { EMBEDDED_DATABASE } from '../src/config.ts';
import { customerList } from '../src/features/customers/customers.sql.ts';
import { jobList } from '../src/features/jobs/jobs.sql.ts';
import { itemPickerList } from '../src/features/suppliers/suppliers.sql.ts';
import { countRecords, listRecords } from '../src/platform/db/keyset-list.ts';
import { prepareDatabase } from '../src/platform/db/migrate.ts';
import { createPools } from '../src/platform/db/pools.ts';
import { runTenantQuery, type TenantScope } from '../src/platform/db/tenant-scope.ts';
import { type Firm, toTenant } from './factories/people.ts';

/**
 * Checks how much searches read at the size of a very large installation: one firm with 1,000,000 jobs, 200,000 customers and 300,000
 * items, and as many again in 1,000 small firms. Run it with `node apps/server/test/check-search-plans.ts`, or with a fraction of the size, such as `0.01`.
 */
const FRACTION = Number(process.argv[2] ?? 1);
const SIZES = { jobs: 1_000_000 * FRACTION, customers: 200_000 * FRACTION, supplier_items: 300_000 * FRACTION };
const SMALL_FIRM_COUNT = 1000;
/** Each is 8 kB. The sample takes about 1,000 of them; reading all jobs would take more than 50,000. */
const MAX_BUFFERS = 6000;
const [BIG_FIRM, SMALL_FIRM, SUPPLIER] = [randomUUID(), randomUUID(), randomUUID()] as const;

/** The first words are in most rows, the last ones in few. */
const WORDS =
  'service boiler leaking tap kitchen bathroom roof gutter repair replace install inspect heater hot water cylinder pump valve drain blocked toilet shower pipe burst light switch board power socket cable alarm camera paint fence deck window door lock clean office';
const SEARCHES = ['service', 'service boiler', 'paint', 'office lock', 's', 'r', 'zz', 'ervi', 'nothing', 'rare7', 'service rare7'];

/** Fills the tables without their triggers, foreign keys and text indexes, which are built at the end. */
function buildSeedStatements(): string[] {
  const company = (size: number) =>
    `case when i <= ${size} then '${BIG_FIRM}' when i % ${SMALL_FIRM_COUNT} = 0 then '${SMALL_FIRM}'
      else ('00000000-0000-4000-8000-' || lpad((i % ${SMALL_FIRM_COUNT})::text, 12, '0'))::uuid end`;
  const rows = (size: number) =>
    `(select *, name || E'\\n' || number || E'\\n' || text || ' rare' || i / 100 as search_text from (
        select i, ${company(size)} as company_id, gen_random_uuid() as id, pick_words(3 + i % 3) || ' ' || i % 5000 as name, 'n-' || i as number,
          pick_words(12) as text from generate_series(1, ${2 * size}) i) generated) seeds`;
  return [
    'set session_replication_role = replica',
    `create function pick_words(count integer) returns text language sql volatile as $$ select string_agg(
      (string_to_array('${WORDS}', ' '))[1 + floor(power(random(), 2) * 40)::int], ' ') from generate_series(1, count) where count is not null $$`,
    `insert into jobs (company_id, id, job_number, title, description, status, job_type, title_key, search_text)
      select company_id, id, number, name, text, 'pending', 'fixed', name, search_text from ${rows(SIZES.jobs)}`,
    `insert into customers (company_id, id, name, email, phone, address, name_key, search_text)
      select company_id, id, name, '', '', text, name, search_text from ${rows(SIZES.customers)}`,
    `insert into suppliers (company_id, id, company_name, name_key, search_text) select distinct company_id, '${SUPPLIER}'::uuid, 'Reece', 'reece', 'reece' from jobs`,
    `insert into supplier_items (company_id, id, supplier_id, name, sku, cost_price, pricing_method, tax_inclusive, is_service, selling_price, profit_margin,
        name_key, sku_key, search_text)
      select company_id, id, '${SUPPLIER}', name, number, 1, 'fixed', true, false, 1, 0, name, number, search_text from ${rows(SIZES.supplier_items)}`,
  ];
}

async function seed(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where indexname in ('jobs_by_text', 'customers_by_text', 'supplier_items_by_text')`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  for (const statement of buildSeedStatements()) await client.query(statement);
  for (const { definition } of rows) {
    const start = performance.now();
    await client.query(definition);
    console.log(`${((performance.now() - start) / 1000).toFixed(0).padStart(6)} s  ${definition.slice(0, 40)}…`);
  }
  await client.query('vacuum analyze jobs, customers, supplier_items, suppliers');
}

const READS: Readonly<Record<string, (scope: TenantScope, search: string) => Promise<unknown>>> = {
  jobs: (scope, search) => listRecords(scope, jobList, { search, sort: 'title', order: 'asc' }),
  'jobs, newest first': (scope, search) => listRecords(scope, jobList, { search, sort: 'created_at', order: 'desc' }),
  customers: (scope, search) => listRecords(scope, customerList, { search, sort: 'name', order: 'asc' }),
  items: (scope, search) => listRecords(scope, itemPickerList, { search, sort: 'name', order: 'asc', supplier_status: 'active' }),
  'jobs, count': (scope, search) => countRecords(scope, jobList, { search }),
};

/** Adds up the time and the buffers of the statements, which auto_explain reports to the client. */
function addUpPlans(plans: readonly string[]): { readonly ms: number; readonly buffers: number } {
  const first = (plan: string, pattern: RegExp) => Number(pattern.exec(plan)?.[1] ?? 0);
  const sum = (pattern: RegExp) => plans.reduce((total, plan) => total + first(plan, pattern), 0);
  return { ms: sum(/duration: ([\d.]+) ms/), buffers: sum(/Buffers: shared[^\n]*?hit=(\d+)/) + sum(/Buffers: shared[^\n]*?read=(\d+)/) };
}

async function checkSearchPlans(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'callout-search-'));
  chmodSync(folder, 0o755);
  const settings = { fsync: 'off', shared_buffers: '2GB', maintenance_work_mem: '512MB', max_wal_size: '4GB' };
  const postgres = await startEmbeddedPostgres({ ...EMBEDDED_DATABASE, dataDir: join(folder, 'data'), log: () => undefined, settings });
  const owner = new pg.Client(postgres.connection);
  try {
    await owner.connect();
    const { logins } = await prepareDatabase(postgres.connection, 'the secret of a measurement');
    await seed(owner);
    for (const setting of ['log_min_duration = 0', `log_level = 'notice'`, 'log_analyze = on', 'log_buffers = on', 'log_timing = off'])
      await owner.query(`alter database ${postgres.connection.database} set auto_explain.${setting}`);
    await owner.query(`alter database ${postgres.connection.database} set session_preload_libraries = 'auto_explain'`);
    const pools = createPools(logins, 2, console.error);
    const plans: string[] = [];
    pools.app.on('connect', (client) => void client.on('notice', ({ message }) => plans.push(message ?? '')));
    for (const [firm, companyId] of Object.entries({ 'biggest firm': BIG_FIRM, 'smallest firm': SMALL_FIRM })) {
      const tenant = toTenant({ companyId, people: { admin: { userId: randomUUID(), email: 'ana@example.com' } } } as Firm);
      for (const [list, read] of Object.entries(READS)) {
        for (const search of SEARCHES) {
          await runTenantQuery(pools.app, tenant, (scope) => read(scope, search));
          plans.length = 0;
          await runTenantQuery(pools.app, tenant, (scope) => read(scope, search));
          const { ms, buffers } = addUpPlans(plans);
          const isTooMuch = buffers > MAX_BUFFERS;
          if (isTooMuch) process.exitCode = 1;
          console.log(
            `${isTooMuch ? 'TOO MUCH' : 'ok      '} ${ms.toFixed(1).padStart(8)} ms ${String(buffers).padStart(8)} buffers  ${firm}, ${list}: ${search}`,
          );
        }
      }
    }
    await pools.app.end();
  } finally {
    await owner.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await checkSearchPlans();
