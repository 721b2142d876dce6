import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { removeClosedCompanies } from './remove-company.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const admin = () => firm.people.admin.client;

async function closeFirm() {
  const { profile } = await admin().company.me();
  await admin().company.requestDeletion({ confirmation: profile?.company_name ?? '' });
}

const makeDeletionDue = () =>
  test.owner.query(`update companies set deletes_at = now() - interval '1 minute' where company_id = $1`, [firm.companyId]);
const removeDueCompanies = (adminEmail?: string) => removeClosedCompanies(test.app.platform.pools.system, adminEmail);
const countCompanies = async () => (await test.owner.query('select from companies where company_id = $1', [firm.companyId])).rowCount;

describe('the end of a closed company’s week', () => {
  it('deletes the company, its logins and its sessions, but no other company', async () => {
    const other = await createFirm(test);
    await closeFirm();
    await makeDeletionDue();
    await removeDueCompanies();
    expect(await countCompanies()).toBe(0);
    await expect(admin().company.me()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await test.owner.query('select from users where id = $1', [firm.people.admin.userId])).rowCount).toBe(0);
    expect((await other.people.admin.client.company.me()).company_deletes_at).toBeNull();
  });

  it('deletes the other companies if one can’t be deleted, and reports that one', async () => {
    const stuck = firm;
    await closeFirm();
    await makeDeletionDue();
    await test.owner.query('create table stuck_companies (company_id uuid references companies)');
    await test.owner.query('insert into stuck_companies values ($1)', [stuck.companyId]);
    firm = await createFirm(test);
    await closeFirm();
    await makeDeletionDue();
    await expect(removeDueCompanies()).rejects.toThrow(`Could not remove these companies: ${stuck.companyId}`);
    expect(await countCompanies()).toBe(0);
    await test.owner.query('drop table stuck_companies');
    await removeDueCompanies();
    firm = stuck;
    expect(await countCompanies()).toBe(0);
  });

  it('does not come early', async () => {
    await closeFirm();
    await removeDueCompanies();
    expect(await countCompanies()).toBe(1);
  });

  it('keeps the login of the system administrator', async () => {
    await closeFirm();
    await makeDeletionDue();
    await removeDueCompanies(firm.people.admin.email);
    expect(await countCompanies()).toBe(0);
    expect(await admin().company.me()).toMatchObject({ profile: null, user: { email: firm.people.admin.email } });
  });

  it('deletes nothing if the deletion is undone while it waits for the company', async () => {
    await closeFirm();
    await makeDeletionDue();
    await withOwnerClient(test.database, async (client) => {
      await client.query('begin');
      await client.query('update companies set deletes_at = null where company_id = $1', [firm.companyId]);
      const removing = removeDueCompanies();
      await waitUntilBlocked(test.database);
      await client.query('commit');
      await removing;
    });
    expect(await countCompanies()).toBe(1);
  });
});
