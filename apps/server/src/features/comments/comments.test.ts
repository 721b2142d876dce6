import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROLES } from '@callout/domain/roles/roles';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { buildCustomer, buildJob, buildProfile } from '../../../test/factories/inputs.ts';
import { addStaffMember, createFirm, createPerson, type Firm, type Person } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { buildPdf, buildPng } from '../../../test/sample-files.ts';
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
  jobId = await createJob(firm.people.admin, firm.people.manager);
});

async function readStaffId({ userId }: Person): Promise<string> {
  const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where profile_id = $1', [userId]);
  return rows[0]?.id ?? '';
}

async function createJob(by: Person, assigned: Person): Promise<string> {
  const customer = await by.client.customers.create(buildCustomer());
  const job = await by.client.jobs.create(buildJob({ customer_id: customer.id, staff_id: await readStaffId(assigned) }));
  return job.id;
}

interface CommentInput {
  readonly id: string;
  readonly job_id: string;
  readonly content: string;
  readonly file_ids: string[];
}

const buildComment = (overrides: Partial<CommentInput> = {}): CommentInput => ({
  id: randomUUID(),
  job_id: jobId,
  content: 'The valve leaks',
  file_ids: [],
  ...overrides,
});
const addComment = (by: Person, overrides: Partial<CommentInput> = {}) => by.client.comments.add(buildComment(overrides));
const listComments = async (as: Person = firm.people.accountant, job = jobId) => (await as.client.comments.list({ job_id: job })).rows;
const invalidInput = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', data: { fields } });
const FILE_MISSING = invalidInput({ file_ids: 'A file is missing. Please add it again.' });

async function uploadAttachment({ name = 'plan.pdf', bytes = buildPdf(), by = firm.people.staff } = {}): Promise<string> {
  const id = randomUUID();
  expect((await uploadFile(test, `/api/files/${id}`, by.cookie, name, bytes)).statusCode).toBe(201);
  return id;
}

