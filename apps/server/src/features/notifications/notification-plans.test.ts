import { beforeAll, expect, it } from 'vitest';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { captureQueryPlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

/** After five executions, PostgreSQL may switch to a generic plan, which must be just as fast. */
const EXECUTIONS = 7;

let test: TestApp;
let firm: Firm;
let plans: Awaited<ReturnType<typeof captureQueryPlans>>;

beforeAll(async () => {
  test = await startTestApp();
  plans = await captureQueryPlans(test, 'notifications');
  firm = await createFirm(test);
  const { owner } = test;
  await owner.query(
    `insert into notifications (company_id, id, user_id, message, type, read, created_at)
      select $1, gen_random_uuid(), person, 'Quote accepted', 'info', number > 60, now() - make_interval(mins => number)
      from unnest($2::uuid[]) person, generate_series(1, 6000) number`,
    [firm.companyId, Object.values(firm.people).map((person) => person.userId)],
  );
  await owner.query('vacuum analyze notifications');
});

it('reads the newest notifications and the unread count from indexes, without sorting', async () => {
  for (let execution = 0; execution < EXECUTIONS; execution += 1) {
    const plan = await plans.during(() => firm.people.staff.client.notifications.list());
    expect(plan, plan).toContain(' using notifications_by_person ');
    expect(plan, plan).toContain('notifications_unread');
    expect(plan, plan).not.toMatch(/Seq Scan|Sort Key/);
  }
});
