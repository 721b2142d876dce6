import { beforeAll, expect, it } from 'vitest';
import { captureSystemQueryPlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { listOutboxMails } from './outbox-mails.sql.ts';
import { listRegisteredCompanies } from './registered-companies.sql.ts';

let test: TestApp;
let plans: ReturnType<typeof captureSystemQueryPlans>;

beforeAll(async () => {
  test = await startTestApp();
  plans = captureSystemQueryPlans(test);
  const { owner } = test;
  await owner.query(
    `insert into companies (company_id, company_name, onboarding_completed, created_at)
      select gen_random_uuid(), 'Company ' || number, number % 10 > 0, now() - make_interval(mins => number) from generate_series(1, 1000) number`,
  );
  await owner.query(
    `insert into customers (company_id, id, name, email, phone, address, name_key, search_text)
      select company_id, gen_random_uuid(), 'C', 'c@example.com', '1', 'A', 'c', 'c' from companies, generate_series(1, 4)`,
  );
  await owner.query(
    `insert into jobs (company_id, id, job_number, title, description, status, job_type, title_key, search_text)
      select company_id, gen_random_uuid(), 'J' || number, 'J', 'D', 'booked', 'fixed', 'j', 'j' from companies, generate_series(1, 10) number`,
  );
  await owner.query(
    `insert into staff_members (company_id, id, name, email, role)
      select company_id, gen_random_uuid(), 'S', number || '@example.com', 'staff' from companies, generate_series(1, 3) number`,
  );
  await owner.query(
    `insert into outbox_mails (id, company_id, recipient, subject, text_body, html_body, status, created_at)
      select gen_random_uuid(), company_id, 'a@example.com', case when number = 7 then left(company_id::text, 8) else 'Invitation' end, 'T', 'H', case when number = 1 then 'failed' else 'sent' end,
        now() - make_interval(mins => number) from companies, generate_series(1, 10) number`,
  );
  await owner.query('vacuum analyze companies, customers, jobs, staff_members, outbox_mails');
});

it('lists companies through the creation-time index, without sequential scans or sorting', async () => {
  const { next_cursor } = await listRegisteredCompanies(plans.pool, {});
  for (const cursor of [undefined, next_cursor ?? '']) {
    const plan = await plans.during(() => listRegisteredCompanies(plans.pool, { cursor }));
    expect(plan).toContain(' using companies_by_age ');
    expect(plan).not.toMatch(/Seq Scan|Sort Key/);
  }
});

it('lists emails through the creation-time index, or through the status index when filtered by status', async () => {
  for (const [filter, index] of [
    [{}, 'outbox_mails_by_age'],
    [{ status: 'failed' as const }, 'outbox_mails_by_status'],
  ] as const) {
    const { next_cursor } = await listOutboxMails(plans.pool, filter);
    for (const cursor of [undefined, next_cursor ?? '']) {
      const plan = await plans.during(() => listOutboxMails(plans.pool, { ...filter, cursor }));
      expect(plan).toContain(` using ${index} `);
      expect(plan).not.toMatch(/Seq Scan on outbox_mails|Sort Key/);
    }
  }
});

it('searches emails for rare words through the text index', async () => {
  const { rows } = await test.owner.query<{ subject: string }>(`select subject from outbox_mails where subject <> 'Invitation' limit 1`);
  const plan = await plans.during(() => listOutboxMails(plans.pool, { search: rows[0]?.subject }));
  expect(plan).toContain('outbox_mails_by_text');
  expect(plan).not.toContain('Seq Scan on outbox_mails');
});
