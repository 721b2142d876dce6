import { randomUUID } from 'node:crypto';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import sharp from 'sharp';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import {
  type BackupResult,
  createRestoreTarget,
  createTempFolder,
  readStableRows,
  readStoredFiles,
  runBackup,
  runRestore,
} from '../../test/backup.ts';
import { createDatabase, dropDatabase, withOwnerClient } from '../../test/database.ts';
import { startAppWithAdministrator } from '../../test/factories/administrator.ts';
import { buildCustomer, buildQuote } from '../../test/factories/inputs.ts';
import { createFirm, type Firm, type Person } from '../../test/factories/people.ts';
import { createPopulatedFirm } from '../../test/factories/populated-firm.ts';
import { type Mailbox, startMailbox } from '../../test/mailbox.ts';
import { retryFailedWorkNow, waitForQueue } from '../../test/queue.ts';
import { buildPdf } from '../../test/sample-files.ts';
import type { TestApp } from '../../test/test-app.ts';
import { uploadFile } from '../../test/upload.ts';
import { migrate } from '../platform/db/migrate.ts';
import type { DatabaseConnection } from '../platform/db/pools.ts';
import { BackupError } from './backup-messages.ts';

let test: TestApp;
let mailbox: Mailbox;
let administrator: Person;

beforeAll(async () => {
  mailbox = await startMailbox();
  ({ test, administrator } = await startAppWithAdministrator(mailbox.environment));
  return () => mailbox.stop();
});

/** Characters that have a special meaning in COPY, and some that differ between encodings. */
const TRICKY_NOTES = 'Tab\t, lines\r\nand\n, \\N, \\. and "ø" € 🚿';
const createCustomer = (firm: Firm) => firm.people.staff.client.customers.create(buildCustomer({ notes: TRICKY_NOTES }));

const uploadPdf = (firm: Firm, size: number) =>
  uploadFile(test, `/api/files/${randomUUID()}`, firm.people.staff.cookie, 'plan.pdf', buildPdf(size));

