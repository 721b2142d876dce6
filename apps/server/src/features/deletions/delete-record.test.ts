import { randomUUID } from 'node:crypto';
import { MAX_COUNT } from '@callout/domain/text/count-format';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { signUp } from '../../../test/accounts.ts';
import { createRestoreTarget, runBackup, runRestore } from '../../../test/backup.ts';
import { CONTRACT_CALLS } from '../../../test/contract-calls.ts';
import { withOwnerClient } from '../../../test/database.ts';
import { createDatabaseBefore } from '../../../test/database-before.ts';
import { createFirmJob } from '../../../test/factories/billed-job.ts';
import { buildCustomer, buildItem, buildJob, buildMember, buildQuote, buildSupplier, buildTask } from '../../../test/factories/inputs.ts';
import { addStaffMember, createFirm, createSession, type Firm, type Person } from '../../../test/factories/people.ts';
import { createSampleRecords, type SampleRecords } from '../../../test/factories/sample-records.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { buildSampleInput } from '../../../test/sample-inputs.ts';
import { sendCall } from '../../../test/send-call.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { resumeDeletions, unlinkDeletedRecord, unlinkDeletedRecordTask } from './delete-record.ts';
import { UNLINK_STATEMENTS } from './deletions.sql.ts';

let test: TestApp;
let firm: Firm;
let records: SampleRecords;
/** Removes records, and remains when the sample records' author is removed. */
let manager: Person;
let authorId: string;

type Kind = 'customers' | 'categories' | 'suppliers' | 'staff';
const KINDS = ['customers', 'categories', 'suppliers', 'staff'] as const satisfies readonly Kind[];

const getId = (kind: Kind): string =>
  ({ customers: records.customerId, categories: records.categoryId, suppliers: records.supplierId, staff: authorId })[kind];
const remove = (kind: Kind) => manager.client[kind].remove({ id: getId(kind) });

const LINKED_TABLES = `jobs job_categories job_items quotes quote_items invoices payments tasks time_entries job_comments supplier_items
  notifications files`.split(/\s+/);

/** Locks everything that refers to the records, so that whatever changes it has to wait. Returns a function that releases the locks. */
async function lockLinkedRows(): Promise<() => Promise<void>> {
  const client = await test.owner.connect();
  await client.query('begin');
  for (const table of LINKED_TABLES) await client.query(`select from ${table} where company_id = $1 for update`, [firm.companyId]);
  let isReleased = false;
  const release = async () => {
    if (isReleased) return;
    isReleased = true;
    await client.query('commit');
    client.release();
  };
  onTestFinished(release);
  return release;
}

const countRows = async (statement: string, ...values: readonly unknown[]) =>
  (await test.owner.query(statement, [...values])).rowCount ?? 0;

/** Reads of the company's data. The calls that open one of the deleted records themselves are left out. */
const reads = CONTRACT_CALLS.filter(
  ({ method, access, name }) =>
    method === 'GET' && !['public', 'system-admin', 'signed-in'].includes(access) && !/^(staff|customers|suppliers|items)\.get$/.test(name),
);

