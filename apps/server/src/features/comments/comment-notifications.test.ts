import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCustomer, buildJob } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, type Person } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let jobId: string;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  const { customers, jobs } = firm.people.admin.client;
  const customer = await customers.create(buildCustomer());
  jobId = (await jobs.create(buildJob({ customer_id: customer.id, staff_id: await readStaffId(firm.people.manager) }))).id;
  await firm.people.manager.client.notifications.markAllRead();
});

async function readStaffId({ client }: Person): Promise<string> {
  return (await client.company.me()).user.staff_id ?? '';
}

const addComment = (by: Person, content = 'The valve leaks') =>
  by.client.comments.add({ id: randomUUID(), job_id: jobId, content, file_ids: [] });
const mention = async (person: Person) => `@[${await readStaffId(person)}]`;
const listMentions = async ({ client }: Person) =>
  (await client.notifications.list()).rows.flatMap(({ message, read }) => (message.includes('mentioned you') ? [{ message, read }] : []));
const listMessages = async ({ client }: Person) =>
  (await client.notifications.list()).rows
    .map(({ message }) => message.replace(/#J\d+: /, ''))
    .filter((message) => message.includes('comment'));
const countUnread = async ({ client }: Person) => (await client.notifications.list()).unread;

describe('a comment notifies', () => {
  it('the assigned person and earlier commenters, but never its author', async () => {
    const { admin, manager, accountant, staff } = firm.people;
    const countNotified = async () =>
      Promise.all([admin, manager, accountant, staff].map(async (person) => (await listMessages(person)).length));
    await addComment(staff);
    expect(await countNotified()).toEqual([0, 1, 0, 0]);
    await addComment(manager);
    expect(await countNotified()).toEqual([0, 1, 0, 1]);
    await addComment(accountant);
    expect(await countNotified()).toEqual([0, 1, 0, 1]);
    expect((await staff.client.notifications.list()).rows[0]).toMatchObject({
      message: expect.stringMatching(/^The manager and The accountant wrote 2 comments on job #J\d+: Fix the kitchen tap$/) as string,
      type: 'info',
      data: { job_id: jobId },
    });
  });
});

describe('comments on one job within ten minutes', () => {
  it('make one unread notification that counts them and names their authors', async () => {
    const { manager, staff, accountant } = firm.people;
    await addComment(staff);
    expect(await listMessages(manager)).toEqual(['The staff commented on job Fix the kitchen tap']);
    await addComment(staff);
    await addComment(accountant);
    expect(await listMessages(manager)).toEqual(['The staff and The accountant wrote 3 comments on job Fix the kitchen tap']);
    expect(await countUnread(manager)).toBe(1);
  });

  it('make one notification even if they arrive at the same time', async () => {
    const { manager, staff, accountant } = firm.people;
    await Promise.all([staff, accountant, staff, accountant].map((person) => addComment(person)));
    expect(await listMessages(manager)).toEqual([expect.stringMatching(/ wrote 4 comments on job /)]);
  });

  it('become unread again and count from one after they were read', async () => {
    const { manager, staff, accountant } = firm.people;
    await addComment(staff);
    await addComment(staff);
    await manager.client.notifications.markAllRead();
    await addComment(accountant);
    expect(await listMessages(manager)).toEqual(['The accountant commented on job Fix the kitchen tap']);
    expect(await countUnread(manager)).toBe(1);
  });

  it('count for each person from what that person has read, cleared or not seen yet', async () => {
    const { admin, manager, staff, accountant } = firm.people;
    for (const person of [staff, accountant, admin]) await addComment(person);
    await manager.client.notifications.markAllRead();
    await accountant.client.notifications.clear({ id: randomUUID() });
    await addComment(admin);
    expect(await listMessages(manager)).toEqual(['The admin commented on job Fix the kitchen tap']);
    expect(await listMessages(staff)).toEqual(['The accountant and The admin wrote 3 comments on job Fix the kitchen tap']);
    expect(await listMessages(accountant)).toEqual(['The admin commented on job Fix the kitchen tap']);
    expect(await Promise.all([manager, staff, accountant].map(countUnread))).toEqual([1, 1, 1]);
  });

  it('make a new notification after the earlier one was cleared or deleted', async () => {
    const { manager, staff } = firm.people;
    await addComment(staff);
    await manager.client.notifications.clear({ id: randomUUID() });
    await addComment(staff);
    expect(await listMessages(manager)).toEqual(['The staff commented on job Fix the kitchen tap']);
    const [row] = (await manager.client.notifications.list()).rows;
    await manager.client.notifications.remove({ id: row?.id ?? '' });
    await addComment(staff);
    expect(await listMessages(manager)).toEqual(['The staff commented on job Fix the kitchen tap']);
  });
});

it('a comment more than ten minutes after the first makes a second notification', async () => {
  const { manager, staff } = firm.people;
  await addComment(staff);
  await test.owner.query(
    `update notifications set grouping = jsonb_set(grouping, '{since}', to_jsonb(to_char(now() at time zone 'utc' - interval '10 minutes', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      where company_id = $1 and grouping is not null`,
    [firm.companyId],
  );
  await addComment(staff);
  const message = 'The staff commented on job Fix the kitchen tap';
  expect(await listMessages(manager)).toEqual([message, message]);
});

describe('deleting a comment', () => {
  it('leaves its notification with the other comments, and deletes it with the last one, even once read', async () => {
    const { admin, manager, staff, accountant } = firm.people;
    const first = await addComment(staff);
    const second = await addComment(accountant);
    await staff.client.comments.remove({ id: first.id });
    expect(await listMessages(manager)).toEqual(['The accountant commented on job Fix the kitchen tap']);
    expect(await countUnread(manager)).toBe(1);
    await manager.client.notifications.markAllRead();
    await admin.client.comments.remove({ id: second.id });
    expect(await listMessages(manager)).toEqual([]);
    expect(await listMessages(staff)).toEqual([]);
  });

  it('deletes the notifications of the people it mentions, and no others', async () => {
    const { manager, accountant, staff } = firm.people;
    const kept = await addComment(staff, await mention(manager));
    const { id } = await addComment(staff, await mention(manager));
    await staff.client.comments.update({ id, version: 1, content: `${await mention(manager)} ${await mention(accountant)}` });
    await staff.client.comments.remove({ id });
    expect(await listMentions(manager)).toHaveLength(1);
    expect(await listMentions(accountant)).toEqual([]);
    await staff.client.comments.remove({ id: kept.id });
    expect(await listMentions(manager)).toEqual([]);
  });

  it('is not undone by restoring cleared notifications', async () => {
    const { manager, staff } = firm.people;
    const { id } = await addComment(staff);
    const clearing = randomUUID();
    await manager.client.notifications.clear({ id: clearing });
    await staff.client.comments.remove({ id });
    await manager.client.notifications.restore({ id: clearing });
    expect(await listMessages(manager)).toEqual([]);
  });
});

describe('mentioning a colleague', () => {
  it('notifies only that person, who gets no second notification about the comment', async () => {
    const { admin, manager, accountant, staff } = firm.people;
    await addComment(staff, `${await mention(manager)} and ${await mention(accountant)}: please call. ${await mention(staff)}`);
    for (const person of [manager, accountant]) {
      expect(await listMentions(person)).toEqual([
        { message: expect.stringMatching(/^The staff mentioned you on job #J\d+: Fix the kitchen tap$/) as string, read: false },
      ]);
      expect(await listMessages(person)).toEqual([]);
    }
    for (const person of [admin, staff]) expect(await listMentions(person)).toEqual([]);
  });

  it('several times within ten minutes makes one notification, apart from that of the comments', async () => {
    const { manager, staff, accountant } = firm.people;
    await addComment(staff);
    await addComment(staff, await mention(manager));
    const { id } = await addComment(accountant, await mention(manager));
    expect(await listMentions(manager)).toMatchObject([
      { message: expect.stringMatching(/^The staff and The accountant mentioned you in 2 comments on job #/) as string },
    ]);
    expect(await listMessages(manager)).toContain('The staff commented on job Fix the kitchen tap');
    await accountant.client.comments.remove({ id });
    expect(await listMentions(manager)).toMatchObject([{ message: expect.stringMatching(/^The staff mentioned you on job #/) as string }]);
  });

  it('again and again in edits of one comment counts once', async () => {
    const { manager, staff } = firm.people;
    const { id } = await addComment(staff, 'Call');
    for (let version = 1; version < 7; version += 1) {
      await staff.client.comments.update({
        id,
        version,
        content: version % 2 ? `${await mention(manager)} ${version}` : `Call ${version}`,
      });
    }
    expect(await listMentions(manager)).toMatchObject([{ message: expect.stringMatching(/^The staff mentioned you on job #/) as string }]);
  });

  it('in an edit notifies only people who were not mentioned before', async () => {
    const { manager, accountant, staff } = firm.people;
    const { id } = await addComment(staff, `${await mention(manager)} call`);
    await staff.client.comments.update({ id, version: 1, content: `${await mention(manager)} ${await mention(accountant)} call` });
    expect(await listMentions(manager)).toHaveLength(1);
    expect(await listMentions(accountant)).toHaveLength(1);
    const [event] = (await staff.client.comments.history({ id: jobId })).rows;
    expect(event?.changes).toEqual({ comment: ['@The manager call', '@The manager @The accountant call'] });
  });

  it('shows the current name, and the last known name once the person is deleted', async () => {
    const { admin, manager, accountant, staff } = firm.people;
    const [managerId, accountantId] = [await readStaffId(manager), await readStaffId(accountant)];
    const { id } = await addComment(staff, `@[${managerId}] @[${accountantId}]`);
    await test.owner.query(`update staff_members set name = 'Renamed' where id = $1`, [managerId]);
    await admin.client.staff.remove({ id: accountantId });
    const readMentions = async () => (await staff.client.comments.list({ job_id: jobId })).rows[0]?.mentions;
    const expected = [
      { staff_id: managerId, name: 'Renamed' },
      { staff_id: accountantId, name: 'The accountant' },
    ].toSorted((one, other) => one.staff_id.localeCompare(other.staff_id));
    expect(await readMentions()).toEqual(expected);
    await staff.client.comments.update({ id, version: 1, content: `@[${managerId}] @[${accountantId}] again` });
    expect(await readMentions()).toEqual(expected);
  });

  it('of another company reveals and notifies nobody', async () => {
    const other = await createFirm(test, 'Other');
    const added = await addComment(firm.people.staff, await mention(other.people.admin));
    expect(added.mentions).toEqual([]);
    expect(await listMentions(other.people.admin)).toEqual([]);
  });
});
