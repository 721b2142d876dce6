import type { CalendarJob, JobScheduleInput, UnscheduledJob } from '@callout/contract/calendar';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  atTime,
  buildScheduleOutput,
  DAY_PATH,
  DRAIN_JOB,
  fakeLayout,
  findCalendarEvent,
  ONE_DAY_CALL,
  openDayCalendar,
  ROOF_JOB,
  SCHEDULE_JOB_CALL,
  toPixels,
} from './drag-calendar.ts';
import { ADMIN_USER, MIA, SAM } from './fixtures.ts';
import { buildUnscheduledJob } from './open-calendar.ts';
import { getValue, openPage, pressButton, typeInto } from './open-page.tsx';

fakeLayout();

// The displayed day is in the future, because no time in the past is suggested.
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-10T00:00:00Z'), toFake: ['Date'] });
});
afterEach(() => vi.useRealTimers());

describe('clicking a free slot', () => {
  const clickFreeSlot = async (time: string) => {
    await findCalendarEvent(/Roof repair/);
    fireEvent.click(screen.getByRole('list', { name: 'Sam Leota' }), { clientY: toPixels(time) });
  };

  it('offers a new job for that time and person until something else is clicked', async () => {
    openDayCalendar();
    await clickFreeSlot('14:40');
    const offer = await screen.findByRole('link', { name: '2:30 PM New Job' });
    expect(offer.getAttribute('href')).toBe(`/jobs/new?date=2026-11-16&time=14%3A30&staff=${SAM.id}`);
    expect(document.activeElement).toBe(offer);
    await clickFreeSlot('10:00');
    await waitFor(() => expect(screen.queryByRole('link', { name: /New Job/ })?.getAttribute('href')).not.toContain('time'));
    await clickFreeSlot('16:00');
    fireEvent.keyDown(await screen.findByRole('link', { name: '4:00 PM New Job' }), { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('link', { name: '4:00 PM New Job' })).toBeNull());
  });

  it('keeps the offer open and focused when a colleague saves a change', async () => {
    let jobs = [ROOF_JOB];
    const { queryClient } = openDayCalendar({ responses: { [ONE_DAY_CALL]: () => ({ jobs, tasks: [], is_cut: false }) } });
    await clickFreeSlot('14:40');
    const offer = await screen.findByRole('link', { name: '2:30 PM New Job' });
    jobs = [ROOF_JOB, { ...DRAIN_JOB, staff: null, booking_date: atTime('16:00') }];
    await act(() => queryClient.invalidateQueries({ queryKey: ['calendar', 'events'] }));
    await findCalendarEvent(/Blocked drain/);
    expect(screen.getByRole('link', { name: '2:30 PM New Job' })).toBe(offer);
    expect(document.activeElement).toBe(offer);
  });

  it('closes the offer on Escape and restores the focus', async () => {
    openDayCalendar();
    await clickFreeSlot('14:40');
    fireEvent.keyDown(await screen.findByRole('link', { name: '2:30 PM New Job' }), { key: 'Escape' });
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Time grid' }));
    const today = screen.getByRole('button', { name: 'Today' });
    today.focus();
    await clickFreeSlot('14:40');
    fireEvent.keyDown(await screen.findByRole('link', { name: '2:30 PM New Job' }), { key: 'Escape' });
    expect(document.activeElement).toBe(today);
  });

  it('opens the job form with that date, time and person', async () => {
    openPage(`/jobs/new?date=2026-11-18&time=14:30&staff=${MIA.id}`, {
      'GET /me': () => ADMIN_USER,
      'GET /staff-names': () => ({ rows: [SAM, MIA] }),
      'GET /categories': () => ({ rows: [] }),
      'GET /customers?*': () => ({ rows: [], next_cursor: null }),
    });
    await screen.findByLabelText(/Booking Date/i);
    expect([getValue(/Booking Date/i), getValue(/Booking Time/i)]).toEqual(['2026-11-18', '14:30']);
    await waitFor(() => expect(getValue(/Assigned Staff/i)).toBe(MIA.id));
  });
});

