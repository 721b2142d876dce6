import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail, signIn, signUp } from '../../../test/accounts.ts';
import { startAppWithAdministrator } from '../../../test/factories/administrator.ts';
import { buildCustomer, buildJob, buildMember, buildSupplier } from '../../../test/factories/inputs.ts';
import { createFirm, type Person } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { buildPng } from '../../../test/sample-files.ts';
import { findTablesContaining, readAllFiles, readPersistentRows } from '../../../test/stored-data.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

let test: TestApp;
let administrator: Person;

beforeAll(async () => {
  ({ test, administrator } = await startAppWithAdministrator());
});

beforeEach(async () => {
  await system().query('delete from companies');
});

const system = () => test.app.platform.pools.system;
const companyExists = async (companyId: string) =>
  (await system().query('select from companies where company_id = $1', [companyId])).rowCount === 1;

async function startCompany() {
  const { email, password } = await signUp(test, buildTestEmail());
  const cookie = await signIn(test, email, password);
  const client = test.client(cookie);
  const { profile } = await client.company.start();
  return { email, password, cookie, client, companyId: profile?.company_id ?? '' };
}

/** Makes a company look unused for `days` days. */
async function setInactiveDays(companyId: string, days: number): Promise<void> {
  await system().query(
    'update companies set created_at = now() - make_interval(days => $2), last_active = now() - make_interval(days => $2) where company_id = $1',
    [companyId, days],
  );
}

/** Runs the nightly task that removes unfinished companies. */
async function runCleanup(): Promise<void> {
  await test.owner.query(`select graphile_worker.add_job('remove-unfinished-companies')`);
  await waitForQueue(test);
}

describe('an unused company', () => {
  it('is removed after 30 days if it never finished onboarding, and its members can start over', async () => {
    const { email, password, client, cookie, companyId } = await startCompany();
    await client.staff.invite(buildMember());
    await client.categories.create({ id: randomUUID(), name: 'Drains' });
    await uploadFile(test, `/api/files/${randomUUID()}`, cookie, 'leak.png', buildPng());
    await waitForQueue(test);
    await setInactiveDays(companyId, 31);
    await runCleanup();
    expect(await findTablesContaining(test, companyId)).toEqual([]);
    expect(Object.keys(await readAllFiles(test)).filter((path) => path.includes(companyId))).toEqual([]);
    const again = test.client(await signIn(test, email, password));
    expect((await again.company.me()).profile).toBeNull();
    expect((await again.company.start()).profile).toMatchObject({ onboarding_completed: false });
  });

  it.each([
    ['was used 29 days ago', async () => undefined, 29],
    [
      'finished onboarding',
      async (companyId: string) =>
        void (await system().query('update companies set onboarding_completed = true where company_id = $1', [companyId])),
      400,
    ],
    [
      'was named in Settings',
      async (companyId: string) =>
        void (await system().query(`update companies set company_name = 'Mine' where company_id = $1`, [companyId])),
      400,
    ],
  ])('keeps all its rows if it %s', async (_, change, days) => {
    const { companyId } = await startCompany();
    await change(companyId);
    await setInactiveDays(companyId, days);
    const before = await readPersistentRows(test);
    await runCleanup();
    expect(await readPersistentRows(test)).toEqual(before);
  });

  it('is not removed if it has a customer or was used recently', async () => {
    const [one, two] = [await startCompany(), await startCompany()];
    await one.client.customers.create(buildCustomer());
    await setInactiveDays(one.companyId, 400);
    await setInactiveDays(two.companyId, 400);
    await two.client.company.me();
    await runCleanup();
    expect([await companyExists(one.companyId), await companyExists(two.companyId)]).toEqual([true, true]);
  });

  it('is not removed if it has a supplier, or a job with a deleted customer', async () => {
    const [one, two] = [await startCompany(), await startCompany()];
    await one.client.suppliers.create(buildSupplier());
    const customer = await two.client.customers.create(buildCustomer());
    const staff_id = (await two.client.staff.names()).rows[0]?.id ?? '';
    const job = await two.client.jobs.create(buildJob({ customer_id: customer.id, staff_id }));
    await two.client.customers.remove({ id: customer.id });
    for (const { companyId } of [one, two]) await setInactiveDays(companyId, 400);
    await runCleanup();
    expect([await companyExists(one.companyId), await companyExists(two.companyId)]).toEqual([true, true]);
    expect((await two.client.jobs.get({ id: job.id })).customer).toBeNull();
  });
});

describe('the list of companies', () => {
  const listStatuses = async () => (await administrator.client.admin.companies({})).rows.map(({ id, status }) => ({ id, status }));

  it('shows an unfinished company as Onboarding only while it has a member with a login', async () => {
    const { companyId } = await startCompany();
    const { companyId: finished } = await createFirm(test);
    await system().query('update staff_members set profile_id = null where company_id = $1', [finished]);
    expect(await listStatuses()).toEqual([
      { id: finished, status: 'Active' },
      { id: companyId, status: 'Onboarding' },
    ]);
    await system().query('update staff_members set profile_id = null where company_id = $1', [companyId]);
    expect(await listStatuses()).toEqual([{ id: finished, status: 'Active' }]);
  });
});
