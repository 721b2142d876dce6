import { randomUUID } from 'node:crypto';
import { ROLES } from '@callout/domain/roles/roles';
import { TASK_COLORS } from '@callout/domain/tasks/task';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStream } from '../../../test/event-stream.ts';
import { type NewTaskInput, newTask } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { staffIdsOf } from '../../../test/factories/staff-ids.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let staffId: string;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  staffId = (await staffIdsOf(test, firm)).staff;
});

const staff = () => firm.people.staff.client;
const admin = () => firm.people.admin.client;
const addTask = (over: Partial<NewTaskInput> = {}) => staff().tasks.create(newTask(over));
const titles = async (filter: Parameters<ReturnType<typeof admin>['tasks']['list']>[0] = {}) =>
  (await admin().tasks.list(filter)).rows.map(({ title }) => title);

describe('a new task', () => {
  it('has what was typed, and belongs to who added it', async () => {
    const task = await addTask({ description: 'Two taps\nand a hose', show_in_calendar: true, staff_id: staffId });
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

  it('needs no more than a title', async () => {
    const task = await staff().tasks.create({ id: randomUUID(), title: '  Call Ana ' });
    expect(task).toMatchObject({ title: 'Call Ana', color: 'yellow', show_in_calendar: false, calendar_date: null, staff: null });
  });

  it('is active: any other status is refused', async () => {
    for (const status of ['foo', 'completed']) {
      await expect(staff().tasks.create({ ...newTask(), status: status as 'active' })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { fields: { status: 'A new task is active' } },
      });
    }
  });

  it('sent again after a lost answer is the same task, also when it was completed since', async () => {
    const request = newTask();
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
  ])('with %j is refused, and nothing is stored', async (over, fields) => {
    await expect(addTask(over)).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields } });
    expect(await admin().tasks.count({})).toEqual({ total: 0 });
  });

  it.each(TASK_COLORS)('can be %s', async (color) => {
    expect((await addTask({ color })).color).toBe(color);
  });

  it('of a person of another company, or one who was deleted, is refused', async () => {
    const other = await createFirm(test, 'Neighbor');
    for (const stranger of [(await staffIdsOf(test, other)).staff, randomUUID()]) {
      await expect(addTask({ staff_id: stranger })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { fields: { staff_id: 'This staff member no longer exists. Please choose another one.' } },
      });
    }
    expect(await admin().tasks.count({})).toEqual({ total: 0 });
  });

  it.each(ROLES)('is added, completed and deleted by an %s', async (role) => {
    const { tasks } = firm.people[role].client;
    const { id } = await tasks.create(newTask());
    expect((await tasks.setStatus({ id, status: 'completed' })).status).toBe('completed');
    await tasks.remove({ id });
    expect((await tasks.list({})).rows).toEqual([]);
  });

  it('is told to every browser of the company', async () => {
    const { events } = await openStream(test, firm.people.manager.cookie);
    await addTask();
    await expect.poll(() => JSON.stringify(events)).toContain('"tasks"');
  });
});

describe('a task', () => {
  it('is completed now and made active again, each once', async () => {
    const { id } = await addTask();
    const before = new Date().toISOString();
    const completed = await staff().tasks.setStatus({ id, status: 'completed' });
    expect(completed).toMatchObject({ status: 'completed', version: 2 });
    expect(completed.completed_at ?? '').toSatisfy((at: string) => at >= before && at <= new Date().toISOString());
    expect(await admin().tasks.setStatus({ id, status: 'completed' })).toEqual(completed);
    expect(await staff().tasks.setStatus({ id, status: 'active' })).toMatchObject({ status: 'active', completed_at: null, version: 3 });
    expect((await staff().tasks.setStatus({ id, status: 'active' })).version).toBe(3);
  });

  it('is changed from its version, and stays completed', async () => {
    const task = await addTask();
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

  it('that was deleted by a colleague is not found', async () => {
    const task = await addTask();
    await staff().tasks.remove({ id: task.id });
    const gone = { code: 'NOT_FOUND', message: 'Task not found' };
    await expect(staff().tasks.remove({ id: task.id })).rejects.toMatchObject(gone);
    await expect(staff().tasks.get({ id: task.id })).rejects.toMatchObject(gone);
    await expect(staff().tasks.update(task)).rejects.toMatchObject(gone);
    await expect(staff().tasks.setStatus({ id: task.id, status: 'completed' })).rejects.toMatchObject(gone);
  });

  it('of a deleted person stays, unassigned, and every browser is told', async () => {
    const { id } = await addTask({ staff_id: staffId });
    const { events } = await openStream(test, firm.people.manager.cookie);
    await admin().staff.remove({ id: staffId });
    expect(await admin().tasks.get({ id })).toMatchObject({ staff_id: null, staff: null, status: 'active', version: 1 });
    await expect.poll(() => JSON.stringify(events)).toContain('"tasks"');
  });
});

describe('the tasks', () => {
  it('are the newest first, of one status or person, and only of the own company', async () => {
    await createFirm(test, 'Neighbor').then(({ people }) => people.admin.client.tasks.create(newTask({ title: 'Theirs' })));
    await addTask({ title: 'First' });
    const second = await addTask({ title: 'Second', staff_id: staffId });
    await addTask({ title: 'Third' });
    await staff().tasks.setStatus({ id: second.id, status: 'completed' });
    expect(await titles()).toEqual(['Third', 'Second', 'First']);
    expect(await titles({ status: 'active' })).toEqual(['Third', 'First']);
    expect(await titles({ status: 'completed' })).toEqual(['Second']);
    expect(await titles({ staff_id: staffId })).toEqual(['Second']);
    expect(await admin().tasks.count({ status: 'active' })).toEqual({ total: 2 });
  });
});
