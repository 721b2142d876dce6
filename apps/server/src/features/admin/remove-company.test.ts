import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../../../test/accounts.ts';
import { waitUntilBlocked } from '../../../test/database.ts';
import { openStream } from '../../../test/event-stream.ts';
import { everyFile, everyRow } from '../../../test/every-row.ts';
import { startAdministeredApp } from '../../../test/factories/administrator.ts';
import { type FurnishedFirm, furnishFirm } from '../../../test/factories/furnished-firm.ts';
import { newMember } from '../../../test/factories/inputs.ts';
import { createFirm, createPerson, hire, type Person } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { waitForQueue } from '../../../test/queue.ts';
import type { TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let mailbox: Mailbox;
let administrator: Person;

beforeAll(async () => {
  mailbox = await startMailbox();
  ({ test, administrator } = await startAdministeredApp(mailbox.environment));
  return () => mailbox.stop();
});

const remove = (id: string, confirmation: string) => administrator.client.admin.removeCompany({ id, confirmation });

/** The queue keeps the names of all tasks it has ever seen. */
const NAMES_OF_WORK = 'graphile_worker._private_tasks';

/** Tables where a company leaves nothing. */
const NOBODYS =
  /^(graphile_worker\.(_private_job_queues|_private_known_crontabs|_private_tasks|migrations)|public\.(migrations|staff_colors|verifications))$/;

async function rowsBeside(names: readonly string[]): Promise<Record<string, string[]>> {
  const { [NAMES_OF_WORK]: _, ...tables } = await everyRow(test);
  const isBeside = (row: string) => !names.some((name) => row.toLowerCase().includes(name));
  return Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.filter(isBeside)]));
}

const filesBeside = async (name: string) =>
  Object.fromEntries(Object.entries(await everyFile(test)).filter(([path]) => !path.includes(name)));

describe('deleting one of two companies', () => {
  let gone: FurnishedFirm;
  let before: Record<string, string[]>;
  let rowsOfOthers: Record<string, string[]>;
  let filesOfOthers: Record<string, string>;

  beforeAll(async () => {
    gone = await furnishFirm(test, mailbox, 'Gone Plumbing');
    await furnishFirm(test, mailbox, 'Staying Plumbing');
    before = await everyRow(test);
    rowsOfOthers = await rowsBeside(gone.traces);
    filesOfOthers = await filesBeside(gone.firm.companyId);
  });

  it('starts with two companies that have rows in every table and files on disk', async () => {
    for (const [table, rows] of Object.entries(before).filter(([name]) => !NOBODYS.test(name))) {
      const ofGone = rows.filter((row) => gone.traces.some((trace) => row.toLowerCase().includes(trace)));
      expect({ table, both: ofGone.length > 0 && ofGone.length < rows.length }).toEqual({ table, both: true });
    }
    const onDisk = Object.entries(await everyFile(test));
    const files = onDisk.filter(([path, bytes]) => path.includes('kept') && bytes !== 'a folder').map(([path]) => path);
    expect(files).toHaveLength(10);
    expect(files.filter((path) => path.includes(gone.firm.companyId))).toHaveLength(5);
  });

  it('signs out the open pages of its people', async () => {
    const page = await openStream(test, gone.owner.cookie);
    await remove(gone.firm.companyId, ' Gone Plumbing ');
    expect(await page.next()).toEqual({ event: 'signed-out', data: {} });
    await waitForQueue(test);
  });

  it('leaves none of its rows in any table of any schema', async () => {
    const after = await everyRow(test);
    const left = Object.entries(after).flatMap(([table, rows]) =>
      rows.filter((row) => gone.traces.some((trace) => row.toLowerCase().includes(trace))).map((row) => `${table}: ${row}`),
    );
    expect(left).toEqual([]);
  });

  it('leaves none of its files on disk, not even an empty folder', async () => {
    expect(Object.keys(await everyFile(test)).filter((path) => path.includes(gone.firm.companyId))).toEqual([]);
  });

  it('leaves every row and byte of the other company', async () => {
    expect(await rowsBeside(gone.traces)).toEqual(rowsOfOthers);
    expect(await everyFile(test)).toEqual(filesOfOthers);
  });

  it('ends every session of its people, and none of them can sign in', async () => {
    for (const { client } of Object.values(gone.firm.people)) await expect(client.company.me()).rejects.toMatchObject({ status: 401 });
    await expect(signIn(test, gone.owner.email, gone.owner.password)).rejects.toThrow('401');
  });

  it('frees their emails for new accounts', async () => {
    const { email } = gone.owner;
    await test.client().auth.signUp({ email, password: 'secret-9' });
    const { profile } = await test.client(await signIn(test, email, 'secret-9')).company.me();
    expect(profile).toBeNull();
  });
});

