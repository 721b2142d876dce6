import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import sharp from 'sharp';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { backUp, makeTarget, readComparableRows, readKeptFiles, restore, type TakenBackup } from '../../test/backup.ts';
import { createDatabase, dropDatabase, withOwner } from '../../test/database.ts';
import { startAdministeredApp } from '../../test/factories/administrator.ts';
import { furnishFirm } from '../../test/factories/furnished-firm.ts';
import { newCustomer } from '../../test/factories/inputs.ts';
import { createFirm, type Firm, type Person } from '../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../test/mailbox.ts';
import { retryNow, waitForQueue } from '../../test/queue.ts';
import { pdf } from '../../test/sample-files.ts';
import type { TestApp } from '../../test/test-app.ts';
import { uploadTo } from '../../test/upload.ts';
import { migrate } from '../platform/db/migrate.ts';
import type { DatabaseConnection } from '../platform/db/pools.ts';

let test: TestApp;
let mailbox: Mailbox;
let administrator: Person;

beforeAll(async () => {
  mailbox = await startMailbox();
  ({ test, administrator } = await startAdministeredApp(mailbox.environment));
  return () => mailbox.stop();
});

/** Characters with a meaning in COPY, and some that encodings write differently. */
const NOTES = 'Tab\t, lines\r\nand\n, \\N, \\. and "ø" € 🚿';
const addCustomer = (firm: Firm) => firm.people.staff.client.customers.create(newCustomer({ notes: NOTES }));

const upload = (firm: Firm, size: number) => uploadTo(test, `/api/files/${randomUUID()}`, firm.people.staff.cookie, 'plan.pdf', pdf(size));

