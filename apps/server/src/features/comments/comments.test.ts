import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROLES } from '@callout/domain/roles/roles';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { openStream } from '../../../test/event-stream.ts';
import { newCustomer, newJob, newProfile } from '../../../test/factories/inputs.ts';
import { createFirm, createPerson, type Firm, hire, type Person } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { pdf, png } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;
let jobId: string;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  jobId = await addJob(firm.people.admin, firm.people.manager);
});

async function staffIdOf({ userId }: Person): Promise<string> {
  const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where profile_id = $1', [userId]);
  return rows[0]?.id ?? '';
}

async function addJob(by: Person, assigned: Person): Promise<string> {
  const customer = await by.client.customers.create(newCustomer());
  const job = await by.client.jobs.create(newJob({ customer_id: customer.id, staff_id: await staffIdOf(assigned) }));
  return job.id;
}

interface NewComment {
  readonly id: string;
  readonly job_id: string;
  readonly content: string;
  readonly file_ids: string[];
}

const comment = (over: Partial<NewComment> = {}): NewComment => ({
  id: randomUUID(),
  job_id: jobId,
  content: 'The valve leaks',
  file_ids: [],
  ...over,
});
const add = (by: Person, over: Partial<NewComment> = {}) => by.client.comments.add(comment(over));
const list = async (as: Person = firm.people.accountant, job = jobId) => (await as.client.comments.list({ job_id: job })).rows;
const wrong = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', data: { fields } });
const GONE = wrong({ file_ids: 'A file is no longer there. Please add it again.' });

async function upload({ name = 'plan.pdf', bytes = pdf(), by = firm.people.staff } = {}): Promise<string> {
  const id = randomUUID();
  expect((await uploadTo(test, `/api/files/${id}`, by.cookie, name, bytes)).statusCode).toBe(201);
  return id;
}