describe('a record that others refer to', () => {
  beforeAll(async () => {
    test = await startTestApp();
  });

  beforeEach(async () => {
    firm = await createFirm(test);
    records = await createSampleRecords(test, firm);
    manager = await addStaffMember(test, firm.companyId, 'admin');
    authorId = (await firm.people.admin.client.staff.myDetails()).id;
  });

  it.each(KINDS)(
    'deleting one of the %s hides it from every call at once, and the queue then clears every reference to it',
    async (kind) => {
      const release = await lockLinkedRows();
      await remove(kind);
      const deletedIds = kind === 'suppliers' ? [getId(kind), records.itemId] : [getId(kind)];
      const asked = { ...records, customerId: randomUUID(), supplierId: randomUUID(), staffId: randomUUID(), categoryId: randomUUID() };
      for (const call of reads) {
        for (const input of [{}, await buildSampleInput(call, asked)]) {
          const { body } = await sendCall(test, call, { ...input }, manager.cookie);
          for (const id of deletedIds) expect({ call: call.name, shows: body.includes(id) }).toEqual({ call: call.name, shows: false });
        }
      }
      await expect(remove(kind)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await release();
      await waitForQueue(test);
      for (const table of [kind === 'staff' ? 'staff_members' : kind, ...LINKED_TABLES]) {
        const rows = await countRows(
          `select from ${table} t where company_id = $1 and t::text like '%' || $2 || '%'`,
          firm.companyId,
          getId(kind),
        );
        expect({ table, rows }).toEqual({ table, rows: 0 });
      }
    },
  );

  it('refuses to refer to a deleted record while other records still do', async () => {
    await lockLinkedRows();
    for (const kind of KINDS) await remove(kind);
    const { customers, jobs, quotes, tasks, items } = manager.client;
    const { id: customer_id } = await customers.create(buildCustomer());
    const staff_id = (await manager.client.staff.myDetails()).id;
    const refuse = (field: string) => ({
      code: 'INVALID_INPUT',
      data: { fields: { [field]: expect.stringContaining('no longer exists') } },
    });
    await expect(jobs.create(buildJob({ customer_id: records.customerId, staff_id }))).rejects.toMatchObject(refuse('customer_id'));
    await expect(jobs.create(buildJob({ customer_id, staff_id: authorId }))).rejects.toMatchObject(refuse('staff_id'));
    await expect(jobs.create(buildJob({ customer_id, staff_id, category_ids: [records.categoryId] }))).rejects.toMatchObject(
      refuse('category_ids'),
    );
    await expect(quotes.create(buildQuote({ customer_id: records.customerId }))).rejects.toMatchObject(refuse('customer_id'));
    await expect(tasks.create(buildTask({ staff_id: authorId }))).rejects.toMatchObject(refuse('staff_id'));
    await expect(items.create(buildItem({ supplier_id: records.supplierId }))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(items.get({ id: records.itemId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('lets the name of a deleted category and the email of a deleted person be used again at once', async () => {
    await lockLinkedRows();
    const { admin } = firm.people;
    await remove('categories');
    await remove('staff');
    await manager.client.categories.create({ id: randomUUID(), name: 'Bathrooms' });
    expect((await manager.client.staff.invite(buildMember({ email: admin.email }))).member).toMatchObject({ status: 'invited' });
    await signUp(test, admin.email);
  });

  it('ends everything that gave a removed person access', async () => {
    const { admin } = firm.people;
    await createSession(test, admin.userId);
    const { url } = await admin.client.calendar.openFeed();
    await lockLinkedRows();
    await remove('staff');
    expect((await test.request('GET', '/api/me', { cookie: admin.cookie })).statusCode).toBe(401);
    expect((await test.request('GET', new URL(url ?? '').pathname)).statusCode).toBe(404);
    for (const table of ['sessions', 'accounts', 'password_links', 'email_changes']) {
      expect(await countRows(`select from ${table} where user_id = $1`, admin.userId)).toBe(0);
    }
    expect(await countRows('select from users where id = $1', admin.userId)).toBe(0);
    expect(await countRows('select from job_views where company_id = $1', firm.companyId)).toBe(0);
  });

  it('keeps the names in documents, history, time and comments', async () => {
    const { items } = await firm.people.admin.client.jobs.get({ id: records.jobId });
    for (const kind of KINDS) await remove(kind);
    await waitForQueue(test);
    const { jobs, comments, invoices, timer } = manager.client;
    const job = await jobs.get({ id: records.jobId });
    expect(job).toMatchObject({ customer: null, customer_id: null, staff: null, staff_id: null, categories: [] });
    expect(job.items).toEqual(items.map((item) => ({ ...item, supplier_item_id: null })));
    expect(items.map(({ supplier_item_id }) => supplier_item_id)).toContain(records.itemId);
    expect((await comments.list({ job_id: records.jobId })).rows[0]?.author).toMatchObject({ staff_id: null, name: 'The admin' });
    expect((await comments.history({ id: records.jobId })).rows[0]).toMatchObject({
      who: 'The admin',
      action: 'edited',
      changes: { assigned_to: ['The admin', null] },
    });
    expect((await invoices.list({})).rows[0]).toMatchObject({ customer_id: null, customer_name: 'Ana Ruiz' });
    const entries = (await timer.sheet({ week: new Date().toISOString().slice(0, 10) })).entries;
    expect(entries.map(({ staff_id, staff_name }) => [staff_id, staff_name])).toContainEqual([null, 'The admin']);
  });

  it('unlinks every foreign key that refers to a deleted record', async () => {
    const { rows } = await test.owner.query<{ target: keyof typeof UNLINK_STATEMENTS; source: string; column: string }>(
      `select confrelid::regclass::text as target, conrelid::regclass::text as source, attname as column
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey) and a.attname <> 'company_id'
      where contype = 'f' and confrelid in ('customers'::regclass, 'categories'::regclass, 'suppliers'::regclass, 'staff_members'::regclass)`,
    );
    const missing = rows.filter(
      ({ target, source, column }) => !UNLINK_STATEMENTS[target].some((text) => text.includes(` ${source} `) && text.includes(column)),
    );
    // These end with the membership itself.
    expect(missing.map(({ source }) => source).toSorted()).toEqual(['invitations', 'invitations', 'job_views']);
  });
});

describe('a deletion with several batches', () => {
  const BATCH_SIZE = 2;
  let deletion: Parameters<typeof unlinkDeletedRecord>[1];
  let customer: string;

  /** Marks a customer with five jobs and stops the server before the queue starts on it, as a crash would. */
  beforeEach(async () => {
    test = await startTestApp();
    firm = await createFirm(test);
    const { client } = firm.people.admin;
    customer = (await client.customers.create(buildCustomer())).id;
    const staff_id = (await client.staff.myDetails()).id;
    for (let job = 0; job < 5; job += 1) await client.jobs.create(buildJob({ customer_id: customer, staff_id }));
    await waitForQueue(test);
    await test.app.close();
    deletion = { table: 'customers', company_id: firm.companyId, id: customer };
    await test.owner.query(`select set_config('app.company_id', $1, false), mark_deleted('customers', $2)`, [firm.companyId, customer]);
  });

  const countLinkedJobs = () => countRows('select from jobs where customer_id = $1', customer);
  const isGone = async () => (await countRows('select from customers where id = $1', customer)) === 0;
  const listQueued = async () => {
    const { rows } = await test.owner.query<{ task: string }>(
      'select task_identifier as task from graphile_worker.jobs where locked_at is null order by priority, run_at, id',
    );
    return rows.map(({ task }) => task).filter((task) => task !== 'release-jobs-of-dead-workers');
  };
  const restart = async () => {
    const restarted = await startTestApp({}, { database: test.database });
    await waitForQueue(restarted);
  };

  it('continues after a crash between two batches', async () => {
    await unlinkDeletedRecord(test.owner, deletion, BATCH_SIZE);
    expect([await countLinkedJobs(), await isGone()]).toEqual([3, false]);
    await restart();
    expect([await countLinkedJobs(), await isGone()]).toEqual([0, true]);
  });

  it('continues after the restore of a backup that was taken between two batches', async () => {
    await unlinkDeletedRecord(test.owner, deletion, BATCH_SIZE);
    const target = await createRestoreTarget();
    await runRestore((await runBackup(test)).archive, target);
    const restored = await startTestApp({}, { database: target.database });
    await waitForQueue(restored);
    const { rows } = await restored.owner.query(
      `select (select count(*)::int from customers) as customers, count(*)::int as jobs, count(customer_id)::int as linked from jobs`,
    );
    expect(rows).toEqual([{ customers: 0, jobs: 5, linked: 0 }]);
  });

  it('lets batches of other companies run between two of its own', async () => {
    await unlinkDeletedRecordTask.queue(test.owner, deletion);
    await test.owner.query(`select queue_work('reprice-jobs', '{}')`);
    expect(await listQueued()).toEqual(['unlink-deleted-record', 'reprice-jobs']);
    await test.owner.query(`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier = $1))`, [
      'unlink-deleted-record',
    ]);
    await unlinkDeletedRecord(test.owner, deletion, BATCH_SIZE);
    expect(await listQueued()).toEqual(['reprice-jobs', 'unlink-deleted-record']);
  });

  it('is resumed every hour if its task was lost', async () => {
    await resumeDeletions(test.owner);
    expect(await listQueued()).toEqual([]);
    await test.owner.query(`update customers set deleted_at = now() - interval '1 hour' where id = $1`, [customer]);
    await resumeDeletions(test.owner);
    expect(await listQueued()).toEqual(['unlink-deleted-record']);
    await restart();
    expect([await countLinkedJobs(), await isGone()]).toEqual([0, true]);
  });
});

describe('a batch of a deletion', () => {
  const BATCH_SIZE = 10;
  interface PlanNode {
    readonly 'Actual Rows': number;
    readonly 'Actual Loops': number;
    readonly 'Rows Removed by Filter'?: number;
    readonly Plans?: readonly PlanNode[];
  }
  const listNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(listNodes)];

  /** Runs every statement of a batch, as the queue does, and returns the largest number of rows that a step of its plan read. */
  async function readLargestStep(kind: keyof typeof UNLINK_STATEMENTS, id: string): Promise<number> {
    const plans: PlanNode[] = [];
    await withOwnerClient(test.database, async (owner) => {
      await owner.query('set enable_seqscan = off');
      for (const statement of UNLINK_STATEMENTS[kind]) {
        const explained = `explain (analyze, format json) ${statement}`;
        const { rows } = await owner.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained, [firm.companyId, id, BATCH_SIZE]);
        for (const { 'QUERY PLAN': plan } of rows) plans.push(...listNodes(plan[0].Plan));
      }
    });
    return Math.max(...plans.map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']));
  }

  it('reads as much as the one before it, even if a supplier has thousands of items and other suppliers have thousands of lines', async () => {
    test = await startTestApp();
    firm = await createFirm(test);
    const admin = firm.people.admin.client;
    const [{ id }, other] = [
      await admin.suppliers.create(buildSupplier()),
      await admin.suppliers.create(buildSupplier({ company_name: 'A' })),
    ];
    await test.owner.query(
      `insert into supplier_items (company_id, id, supplier_id, name, sku, name_key, sku_key, search_text, cost_price, fixed_price,
          selling_price, profit_margin, pricing_method, tax_inclusive, is_service)
        select $1, gen_random_uuid(), supplier, name || n, n, name || n, n, 'item', 1, 2, 2, 50, 'fixed', true, false
        from generate_series(1, 3000) n, (values ($2::uuid, 'item'), ($3, 'a')) items (supplier, name)`,
      [firm.companyId, id, other.id],
    );
    expect((await admin.suppliers.list({})).rows).toMatchObject([{ item_count: MAX_COUNT + 1 }, { item_count: MAX_COUNT + 1 }]);
    const job = await createFirmJob(test, firm);
    await test.owner.query(
      `insert into job_items (company_id, id, job_id, position, supplier_item_id, name, tax_inclusive, is_service, quantity, unit_price,
          total_price)
        select $1, gen_random_uuid(), $3, 1, item, 'Tap', true, false, 1, 2, 2 from (
          select id as item from supplier_items where supplier_id = $2 and sku::int > 2980
          union all select id from supplier_items where supplier_id = $4) lines`,
      [firm.companyId, id, job.id, other.id],
    );
    await test.owner.query('analyze');
    for (let batch = 0; batch < 5; batch += 1) expect(await readLargestStep('suppliers', id)).toBeLessThanOrEqual(3 * BATCH_SIZE);
  });
});

it('keeps the authors of records from before the migration when their login is deleted', async () => {
  const { database, drop } = await createDatabaseBefore('0058_background_deletion.sql');
  onTestFinished(drop);
  const [companyId, userId, customerId] = [randomUUID(), randomUUID(), randomUUID()];
  await withOwnerClient(database, async (owner) => {
    await owner.query(`insert into companies (company_id, company_name) values ($1, 'Firm')`, [companyId]);
    await owner.query(`insert into users (id, name, email) values ($1, 'Mia', 'mia@example.com')`, [userId]);
    await owner.query(
      `insert into customers (company_id, id, user_id, name, email, phone, address, name_key, search_text)
        values ($1, $2, $3, 'Ana', '', '', '', 'ana', 'ana')`,
      [companyId, customerId, userId],
    );
    await migrate(database);
    await owner.query('delete from users where id = $1', [userId]);
    const { rows } = await owner.query('select user_id, deleted_at from customers where id = $1', [customerId]);
    expect(rows).toEqual([{ user_id: userId, deleted_at: null }]);
    const { rows: references } = await owner.query<{ source: string }>(
      `select conrelid::regclass::text as source from pg_constraint where contype = 'f' and confrelid = 'users'::regclass order by 1`,
    );
    const OF_LOGINS = ['accounts', 'email_changes', 'invitations', 'password_links', 'sessions', 'staff_members'];
    expect(references.map(({ source }) => source)).toEqual(OF_LOGINS);
  });
});
