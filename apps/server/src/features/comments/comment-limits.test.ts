import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCustomer, buildJob } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let jobId: string;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where company_id = $1', [firm.companyId]);
  const customer = await client().customers.create(buildCustomer());
  jobId = (await client().jobs.create(buildJob({ customer_id: customer.id, staff_id: rows[0]?.id ?? '' }))).id;
});

const client = () => firm.people.staff.client;
const buildComment = () => ({ id: randomUUID(), job_id: jobId, content: 'The valve leaks', file_ids: [] });
const limitReached = (message: string) => ({ code: 'LIMIT_REACHED', message });
const insertComments = (count: number, text: string) =>
  test.owner.query(
    `insert into job_comments (company_id, id, job_id, author_name, content)
      select $1, gen_random_uuid(), $2, 'Someone', $3 from generate_series(1, $4)`,
    [firm.companyId, jobId, text, count],
  );

describe('a job’s comments', () => {
  it('are limited to 1,000', async () => {
    await insertComments(999, 'Noted');
    const last = buildComment();
    await client().comments.add(last);
    await expect(client().comments.add(buildComment())).rejects.toMatchObject(limitReached('A job can have at most 1,000 comments.'));
    expect(await client().comments.add(last)).toMatchObject({ id: last.id });
  });

  it('are limited to 1,000 even if the last ones are added concurrently', async () => {
    await insertComments(997, 'Noted');
    const added = await Promise.allSettled(Array.from({ length: 8 }, () => client().comments.add(buildComment())));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect((await client().comments.list({ job_id: jobId })).rows).toHaveLength(1000);
  });

  it('can be edited until the earlier texts in the job’s history reach their size limit, and deleted even then', async () => {
    const { id, version } = await client().comments.add(buildComment());
    const edited = await client().comments.update({ id, version, content: 'The valve is fixed' });
    await test.owner.query(
      `insert into record_events (company_id, id, record_kind, record_id, at, who, action, changes)
        select $1, gen_random_uuid(), 'job', $2, now(), 'Someone', 'comment_edited', jsonb_build_object('comment', jsonb_build_array(
          (select string_agg(md5(random()::text || n || i), '') from generate_series(1, 620) i), null)) from generate_series(1, 510) n`,
      [firm.companyId, jobId],
    );
    const full = limitReached("This job's comments have reached their size limit.");
    await expect(client().comments.update({ id, version: edited.version, content: 'Again' })).rejects.toMatchObject(full);
    await expect(client().comments.add(buildComment())).rejects.toMatchObject(full);
    expect((await client().comments.list({ job_id: jobId })).rows).toMatchObject([{ content: 'The valve is fixed' }]);
    await client().comments.remove({ id });
  });

  it('are limited in total size', async () => {
    await insertComments(200, 'x'.repeat(10_000));
    await expect(client().comments.add(buildComment())).rejects.toMatchObject(
      limitReached("This job's comments have reached their size limit."),
    );
    expect((await client().comments.list({ job_id: jobId })).rows).toHaveLength(200);
  });
});
