import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_JOB_COMMENT_BYTES } from '@callout/contract/comments';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { buildCustomer, buildJob } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, type Person } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { buildPng } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;
let jobId: string;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  const { company, customers, jobs } = firm.people.admin.client;
  const customer = await customers.create(buildCustomer());
  const { user } = await company.me();
  jobId = (await jobs.create(buildJob({ customer_id: customer.id, staff_id: user.staff_id ?? '' }))).id;
});

async function addComment(by: Person, content = 'The valve leaks', file_ids: string[] = []): Promise<string> {
  return (await by.client.comments.add({ id: randomUUID(), job_id: jobId, content, file_ids })).id;
}

async function uploadPhoto(by: Person): Promise<string> {
  const id = randomUUID();
  expect((await uploadFile(test, `/api/files/${id}`, by.cookie, 'leak.png', buildPng())).statusCode).toBe(201);
  return id;
}

const listComments = async () => (await firm.people.accountant.client.comments.list({ job_id: jobId })).rows;
const readHistory = async () => (await firm.people.accountant.client.comments.history({ id: jobId })).rows;
const listStoredFiles = () => readdir(join(test.app.platform.config.dataDir, 'files', 'kept', firm.companyId)).catch(() => []);

describe('editing a comment', () => {
  it('changes the text, marks the comment as edited and keeps the old text in the job’s history', async () => {
    const { staff } = firm.people;
    const id = await addComment(staff);
    const [before] = await listComments();
    expect(before).toMatchObject({ version: 1, edited_at: null });
    const edited = await staff.client.comments.update({ id, version: 1, content: ' The valve leaked ' });
    expect(edited).toMatchObject({
      content: 'The valve leaked',
      version: 2,
      edited_at: expect.any(String),
      created_at: before?.created_at,
    });
    expect(await listComments()).toEqual([edited]);
    expect((await readHistory())[0]).toMatchObject({
      who: 'The staff',
      action: 'comment_edited',
      changes: { comment: ['The valve leaks', 'The valve leaked'] },
    });
  });

  it('is possible only for the author', async () => {
    const id = await addComment(firm.people.staff);
    for (const role of ['admin', 'manager', 'accountant'] as const) {
      const attempt = firm.people[role].client.comments.update({ id, version: 1, content: 'Mine' });
      await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN', message: 'Only the author can edit a comment' });
    }
    expect(await listComments()).toMatchObject([{ content: 'The valve leaks', version: 1 }]);
  });

  it('fails if the comment was changed on another device, and returns the stored text', async () => {
    const { comments } = firm.people.staff.client;
    const id = await addComment(firm.people.staff);
    await comments.update({ id, version: 1, content: 'From the phone' });
    const conflict = { code: 'STALE_VERSION', data: { current: { content: 'From the phone', version: 2 } } };
    await expect(comments.update({ id, version: 1, content: 'From the office' })).rejects.toMatchObject(conflict);
    expect(await comments.update({ id, version: 2, content: 'From the phone' })).toMatchObject({ version: 2 });
    expect((await readHistory()).filter(({ action }) => action === 'comment_edited')).toHaveLength(1);
  });

  it('succeeds once if two devices save at the same time', async () => {
    const { comments } = firm.people.staff.client;
    const id = await addComment(firm.people.staff);
    const saved = await withOwnerClient(test.database, async (client) => {
      await client.query('begin');
      await client.query('select from jobs where id = $1 for update', [jobId]);
      const both = ['From the phone', 'From the office'].map((content) => comments.update({ id, version: 1, content }));
      await waitUntilBlocked(test.database, 2);
      await client.query('commit');
      return Promise.allSettled(both);
    });
    expect(saved.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(saved).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ code: 'STALE_VERSION' }) as Error });
    expect((await readHistory()).filter(({ action }) => action === 'comment_edited')).toHaveLength(1);
  });

  it('cannot leave a comment without text and files', async () => {
    const { staff } = firm.people;
    const empty = await addComment(staff);
    await expect(staff.client.comments.update({ id: empty, version: 1, content: ' ' })).rejects.toMatchObject({
      data: { fields: { content: 'Please write something or add a file' } },
    });
    const withFile = await addComment(staff, 'See the photo', [await uploadPhoto(staff)]);
    expect(await staff.client.comments.update({ id: withFile, version: 1, content: '' })).toMatchObject({ content: '' });
  });

  it('cannot exceed the size limit of the job’s comments', async () => {
    const { staff } = firm.people;
    const id = await addComment(staff, 'Short');
    await test.owner.query(`update job_comments set content = repeat('x', $2) where id = $1`, [
      await addComment(staff, 'Long'),
      MAX_JOB_COMMENT_BYTES - 5,
    ]);
    await expect(staff.client.comments.update({ id, version: 1, content: 'Longer' })).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    expect((await listComments()).find((comment) => comment.id === id)?.content).toBe('Short');
  });

  it('does not make a late retry of the original comment fail', async () => {
    const { comments } = firm.people.staff.client;
    const original = { id: randomUUID(), job_id: jobId, content: 'The valve leaks', file_ids: [] };
    await comments.add(original);
    await comments.update({ id: original.id, version: 1, content: 'Edited' });
    expect(await comments.add(original)).toMatchObject({ content: 'Edited' });
  });
});

describe('deleting a comment', () => {
  it('removes its files with their bytes and keeps the text and file names in the job’s history', async () => {
    const { staff, manager } = firm.people;
    const fileId = await uploadPhoto(staff);
    const id = await addComment(staff, 'Wrong job', [fileId]);
    const page = await openEventStream(test, manager.cookie);
    expect(await staff.client.comments.remove({ id })).toEqual({});
    await expect.poll(() => JSON.stringify(page.events)).toContain('"comments"');
    expect(await listComments()).toEqual([]);
    for (const path of [`/api/files/${fileId}`, `/api/files/${fileId}/thumbnail`]) {
      expect((await test.request('GET', path, { cookie: staff.cookie })).statusCode).toBe(404);
    }
    await waitForQueue(test);
    expect(await listStoredFiles()).toEqual([]);
    expect((await readHistory())[0]).toMatchObject({
      who: 'The staff',
      action: 'comment_deleted',
      changes: { comment: ['Wrong job', null], files: ['leak.png', null] },
    });
  });

  it('is possible for a colleague only with the permission to edit jobs', async () => {
    const id = await addComment(firm.people.staff);
    await expect(firm.people.accountant.client.comments.remove({ id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'You can only delete your own comments',
    });
    await firm.people.manager.client.comments.remove({ id });
    expect(await listComments()).toEqual([]);
    expect((await readHistory())[0]).toMatchObject({
      who: 'The manager',
      changes: { comment: ['The valve leaks', null], author: ['The staff', null] },
    });
  });

  it('finds neither a deleted comment nor another company’s', async () => {
    const id = await addComment(firm.people.staff);
    const other = await createFirm(test, 'Other');
    const notFound = { code: 'NOT_FOUND', message: 'Comment not found' };
    await expect(other.people.admin.client.comments.remove({ id })).rejects.toMatchObject(notFound);
    await expect(other.people.admin.client.comments.update({ id, version: 1, content: 'Mine' })).rejects.toMatchObject(notFound);
    await firm.people.staff.client.comments.remove({ id });
    await expect(firm.people.staff.client.comments.remove({ id })).rejects.toMatchObject(notFound);
  });
});