async function replaceLogo({ people }: Firm): Promise<void> {
  const logo = await sharp({ create: { width: 30, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  expect((await uploadFile(test, '/api/company/logo', people.admin.cookie, 'logo.png', logo)).statusCode).toBe(200);
}

/** Reads the rows and files in the backup's snapshot through another connection. */
async function readSnapshot(client: pg.Client) {
  const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
  return withOwnerClient(test.database, async (other) => {
    await other.query(`begin isolation level repeatable read; set transaction snapshot '${rows[0]?.id}'`);
    const files = await other.query<{ key: string }>(`select company_id || '/' || id as key from files`);
    const stored = await readStoredFiles(dataDir());
    return {
      rows: await readStableRows(other),
      files: Object.fromEntries(files.rows.map(({ key }) => [key, stored[key]])),
    };
  });
}

const dataDir = () => test.app.platform.config.dataDir;

describe('a backup taken while people work', () => {
  it('is a consistent snapshot, so a restore has exactly the rows and files of that instant', async () => {
    const firm = await createFirm(test, 'Busy Plumbing');
    await createPopulatedFirm(test, mailbox, 'Furnished Plumbing');
    await replaceLogo(firm);
    for (const size of [0, 1, 511, 512, 513, 70_000]) await uploadPdf(firm, 100 + size);
    // A restore changes waiting emails, which restored-mails.test.ts covers. Leave none waiting, so that all rows can be compared.
    await withOwnerClient(test.database, async (client) => {
      await client.query(`delete from graphile_worker._private_jobs where key like 'send-mail %'`);
      await client.query(`update outbox_mails set status = 'failed' where status = 'waiting'`);
    });
    // Insert rows that are together larger than one archive chunk.
    await withOwnerClient(test.database, (client) =>
      client.query(
        `insert into outbox_mails (id, recipient, subject, text_body, html_body, status)
          select gen_random_uuid(), 'a@example.com', 'Long', '', repeat(md5(n::text), 100000), 'sent' from generate_series(1, 4) n`,
      ),
    );
    const done = new AbortController();
    const work = [createCustomer, createCustomer, (busy: Firm) => uploadPdf(busy, 5_000)].map(async (step) => {
      while (!done.signal.aborted) await step(firm);
    });
    let snapshot: Awaited<ReturnType<typeof readSnapshot>> = { rows: {}, files: {} };
    const taken = await runBackup(test, {
      onSnapshot: async (client) => {
        snapshot = await readSnapshot(client);
        await replaceLogo(firm);
      },
      onProgress: () => Promise.all([createCustomer(firm), uploadPdf(firm, 1_000)]),
    });
    done.abort();
    await Promise.all(work);
    const target = await createRestoreTarget();
    await runRestore(taken.archive, target);

    expect(await withOwnerClient(target.database, readStableRows)).toEqual(snapshot.rows);
    expect(await readStoredFiles(target.dataDir)).toEqual(snapshot.files);
    expect(Object.keys(snapshot.files).length).toBeGreaterThan(6);
    // The test proves nothing unless rows changed during the backup.
    const now = await withOwnerClient(test.database, readStableRows);
    expect(now['public.customers']?.length).toBeGreaterThan(snapshot.rows['public.customers']?.length ?? 0);
    for (const [table, rows] of Object.entries(snapshot.rows).filter(([name]) => !/crontab|job_queues|verifications/.test(name))) {
      expect({ table, empty: rows.length === 0 }).toEqual({ table, empty: false });
    }
  });

  it.each([
    ['a logo', (firm: Firm) => firm.people.admin.client.company.removeLogo()],
    ['a company', (firm: Firm) => administrator.client.admin.removeCompany({ id: firm.companyId, confirmation: 'Tidy' })],
  ])('still contains the files of %s deleted during the backup', async (_, remove) => {
    const firm = await createFirm(test, 'Tidy');
    await replaceLogo(firm);
    const readFirmFiles = async (folder: string) =>
      Object.entries(await readStoredFiles(folder)).filter(([key]) => key.startsWith(firm.companyId));
    const [logo] = await readFirmFiles(dataDir());
    const { archive } = await runBackup(test, {
      onSnapshot: async () => {
        await remove(firm);
        await waitForQueue(test);
        expect(await readFirmFiles(dataDir())).toEqual([logo]);
      },
    });
    const target = await createRestoreTarget();
    await runRestore(archive, target);
    expect(await readFirmFiles(target.dataDir)).toEqual([logo]);

    // The job that removes the files was postponed without an error and will run later.
    const { rows } = await test.owner.query(
      `select attempts, last_error, run_at > now() as later from graphile_worker._private_jobs where payload::text like $1`,
      [`%${firm.companyId}%`],
    );
    expect(rows).toEqual([{ attempts: 0, last_error: null, later: true }]);
    await retryFailedWorkNow(test);
    await waitForQueue(test);
    expect(await readFirmFiles(dataDir())).toEqual([]);
  });

  it('creates an archive that only its owner can read', async () => {
    const { archive, messages } = await runBackup(test);
    expect((await stat(archive)).mode & 0o777).toBe(0o600);
    expect(messages[0]).toMatch(/^Backed up [\d,]+ rows and [\d,]+ files to .*backup\.tar\.gz \(\d+\.\d [KM]B\)\./);
  });

  it('rejects a database without Callout data and writes nothing', async () => {
    const { database, dataDir: folder } = await createRestoreTarget();
    await expect(runBackup({ database, app: test.app }, {}, join(folder, 'backup.tar.gz'))).rejects.toThrow(
      'The database contains no Callout data. Check DATABASE_URL and DATA_DIR.',
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('makes a second backup wait until the first has finished', async () => {
    let second: Promise<BackupResult> | undefined;
    const startSecondBackup = () =>
      new Promise<void>((resolve) => {
        second = runBackup(test, { onProgress: async () => resolve() });
      });
    await runBackup(test, { onSnapshot: startSecondBackup });
    expect((await second)?.messages[1]).toBe('Waiting for another backup to finish');
  });

  it('fails if bytes are missing or damaged, names the records, and keeps the rest under another name', async () => {
    const firm = await createFirm(test, 'Careless Plumbing');
    const upload = async () => (await uploadPdf(firm, 300)).json<{ id: string }>().id;
    const [missing, damaged, unattached] = [await upload(), await upload(), await upload()];
    const { id: customer_id } = await createCustomer(firm);
    const quote = await firm.people.admin.client.quotes.create(buildQuote({ customer_id, attachment_ids: [missing, damaged] }));
    const missingKey = `${firm.companyId}/${missing}`;
    await test.app.platform.files.remove([missingKey, `${firm.companyId}/${unattached}`]);
    await writeFile(join(dataDir(), 'files', 'kept', firm.companyId, damaged), 'half');
    const target = join(await createTempFolder(), 'backup.tar.gz');
    const lost = `"plan.pdf" of quote ${quote.quote_number} (Careless Plumbing)`;
    const failure = await runBackup(test, {}, target).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(BackupError);
    const { message } = failure as BackupError;
    expect(message).toMatch(
      /^The backup is incomplete: 2 files are missing or damaged: .*\. Put these files back, or delete them in Callout, and back up again\. Saved [\d,]+ rows and [\d,]+ files to \S+-incomplete\.tar\.gz \(\d+\.\d [KM]B\)\.$/,
    );
    expect(message).toContain(`${lost}, ${lost}. `);
    expect(await readdir(dirname(target))).toEqual(['backup-incomplete.tar.gz']);

    const restored = await createRestoreTarget();
    const incomplete = join(dirname(target), 'backup-incomplete.tar.gz');
    expect(await runRestore(incomplete, restored)).toContain('Already missing when the backup was taken: 2 files.');
    expect(Object.keys(await readStoredFiles(restored.dataDir))).not.toContain(missingKey);
    await test.owner.query('delete from files where company_id = $1', [firm.companyId]);
  });
});

it('backs up and restores every row for an owner who is not a superuser, despite row-level security', async () => {
  await createFirm(test, 'Managed Plumbing');
  const postgres = inject('postgres');
  const owner = `owner_${randomUUID().slice(0, 8)}`;
  const createOwnedDatabase = async () => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    const database = await createDatabase(postgres, name);
    await withOwnerClient(postgres, (client) => client.query(`alter database ${name} owner to ${owner}`));
    onTestFinished(() => dropDatabase(postgres, name));
    return { ...database, user: owner, password: 'rent' };
  };
  await withOwnerClient(postgres, async (client) => {
    await client.query(`create role ${owner} login password 'rent' createrole nosuperuser`);
    await client.query(`grant callout_app, callout_system, callout_queue to ${owner} with admin option`);
  });
  const [from, to] = [await createOwnedDatabase(), await createOwnedDatabase()];
  await migrate(from);
  const source = await insertRows(from);
  const { archive } = await runBackup({ database: from, app: test.app });
  const target = { ...(await createRestoreTarget()), database: to };
  await runRestore(archive, target);

  const asSuperuser = (database: typeof from) => withOwnerClient({ ...postgres, database: database.database ?? '' }, readStableRows);
  expect(await asSuperuser(to)).toEqual(source);
  expect(source['public.customers']?.length).toBe(2);
  const readGuards = (database: typeof from) =>
    withOwnerClient(database, async (client) => {
      const { rows } = await client.query<{ guard: string }>(
        `select concat_ws(' ', oid::regclass, relrowsecurity, relforcerowsecurity) as guard from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
          union all select concat_ws(' ', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid)) from pg_constraint where contype = 'f'
          union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal order by 1`,
      );
      return rows.map(({ guard }) => guard);
    });
  // Every check that was disabled for copying must be enabled again.
  expect(await readGuards(to)).toEqual(await readGuards(from));
  expect(await readGuards(to)).toContain('customers t t');
});

async function insertRows(database: DatabaseConnection) {
  await withOwnerClient(database, async (client) => {
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
  return withOwnerClient({ ...inject('postgres'), database: database.database ?? '' }, readStableRows);
}
