import type { JobScheduleInput } from '@callout/contract/calendar';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  atTime,
  buildScheduleOutput,
  DAY_PATH,
  dragToTime,
  fakeLayout,
  findCalendarEvent,
  ROOF_JOB,
  SCHEDULE_JOB_CALL,
} from './drag-calendar.ts';
import { ADMIN_USER, JOB, MIA, SAM } from './fixtures.ts';
import { buildUnscheduledJob, fakeTodayAsTuesday, openCalendar } from './open-calendar.ts';
import { failWith, getValue, type MockApi, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';

fakeTodayAsTuesday();

/** Records each change and responds as the server does: a job that gets a date becomes booked. */
function mockScheduling(sent: JobScheduleInput[]): MockApi {
  return {
    [SCHEDULE_JOB_CALL]: (input) => {
      const change = input as JobScheduleInput;
      sent.push(change);
      return buildScheduleOutput({ booking_date: change.starts_at as string, status: change.status ?? 'booked' });
    },
  };
}

const openMoveDialog = async (name: string) => {
  await pressButton(name);
  return within(await screen.findByRole('dialog'));
};
const click = (button: HTMLElement) => act(async () => fireEvent.click(button));

describe('unscheduling a job', () => {
  it('moves a booked job back to the tray as pending, and Undo books it again', async () => {
    const sent: JobScheduleInput[] = [];
    openCalendar(DAY_PATH, { jobs: [ROOF_JOB] }, mockScheduling(sent));
    await findCalendarEvent(/Roof repair/);
    const dialog = await openMoveDialog('Move Roof repair to…');
    await click(dialog.getByRole('button', { name: 'Unschedule' }));
    await waitForToasts('Job moved back to Unscheduled. It is now Pending.Undo');
    expect(sent).toMatchObject([{ starts_at: null, status: 'pending', seen: { starts_at: ROOF_JOB.booking_date } }]);
    await pressButton('Undo');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toMatchObject({ starts_at: ROOF_JOB.booking_date, seen: { starts_at: null } });
    expect(sent[1]?.status).toBeUndefined();
  });

  it('keeps the status of a contacted job, also after Undo', async () => {
    const sent: JobScheduleInput[] = [];
    const contacted = { ...ROOF_JOB, status: 'contacted' as const };
    openCalendar(
      DAY_PATH,
      { jobs: [contacted] },
      {
        [SCHEDULE_JOB_CALL]: (input) => {
          sent.push(input as JobScheduleInput);
          return { job: { ...contacted, booking_date: (input as JobScheduleInput).starts_at }, clashes: [] };
        },
      },
    );
    await findCalendarEvent(/Roof repair/);
    const dialog = await openMoveDialog('Move Roof repair to…');
    await click(dialog.getByRole('button', { name: 'Unschedule' }));
    await waitForToasts('Job moved back to UnscheduledUndo');
    await pressButton('Undo');
    await waitFor(() => expect(sent.map(({ status }) => status)).toEqual([undefined, 'contacted']));
  });

  it('names its own button if a colleague has moved the job, and shows its own progress', async () => {
    const sent: JobScheduleInput[] = [];
    const current = { ...ROOF_JOB, booking_date: atTime('12:00') };
    const response = Promise.withResolvers<unknown>();
    openCalendar(
      DAY_PATH,
      { jobs: [ROOF_JOB] },
      {
        [SCHEDULE_JOB_CALL]: (input) => {
          sent.push(input as JobScheduleInput);
          return sent.length === 1 ? failWith('STALE_VERSION', 'Changed', { current }) : response.promise;
        },
      },
    );
    await findCalendarEvent(/Roof repair/);
    const dialog = await openMoveDialog('Move Roof repair to…');
    await click(dialog.getByRole('button', { name: 'Unschedule' }));
    expect((await dialog.findByRole('alert')).textContent).toBe(
      'Failed to reschedule: this job has already been moved. It is now booked for Nov 16, 2026 12:00 PM, Sam Leota. Press Unschedule again to unschedule it anyway.',
    );
    await click(dialog.getByRole('button', { name: 'Unschedule' }));
    expect(dialog.getByRole('button', { name: 'Unscheduling…' }).getAttribute('aria-busy')).toBe('true');
    expect(dialog.getByRole('button', { name: 'Move' }).getAttribute('aria-busy')).toBeNull();
    await act(async () => response.resolve({ job: { ...current, booking_date: null, status: 'pending' }, clashes: [] }));
    await waitForToasts('Job moved back to Unscheduled. It is now Pending.Undo');
    expect(sent[1]?.seen.starts_at).toBe(current.booking_date);
  });

  it('says that a colleague has already unscheduled the job, without asking to repeat it', async () => {
    const current = { ...ROOF_JOB, booking_date: null };
    openCalendar(DAY_PATH, { jobs: [ROOF_JOB] }, { [SCHEDULE_JOB_CALL]: () => failWith('STALE_VERSION', 'Changed', { current }) });
    await findCalendarEvent(/Roof repair/);
    const dialog = await openMoveDialog('Move Roof repair to…');
    await click(dialog.getByRole('button', { name: 'Unschedule' }));
    expect((await dialog.findByRole('alert')).textContent).toMatch(/moved\. It is now unscheduled\.$/);
  });

  it('is not offered for a completed job', async () => {
    openCalendar(DAY_PATH, { jobs: [{ ...ROOF_JOB, status: 'complete' }] });
    await findCalendarEvent(/Roof repair/);
    const dialog = await openMoveDialog('Move Roof repair to…');
    expect(dialog.getByRole('button', { name: 'Move' })).toBeDefined();
    expect(dialog.queryByRole('button', { name: 'Unschedule' })).toBeNull();
  });
});

describe('a job that leaves the status filter', () => {
  fakeLayout();

  it('is announced as booked, and a banner offers to show all jobs', async () => {
    const sent: JobScheduleInput[] = [];
    const pending = { ...ROOF_JOB, status: 'pending' as const };
    const { path } = openCalendar(
      `${DAY_PATH}&status=pending`,
      {},
      {
        ...mockScheduling(sent),
        'GET /calendar?*': () => ({ jobs: sent.length === 0 ? [pending] : [], tasks: [], is_cut: false }),
      },
    );
    dragToTime(await findCalendarEvent(/Roof repair/), '09:30', '12:30');
    await waitForToasts('Job rescheduled successfully. It is now Booked.Undo');
    await screen.findByText('“Roof repair” is now Booked, so the Pending filter hides it.');
    await pressButton('Show All Jobs');
    await waitFor(() => expect(path()).not.toContain('status='));
    expect(screen.queryByText(/filter hides it/)).toBeNull();
  });
});

describe('the suggested time of an unscheduled job', () => {
  it('is the next quarter hour today, not a time in the past', async () => {
    openCalendar('/calendar', { unscheduled: [buildUnscheduledJob(1)] });
    window.happyDOM.setViewport({ width: 1440 });
    await openMoveDialog('Book Tap 1…');
    expect([getValue('Date'), getValue('Time')]).toEqual(['2026-11-17', '11:15']);
    window.happyDOM.setViewport({ width: 1024 });
  });
});

describe("a job's page", () => {
  const openJobPage = (job: Partial<typeof JOB>, sent: JobScheduleInput[]) =>
    openPage(`/jobs/${JOB.id}`, {
      'GET /me': () => ADMIN_USER,
      'GET /jobs/{id}': () => ({ ...JOB, ...job }),
      'GET /staff-names': () => ({ rows: [SAM, MIA] }),
      ...mockScheduling(sent),
    });

  it('books a job without a date', async () => {
    const sent: JobScheduleInput[] = [];
    openJobPage({ booking_date: null, status: 'pending' }, sent);
    await pressButton('Schedule');
    const dialog = within(await screen.findByRole('dialog'));
    typeInto('Date', '2026-11-20');
    typeInto('Time', '09:00');
    await click(dialog.getByRole('button', { name: 'Book' }));
    await waitForToasts('Booked for Fri, Nov 20, 9:00 AM · Sam LeotaUndo');
    expect(sent).toMatchObject([{ starts_at: atTime('09:00', '2026-11-20'), seen: { starts_at: null } }]);
  });

  it('suggests the only person of the company for an unassigned job', async () => {
    openPage(`/jobs/${JOB.id}`, {
      'GET /me': () => ADMIN_USER,
      'GET /jobs/{id}': () => ({ ...JOB, booking_date: null, status: 'pending', staff: null }),
      'GET /staff-names': () => ({ rows: [MIA] }),
    });
    await pressButton('Schedule');
    await screen.findByRole('dialog');
    expect(getValue('Person')).toBe(MIA.id);
  });

  it('keeps what was entered while a colleague changes the job', async () => {
    let job = { ...JOB, booking_date: null as string | null, status: 'pending' };
    const { queryClient } = openPage(`/jobs/${JOB.id}`, {
      'GET /me': () => ADMIN_USER,
      'GET /jobs/{id}': () => job,
      'GET /staff-names': () => ({ rows: [SAM, MIA] }),
    });
    await pressButton('Schedule');
    await screen.findByRole('dialog');
    typeInto('Date', '2026-11-20');
    typeInto('Time', '09:00');
    job = { ...job, title: 'Leaking roof', booking_date: atTime('14:00', '2026-11-25'), version: 2 };
    await act(() => queryClient.invalidateQueries({ queryKey: ['jobs'] }));
    await screen.findByRole('heading', { name: 'Leaking roof', hidden: true });
    expect([getValue('Date'), getValue('Time')]).toEqual(['2026-11-20', '09:00']);
  });

  it('unschedules a job with a date', async () => {
    const sent: JobScheduleInput[] = [];
    openJobPage({}, sent);
    await pressButton('Reschedule');
    await click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Unschedule' }));
    await waitFor(() => expect(sent).toMatchObject([{ starts_at: null, status: 'pending' }]));
  });

  it('offers no scheduling for a finished job', async () => {
    openJobPage({ status: 'complete' }, []);
    await screen.findByRole('heading', { name: JOB.title });
    expect(screen.queryByRole('button', { name: /schedule$/i })).toBeNull();
  });
});
