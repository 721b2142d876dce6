import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { everyFile } from '../../../test/every-row.ts';
import { newCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';
import { databaseFailure } from '../db/database-errors.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

/** Runs a call during a deletion that commits first. */
async function duringDeletion<Result>(deletion: string, id: string, work: () => Promise<Result>): Promise<Result> {
  return withOwner(test.database, async (owner) => {
    await owner.query('begin');
    await owner.query(deletion, [id]);
    const outcome = work();
    await waitUntilBlocked(test.database);
    await owner.query('commit');
    return outcome;
  });
}

const DELETE_COMPANY = 'delete from companies where company_id = $1';
const DELETE_LOGIN = 'delete from users where id = $1';

const SIGNED_OUT = { code: 'UNAUTHENTICATED', status: 401, message: 'No authenticated user' };

it.each([
  ['company', DELETE_COMPANY, (firm: Firm) => firm.companyId],
  ['login', DELETE_LOGIN, (firm: Firm) => firm.people.staff.userId],
])('a save while its %s is being deleted is refused as signed out', async (_, deletion, idOf) => {
  const firm = await createFirm(test);
  const save = () => firm.people.staff.client.customers.create(newCustomer()).catch((error: unknown) => error);
  expect(await duringDeletion(deletion, idOf(firm), save)).toMatchObject(SIGNED_OUT);
});

it('a company started while its founder is being deleted is refused as signed out', async () => {
  const { userId, client } = await createPerson(test);
  const start = () => client.company.start().catch((error: unknown) => error);
  expect(await duringDeletion(DELETE_LOGIN, userId, start)).toMatchObject(SIGNED_OUT);
});

describe.each([
  ['company', DELETE_COMPANY, (firm: Firm) => firm.companyId],
  ['login', DELETE_LOGIN, (firm: Firm) => firm.people.admin.userId],
])('while the %s is being deleted', (_, deletion, idOf) => {
  it.each([
    ['file', async () => `/api/files/${randomUUID()}`],
    ['logo', async () => '/api/company/logo'],
    ['picture of a member', async ({ people }: Firm) => `/api/staff/${(await people.admin.client.staff.list()).rows[0]?.id}/avatar`],
  ])('an uploaded %s is refused as signed out and leaves nothing behind', async (__, pathOf) => {
    const firm = await createFirm(test);
    const path = await pathOf(firm);
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
    const answer = await duringDeletion(deletion, idOf(firm), () => uploadTo(test, path, firm.people.admin.cookie, 'a.png', bytes));
    expect([answer.statusCode, answer.json()]).toMatchObject([401, SIGNED_OUT]);
    expect(Object.keys(await everyFile(test)).filter((name) => name.includes(firm.companyId))).toEqual([]);
  });
});

it('every foreign key to a company or login belongs to the caller, except the recipient of a notification', async () => {
  const { rows } = await withOwner(test.database, (owner) =>
    owner.query<{ conname: string; table: string }>(
      `select conname, conrelid::regclass::text as table from pg_constraint where confrelid in ('companies'::regclass, 'users'::regclass)`,
    ),
  );
  const refusal = (constraint: string, table: string) => databaseFailure(Object.assign(new Error(), { code: '23503', constraint, table }));
  const ofOthers = rows.filter(({ conname, table }) => refusal(conname, table)?.code !== 'UNAUTHENTICATED').map(({ conname }) => conname);
  expect(ofOthers).toEqual(['notifications_user_id_fkey']);
});
