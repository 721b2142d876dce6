import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signIn, signUp, uniqueEmail } from '../../../test/accounts.ts';
import { everyFile, everyRow, tablesWith } from '../../../test/every-row.ts';
import { startAdministeredApp } from '../../../test/factories/administrator.ts';
import { newCustomer, newJob, newMember, newSupplier } from '../../../test/factories/inputs.ts';
import { createFirm, type Person } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { png } from '../../../test/sample-files.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';

let test: TestApp;
let administrator: Person;

beforeAll(async () => {
  ({ test, administrator } = await startAdministeredApp());
});

beforeEach(async () => {
  await system().query('delete from companies');
});

const system = () => test.app.platform.pools.system;
const exists = async (companyId: string) =>
  (await system().query('select from companies where company_id = $1', [companyId])).rowCount === 1;

async function starter() {
  const { email, password } = await signUp(test, uniqueEmail());
  const cookie = await signIn(test, email, password);
  const client = test.client(cookie);
  const { profile } = await client.company.start();
  return { email, password, cookie, client, companyId: profile?.company_id ?? '' };
}

/** As if nobody had used it for this long. */
async function leaveAlone(companyId: string, days: number): Promise<void> {
  await system().query(
    'update companies set created_at = now() - make_interval(days => $2), last_active = now() - make_interval(days => $2) where company_id = $1',
    [companyId, days],
  );
}

/** As the nightly task does. */
async function cleanUp(): Promise<void> {
  await test.owner.query(`select graphile_worker.add_job('remove-unfinished-companies')`);
  await waitForQueue(test);
}

/** Of our own tables; the queue records its scheduled runs. */
async function ownRows(): Promise<Record<string, string[]>> {
  return Object.fromEntries(Object.entries(await everyRow(test)).filter(([table]) => table.startsWith('public.')));
}

describe('a company that was never set up', () => {
  it('is removed after 30 days of inactivity with everything it owns, and its people can start over', async () => {
    const { email, password, client, cookie, companyId } = await starter();
    await client.staff.invite(newMember());
    await client.categories.create({ id: randomUUID(), name: 'Drains' });
    await uploadTo(test, `/api/files/${randomUUID()}`, cookie, 'leak.png', png());
    await waitForQueue(test);
    await leaveAlone(companyId, 31);
    await cleanUp();
    expect(await tablesWith(test, companyId)).toEqual([]);
    expect(Object.keys(await everyFile(test)).filter((path) => path.includes(companyId))).toEqual([]);
    const again = test.client(await signIn(test, email, password));
    expect((await again.company.me()).profile).toBeNull();
    expect((await again.company.start()).profile).toMatchObject({ onboarding_completed: false });
  });

  it.each([
    ['was used 29 days ago', async () => undefined, 29],
    [
      'was finished',
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
  ])('keeps every row when it %s', async (_, change, days) => {
    const { companyId } = await starter();
    await change(companyId);
    await leaveAlone(companyId, days);
    const before = await ownRows();
    await cleanUp();
    expect(await ownRows()).toEqual(before);
  });

  it('is kept when someone adds a customer or uses it', async () => {
    const [one, two] = [await starter(), await starter()];
    await one.client.customers.create(newCustomer());
    await leaveAlone(one.companyId, 400);
    await leaveAlone(two.companyId, 400);
    await two.client.company.me();
    await cleanUp();
    expect([await exists(one.companyId), await exists(two.companyId)]).toEqual([true, true]);
  });

  it('is kept with a supplier, and with a job whose customer was deleted', async () => {
    const [one, two] = [await starter(), await starter()];
    await one.client.suppliers.create(newSupplier());
    const customer = await two.client.customers.create(newCustomer());
    const staff_id = (await two.client.staff.names()).rows[0]?.id ?? '';
    const job = await two.client.jobs.create(newJob({ customer_id: customer.id, staff_id }));
    await two.client.customers.remove({ id: customer.id });
    for (const { companyId } of [one, two]) await leaveAlone(companyId, 400);
    await cleanUp();
    expect([await exists(one.companyId), await exists(two.companyId)]).toEqual([true, true]);
    expect((await two.client.jobs.get({ id: job.id })).customer).toBeNull();
  });
});

describe('the administrator sees an unfinished company', () => {
  const shown = async () => (await administrator.client.admin.companies({})).rows.map(({ id, status }) => ({ id, status }));

  it('as Onboarding while someone is signed up for it, but not afterwards', async () => {
    const { companyId } = await starter();
    const { companyId: finished } = await createFirm(test);
    await system().query('update staff_members set profile_id = null where company_id = $1', [finished]);
    expect(await shown()).toEqual([
      { id: finished, status: 'Active' },
      { id: companyId, status: 'Onboarding' },
    ]);
    await system().query('update staff_members set profile_id = null where company_id = $1', [companyId]);
    expect(await shown()).toEqual([{ id: finished, status: 'Active' }]);
  });
});
