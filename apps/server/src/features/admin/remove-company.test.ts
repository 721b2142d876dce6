import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestEmail, signIn } from '../../../test/accounts.ts';
import { waitUntilBlocked } from '../../../test/database.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { markEmailClaimed, startAppWithAdministrator } from '../../../test/factories/administrator.ts';
import { buildCustomer, buildMember } from '../../../test/factories/inputs.ts';
import { addStaffMember, createFirm, createPerson, type Person } from '../../../test/factories/people.ts';
import { createPopulatedFirm, type PopulatedFirm } from '../../../test/factories/populated-firm.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { readAllFiles, readAllRows, readPersistentRows } from '../../../test/stored-data.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let mailbox: Mailbox;
let administrator: Person;

beforeAll(async () => {
  mailbox = await startMailbox();
  ({ test, administrator } = await startAppWithAdministrator(mailbox.environment));
  return () => mailbox.stop();
});

const removeCompany = (id: string, confirmation: string) => administrator.client.admin.removeCompany({ id, confirmation });

/** Matches the queue's own tables: it never deletes a task's name, and its schedule changes every minute. */
const QUEUE_TABLES = /^graphile_worker\._private_(known_crontabs|tasks)$/;

/** Matches tables that never contain a company's data. */
const SHARED_TABLES =
  /^(graphile_worker\.(_private_job_queues|_private_known_crontabs|_private_tasks|migrations)|public\.(migrations|staff_colors|verifications))$/;

async function readOtherRows(names: readonly string[]): Promise<Record<string, string[]>> {
  const tables = Object.entries(await readAllRows(test)).filter(([table]) => !QUEUE_TABLES.test(table));
  const isBeside = (row: string) => !names.some((name) => row.toLowerCase().includes(name));
  return Object.fromEntries(tables.map(([table, rows]) => [table, rows.filter(isBeside)]));
}

const readOtherFiles = async (name: string) =>
  Object.fromEntries(Object.entries(await readAllFiles(test)).filter(([path]) => !path.includes(name)));

describe('deleting one of two companies', () => {
  let deletedFirm: PopulatedFirm;
  let before: Record<string, string[]>;
  let rowsOfOthers: Record<string, string[]>;
  let filesOfOthers: Record<string, string>;

  beforeAll(async () => {
    deletedFirm = await createPopulatedFirm(test, mailbox, 'Gone Plumbing');
    await createPopulatedFirm(test, mailbox, 'Staying Plumbing');
    before = await readAllRows(test);
    rowsOfOthers = await readOtherRows(deletedFirm.traces);
    filesOfOthers = await readOtherFiles(deletedFirm.firm.companyId);
  });

  it('starts with two companies that have rows in every table and files on disk', async () => {
    for (const [table, rows] of Object.entries(before).filter(([name]) => !SHARED_TABLES.test(name))) {
      const deletedRows = rows.filter((row) => deletedFirm.traces.some((trace) => row.toLowerCase().includes(trace)));
      expect({ table, both: deletedRows.length > 0 && deletedRows.length < rows.length }).toEqual({ table, both: true });
    }
    const onDisk = Object.entries(await readAllFiles(test));
    const files = onDisk.filter(([path, bytes]) => path.includes('kept') && bytes !== 'a folder').map(([path]) => path);
    expect(files).toHaveLength(12);
    expect(files.filter((path) => path.includes(deletedFirm.firm.companyId))).toHaveLength(6);
  });

  it('signs out its members’ open browser tabs', async () => {
    const page = await openEventStream(test, deletedFirm.owner.cookie);
    await removeCompany(deletedFirm.firm.companyId, ' Gone Plumbing ');
    expect(await page.next()).toEqual({ event: 'signed-out', data: {} });
    await waitForQueue(test);
  });

  it('leaves none of its rows in any table of any schema', async () => {
    const after = await readAllRows(test);
    const left = Object.entries(after).flatMap(([table, rows]) =>
      rows.filter((row) => deletedFirm.traces.some((trace) => row.toLowerCase().includes(trace))).map((row) => `${table}: ${row}`),
    );
    expect(left).toEqual([]);
  });

  it('leaves none of its files on disk, not even an empty folder', async () => {
    expect(Object.keys(await readAllFiles(test)).filter((path) => path.includes(deletedFirm.firm.companyId))).toEqual([]);
  });

  it('leaves the other company’s rows and files unchanged', async () => {
    expect(await readOtherRows(deletedFirm.traces)).toEqual(rowsOfOthers);
    expect(await readAllFiles(test)).toEqual(filesOfOthers);
  });

  it('ends its members’ sessions, and they can no longer sign in', async () => {
    for (const { client } of Object.values(deletedFirm.firm.people))
      await expect(client.company.me()).rejects.toMatchObject({ status: 401 });
    await expect(signIn(test, deletedFirm.owner.email, deletedFirm.owner.password)).rejects.toThrow('401');
  });

  it('frees its members’ email addresses for new accounts', async () => {
    const { email } = deletedFirm.owner;
    await test.client().auth.signUp({ email, password: 'secret-9' });
    const { profile } = await test.client(await signIn(test, email, 'secret-9')).company.me();
    expect(profile).toBeNull();
  });
});

