import { randomUUID } from 'node:crypto';
import { ROLES } from '@callout/domain/roles/roles';
import { TASK_COLORS } from '@callout/domain/tasks/task';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEventStream } from '../../../test/event-stream.ts';
import { buildTask, type NewTaskInput } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { readStaffIds } from '../../../test/factories/staff-ids.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let staffId: string;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  staffId = (await readStaffIds(test, firm)).staff;
});

const staff = () => firm.people.staff.client;
const admin = () => firm.people.admin.client;
const createTask = (overrides: Partial<NewTaskInput> = {}) => staff().tasks.create(buildTask(overrides));
const listTitles = async (filter: Parameters<ReturnType<typeof admin>['tasks']['list']>[0] = {}) =>
  (await admin().tasks.list(filter)).rows.map(({ title }) => title);

describe('a new task', () => {
  it('stores all fields and its author', async () => {
    const task = await createTask({ description: 'Two taps\nand a hose', show_in_calendar: true, staff_id: staffId });
    expect(task).toMatchObject({
      title: 'Order parts',
      description: 'Two taps\nand a hose',
      color: 'blue',
      show_in_calendar: true,
      calendar_date: '2026-11-19T20:00:00.000Z',
      calendar_duration: '1.00',
      staff_id: staffId,
      staff: { id: staffId, name: 'The staff' },
      status: 'active',
      completed_at: null,
      version: 1,
    });
    expect(await admin().tasks.get({ id: task.id })).toEqual(task);
    const { rows } = await test.owner.query('select user_id from tasks where id = $1', [task.id]);
    expect(rows).toEqual([{ user_id: firm.people.staff.userId }]);
  });

  it('requires only a title', async () => {
    const task = await staff().tasks.create({ id: randomUUID(), title: '  Call Ana ' });
    expect(task).toMatchObject({ title: 'Call Ana', color: 'yellow', show_in_calendar: false, calendar_date: null, staff: null });
  });

  it('must be active, and is rejected with any other status', async () => {
    for (const status of ['foo', 'completed']) {
      await expect(staff().tasks.create({ ...buildTask(), status: status as 'active' })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { fields: { status: 'A new task must be active' } },
      });
    }
  });

  it('is created only once when the request is retried, even if the task has been completed since', async () => {
    const request = buildTask();
    await staff().tasks.create(request);
    await admin().tasks.setStatus({ id: request.id, status: 'completed' });
    expect(await staff().tasks.create(request)).toMatchObject({ status: 'completed', version: 2 });
    expect(await admin().tasks.count({})).toEqual({ total: 1 });
    await expect(admin().tasks.create({ ...request, title: 'Another' })).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it.each([
    [{ title: '   ' }, { title: 'Title is required' }],
    [{ title: 'x'.repeat(201) }, { title: 'Title must be at most 200 characters' }],
    [{ show_in_calendar: true, calendar_date: null }, { calendar_date: 'Date is required' }],
    [{ calendar_duration: '0.25' }, { calendar_duration: 'Duration must be at least 0.5 hours, in steps of 0.25' }],
    [{ calendar_duration: '1.1' }, { calendar_duration: 'Duration must be at least 0.5 hours, in steps of 0.25' }],
    [{ calendar_date: 'tomorrow' }, { calendar_date: 'Date is required' }],
  ])('is rejected with %j, and nothing is stored', async (overrides, fields) => {
    await expect(createTask(overrides)).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields } });
    expect(await admin().tasks.count({})).toEqual({ total: 0 });
  });

  it.each(TASK_COLORS)('can have the color %s', async (color) => {
    expect((await createTask({ color })).color).toBe(color);
  });

  it('is rejected if the assigned staff member is unknown or belongs to another company', async () => {
    const other = await createFirm(test, 'Neighbor');
    for (const stranger of [(await readStaffIds(test, other)).staff, randomUUID()]) {
      await expect(createTask({ staff_id: stranger })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { fields: { staff_id: 'This staff member no longer exists. Please choose another one.' } },
      });
    }
    expect(await admin().tasks.count({})).toEqual({ total: 0 });
  });

  it.each(ROLES)('can be added, completed and deleted by the role %s', async (role) => {
    const { tasks } = firm.people[role].client;
    const { id } = await tasks.create(buildTask());
    expect((await tasks.setStatus({ id, status: 'completed' })).status).toBe('completed');
    await tasks.remove({ id });
    expect((await tasks.list({})).rows).toEqual([]);
  });

  it('is published to all of the company’s open browsers', async () => {
    const { events } = await openEventStream(test, firm.people.manager.cookie);
    await createTask();
    await expect.poll(() => JSON.stringify(events)).toContain('"tasks"');
  });
});

