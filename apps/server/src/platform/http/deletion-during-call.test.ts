import { randomUUID } from 'node:crypto';
import type { ContractClient } from '@callout/contract/contract';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { createBilledJob } from '../../../test/factories/billed-job.ts';
import { buildCustomer, buildMember } from '../../../test/factories/inputs.ts';
import { addStaffMember, createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
import { readAllFiles } from '../../../test/stored-data.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';
import { translateDatabaseError } from '../db/database-errors.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

/** Runs a call that is blocked by an uncommitted deletion, then commits the deletion. */
async function runDuringDeletion<Result>(deletion: string, id: string, work: () => Promise<Result>): Promise<Result> {
  return withOwnerClient(test.database, async (owner) => {
    await owner.query('begin');
    await owner.query(deletion, [id]);
    const result = work();
    await waitUntilBlocked(test.database);
    await owner.query('commit');
    return result;
  });
}

const DELETE_COMPANY = 'delete from companies where company_id = $1';
const DELETE_LOGIN = 'delete from users where id = $1';
const REMOVE_MEMBER = 'update staff_members set profile_id = null, deleted_at = now() where profile_id = $1';

const SIGNED_OUT = { code: 'UNAUTHENTICATED', status: 401, message: 'No authenticated user' };

it('a save fails as signed out while its company is being deleted', async () => {
  const { companyId, people } = await createFirm(test);
  const save = () => people.staff.client.customers.create(buildCustomer()).catch((error: unknown) => error);
  expect(await runDuringDeletion(DELETE_COMPANY, companyId, save)).toMatchObject(SIGNED_OUT);
});

it.each<[string, (client: ContractClient) => Promise<unknown>]>([
  ['customer', (client) => client.customers.create(buildCustomer())],
  ['category', (client) => client.categories.create({ id: randomUUID(), name: 'Drains' })],
  ['invitation', (client) => client.staff.invite(buildMember())],
  ['saved view', (client) => client.jobViews.create({ id: randomUUID(), name: 'Mine', filter: {} })],
])('saving a %s fails as signed out while its author is being removed from the company', async (_, save) => {
  const { people } = await createFirm(test);
  const { client, userId } = people.admin;
  const result = await runDuringDeletion(REMOVE_MEMBER, userId, () => save(client).catch((error: unknown) => error));
  expect(result).toMatchObject(SIGNED_OUT);
});

it('a person is removed only after the command that they are running has been saved', async () => {
  const firm = await createFirm(test);
  const { admin, manager } = firm.people;
  const job = await createBilledJob(test, firm);
  const { id } = await manager.client.staff.myDetails();
  await withOwnerClient(test.database, async (owner) => {
    await owner.query('begin');
    await owner.query('select from jobs where id = $1 for update', [job.id]);
    const paying = manager.client.payments.record({ id: randomUUID(), job_id: job.id, amount: '1' });
    await waitUntilBlocked(test.database, 1);
    const removing = admin.client.staff.remove({ id });
    await waitUntilBlocked(test.database, 2);
    await owner.query('commit');
    expect(await paying).toMatchObject({ paid_amount: '1.00' });
    await removing;
  });
  const [event] = (await admin.client.comments.history({ id: job.id })).rows;
  expect(event?.who).toBe('The manager');
});

it('two admins who remove each other at the same time leave one of them', async () => {
  const firm = await createFirm(test);
  const { admin } = firm.people;
  const other = await addStaffMember(test, firm.companyId, 'admin');
  const [adminId, otherId] = [(await admin.client.staff.myDetails()).id, (await other.client.staff.myDetails()).id];
  const outcomes = await Promise.allSettled([admin.client.staff.remove({ id: otherId }), other.client.staff.remove({ id: adminId })]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: SIGNED_OUT });
});

it('starting a company fails as signed out while its founder is being deleted', async () => {
  const { userId, client } = await createPerson(test);
  const start = () => client.company.start().catch((error: unknown) => error);
  expect(await runDuringDeletion(DELETE_LOGIN, userId, start)).toMatchObject(SIGNED_OUT);
});

describe.each([
  ['company', DELETE_COMPANY, (firm: Firm) => firm.companyId],
  ['member', REMOVE_MEMBER, (firm: Firm) => firm.people.admin.userId],
])('while the %s is being deleted', (_, deletion, getId) => {
  it.each([
    ['file', async () => `/api/files/${randomUUID()}`],
    ['logo', async () => '/api/company/logo'],
    ['profile picture', async ({ people }: Firm) => `/api/staff/${(await people.admin.client.staff.list()).rows[0]?.id}/avatar`],
  ])('an uploaded %s fails as signed out and leaves no file behind', async (__, getPath) => {
    const firm = await createFirm(test);
    const path = await getPath(firm);
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
    const response = await runDuringDeletion(deletion, getId(firm), () => uploadFile(test, path, firm.people.admin.cookie, 'a.png', bytes));
    expect([response.statusCode, response.json()]).toMatchObject([401, SIGNED_OUT]);
    expect(Object.keys(await readAllFiles(test)).filter((name) => name.includes(firm.companyId))).toEqual([]);
  });
});

it('every foreign key violation on a company or login signs the caller out', async () => {
  const { rows } = await withOwnerClient(test.database, (owner) =>
    owner.query<{ conname: string; table: string }>(
      `select conname, conrelid::regclass::text as table from pg_constraint where confrelid in ('companies'::regclass, 'users'::regclass)`,
    ),
  );
  const toFailure = (constraint: string, table: string) =>
    translateDatabaseError(Object.assign(new Error(), { code: '23503', constraint, table }));
  const exceptions = rows
    .filter(({ conname, table }) => toFailure(conname, table)?.code !== 'UNAUTHENTICATED')
    .map(({ conname }) => conname);
  expect(exceptions).toEqual([]);
});