describe('an invalid company deletion', () => {
  it('is rejected and changes nothing if the typed name is wrong', async () => {
    const { companyId } = await createFirm(test, 'Kept Plumbing');
    const before = await readPersistentRows(test);
    await expect(removeCompany(companyId, 'kept plumbing')).rejects.toMatchObject({ code: 'NOT_CONFIRMED', status: 409 });
    expect(await readPersistentRows(test)).toEqual(before);
  });

  it('returns not found if the company does not exist', async () => {
    await expect(removeCompany(randomUUID(), 'Anything')).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });

  it('is rejected if the system administrator works for the company, even if its id is sent in upper case', async () => {
    const other = await startAppWithAdministrator();
    const { companyId } = await createFirm(other.test, 'Own Plumbing');
    await other.test.app.platform.pools.system.query(
      `insert into staff_members (company_id, id, profile_id, name, email, role) values ($1, gen_random_uuid(), $2, 'Me', $3, 'admin')`,
      [companyId, other.administrator.userId, other.administrator.email],
    );
    for (const id of [companyId, companyId.toUpperCase()]) {
      const attempt = other.administrator.client.admin.removeCompany({ id, confirmation: 'Own Plumbing' });
      await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN', message: "You can't delete the company you work for" });
    }
  });
});

describe('deleting a company', () => {
  it('keeps the account and emails of a person who was only invited', async () => {
    const { companyId, people } = await createFirm(test, 'Inviting Plumbing');
    const invited = await createPerson(test);
    await people.admin.client.staff.invite(buildMember({ email: invited.email }));
    await test.client().auth.requestPasswordReset({ email: invited.email });
    await waitForQueue(test);
    await removeCompany(companyId, 'Inviting Plumbing');
    expect((await invited.client.company.me()).user.email).toBe(invited.email);
    const { rows } = await administrator.client.admin.mails({});
    expect(rows.filter((mail) => mail.recipient === invited.email).map((mail) => mail.subject)).toEqual(['Reset your Callout password']);
  });

  it('is confirmed with the founder’s email address if the company has no name', async () => {
    const starter = await createPerson(test);
    await starter.client.company.start();
    const { rows } = await administrator.client.admin.companies({});
    const company = rows.find(({ label }) => label === starter.email);
    await removeCompany(company?.id ?? '', starter.email);
    await expect(starter.client.company.me()).rejects.toMatchObject({ status: 401 });
  });
});

it('deletes a company only once despite concurrent requests', async () => {
  const { companyId } = await createFirm(test, 'Twice Plumbing');
  await addStaffMember(test, companyId, 'staff');
  const outcomes = await Promise.allSettled([removeCompany(companyId, 'Twice Plumbing'), removeCompany(companyId, 'Twice Plumbing')]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

it('has no deadline, unlike other calls', async () => {
  const email = buildTestEmail();
  const hurried = await startTestApp({ ADMIN_EMAIL: email }, { requestLimits: { callDeadlineMs: 0 } });
  const hurriedAdministrator = await createPerson(hurried, email);
  await markEmailClaimed(hurried, hurriedAdministrator);
  const { companyId, people } = await createFirm(hurried, 'Large Plumbing');
  await expect(people.admin.client.customers.create(buildCustomer())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await hurriedAdministrator.client.admin.removeCompany({ id: companyId, confirmation: 'Large Plumbing' })).toEqual({});
});

it('rolls back the whole deletion of a company if its last step fails', async () => {
  const { companyId } = await createFirm(test, 'Whole Plumbing');
  const { owner } = test;
  const before = await readPersistentRows(test);
  await owner.query('revoke execute on function queue_work from callout_system');
  await expect(removeCompany(companyId, 'Whole Plumbing')).rejects.toMatchObject({ status: 500 });
  await owner.query('grant execute on function queue_work to callout_system');
  expect(await readPersistentRows(test)).toEqual(before);
});

it('waits until an email has been sent before deleting its company', async () => {
  const { companyId, people } = await createFirm(test, 'Mailing Plumbing');
  const [sending, deleting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const invited = buildMember();
  mailbox.beforeAccept(() => {
    sending.resolve();
    return deleting.promise;
  });
  await people.admin.client.staff.invite(invited);
  await sending.promise;
  const removed = removeCompany(companyId, 'Mailing Plumbing');
  await waitUntilBlocked(test.database);
  deleting.resolve();
  await removed;
  expect(mailbox.listMailsTo(invited.email)).toHaveLength(1);
  await waitForQueue(test);
  expect(JSON.stringify(await readAllRows(test))).not.toContain(companyId);
});