const photo = () =>
  sharp({ create: { width: 800, height: 600, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();

const WEBP = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==';

const rowsOf = async (table: 'files' | 'job_comments', companyId = firm.companyId) =>
  (await test.owner.query<{ id: string }>(`select id from ${table} where company_id = $1`, [companyId])).rows.map(({ id }) => id);
const keptFiles = ({ companyId }: Firm): Promise<string[]> =>
  readdir(join(test.app.platform.config.dataDir, 'files', 'kept', companyId)).catch(() => []);

describe('the comments of a job', () => {
  it.each(ROLES)('can be read and written by the %s, the oldest first', async (role) => {
    const person = firm.people[role];
    for (const content of ['First', 'Second', 'Third']) await add(person, { content });
    const rows = await list(person);
    expect(rows.map(({ content }) => content)).toEqual(['First', 'Second', 'Third']);
    expect(rows.map(({ created_at }) => created_at)).toEqual(rows.map(({ created_at }) => created_at).toSorted());
    const author = { staff_id: await staffIdOf(person), name: `The ${role}`, avatar_url: null };
    expect(rows.map((row) => row.author)).toEqual([author, author, author]);
  });

  it('are only those of this job, and none for a new one', async () => {
    await add(firm.people.staff);
    const other = await addJob(firm.people.admin, firm.people.staff);
    expect(await list(firm.people.staff, other)).toEqual([]);
  });

  it('of another company or of no job are not found', async () => {
    const other = await createFirm(test, 'Other');
    const { comments } = other.people.admin.client;
    for (const job_id of [jobId, randomUUID()]) {
      await expect(comments.list({ job_id })).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Job not found' });
      await expect(comments.add(comment({ job_id }))).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Job not found' });
      await expect(comments.history({ id: job_id })).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Job not found' });
    }
    expect(await rowsOf('job_comments')).toEqual([]);
  });

  it('reach every open page of the company, and no other company', async () => {
    const other = await createFirm(test, 'Other');
    const [ours, theirs] = [await openStream(test, firm.people.manager.cookie), await openStream(test, other.people.admin.cookie)];
    await add(firm.people.staff);
    await expect.poll(() => JSON.stringify(ours.events)).toContain('"comments"');
    expect(JSON.stringify(theirs.events)).not.toContain('comments');
  });
});

describe('the author of a comment', () => {
  it('is the company for its owner, with its logo, and themselves for everybody else', async () => {
    const owner = await createPerson(test);
    await owner.client.company.completeOnboarding(newProfile({ company_name: 'Rewi Electric', name: 'Rewi Tane' }));
    const { rows } = await test.owner.query<{ company_id: string }>('select company_id from staff_members where profile_id = $1', [
      owner.userId,
    ]);
    const companyId = rows[0]?.company_id ?? '';
    const manager = await hire(test, companyId, 'manager');
    // Who came in the same moment is not the owner.
    await test.owner.query('update staff_members m set created_at = c.created_at from companies c where c.company_id = m.company_id');
    const [logo, avatar] = await Promise.all(
      ['/api/company/logo', `/api/staff/${await staffIdOf(manager)}/avatar`].map(async (path) => {
        const answer = await uploadTo(
          test,
          path,
          owner.cookie,
          'a.png',
          await sharp(await photo())
            .png()
            .toBuffer(),
        );
        return answer.json<{ avatar_url: string }>().avatar_url;
      }),
    );
    const job = await addJob(owner, manager);
    await add(owner, { job_id: job });
    await add(manager, { job_id: job });
    expect((await list(owner, job)).map(({ author }) => author)).toEqual([
      { staff_id: await staffIdOf(owner), name: 'Rewi Electric', avatar_url: logo },
      { staff_id: await staffIdOf(manager), name: 'The manager', avatar_url: avatar },
    ]);
    expect((await manager.client.notifications.list()).rows.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^Rewi Electric commented on job #J\d+: Fix the kitchen tap$/),
    );
  });

  it('has their current name, and the name of that time once they are deleted', async () => {
    await add(firm.people.staff);
    const { version } = await firm.people.staff.client.staff.myDetails();
    await firm.people.staff.client.staff.updateMyDetails({ version, name: 'Sione Fale', phone: null });
    expect((await list())[0]?.author.name).toBe('Sione Fale');
    await add(firm.people.staff, { content: 'Fixed' });
    await firm.people.admin.client.staff.remove({ id: await staffIdOf(firm.people.staff) });
    expect((await list()).map(({ author }) => author)).toEqual([
      { staff_id: null, name: 'The staff', avatar_url: null },
      { staff_id: null, name: 'Sione Fale', avatar_url: null },
    ]);
  });

  it('cannot comment any more once they are being deleted', async () => {
    const id = await staffIdOf(firm.people.staff);
    const refused = await withOwner(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('delete from staff_members where id = $1', [id]);
      const adding = add(firm.people.staff).catch((error: unknown) => error);
      await waitUntilBlocked(test.database);
      await owner.query('commit');
      return adding;
    });
    expect(refused).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await rowsOf('job_comments')).toEqual([]);
  });
});

describe('the text of a comment', () => {
  it('may be 10,000 characters long, is kept as it was typed, and never becomes markup', async () => {
    const content = `<img src=x onerror=alert(1)>\nSecond line ${'x'.repeat(9_959)}`;
    expect(content).toHaveLength(10_000);
    expect((await add(firm.people.staff, { content })).content).toBe(content);
  });

  it.each([10_001, 100_000])('of %d characters is refused and nothing is stored', async (length) => {
    const file = await upload();
    const refused = add(firm.people.staff, { content: 'x'.repeat(length), file_ids: [file] });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields: { content: expect.any(String) as string } } });
    expect(await rowsOf('job_comments')).toEqual([]);
    expect((await add(firm.people.staff, { file_ids: [file] })).attachments).toHaveLength(1);
  });

  it('may be missing when there is a file, and only then', async () => {
    for (const content of ['', ' \n\t ']) {
      await expect(add(firm.people.staff, { content })).rejects.toMatchObject(wrong({ content: 'Please write something or add a file' }));
    }
    expect(await add(firm.people.staff, { content: ' ', file_ids: [await upload()] })).toMatchObject({ content: '' });
  });
});

