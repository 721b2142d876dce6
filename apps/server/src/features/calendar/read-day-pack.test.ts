import { randomUUID } from 'node:crypto';
import { MAX_PACKED_COMMENTS, MAX_PACKED_JOBS } from '@callout/contract/day-pack';
import { HOUR_MS } from '@callout/domain/time/time-units';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CalendarFirm, createCalendarFirm } from '../../../test/factories/calendar-firm.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: CalendarFirm;
beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  firm = await createCalendarFirm(test);
});

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const RANGE = { from: inHours(-72), to: inHours(72) };
const readPack = (role: 'staff' | 'manager' = 'staff') => firm.people[role].client.calendar.pack(RANGE);

describe('a day pack', () => {
  it('contains my booked jobs with customer and comments, as the calls for one job return them', async () => {
    const { client } = firm.people.staff;
    const [tomorrow, today] = [await firm.createJob({ booking_date: inHours(30) }), await firm.createJob({ booking_date: inHours(2) })];
    await client.comments.add({ id: randomUUID(), job_id: tomorrow.id, content: 'The key is under the mat' });
    const pack = await readPack();
    const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
    const withoutClock = <Timed extends { timer: object }>({ timer, ...job }: Timed) => ({ ...job, timer: { ...timer, server_time: '' } });
    const read = await Promise.all([tomorrow, today].map(({ id }) => client.jobs.get({ id })));
    expect(pack.jobs.map(withoutClock).toSorted(byId)).toEqual(read.map(withoutClock).toSorted(byId));
    expect(pack.customers).toEqual([await client.customers.get({ id: firm.customer.id })]);
    expect(pack.comments).toHaveLength(2);
    expect(pack.comments).toContainEqual({ job_id: tomorrow.id, ...(await client.comments.list({ job_id: tomorrow.id })) });
    expect(pack.comments).toContainEqual({ job_id: today.id, rows: [] });
  });

  it('leaves out other days, canceled jobs, and the jobs of colleagues', async () => {
    await firm.createJob({ booking_date: inHours(100) });
    await firm.createJob({ booking_date: inHours(-100) });
    await firm.createJob({ booking_date: inHours(3), status: 'canceled' });
    await firm.createJob({ booking_date: inHours(4), staff_id: firm.staffIds.admin });
    expect(await readPack()).toEqual({ jobs: [], customers: [], comments: [] });
  });

  it('hides from staff what their role may not see', async () => {
    await firm.createJob({ booking_date: inHours(2) });
    await firm.createJob({ booking_date: inHours(2), staff_id: firm.staffIds.manager });
    const [seenByStaff, seenByManager] = [await readPack(), await readPack('manager')];
    expect(seenByStaff.jobs[0]).not.toHaveProperty('paid_amount');
    expect(seenByManager.jobs[0]).toHaveProperty('paid_amount');
  });

  it('contains the jobs next to now if there are too many, and no job with too many comments', async () => {
    const near = await firm.createJob({ booking_date: inHours(1) });
    const far = await firm.createJob({ booking_date: inHours(70) });
    await Promise.all(Array.from({ length: MAX_PACKED_JOBS - 1 }, (_, index) => firm.createJob({ booking_date: inHours(2 + index / 10) })));
    await test.owner.query(
      `insert into job_comments (company_id, id, job_id, content, mentions, author_name, created_at, version)
        select company_id, gen_random_uuid(), id, 'On my way', '{}', 'Sam', now(), 1 from jobs, generate_series(0, $2) where id = $1`,
      [near.id, MAX_PACKED_COMMENTS],
    );
    const { jobs, comments } = await readPack();
    expect(jobs).toHaveLength(MAX_PACKED_JOBS);
    expect(jobs.map(({ id }) => id)).toContain(near.id);
    expect(jobs.map(({ id }) => id)).not.toContain(far.id);
    expect(comments.map(({ job_id }) => job_id)).not.toContain(near.id);
    expect(comments).toHaveLength(MAX_PACKED_JOBS - 1);
  });

  it('rejects more than ten days', async () => {
    await expect(firm.people.staff.client.calendar.pack({ from: inHours(0), to: inHours(300) })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});
