import { randomUUID } from 'node:crypto';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import fc from 'fast-check';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { createDatabaseBefore } from '../../../test/database-before.ts';
import { createFirmJob } from '../../../test/factories/billed-job.ts';
import { buildCustomer, buildJobUpdate } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { addUpCountChanges } from './dashboard.sql.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const getAdmin = () => firm.people.admin.client;
const addUp = () => addUpCountChanges(test.app.platform.pools.system);

/** The counts as they follow from the records themselves. */
const COUNT_RECORDS = `select
  (select count(*)::integer from customers where company_id = $1 and status = 'active' and deleted_at is null) as customers,
  (select count(*)::integer from jobs j where j.company_id = $1 and j.status <> 'canceled' and not exists
    (select from job_categories c where c.company_id = j.company_id and c.job_id = j.id)) as uncategorized,
  (select coalesce(json_object_agg(category_id, jobs), '{}') from (select c.category_id, count(*) as jobs from job_categories c
    join jobs j on j.company_id = c.company_id and j.id = c.job_id where c.company_id = $1 and j.status <> 'canceled'
    group by c.category_id) counted) as categories`;

async function readCounts() {
  const { dashboard } = firm.people.staff.client;
  const [{ customers }, { rows, uncategorized }] = [await dashboard.counts(), await dashboard.categories({})];
  return { customers, uncategorized, categories: Object.fromEntries(rows.map(({ id, jobs }) => [id, jobs])) };
}

async function countRecords() {
  const { rows } = await test.owner.query<Awaited<ReturnType<typeof readCounts>>>(COUNT_RECORDS, [firm.companyId]);
  return rows[0];
}

const arbitraryStep = fc.record({
  kind: fc.constantFrom('customer', 'toggle', 'removeCustomer', 'job', 'status', 'categorize', 'removeJob', 'removeCategory', 'addUp'),
  index: fc.nat(5),
  status: fc.constantFrom(...JOB_STATUSES),
  categories: fc.subarray([0, 1, 2]),
});
type Step = typeof arbitraryStep extends fc.Arbitrary<infer Value> ? Value : never;

it('the counts of all time equal the records after any sequence of changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryStep, { minLength: 5, maxLength: 15 }), async (steps) => {
      firm = await createFirm(test);
      const categoryIds = Array.from({ length: 3 }, () => randomUUID());
      for (const [index, id] of categoryIds.entries()) await getAdmin().categories.create({ id, name: `Category ${index}` });
      for (const step of steps) await runStep(step, categoryIds);
      expect(await readCounts()).toEqual(await countRecords());
      await addUp();
      expect(await readCounts()).toEqual(await countRecords());
    }),
    { numRuns: 20 },
  );
});

async function findId(table: 'customers' | 'jobs', index: number): Promise<string | undefined> {
  const isVisible = table === 'customers' ? 'and deleted_at is null' : '';
  const { rows } = await test.owner.query<{ id: string }>(
    `select id from ${table} where company_id = $1 ${isVisible} order by created_at, id limit 1 offset $2`,
    [firm.companyId, index],
  );
  return rows[0]?.id;
}

async function runStep({ kind, index, status, categories }: Step, categoryIds: readonly string[]): Promise<void> {
  if (kind === 'addUp') return addUp();
  const existing = (await getAdmin().categories.list()).rows;
  if (kind === 'removeCategory') {
    for (const { id } of existing.slice(index, index + 1)) await getAdmin().categories.remove({ id });
    return waitForQueue(test);
  }
  const category_ids = categories
    .map((category) => categoryIds[category] ?? '')
    .filter((id) => existing.some((category) => category.id === id));
  if (kind === 'customer') return void (await getAdmin().customers.create(buildCustomer()));
  if (kind === 'job') return void (await createFirmJob(test, firm, { status, category_ids }));
  const isOfCustomer = kind === 'toggle' || kind === 'removeCustomer';
  const id = await findId(isOfCustomer ? 'customers' : 'jobs', index);
  if (id === undefined) return;
  const [table, change] = isOfCustomer
    ? ['customers', `status = case status when 'active' then 'inactive' else 'active' end`]
    : ['jobs', `status = '${status}'`];
  if (kind === 'removeCustomer') await getAdmin().customers.remove({ id });
  else if (kind === 'removeJob') await getAdmin().jobs.remove({ id });
  else if (kind === 'categorize') await getAdmin().jobs.update(buildJobUpdate(await getAdmin().jobs.get({ id }), { category_ids }));
  else await test.owner.query(`update ${table} set ${change} where id = $1`, [id]);
}

it('writers of the same count do not wait for each other', async () => {
  await withOwnerClient(test.database, async (client) => {
    await client.query('begin');
    await client.query(
      `insert into jobs (company_id, id, job_number, title, description, status, job_type, title_key, search_text)
       values ($1, gen_random_uuid(), 'T1', 'Tap', '', 'booked', 'fixed', 'tap', 'tap')`,
      [firm.companyId],
    );
    await createFirmJob(test, firm);
    await addUp();
    expect(await readCounts()).toMatchObject({ uncategorized: 1 });
    await client.query('commit');
  });
  expect(await readCounts()).toMatchObject({ uncategorized: 2 });
});

it('a removed company leaves no counts', async () => {
  await createFirmJob(test, firm);
  await addUp();
  await test.owner.query('delete from companies where company_id = $1', [firm.companyId]);
  for (const table of ['record_counts', 'record_count_changes']) {
    const { rowCount } = await test.owner.query(`select from ${table} where company_id = $1`, [firm.companyId]);
    expect(rowCount).toBe(0);
  }
});

it('the migration counts existing customers and jobs', async () => {
  const { database, drop } = await createDatabaseBefore('0068');
  const companyId = randomUUID();
  try {
    await withOwnerClient(database, async (client) => {
      await client.query('insert into companies (company_id) values ($1)', [companyId]);
      await client.query(
        `insert into customers (company_id, id, name, email, phone, address, status, name_key, search_text)
         select $1, gen_random_uuid(), 'Ana', '', '', '', case when i > 2 then 'active' else 'inactive' end, 'ana', 'ana' from generate_series(1, 10) i`,
        [companyId],
      );
      await client.query(`insert into categories (company_id, id, name) values ($1, $1, 'Gas')`, [companyId]);
      await client.query(
        `insert into jobs (company_id, id, job_number, title, description, status, job_type, title_key, search_text)
         select $1, gen_random_uuid(), 'T' || i, 'Tap', '', case when i = 1 then 'canceled' else 'paid' end, 'fixed', 'tap', 'tap' from generate_series(1, 9) i`,
        [companyId],
      );
      await migrate(database);
      const { rows } = await client.query('select kind, total from record_counts where company_id = $1 order by kind', [companyId]);
      expect(rows).toEqual([
        { kind: 'active customers', total: 8 },
        { kind: 'jobs', total: 8 },
      ]);
    });
  } finally {
    await drop();
  }
});