describe('a deletion is refused', () => {
  it('when the typed name is wrong, and nothing changes', async () => {
    const { companyId } = await createFirm(test, 'Kept Plumbing');
    const before = await everyRow(test);
    await expect(remove(companyId, 'kept plumbing')).rejects.toMatchObject({ code: 'NOT_CONFIRMED', status: 409 });
    expect(await everyRow(test)).toEqual(before);
  });

  it('when the company does not exist', async () => {
    await expect(remove(randomUUID(), 'Anything')).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });

  it('when the administrator works for it, however its id is written', async () => {
    const own = await startAdministeredApp();
    const { companyId } = await createFirm(own.test, 'Own Plumbing');
    await own.test.app.platform.pools.system.query(
      `insert into staff_members (company_id, id, profile_id, name, email, role) values ($1, gen_random_uuid(), $2, 'Me', $3, 'admin')`,
      [companyId, own.administrator.userId, own.administrator.email],
    );
    for (const id of [companyId, companyId.toUpperCase()]) {
      const refused = own.administrator.client.admin.removeCompany({ id, confirmation: 'Own Plumbing' });
      await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN', message: 'You cannot delete the company you work for' });
    }
  });
});

describe('a person', () => {
  it('who was only invited keeps their account elsewhere and its mails', async () => {
    const { companyId, people } = await createFirm(test, 'Inviting Plumbing');
    const invited = await createPerson(test);
    await people.admin.client.staff.invite(newMember({ email: invited.email }));
    await test.client().auth.requestPasswordReset({ email: invited.email });
    await waitForQueue(test);
    await remove(companyId, 'Inviting Plumbing');
    expect((await invited.client.company.me()).user.email).toBe(invited.email);
    const { rows } = await administrator.client.admin.mails({});
    expect(rows.filter((mail) => mail.recipient === invited.email).map((mail) => mail.subject)).toEqual(['Set a new password for Callout']);
  });

  it('without a company name is removed by typing the email the company was started with', async () => {
    const starter = await createPerson(test);
    await starter.client.company.start();
    const { rows } = await administrator.client.admin.companies({});
    const company = rows.find(({ label }) => label === starter.email);
    await remove(company?.id ?? '', starter.email);
    await expect(starter.client.company.me()).rejects.toMatchObject({ status: 401 });
  });
});

it('a company deleted twice at once is deleted once', async () => {
  const { companyId } = await createFirm(test, 'Twice Plumbing');
  await hire(test, companyId, 'staff');
  const outcomes = await Promise.allSettled([remove(companyId, 'Twice Plumbing'), remove(companyId, 'Twice Plumbing')]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

it('a deletion that fails at the very end deletes nothing', async () => {
  const { companyId } = await createFirm(test, 'Whole Plumbing');
  const { owner } = test;
  const before = await everyRow(test);
  await owner.query('revoke execute on function queue_work from callout_system');
  await expect(remove(companyId, 'Whole Plumbing')).rejects.toMatchObject({ status: 500 });
  await owner.query('grant execute on function queue_work to callout_system');
  expect(await everyRow(test)).toEqual(before);
});

it('a company whose mail is being sent is deleted after it was sent', async () => {
  const { companyId, people } = await createFirm(test, 'Mailing Plumbing');
  const [sending, deleting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const invited = newMember();
  mailbox.beforeTaking(() => {
    sending.resolve();
    return deleting.promise;
  });
  await people.admin.client.staff.invite(invited);
  await sending.promise;
  const removed = remove(companyId, 'Mailing Plumbing');
  await waitUntilBlocked(test.database);
  deleting.resolve();
  await removed;
  expect(mailbox.mailsTo(invited.email)).toHaveLength(1);
  await waitForQueue(test);
  expect(JSON.stringify(await everyRow(test))).not.toContain(companyId);
});