async function openBookingDialog(overrides: Partial<UnscheduledJob> = {}, path?: string) {
  window.happyDOM.setViewport({ width: 1440, height: 900 });
  const job = buildUnscheduledJob(1, overrides);
  let booked: CalendarJob | undefined;
  const respondWithEvents = () => ({ jobs: [ROOF_JOB, ...(booked ? [booked] : [])], tasks: [], is_cut: false });
  openDayCalendar({
    ...(path && { path }),
    responses: {
      'GET /calendar?*': respondWithEvents,
      [ONE_DAY_CALL]: respondWithEvents,
      'GET /calendar/unscheduled': () => ({ rows: booked ? [] : [job], next_cursor: null, total: booked ? 0 : 1 }),
      [SCHEDULE_JOB_CALL]: (input) => {
        const { starts_at: start } = input as JobScheduleInput;
        booked = { ...ROOF_JOB, ...job, booking_date: start ?? '', status: 'booked' };
        return { job: booked, clashes: [] };
      },
    },
  });
  await findCalendarEvent(/Roof repair/);
  const bookButton = await screen.findByRole('button', { name: 'Book Tap 1…' });
  const openDialog = async () => {
    bookButton.focus();
    await pressButton('Book Tap 1…');
    await screen.findByRole('dialog', { name: 'Book Tap 1' });
  };
  await openDialog();
  return { openDialog };
}

async function bookJobFromTray() {
  await openBookingDialog();
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  typeInto('Time', '13:00');
  await pressButton('Book');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  return { getScrolledEventIds: () => scroll.mock.contexts.map((element) => element instanceof HTMLElement && element.dataset['event']) };
}

describe('the dialog that books a job from the tray', () => {
  const getSuggestedValues = () => [getValue('Date'), getValue('Time'), getValue('Person')];

  it('suggests the displayed day and no person, or the free slot that was clicked', async () => {
    const { openDialog } = await openBookingDialog();
    expect(getSuggestedValues()).toEqual(['2026-11-16', '08:00', '']);
    await pressButton('Cancel');
    fireEvent.click(screen.getByRole('list', { name: 'Sam Leota' }), { clientY: toPixels('14:40') });
    await screen.findByRole('link', { name: '2:30 PM New Job' });
    await openDialog();
    expect(getSuggestedValues()).toEqual(['2026-11-16', '14:30', SAM.id]);
  });

  it('suggests the person the calendar is filtered by', async () => {
    await openBookingDialog({}, `${DAY_PATH}&staff=${SAM.id}`);
    expect(getSuggestedValues()).toEqual(['2026-11-16', '08:00', SAM.id]);
  });

  it('prefers the person assigned to the job over the filter', async () => {
    await openBookingDialog({ staff: MIA }, `${DAY_PATH}&staff=${SAM.id}`);
    expect(getSuggestedValues()).toEqual(['2026-11-16', '08:00', MIA.id]);
  });
});

describe('focus after the booking or move dialog closes', () => {
  const otherJob = { ...DRAIN_JOB, booking_date: atTime('16:00') };
  async function moveRoofRepair(field: 'Date' | 'Time', text: string) {
    let roof = ROOF_JOB;
    openDayCalendar({
      responses: {
        [SCHEDULE_JOB_CALL]: (input) => {
          roof = { ...roof, booking_date: (input as JobScheduleInput).starts_at ?? '' };
          return buildScheduleOutput(roof);
        },
        [ONE_DAY_CALL]: () => ({ jobs: [roof, otherJob], tasks: [], is_cut: false }),
      },
    });
    await findCalendarEvent(/Roof repair/);
    await pressButton('Move Roof repair to…');
    await screen.findByRole('dialog', { name: 'Move Roof repair' });
    typeInto(field, text);
    await pressButton('Move');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }

  it('returns to the moved event', async () => {
    await moveRoofRepair('Time', '13:00');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Roof repair to…'));
  });

  it('moves to the event booked from the tray, which is scrolled into view', async () => {
    const { getScrolledEventIds } = await bookJobFromTray();
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Tap 1 to…'));
    expect(getScrolledEventIds()).toEqual([buildUnscheduledJob(1).id]);
  });

  it('returns to the job in the tray if booking was canceled', async () => {
    await openBookingDialog();
    await pressButton('Cancel');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Book Tap 1…'));
  });

  it('moves to the time grid if the event is no longer on the displayed day', async () => {
    await moveRoofRepair('Date', '2026-11-20');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Time grid'));
  });
});
