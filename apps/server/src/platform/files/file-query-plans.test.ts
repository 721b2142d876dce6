import { PAGE_SIZE } from '@callout/contract/lists';
import { expect, it } from 'vitest';
import { buildCustomer, buildQuote } from '../../../test/factories/inputs.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { countRowsRead } from '../../../test/list-plans.ts';
import { captureQueryPlans } from '../../../test/query-plans.ts';
import { startTestApp } from '../../../test/test-app.ts';

it('saving or deleting a record reads only its own files, however many the company has', async () => {
  const test = await startTestApp();
  const plans = await captureQueryPlans(test, 'files');
  const { companyId, people } = await createFirm(test);
  const { customers, quotes } = people.admin.client;
  await test.owner.query(
    `insert into files (company_id, id, purpose, owner_kind, owner_id, owner_position, file_name, file_size, file_type, created_at, unattached_since)
      select $1, gen_random_uuid(), 'attachment', 'quote', gen_random_uuid(), 1, 'a.pdf', 1, 'application/pdf', now(), null
      from generate_series(1, 5000)`,
    [companyId],
  );
  const { id: customer_id } = await customers.create(buildCustomer());
  const quote = await quotes.create(buildQuote({ customer_id }));
  await test.owner.query('update files set owner_id = $1 where id in (select id from files limit 2)', [quote.id]);
  await test.owner.query('vacuum analyze');
  const plan = await plans.during(async () => {
    const { rows } = await test.owner.query<{ id: string }>('select id from files where owner_id = $1 limit 1', [quote.id]);
    await quotes.update({ ...quote, attachment_ids: rows.map(({ id }) => id) });
    await quotes.remove({ id: quote.id });
  });
  expect(plan.match(/Delete on files/g), plan).toHaveLength(2);
  expect(plan).not.toContain('Seq Scan on files');
});

it('a customer’s files are read one page at a time, however many jobs and comments the customer has', async () => {
  const test = await startTestApp();
  const plans = await captureQueryPlans(test, 'files_of_customer');
  const { companyId, people } = await createFirm(test);
  const { customers, comments } = people.admin.client;
  const { id } = await customers.create(buildCustomer());
  const perJob = async (statement: string) => void (await test.owner.query(statement, [companyId]));
  await test.owner.query(
    `insert into jobs (company_id, id, job_number, title, description, status, job_type, title_key, search_text, customer_id)
      select $1, gen_random_uuid(), 'J' || n, 'Tap', '', 'booked', 'fixed', 'tap', 'tap', $2 from generate_series(1, 2000) n`,
    [companyId, id],
  );
  await perJob(`insert into job_comments (company_id, id, job_id, author_name, content)
    select company_id, gen_random_uuid(), id, 'Sam', 'Leaks' from jobs where company_id = $1`);
  await perJob(`insert into files (company_id, id, purpose, owner_kind, owner_id, file_name, file_size, file_type, created_at, unattached_since)
    select company_id, gen_random_uuid(), 'attachment', 'job_comment', id, 'a.pdf', 1, 'application/pdf', now(), null
    from job_comments where company_id = $1`);
  await test.owner.query('vacuum analyze');
  const plan = await plans.during(() => comments.ofCustomer({ id }));
  for (const table of ['files', 'job_comments', 'jobs']) expect(countRowsRead(plan, table), plan).toBeLessThanOrEqual(2 * (PAGE_SIZE + 1));
});