const createPhoto = () =>
  sharp({ create: { width: 800, height: 600, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();

const WEBP = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==';

const listIds = async (table: 'files' | 'job_comments', companyId = firm.companyId) =>
  (await test.owner.query<{ id: string }>(`select id from ${table} where company_id = $1`, [companyId])).rows.map(({ id }) => id);
const listStoredFiles = ({ companyId }: Firm): Promise<string[]> =>
  readdir(join(test.app.platform.config.dataDir, 'files', 'kept', companyId)).catch(() => []);

describe('a job’s comments', () => {
  it.each(ROLES)('can be read and written by the %s, oldest first', async (role) => {
    const person = firm.people[role];
    for (const content of ['First', 'Second', 'Third']) await addComment(person, { content });
    const rows = await listComments(person);
    expect(rows.map(({ content }) => content)).toEqual(['First', 'Second', 'Third']);
    expect(rows.map(({ created_at }) => created_at)).toEqual(rows.map(({ created_at }) => created_at).toSorted());
    const author = { staff_id: await readStaffId(person), name: `The ${role}`, avatar_url: null, hex_code: null };
    expect(rows.map((row) => row.author)).toEqual([author, author, author]);
  });

  it('do not include another job’s comments', async () => {
    await addComment(firm.people.staff);
    const other = await createJob(firm.people.admin, firm.people.staff);
    expect(await listComments(firm.people.staff, other)).toEqual([]);
  });

  it('are not found if the job is missing or belongs to another company', async () => {
    const other = await createFirm(test, 'Other');
    const { comments } = other.people.admin.client;
    for (const job_id of [jobId, randomUUID()]) {
      await expect(comments.list({ job_id })).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Job not found' });
      await expect(comments.add(buildComment({ job_id }))).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Job not found' });
      await expect(comments.history({ id: job_id })).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Job not found' });
    }
    expect(await listIds('job_comments')).toEqual([]);
  });

  it('are published to every open page of the company, but not to other companies', async () => {
    const other = await createFirm(test, 'Other');
    const ours = await openEventStream(test, firm.people.manager.cookie);
    const theirs = await openEventStream(test, other.people.admin.cookie);
    await addComment(firm.people.staff);
    await expect.poll(() => JSON.stringify(ours.events)).toContain('"comments"');
    expect(JSON.stringify(theirs.events)).not.toContain('comments');
  });
});

describe('a comment’s author', () => {
  it('is the company with its logo for the owner, and the person for everyone else', async () => {
    const owner = await createPerson(test);
    await owner.client.company.completeOnboarding(buildProfile({ company_name: 'Rewi Electric', name: 'Rewi Tane' }));
    const { rows } = await test.owner.query<{ company_id: string }>('select company_id from staff_members where profile_id = $1', [
      owner.userId,
    ]);
    const companyId = rows[0]?.company_id ?? '';
    const manager = await addStaffMember(test, companyId, 'manager');
    // Give every member the company's creation time, which must not make them its owner.
    await test.owner.query('update staff_members m set created_at = c.created_at from companies c where c.company_id = m.company_id');
    const [logo, avatar] = await Promise.all(
      ['/api/company/logo', `/api/staff/${await readStaffId(manager)}/avatar`].map(async (path) => {
        const response = await uploadFile(
          test,
          path,
          owner.cookie,
          'a.png',
          await sharp(await createPhoto())
            .png()
            .toBuffer(),
        );
        return response.json<{ avatar_url: string }>().avatar_url;
      }),
    );
    const job = await createJob(owner, manager);
    await addComment(owner, { job_id: job });
    await addComment(manager, { job_id: job });
    expect((await listComments(owner, job)).map(({ author }) => author)).toMatchObject([
      { staff_id: await readStaffId(owner), name: 'Rewi Electric', avatar_url: logo },
      { staff_id: await readStaffId(manager), name: 'The manager', avatar_url: avatar },
    ]);
    expect((await manager.client.notifications.list()).rows.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^Rewi Electric commented on job #J\d+: Fix the kitchen tap$/),
    );
  });

  it('has the same color in comments as on the staff list and in their own profile', async () => {
    const { admin, staff } = firm.people;
    const id = await readStaffId(staff);
    const color = (await admin.client.staff.colors()).rows[4];
    await test.owner.query('update staff_members set color_id = $2 where id = $1', [id, color?.id]);
    await addComment(staff);
    expect(color?.hex_code).toMatch(/^#/);
    expect((await listComments())[0]?.author.hex_code).toBe(color?.hex_code);
    expect((await staff.client.company.me()).user.hex_code).toBe(color?.hex_code);
    expect((await admin.client.staff.get({ id })).color?.hex_code).toBe(color?.hex_code);
  });

  it('is shown with their current name or, once deleted, the name they had when they commented', async () => {
    await addComment(firm.people.staff);
    const { version } = await firm.people.staff.client.staff.myDetails();
    await firm.people.staff.client.staff.updateMyDetails({ version, name: 'Sione Fale', phone: null });
    expect((await listComments())[0]?.author.name).toBe('Sione Fale');
    await addComment(firm.people.staff, { content: 'Fixed' });
    await firm.people.admin.client.staff.remove({ id: await readStaffId(firm.people.staff) });
    expect((await listComments()).map(({ author }) => author)).toEqual([
      { staff_id: null, name: 'The staff', avatar_url: null, hex_code: null },
      { staff_id: null, name: 'Sione Fale', avatar_url: null, hex_code: null },
    ]);
  });

  it('cannot comment while they are being deleted', async () => {
    const id = await readStaffId(firm.people.staff);
    const refused = await withOwnerClient(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('delete from staff_members where id = $1', [id]);
      const adding = addComment(firm.people.staff).catch((error: unknown) => error);
      await waitUntilBlocked(test.database);
      await owner.query('commit');
      return adding;
    });
    expect(refused).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await listIds('job_comments')).toEqual([]);
  });
});

describe('a comment’s text', () => {
  it('can have 10,000 characters and is stored unchanged, even if it looks like markup', async () => {
    const content = `<img src=x onerror=alert(1)>\nSecond line ${'x'.repeat(9_959)}`;
    expect(content).toHaveLength(10_000);
    expect((await addComment(firm.people.staff, { content })).content).toBe(content);
  });

  it.each([10_001, 100_000])('of %d characters is rejected, and nothing is stored', async (length) => {
    const file = await uploadAttachment();
    const refused = addComment(firm.people.staff, { content: 'x'.repeat(length), file_ids: [file] });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields: { content: expect.any(String) as string } } });
    expect(await listIds('job_comments')).toEqual([]);
    expect((await addComment(firm.people.staff, { file_ids: [file] })).attachments).toHaveLength(1);
  });

  it('can be empty only if there is a file', async () => {
    for (const content of ['', ' \n\t ']) {
      const rejection = invalidInput({ content: 'Please write something or add a file' });
      await expect(addComment(firm.people.staff, { content })).rejects.toMatchObject(rejection);
    }
    expect(await addComment(firm.people.staff, { content: ' ', file_ids: [await uploadAttachment()] })).toMatchObject({ content: '' });
  });
});

