import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFirmJob, readStaffId } from '../../../test/factories/billed-job.ts';
import { createFirm, type Firm, type Person } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let job_id: string;
let id: string;

beforeAll(async () => {
  test = await startTestApp();
});

/** Returns an instant on the day before yesterday: '09:30' is 9:30 AM in UTC. */
const at = (time: string) => `${new Date(Date.now() - 48 * 3_600_000).toISOString().slice(0, 10)}T${time}:00.000Z`;
const period = (from: string, to: string) => ({ started_at: at(from), ended_at: at(to) });

beforeEach(async () => {
  firm = await createFirm(test);
  ({ id: job_id } = await createFirmJob(test, firm, { job_type: 'hourly', hourly_rate: '60' }));
  id = randomUUID();
  await staff().client.timer.add({ id, job_id, ...period('08:00', '09:00') });
});

const staff = () => firm.people.staff;
const change = (from: string, to: string, { person = staff(), version = 1, entryId = id } = {}) =>
  person.client.timer.change({ id: entryId, version, ...period(from, to) });
const remove = (person: Person = staff(), entryId = id) => person.client.timer.remove({ id: entryId });
const readTimer = async () => (await staff().client.jobs.get({ id: job_id })).timer;
const readLatestEvent = async () => (await staff().client.comments.history({ id: job_id })).rows[0];
const invalid = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', data: { fields } });
const BILLED = invalid({ started_at: 'This time has been allocated. Remove its line from the job first.' });
const RECORDED = invalid({ started_at: 'A timer recorded this time, so only its end can be corrected.' });

describe('unbilled time that was added by hand', () => {
  it('can be changed by the person who worked, and the history says how', async () => {
    expect(await change('07:00', '10:00')).toMatchObject({ ...period('07:00', '10:00'), version: 2 });
    expect((await readTimer()).finished_seconds).toBe(10_800);
    expect(await readLatestEvent()).toMatchObject({
      who: 'The staff',
      action: 'time_changed',
      changes: { started_at: [at('08:00'), at('07:00')], ended_at: [at('09:00'), at('10:00')] },
    });
  });

  it('is not changed if it has changed since it was read', async () => {
    await change('07:00', '10:00');
    await expect(change('07:30', '10:00')).rejects.toMatchObject({ code: 'STALE_VERSION', data: { current: { version: 2 } } });
  });

  it('can be deleted by the person who worked, and the history keeps its period', async () => {
    await remove();
    expect((await readTimer()).finished_seconds).toBe(0);
    expect(await readLatestEvent()).toMatchObject({ action: 'time_removed', changes: { period: [at('08:00'), at('09:00')] } });
    await expect(remove()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await staff().client.timer.add({ id: randomUUID(), job_id, ...period('08:30', '09:30') });
  });

  it('can be changed and deleted for other people by admins and managers only', async () => {
    const { accountant, manager, admin } = firm.people;
    const refusal = { code: 'FORBIDDEN', message: "You do not have permission to add or change other people's time" };
    await expect(change('07:00', '08:00', { person: accountant })).rejects.toMatchObject(refusal);
    await expect(remove(accountant)).rejects.toMatchObject(refusal);
    await change('07:00', '08:00', { person: manager });
    await remove(admin);
    expect(await readLatestEvent()).toMatchObject({ who: 'The admin', changes: { time_of: [null, 'The staff'] } });
  });

  it('must not overlap other time of the person, but may overlap its former period', async () => {
    const other = randomUUID();
    const { job_number, title } = await staff().client.timer.add({ id: other, job_id, ...period('10:00', '11:00') });
    await change('08:30', '10:00');
    await expect(change('08:30', '10:01', { version: 2 })).rejects.toMatchObject(
      invalid({ started_at: `This overlaps time on #${job_number} ${title}` }),
    );
    await expect(change('09:00', '08:00', { version: 2 })).rejects.toMatchObject(invalid({ ended_at: 'The end must be after the start' }));
  });

  it('cannot be changed or deleted once a line bills it', async () => {
    const typed = { supplier_item_id: null, name: 'Labour', hourly_rate: '60', quantity: 1 };
    await staff().client.timer.allocate({ id: randomUUID(), job_id, ...typed });
    await expect(change('07:00', '08:00')).rejects.toMatchObject(BILLED);
    await expect(remove()).rejects.toMatchObject(BILLED);
    expect((await readTimer()).finished_seconds).toBe(3600);
  });

  it('can be deleted after its job or its person was deleted', async () => {
    const { admin } = firm.people;
    await admin.client.jobs.remove({ id: job_id });
    await admin.client.staff.remove({ id: await readStaffId(test, firm) });
    await remove(admin);
    await expect(remove(admin)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('time that a timer recorded cannot be changed or deleted', async () => {
  const entryId = randomUUID();
  await staff().client.timer.start({ id: entryId, job_id });
  await staff().client.timer.pause({ job_id });
  await expect(change('07:00', '08:00', { entryId })).rejects.toMatchObject(RECORDED);
  await expect(remove(staff(), entryId)).rejects.toMatchObject(RECORDED);
});
