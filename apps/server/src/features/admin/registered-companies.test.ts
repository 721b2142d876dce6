import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestEmail, requestPasswordResetToken, signUp } from '../../../test/accounts.ts';
import { startAppWithAdministrator } from '../../../test/factories/administrator.ts';
import { createFirmJob } from '../../../test/factories/billed-job.ts';
import { buildCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, createPerson, type Person } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { warnIfAdminMissing } from '../../platform/auth/system-admin.ts';

let test: TestApp;
let administrator: Person;

beforeAll(async () => {
  ({ test, administrator } = await startAppWithAdministrator());
});

const system = () => test.app.platform.pools.system;

async function findCompany(companyId: string) {
  const { rows } = await administrator.client.admin.companies({});
  return rows.find(({ id }) => id === companyId);
}

describe('a registered company', () => {
  it('is listed with its name and counts, as active after onboarding', async () => {
    const [firm, other] = [await createFirm(test, 'Counted Plumbing'), await createFirm(test, 'Other')];
    for (const { people } of [firm, firm, other]) await people.admin.client.customers.create(buildCustomer());
    for (const owner of [firm, other, firm, firm]) await createFirmJob(test, owner);
    expect(await findCompany(firm.companyId)).toEqual({
      id: firm.companyId,
      label: 'Counted Plumbing',
      email: null,
      staff: 4,
      jobs: 3,
      customers: 5,
      created_at: expect.stringMatching(/Z$/) as string,
      last_active: expect.stringMatching(/Z$/) as string,
      status: 'Active',
    });
  });

  it('is found by words of its name or email address', async () => {
    const firm = await createFirm(test, 'Searched 100% Plumbing');
    await test.owner.query(`update companies set email = 'office@searched.example' where company_id = $1`, [firm.companyId]);
    const search = async (term: string) => (await administrator.client.admin.companies({ search: term })).rows.map(({ id }) => id);
    for (const term of ['plumbing searched', '100%', 'OFFICE@searched']) expect(await search(term)).toEqual([firm.companyId]);
    expect(await search('searched nowhere')).toEqual([]);
  });

  it('is labeled with its founder’s email address until it has a name', async () => {
    const starter = await createPerson(test);
    await starter.client.company.start();
    const { rows } = await administrator.client.admin.companies({});
    expect(rows.find(({ label }) => label === starter.email)).toMatchObject({ email: starter.email, status: 'Onboarding', staff: 1 });
  });

  it('shows when a member was last active, accurate to ten minutes', async () => {
    const { companyId, people } = await createFirm(test);
    const lastActive = async (ago: string) => {
      await system().query('update companies set last_active = now() - $2::interval where company_id = $1', [companyId, ago]);
      const before = (await findCompany(companyId))?.last_active ?? '';
      await people.staff.client.company.me();
      return { before, after: (await findCompany(companyId))?.last_active ?? '' };
    };
    const recent = await lastActive('9 minutes');
    expect(recent.after).toBe(recent.before);
    const old = await lastActive('11 minutes');
    expect(Date.parse(old.after) - Date.parse(old.before)).toBeGreaterThan(10 * 60 * 1000);
  });
});

describe('the list of companies', () => {
  it('has pages of 50, newest first, and shows each company once even if many share a timestamp', async () => {
    await system().query(
      `insert into companies (company_id, company_name, onboarding_completed, created_at)
        select gen_random_uuid(), 'Many', true, '2026-01-01'::timestamptz + make_interval(secs => number / 40) from generate_series(1, 120) number`,
    );
    const seen: { id: string; created_at: string }[] = [];
    const sizes: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof administrator.client.admin.companies>> = await administrator.client.admin.companies(
        cursor ? { cursor } : {},
      );
      seen.push(...page.rows);
      sizes.push(page.rows.length);
      cursor = page.next_cursor;
    } while (cursor);
    const { rows } = await system().query<{ company_id: string }>(
      'select company_id from companies order by created_at desc, company_id desc',
    );
    expect(seen.map(({ id }) => id)).toEqual(rows.map(({ company_id }) => company_id));
    expect(sizes.slice(0, 2)).toEqual([50, 50]);
  });

  it('rejects an invalid cursor', async () => {
    await expect(administrator.client.admin.companies({ cursor: 'bm90IGpzb24' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('the system administrator warning at startup', () => {
  const WARNING = 'No account exists for ADMIN_EMAIL';

  it('is logged if no account has the administrator’s email address', async () => {
    expect(test.logLines.filter((line) => line.includes(WARNING) && line.includes('"level":40'))).toHaveLength(1);
  });

  it('is logged until the account with the administrator’s email address is claimed', async () => {
    const adminEmail = buildTestEmail();
    const server = await startTestApp({ ADMIN_EMAIL: adminEmail });
    await signUp(server, adminEmail);
    const warnings = () => server.logLines.filter((line) => line.includes('The ADMIN_EMAIL account is not an administrator yet'));
    const { pools, log } = server.app.platform;
    const warnAgain = () => warnIfAdminMissing(pools.system, adminEmail, log);
    await warnAgain();
    expect(warnings()).toHaveLength(1);
    await server.client().auth.resetPassword({ token: await requestPasswordResetToken(server, adminEmail), password: 'secret-new' });
    await warnAgain();
    expect(warnings()).toHaveLength(1);
  });

  it('is not logged if no system administrator is configured', async () => {
    expect((await startTestApp()).logLines.filter((line) => line.includes(WARNING))).toEqual([]);
  });
});

it('rejects every admin call from anyone but the system administrator', async () => {
  const { people } = await createFirm(test);
  const { admin } = people.admin.client;
  const attempts = [
    admin.companies({}),
    admin.mails({}),
    admin.queue(),
    admin.removeCompany({ id: randomUUID(), confirmation: 'x' }),
    admin.sendMailAgain({ id: randomUUID(), attempts: 0 }),
  ];
  const forbidden = { status: 'rejected', reason: { code: 'FORBIDDEN', status: 403 } };
  expect(await Promise.allSettled(attempts)).toMatchObject(attempts.map(() => forbidden));
});