describe('a comment’s files', () => {
  it('are shown in the order they were added, images with a thumbnail', async () => {
    const bytes = await createPhoto();
    const files = [
      await uploadAttachment({ name: 'b.jpg', bytes }),
      await uploadAttachment({ name: 'plan.pdf' }),
      await uploadAttachment({ name: 'a.png', bytes: buildPng() }),
    ];
    const file_ids = files.toReversed();
    const added = await addComment(firm.people.staff, { file_ids });
    const [imageId, planId, photoId] = file_ids;
    expect(added.attachments).toEqual([
      { id: imageId, file_name: 'a.png', file_size: 100, file_type: 'image/png', ...buildUrls(imageId) },
      { id: planId, file_name: 'plan.pdf', file_size: 100, file_type: 'application/pdf', ...buildUrls(planId), thumbnail_url: null },
      { id: photoId, file_name: 'b.jpg', file_size: bytes.length, file_type: 'image/jpeg', ...buildUrls(photoId) },
    ]);
    expect(await listComments()).toEqual([added]);
    const thumbnail = await test.request('GET', `/api/files/${photoId}/thumbnail`, { cookie: firm.people.accountant.cookie });
    expect(thumbnail.statusCode).toBe(200);
  });

  const buildUrls = (id = '') => ({ url: `/api/files/${id}`, thumbnail_url: `/api/files/${id}/thumbnail` });

  it('are all rejected, and nothing is stored, if one is missing or already attached', async () => {
    const other = await createFirm(test, 'Other');
    const [free, taken, foreign] = [await uploadAttachment(), await uploadAttachment(), await uploadAttachment({ by: other.people.admin })];
    const picture = await uploadAttachment({ name: 'a.png', bytes: buildPng() });
    await addComment(firm.people.staff, { file_ids: [taken] });
    const { rows } = await test.owner.query<{ id: string }>('select id from files where owner_id = $1', [picture]);
    const logo = await uploadFile(
      test,
      '/api/company/logo',
      firm.people.admin.cookie,
      'logo.png',
      await sharp(await createPhoto())
        .png()
        .toBuffer(),
    );
    const logoId = logo.json<{ avatar_url: string }>().avatar_url.split('/').at(-1) ?? '';
    for (const id of [taken, foreign, randomUUID(), rows[0]?.id ?? '', logoId]) {
      await expect(addComment(firm.people.staff, { file_ids: [free, id] })).rejects.toMatchObject(FILE_MISSING);
    }
    expect(await listIds('job_comments')).toHaveLength(1);
    expect((await addComment(firm.people.staff, { file_ids: [free] })).attachments).toHaveLength(1);
  });

  it.each<[string, string, () => Buffer, number]>([
    ['a file of 26 MB', 'plan.pdf', () => buildPdf(26 * 1024 * 1024), 413],
    ['a program renamed to .png', 'run.png', () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]), 415],
    ['a truncated image', 'leak.png', () => buildPng(45), 415],
    ['a file of an unsupported type', 'leak.webp', () => Buffer.from(WEBP, 'base64'), 415],
  ])('cannot include %s, and nothing is stored', async (_, name, bytes, status) => {
    const id = randomUUID();
    expect((await uploadFile(test, `/api/files/${id}`, firm.people.staff.cookie, name, bytes())).statusCode).toBe(status);
    await expect(addComment(firm.people.staff, { file_ids: [id] })).rejects.toMatchObject(FILE_MISSING);
    expect([await listIds('files'), await listIds('job_comments'), await listStoredFiles(firm)]).toEqual([[], [], []]);
  });

  it('are limited to twenty files', async () => {
    const refused = addComment(firm.people.staff, { file_ids: Array.from({ length: 21 }, () => randomUUID()) });
    await expect(refused).rejects.toMatchObject(invalidInput({ file_ids: 'Too many files' }));
  });

  it('belong to one comment even if several people attach the same file at once', async () => {
    const file = await uploadAttachment();
    const people = [firm.people.staff, firm.people.manager, firm.people.admin];
    const outcomes = await Promise.allSettled(people.map((person) => addComment(person, { file_ids: [file] })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await listComments()).map(({ attachments }) => attachments.length)).toEqual([1]);
  });
});

async function countCommentNotifications(person: Person): Promise<number> {
  const { rows } = await person.client.notifications.list();
  return rows.filter(({ message, data }) => message.includes('commented on job') && data.job_id === jobId).length;
}

