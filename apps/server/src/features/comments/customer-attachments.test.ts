import { randomUUID } from 'node:crypto';
import type { Job } from '@callout/contract/jobs';
import { ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newCustomer, newJob } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, type Person } from '../../../test/factories/people.ts';
import { pdf, png } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;
let customerId: string;
let job: Job;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  customerId = (await firm.people.admin.client.customers.create(newCustomer())).id;
  job = await addJob('Fix the kitchen tap');
});

async function addJob(title: string, customer_id = customerId): Promise<Job> {
  const { rows } = await firm.people.admin.client.staff.list({});
  return firm.people.admin.client.jobs.create(newJob({ customer_id, staff_id: rows[0]?.id ?? '', title }));
}

async function upload(name: string): Promise<string> {
  const id = randomUUID();
  const bytes = name.endsWith('.png') ? png() : pdf();
  expect((await uploadTo(test, `/api/files/${id}`, firm.people.staff.cookie, name, bytes)).statusCode).toBe(201);
  return id;
}

/** A comment with one file. */
const add = async (by: Person, name: string, over: { job_id?: string; content?: string } = {}) =>
  by.client.comments.add({ id: randomUUID(), job_id: job.id, content: 'The valve leaks', file_ids: [await upload(name)], ...over });

const attachmentsOf = async (id: string, as: Person = firm.people.admin) => (await as.client.comments.ofCustomer({ id })).rows;

describe('the attachments of a customer', () => {
  it.each(ROLES)('are read by the %s: newest first, with job, comment and author', async (role) => {
    const older = await add(firm.people.staff, 'plan.pdf', { content: 'x'.repeat(300) });
    const second = await addJob('Second job');
    const newer = await add(firm.people.manager, 'leak.png', { job_id: second.id, content: '' });
    const of = ({ id, job_number, title }: Job) => ({ id, job_number, title });
    const { attachments: newerFiles, ...newerComment } = newer;
    const { attachments: olderFiles, ...olderComment } = older;
    expect(await attachmentsOf(customerId, firm.people[role])).toEqual([
      { ...newerFiles[0], job: of(second), comment: newerComment },
      { ...olderFiles[0], job: of(job), comment: { ...olderComment, content: 'x'.repeat(200) } },
    ]);
  });

  it('are not those of another customer, and none for a new one', async () => {
    await add(firm.people.staff, 'plan.pdf');
    const other = await firm.people.admin.client.customers.create(newCustomer());
    await addJob('Another job', other.id);
    expect(await attachmentsOf(other.id)).toEqual([]);
  });

  it('of another company are not found', async () => {
    const other = await createFirm(test, 'Other');
    for (const id of [customerId, randomUUID()]) {
      await expect(attachmentsOf(id, other.people.admin)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Customer not found' });
    }
  });

  it('come in pages, each file once', async () => {
    const id = customerId;
    const added = await add(firm.people.staff, 'plan.pdf');
    // Two full pages and a half, several of one comment and moment.
    await test.owner.query(
      `with more as (insert into job_comments (company_id, id, job_id, author_name, content, created_at)
          select company_id, gen_random_uuid(), job_id, 'Sam', 'n', created_at - make_interval(mins => n)
          from job_comments, generate_series(1, 31) n where id = $1 returning company_id, id)
        insert into files (company_id, id, file_name, file_size, file_type, purpose, owner_kind, owner_id, owner_position, unattached_since)
          select company_id, gen_random_uuid(), 'plan.pdf', 100, 'application/pdf', 'attachment', 'job_comment', more.id, n, null
          from more, generate_series(1, 4) n`,
      [added.id],
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    const sizes: number[] = [];
    do {
      const page = await firm.people.staff.client.comments.ofCustomer({ id, cursor });
      seen.push(...page.rows.map((row) => row.id));
      sizes.push(page.rows.length);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect([sizes, new Set(seen).size, seen[0]]).toEqual([[50, 50, 25], 125, added.attachments[0]?.id]);
    await expect(firm.people.staff.client.comments.ofCustomer({ id, cursor: 'bad' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