describe('the files of a comment', () => {
  it('are shown in the order they were added, images with a thumbnail', async () => {
    const bytes = await photo();
    const files = [
      await upload({ name: 'b.jpg', bytes }),
      await upload({ name: 'plan.pdf' }),
      await upload({ name: 'a.png', bytes: png() }),
    ];
    const file_ids = files.toReversed();
    const added = await add(firm.people.staff, { file_ids });
    const [imageId, planId, photoId] = file_ids;
    expect(added.attachments).toEqual([
      { id: imageId, file_name: 'a.png', file_size: 100, file_type: 'image/png', ...urlsOf(imageId) },
      { id: planId, file_name: 'plan.pdf', file_size: 100, file_type: 'application/pdf', ...urlsOf(planId), thumbnail_url: null },
      { id: photoId, file_name: 'b.jpg', file_size: bytes.length, file_type: 'image/jpeg', ...urlsOf(photoId) },
    ]);
    expect(await list()).toEqual([added]);
    const shown = await test.request('GET', `/api/files/${photoId}/thumbnail`, { cookie: firm.people.accountant.cookie });
    expect(shown.statusCode).toBe(200);
  });

  const urlsOf = (id = '') => ({ url: `/api/files/${id}`, thumbnail_url: `/api/files/${id}/thumbnail` });

  it('are refused with a message, and nothing is stored, when one is not there or not free', async () => {
    const other = await createFirm(test, 'Other');
    const [free, taken, foreign] = [await upload(), await upload(), await upload({ by: other.people.admin })];
    const picture = await upload({ name: 'a.png', bytes: png() });
    await add(firm.people.staff, { file_ids: [taken] });
    const { rows } = await test.owner.query<{ id: string }>('select id from files where owner_id = $1', [picture]);
    const logo = await uploadTo(
      test,
      '/api/company/logo',
      firm.people.admin.cookie,
      'logo.png',
      await sharp(await photo())
        .png()
        .toBuffer(),
    );
    const logoId = logo.json<{ avatar_url: string }>().avatar_url.split('/').at(-1) ?? '';
    for (const id of [taken, foreign, randomUUID(), rows[0]?.id ?? '', logoId]) {
      await expect(add(firm.people.staff, { file_ids: [free, id] })).rejects.toMatchObject(GONE);
    }
    expect(await rowsOf('job_comments')).toHaveLength(1);
    expect((await add(firm.people.staff, { file_ids: [free] })).attachments).toHaveLength(1);
  });

  it.each<[string, string, () => Buffer, number]>([
    ['a file of 26 MB', 'plan.pdf', () => pdf(26 * 1024 * 1024), 413],
    ['a program renamed to .png', 'run.png', () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]), 415],
    ['a picture cut off halfway', 'leak.png', () => png(45), 415],
    ['a type that is not on the list', 'leak.webp', () => Buffer.from(WEBP, 'base64'), 415],
  ])('cannot include %s, of which nothing is stored', async (_, name, bytes, status) => {
    const id = randomUUID();
    expect((await uploadTo(test, `/api/files/${id}`, firm.people.staff.cookie, name, bytes())).statusCode).toBe(status);
    await expect(add(firm.people.staff, { file_ids: [id] })).rejects.toMatchObject(GONE);
    expect([await rowsOf('files'), await rowsOf('job_comments'), await keptFiles(firm)]).toEqual([[], [], []]);
  });

  it('are at most twenty', async () => {
    const refused = add(firm.people.staff, { file_ids: Array.from({ length: 21 }, () => randomUUID()) });
    await expect(refused).rejects.toMatchObject(wrong({ file_ids: 'Too many files' }));
  });

  it('belong to one comment when two people take the same file at once', async () => {
    const file = await upload();
    const people = [firm.people.staff, firm.people.manager, firm.people.admin];
    const outcomes = await Promise.allSettled(people.map((person) => add(person, { file_ids: [file] })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await list()).map(({ attachments }) => attachments.length)).toEqual([1]);
  });
});

