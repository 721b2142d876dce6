import { randomUUID } from 'node:crypto';
import type { JobComment } from '@callout/contract/comments';
import type { Job } from '@callout/contract/jobs';
import { ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCustomer, buildJob } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, type Person } from '../../../test/factories/people.ts';
import { buildPdf, buildPng } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;
let customerId: string;
let job: Job;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  customerId = (await firm.people.admin.client.customers.create(buildCustomer())).id;
  job = await createJob('Fix the kitchen tap');
});

async function createJob(title: string, customer_id = customerId): Promise<Job> {
  const { rows } = await firm.people.admin.client.staff.list({});
  return firm.people.admin.client.jobs.create(buildJob({ customer_id, staff_id: rows[0]?.id ?? '', title }));
}

async function uploadAttachment(name: string): Promise<string> {
  const id = randomUUID();
  const bytes = name.endsWith('.png') ? buildPng() : buildPdf();
  expect((await uploadFile(test, `/api/files/${id}`, firm.people.staff.cookie, name, bytes)).statusCode).toBe(201);
  return id;
}

const addCommentWithFile = async (by: Person, name: string, overrides: { job_id?: string; content?: string } = {}) => {
  const file_ids = [await uploadAttachment(name)];
  return by.client.comments.add({ id: randomUUID(), job_id: job.id, content: 'The valve leaks', file_ids, ...overrides });
};

const listAttachments = async (id: string, as: Person = firm.people.admin) => (await as.client.comments.ofCustomer({ id })).rows;

describe('a customer’s attachments', () => {
  it.each(ROLES)('are listed for the %s, newest first, with their job, comment and author', async (role) => {
    const older = await addCommentWithFile(firm.people.staff, 'plan.pdf', { content: 'x'.repeat(300) });
    const second = await createJob('Second job');
    const newer = await addCommentWithFile(firm.people.manager, 'leak.png', { job_id: second.id, content: '' });
    const toJobSummary = ({ id, job_number, title }: Job) => ({ id, job_number, title });
    const pickComment = ({ id, content, created_at, author }: JobComment) => ({ id, content, created_at, author });
    expect(await listAttachments(customerId, firm.people[role])).toEqual([
      { ...newer.attachments[0], job: toJobSummary(second), comment: pickComment(newer) },
      { ...older.attachments[0], job: toJobSummary(job), comment: { ...pickComment(older), content: 'x'.repeat(200) } },
    ]);
  });

  it('do not include another customer’s attachments', async () => {
    await addCommentWithFile(firm.people.staff, 'plan.pdf');
    const other = await firm.people.admin.client.customers.create(buildCustomer());
    await createJob('Another job', other.id);
    expect(await listAttachments(other.id)).toEqual([]);
  });

  it('are not found if the customer belongs to another company', async () => {
    const other = await createFirm(test, 'Other');
    for (const id of [customerId, randomUUID()]) {
      await expect(listAttachments(id, other.people.admin)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Customer not found' });
    }
  });

  it('are paginated without repeating a file', async () => {
    const id = customerId;
    const added = await addCommentWithFile(firm.people.staff, 'plan.pdf');
    // Insert two and a half pages of files, several for each comment and timestamp.
    await test.owner.query(
      `insert into files (company_id, id, file_name, file_size, file_type, purpose, owner_kind, owner_id, owner_position, created_at, unattached_since)
        select company_id, gen_random_uuid(), 'plan.pdf', 100, 'application/pdf', 'attachment', 'job_comment', id, n, created_at - make_interval(mins => n), null
        from job_comments, generate_series(1, 31) n, generate_series(1, 4) where id = $1`,
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