describe('a task', () => {
  it('can be completed and reopened, and repeating either changes nothing', async () => {
    const { id } = await createTask();
    const before = new Date().toISOString();
    const completed = await staff().tasks.setStatus({ id, status: 'completed' });
    expect(completed).toMatchObject({ status: 'completed', version: 2 });
    expect(completed.completed_at ?? '').toSatisfy((instant: string) => instant >= before && instant <= new Date().toISOString());
    expect(await admin().tasks.setStatus({ id, status: 'completed' })).toEqual(completed);
    expect(await staff().tasks.setStatus({ id, status: 'active' })).toMatchObject({ status: 'active', completed_at: null, version: 3 });
    expect((await staff().tasks.setStatus({ id, status: 'active' })).version).toBe(3);
  });

  it('stays completed when edited, and rejects an outdated version', async () => {
    const task = await createTask();
    const { completed_at } = await staff().tasks.setStatus({ id: task.id, status: 'completed' });
    const change = { ...task, title: 'Order pipes', calendar_duration: '1.25', staff_id: staffId, version: 2 };
    expect(await admin().tasks.update(change)).toMatchObject({
      title: 'Order pipes',
      calendar_duration: '1.25',
      staff: { name: 'The staff' },
      status: 'completed',
      completed_at,
      version: 3,
    });
    await expect(staff().tasks.update({ ...change, title: 'Mine' })).rejects.toMatchObject({
      code: 'STALE_VERSION',
      data: { current: { title: 'Order pipes', version: 3 } },
    });
    await expect(staff().tasks.update({ ...change, version: 3, show_in_calendar: true, calendar_date: null })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('is not found after a colleague deleted it', async () => {
    const task = await createTask();
    await staff().tasks.remove({ id: task.id });
    const notFound = { code: 'NOT_FOUND', message: 'Task not found' };
    await expect(staff().tasks.remove({ id: task.id })).rejects.toMatchObject(notFound);
    await expect(staff().tasks.get({ id: task.id })).rejects.toMatchObject(notFound);
    await expect(staff().tasks.update(task)).rejects.toMatchObject(notFound);
    await expect(staff().tasks.setStatus({ id: task.id, status: 'completed' })).rejects.toMatchObject(notFound);
  });

  it('becomes unassigned when the assigned staff member is deleted, and the change is published', async () => {
    const { id } = await createTask({ staff_id: staffId });
    const { events } = await openEventStream(test, firm.people.manager.cookie);
    await admin().staff.remove({ id: staffId });
    expect(await admin().tasks.get({ id })).toMatchObject({ staff_id: null, staff: null, status: 'active', version: 1 });
    await expect.poll(() => JSON.stringify(events)).toContain('"tasks"');
  });
});

describe('the task list', () => {
  it('is sorted newest first, can be filtered by status and staff member, and contains only the company’s tasks', async () => {
    await createFirm(test, 'Neighbor').then(({ people }) => people.admin.client.tasks.create(buildTask({ title: 'Theirs' })));
    await createTask({ title: 'First' });
    const second = await createTask({ title: 'Second', staff_id: staffId });
    await createTask({ title: 'Third' });
    await staff().tasks.setStatus({ id: second.id, status: 'completed' });
    expect(await listTitles()).toEqual(['Third', 'Second', 'First']);
    expect(await listTitles({ status: 'active' })).toEqual(['Third', 'First']);
    expect(await listTitles({ status: 'completed' })).toEqual(['Second']);
    expect(await listTitles({ staff_id: staffId })).toEqual(['Second']);
    expect(await admin().tasks.count({ status: 'active' })).toEqual({ total: 2 });
  });
});