describe('reusing a comment’s id', () => {
  it('in a retry creates one comment and one notification', async () => {
    const request = buildComment({ file_ids: [await uploadAttachment(), await uploadAttachment()] });
    const { client } = firm.people.staff;
    expect(await client.comments.add(request)).toEqual(await client.comments.add(request));
    expect(await listComments()).toHaveLength(1);
    expect(await countCommentNotifications(firm.people.manager)).toBe(1);
  });

  it('in eight concurrent requests creates one comment and one notification', async () => {
    const request = buildComment({ file_ids: [await uploadAttachment()] });
    const responses = await Promise.all(Array.from({ length: 8 }, () => firm.people.staff.client.comments.add(request)));
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(await listComments()).toHaveLength(1);
    expect(await countCommentNotifications(firm.people.manager)).toBe(1);
  });

  it('with another text, file, job or author is rejected and changes nothing', async () => {
    const file = await uploadAttachment();
    const added = await addComment(firm.people.staff, { file_ids: [file] });
    const { id } = added;
    const other = await createJob(firm.people.admin, firm.people.staff);
    const same = { id, file_ids: [file] };
    for (const [by, overrides] of [
      [firm.people.staff, { ...same, content: 'Another text' }],
      [firm.people.staff, { id }],
      [firm.people.staff, { ...same, job_id: other }],
      [firm.people.manager, same],
    ] as const) {
      await expect(addComment(by, overrides)).rejects.toMatchObject({ code: 'ID_TAKEN' });
    }
    expect([await listComments(), await listComments(firm.people.staff, other)]).toEqual([[added], []]);
  });

  it('in another company creates a separate comment', async () => {
    const other = await createFirm(test, 'Other');
    const theirs = await createJob(other.people.admin, other.people.staff);
    const { id } = await addComment(firm.people.staff);
    expect((await addComment(other.people.staff, { id, job_id: theirs, content: 'Theirs' })).content).toBe('Theirs');
    expect((await listComments()).map(({ content }) => content)).toEqual(['The valve leaks']);
  });
});

describe('deleting a job', () => {
  it('deletes its comments and the rows and bytes of their files, but no other files', async () => {
    const bytes = await createPhoto();
    const other = await createJob(firm.people.admin, firm.people.staff);
    const [otherFile, unattached] = [await uploadAttachment(), await uploadAttachment()];
    await addComment(firm.people.staff, { job_id: other, file_ids: [otherFile] });
    await addComment(firm.people.staff, { file_ids: [await uploadAttachment(), await uploadAttachment({ name: 'a.jpg', bytes })] });
    await addComment(firm.people.manager, { file_ids: [await uploadAttachment({ name: 'b.jpg', bytes })] });
    expect(await listIds('files')).toHaveLength(7);
    await firm.people.admin.client.jobs.remove({ id: jobId });
    await waitForQueue(test);
    expect((await listIds('files')).toSorted()).toEqual([otherFile, unattached].toSorted());
    expect((await listStoredFiles(firm)).toSorted()).toEqual([otherFile, unattached].toSorted());
    expect(await listIds('job_comments')).toHaveLength(1);
    const { rows } = await test.owner.query('select bytes::int from file_usage where company_id = $1', [firm.companyId]);
    expect(rows).toEqual([{ bytes: 200 }]);
  });

  it('leaves no file behind if people comment on the job at the same time', async () => {
    const files = await Promise.all([1, 2, 3, 4, 5, 6].map(() => uploadAttachment()));
    const adding = files.map((file) =>
      addComment(firm.people.staff, { file_ids: [file] }).then(
        () => file,
        () => null,
      ),
    );
    await Promise.all([firm.people.admin.client.jobs.remove({ id: jobId }), ...adding]);
    const attached = new Set(await Promise.all(adding));
    expect((await listIds('files')).toSorted()).toEqual(files.filter((file) => !attached.has(file)).toSorted());
    const { rows } = await test.owner.query('select id from files where company_id = $1 and owner_kind is not null', [firm.companyId]);
    expect(rows).toEqual([]);
  });
});

it('a job’s history shows who changed what, newest first', async () => {
  await firm.people.staff.client.jobs.setStatus({ id: jobId, status: 'complete' });
  const { rows } = await firm.people.accountant.client.comments.history({ id: jobId });
  expect(rows).toMatchObject([
    { who: 'The staff', action: 'edited', changes: { status: ['booked', 'complete'] } },
    { who: 'The admin', action: 'created', changes: {} },
  ]);
});