async function replaceLogo({ people }: Firm): Promise<void> {
  const logo = await sharp({ create: { width: 30, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  expect((await uploadTo(test, '/api/company/logo', people.admin.cookie, 'logo.png', logo)).statusCode).toBe(200);
}

/** Everything in the snapshot of the backup's connection, read through another one. */
async function readSnapshot(client: pg.Client) {
  const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
  return withOwner(test.database, async (other) => {
    await other.query(`begin isolation level repeatable read; set transaction snapshot '${rows[0]?.id}'`);
    const files = await other.query<{ key: string }>(`select company_id || '/' || id as key from files`);
    const kept = await readKeptFiles(dataDir());
    return {
      rows: await readComparableRows(other),
      files: Object.fromEntries(files.rows.flatMap(({ key }) => (key in kept ? [[key, kept[key]]] : []))),
    };
  });
}

const dataDir = () => test.app.platform.config.dataDir;

describe('a backup taken while people work', () => {
  it('captures a single moment: restored elsewhere, every row and file is as it was then', async () => {
    const firm = await createFirm(test, 'Busy Plumbing');
    await furnishFirm(test, mailbox, 'Furnished Plumbing');
    await replaceLogo(firm);
    for (const size of [0, 1, 511, 512, 513, 70_000]) await upload(firm, 100 + size);
    // A waiting mail is the one row that a restore changes: restored-mails.test.ts.
    await withOwner(test.database, async (client) => {
      await client.query(`delete from graphile_worker._private_jobs where key like 'send-mail %'`);
      await client.query(`update outbox_mails set status = 'failed' where status = 'waiting'`);
    });
    // Rows larger than the archive's chunks.
    await withOwner(test.database, (client) =>
      client.query(
        `insert into outbox_mails (id, recipient, subject, text_body, html_body, status)
          select gen_random_uuid(), 'a@example.com', 'Long', '', repeat(md5(n::text), 100000), 'sent' from generate_series(1, 4) n`,
      ),
    );
    const done = new AbortController();
    const work = [addCustomer, addCustomer, (busy: Firm) => upload(busy, 5_000)].map(async (step) => {
      while (!done.signal.aborted) await step(firm);
    });
    let then: Awaited<ReturnType<typeof readSnapshot>> = { rows: {}, files: {} };
    const taken = await backUp(test, {
      onSnapshot: async (client) => {
        then = await readSnapshot(client);
        await replaceLogo(firm);
      },
      onLine: () => Promise.all([addCustomer(firm), upload(firm, 1_000)]),
    });
    done.abort();
    await Promise.all(work);
    const target = await makeTarget();
    await restore(taken.archive, target);

    expect(await withOwner(target.database, readComparableRows)).toEqual(then.rows);
    expect(await readKeptFiles(target.dataDir)).toEqual(then.files);
    expect(Object.keys(then.files).length).toBeGreaterThan(6);
    // Without concurrent changes this test would prove nothing.
    const now = await withOwner(test.database, readComparableRows);
    expect(now['public.customers']?.length).toBeGreaterThan(then.rows['public.customers']?.length ?? 0);
    for (const [table, rows] of Object.entries(then.rows).filter(([name]) => !/crontab|job_queues|verifications/.test(name))) {
      expect({ table, empty: rows.length === 0 }).toEqual({ table, empty: false });
    }
  });

  it.each([
    ['a logo', (firm: Firm) => firm.people.admin.client.company.removeLogo()],
    ['a company', (firm: Firm) => administrator.client.admin.removeCompany({ id: firm.companyId, confirmation: 'Tidy' })],
  ])('still contains %s deleted during the backup, whose bytes are removed only afterwards', async (_, remove) => {
    const firm = await createFirm(test, 'Tidy');
    await replaceLogo(firm);
    const ofFirm = async (folder: string) => Object.entries(await readKeptFiles(folder)).filter(([key]) => key.startsWith(firm.companyId));
    const [logo] = await ofFirm(dataDir());
    const { archive } = await backUp(test, {
      onSnapshot: async () => {
        await remove(firm);
        await waitForQueue(test);
        expect(await ofFirm(dataDir())).toEqual([logo]);
      },
    });
    const target = await makeTarget();
    await restore(archive, target);
    expect(await ofFirm(target.dataDir)).toEqual([logo]);

    // Postponed, not failed, and done once its delay is over.
    const { rows } = await test.owner.query(
      `select attempts, last_error, run_at > now() as later from graphile_worker._private_jobs where payload::text like $1`,
      [`%${firm.companyId}%`],
    );
    expect(rows).toEqual([{ attempts: 0, last_error: null, later: true }]);
    await retryNow(test);
    await waitForQueue(test);
    expect(await ofFirm(dataDir())).toEqual([]);
  });

  it('is readable by its owner only', async () => {
    const { archive, said } = await backUp(test);
    expect((await stat(archive)).mode & 0o777).toBe(0o600);
    expect(said[0]).toMatch(/^Backed up [\d,]+ rows and [\d,]+ files to .*backup\.tar\.gz \(\d+\.\d [KM]B\)\./);
  });

  it('refuses a database without Callout and writes nothing', async () => {
    const { database, dataDir: folder } = await makeTarget();
    await expect(backUp({ database, app: test.app }, {}, join(folder, 'backup.tar.gz'))).rejects.toThrow(
      'The database holds no tables of Callout.',
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('makes a second backup wait', async () => {
    let second: Promise<TakenBackup> | undefined;
    const waits = () =>
      new Promise<void>((resolve) => {
        second = backUp(test, { onLine: async () => resolve() });
      });
    await backUp(test, { onSnapshot: waits });
    expect((await second)?.said[1]).toBe('Waiting for another backup to end');
  });

  it('warns about files that have a row but no bytes, and continues', async () => {
    const firm = await createFirm(test, 'Careless Plumbing');
    const answer = await upload(firm, 300);
    const key = `${firm.companyId}/${answer.json<{ id: string }>().id}`;
    await test.app.platform.files.remove(key);
    const { archive, said } = await backUp(test);
    expect(said).toContain(`Warning: file ${key} has no bytes`);
    expect(said[0]).toMatch(/files? had no bytes: see the warnings above\.$/);
    const target = await makeTarget();
    expect(await restore(archive, target)).toMatch(/files? had no bytes when the backup was taken\.$/);
    expect(Object.keys(await readKeptFiles(target.dataDir))).not.toContain(key);
  });
});

it('an owner who is not a superuser backs up and restores every row despite row-level security', async () => {
  await createFirm(test, 'Managed Plumbing');
  const postgres = inject('postgres');
  const owner = `owner_${randomUUID().slice(0, 8)}`;
  const asOwner = async () => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    const database = await createDatabase(postgres, name);
    await withOwner(postgres, (client) => client.query(`alter database ${name} owner to ${owner}`));
    onTestFinished(() => dropDatabase(postgres, name));
    return { ...database, user: owner, password: 'rent' };
  };
  await withOwner(postgres, async (client) => {
    await client.query(`create role ${owner} login password 'rent' createrole nosuperuser`);
    await client.query(`grant callout_app, callout_system, callout_queue to ${owner} with admin option`);
  });
  const [from, to] = [await asOwner(), await asOwner()];
  await migrate(from);
  const source = await insertRows(from);
  const { archive } = await backUp({ database: from, app: test.app });
  const target = { ...(await makeTarget()), database: to };
  await restore(archive, target);

  const asSuperuser = (database: typeof from) => withOwner({ ...postgres, database: database.database ?? '' }, readComparableRows);
  expect(await asSuperuser(to)).toEqual(source);
  expect(source['public.customers']?.length).toBe(2);
  const readGuards = (database: typeof from) =>
    withOwner(database, async (client) => {
      const { rows } = await client.query<{ guard: string }>(
        `select concat_ws(' ', oid::regclass, relrowsecurity, relforcerowsecurity) as guard from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
          union all select concat_ws(' ', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid)) from pg_constraint where contype = 'f'
          union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal order by 1`,
      );
      return rows.map(({ guard }) => guard);
    });
  // The restrictions lifted for copying are back in place.
  expect(await readGuards(to)).toEqual(await readGuards(from));
  expect(await readGuards(to)).toContain('customers t t');
});

async function insertRows(database: DatabaseConnection) {
  await withOwner(database, async (client) => {
    await client.query('set role callout_system');
    await client.query(
      `insert into companies (company_id, company_name) select gen_random_uuid(), name from (values ('One'), ('Two')) c (name)`,
    );
    await client.query(
      `insert into customers (company_id, id, name, email, phone, address, name_key, search_text)
        select company_id, gen_random_uuid(), company_name, '', '', '', '', '' from companies`,
    );
    await client.query(`select queue_work('send-mail', '{}')`);
  });
  return withOwner({ ...inject('postgres'), database: database.database ?? '' }, readComparableRows);
}