describe('adding the same comment', () => {
  it('twice is one comment and one notification', async () => {
    const request = comment({ file_ids: [await upload(), await upload()] });
    const { client } = firm.people.staff;
    expect(await client.comments.add(request)).toEqual(await client.comments.add(request));
    expect(await list()).toHaveLength(1);
    expect(await commentsToldTo(firm.people.manager)).toBe(1);
  });

  it('eight times at once is one comment and one notification', async () => {
    const request = comment({ file_ids: [await upload()] });
    const answers = await Promise.all(Array.from({ length: 8 }, () => firm.people.staff.client.comments.add(request)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await list()).toHaveLength(1);
    expect(await commentsToldTo(firm.people.manager)).toBe(1);
  });

  it('with another text, file, job or author is refused and changes nothing', async () => {
    const file = await upload();
    const added = await add(firm.people.staff, { file_ids: [file] });
    const { id } = added;
    const other = await addJob(firm.people.admin, firm.people.staff);
    const same = { id, file_ids: [file] };
    for (const [by, over] of [
      [firm.people.staff, { ...same, content: 'Another text' }],
      [firm.people.staff, { id }],
      [firm.people.staff, { ...same, job_id: other }],
      [firm.people.manager, same],
    ] as const) {
      await expect(add(by, over)).rejects.toMatchObject({ code: 'ID_TAKEN' });
    }
    expect([await list(), await list(firm.people.staff, other)]).toEqual([[added], []]);
  });

  it('by two companies under the same id is two comments', async () => {
    const other = await createFirm(test, 'Other');
    const theirs = await addJob(other.people.admin, other.people.staff);
    const { id } = await add(firm.people.staff);
    expect((await add(other.people.staff, { id, job_id: theirs, content: 'Theirs' })).content).toBe('Theirs');
    expect((await list()).map(({ content }) => content)).toEqual(['The valve leaks']);
  });
});

async function commentsToldTo(person: Person): Promise<number> {
  const { rows } = await person.client.notifications.list();
  return rows.filter(({ message, data }) => message.includes('commented on job') && data.job_id === jobId).length;
}

describe('a comment tells', () => {
  it('the assigned person and everybody who commented before, once each, and never its author', async () => {
    const { admin, manager, accountant, staff } = firm.people;
    const told = () => Promise.all([admin, manager, accountant, staff].map(commentsToldTo));
    await add(staff);
    expect(await told()).toEqual([0, 1, 0, 0]);
    await add(staff);
    expect(await told()).toEqual([0, 2, 0, 0]);
    await add(manager);
    expect(await told()).toEqual([0, 2, 0, 1]);
    await add(accountant);
    expect(await told()).toEqual([0, 3, 0, 2]);
    expect((await manager.client.notifications.list()).rows[0]).toMatchObject({
      message: expect.stringMatching(/^The accountant commented on job #J\d+: Fix the kitchen tap$/) as string,
      type: 'info',
      data: { job_id: jobId },
    });
  });
});

describe('a deleted job', () => {
  it('takes its comments and their files along, rows and bytes, and no other file', async () => {
    const bytes = await photo();
    const other = await addJob(firm.people.admin, firm.people.staff);
    const [kept, unattached] = [await upload(), await upload()];
    await add(firm.people.staff, { job_id: other, file_ids: [kept] });
    await add(firm.people.staff, { file_ids: [await upload(), await upload({ name: 'a.jpg', bytes })] });
    await add(firm.people.manager, { file_ids: [await upload({ name: 'b.jpg', bytes })] });
    expect(await rowsOf('files')).toHaveLength(7);
    await firm.people.admin.client.jobs.remove({ id: jobId });
    await waitForQueue(test);
    expect((await rowsOf('files')).toSorted()).toEqual([kept, unattached].toSorted());
    expect((await keptFiles(firm)).toSorted()).toEqual([kept, unattached].toSorted());
    expect(await rowsOf('job_comments')).toHaveLength(1);
    const { rows } = await test.owner.query('select file_bytes::int as bytes from companies where company_id = $1', [firm.companyId]);
    expect(rows).toEqual([{ bytes: 200 }]);
  });

  it('leaves no file behind when people comment on it meanwhile', async () => {
    const files = await Promise.all([1, 2, 3, 4, 5, 6].map(() => upload()));
    const adding = files.map((file) =>
      add(firm.people.staff, { file_ids: [file] }).then(
        () => file,
        () => null,
      ),
    );
    await Promise.all([firm.people.admin.client.jobs.remove({ id: jobId }), ...adding]);
    const attached = new Set(await Promise.all(adding));
    expect((await rowsOf('files')).toSorted()).toEqual(files.filter((file) => !attached.has(file)).toSorted());
    const { rows } = await test.owner.query('select id from files where company_id = $1 and owner_kind is not null', [firm.companyId]);
    expect(rows).toEqual([]);
  });
});

it('the history of a job names who changed what, the newest first', async () => {
  await firm.people.staff.client.jobs.setStatus({ id: jobId, status: 'complete' });
  const { rows } = await firm.people.accountant.client.comments.history({ id: jobId });
  expect(rows).toMatchObject([
    { who: 'The staff', action: 'edited', changes: { status: ['booked', 'complete'] } },
    { who: 'The admin', action: 'created', changes: {} },
  ]);
});
