import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { buildCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
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
/** Locks the company, like the removal of a member. */
const REMOVE_MEMBER = `with company as (select c.company_id from companies c join staff_members m on m.company_id = c.company_id
    where m.profile_id = $1 for update of c)
  update staff_members m set profile_id = null, deleted_at = now() from company where m.company_id = company.company_id and m.profile_id = $1`;

const SIGNED_OUT = { code: 'UNAUTHENTICATED', status: 401, message: 'No authenticated user' };

it('a save fails as signed out while its company is being deleted', async () => {
  const { companyId, people } = await createFirm(test);
  const save = () => people.staff.client.customers.create(buildCustomer()).catch((error: unknown) => error);
  expect(await runDuringDeletion(DELETE_COMPANY, companyId, save)).toMatchObject(SIGNED_OUT);
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
