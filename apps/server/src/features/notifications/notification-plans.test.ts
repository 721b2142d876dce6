import { beforeAll, expect, it } from 'vitest';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { capturePlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

/** After five executions PostgreSQL may switch to one plan for all values, which must be as good. */
const EXECUTIONS = 7;

let test: TestApp;
let firm: Firm;
let plans: Awaited<ReturnType<typeof capturePlans>>;

beforeAll(async () => {
  test = await startTestApp();
  plans = await capturePlans(test, 'notifications');
  firm = await createFirm(test);
  const { owner } = test;
  await owner.query(
    `insert into notifications (company_id, id, user_id, message, type, read, created_at)
      select $1, gen_random_uuid(), person, 'Quote accepted', 'info', number > 60, now() - make_interval(mins => number)
      from unnest($2::uuid[]) person, generate_series(1, 2000) number`,
    [firm.companyId, Object.values(firm.people).map((person) => person.userId)],
  );
  await owner.query('vacuum analyze notifications');
});

it('the list reads one person’s newest from an index without sorting, and counts from the index of unread ones', async () => {
  for (let execution = 0; execution < EXECUTIONS; execution += 1) {
    const plan = await plans.during(() => firm.people.staff.client.notifications.list());
    expect(plan, plan).toContain(' using notifications_by_person ');
    expect(plan, plan).toContain('notifications_unread');
    expect(plan, plan).not.toMatch(/Seq Scan|Sort Key/);
  }
});
