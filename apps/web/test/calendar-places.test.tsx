import type { CalendarJob, JobScheduleInput, UnscheduledJob } from '@callout/contract/calendar';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { at, DAY_PATH, DRAIN, fakeLayout, findEvent, ONE_DAY, openDay, pixels, ROOF, SCHEDULE, scheduled } from './drag-calendar.ts';
import { unscheduledJob } from './open-calendar.ts';
import { openPage, press, typeInto, valueOf } from './open-page.tsx';
import { MIA, OWNER, SAM } from './people.ts';

fakeLayout();

describe('a press on a free time', () => {
  const pressAt = async (time: string) => {
    await findEvent(/Roof repair/);
    fireEvent.click(screen.getByRole('list', { name: 'Sam Leota' }), { clientY: pixels(time) });
  };

  it('offers a new job there, for that person, until something else is pressed', async () => {
    openDay();
    await pressAt('14:40');
    const offer = await screen.findByRole('link', { name: '2:30 PM New Job' });
    expect(offer.getAttribute('href')).toBe(`/jobs/new?date=2026-11-16&time=14%3A30&staff=${SAM.id}`);
    expect(document.activeElement).toBe(offer);
    await pressAt('10:00');
    await waitFor(() => expect(screen.queryByRole('link', { name: /New Job/ })?.getAttribute('href')).not.toContain('time'));
    await pressAt('16:00');
    fireEvent.keyDown(await screen.findByRole('link', { name: '4:00 PM New Job' }), { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('link', { name: '4:00 PM New Job' })).toBeNull());
  });

  it('stays, with the focus, while a colleague saves something', async () => {
    let jobs = [ROOF];
    const { queryClient } = openDay({ more: { [ONE_DAY]: () => ({ jobs, tasks: [], is_cut: false }) } });
    await pressAt('14:40');
    const offer = await screen.findByRole('link', { name: '2:30 PM New Job' });
    jobs = [ROOF, { ...DRAIN, staff: null, booking_date: at('16:00') }];
    await act(() => queryClient.invalidateQueries({ queryKey: ['calendar', 'events'] }));
    await findEvent(/Blocked drain/);
    expect(screen.getByRole('link', { name: '2:30 PM New Job' })).toBe(offer);
    expect(document.activeElement).toBe(offer);
  });

  it('goes with Escape, and the focus is back where it was', async () => {
    openDay();
    await pressAt('14:40');
    fireEvent.keyDown(await screen.findByRole('link', { name: '2:30 PM New Job' }), { key: 'Escape' });
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Time grid' }));
    const today = screen.getByRole('button', { name: 'Today' });
    today.focus();
    await pressAt('14:40');
    fireEvent.keyDown(await screen.findByRole('link', { name: '2:30 PM New Job' }), { key: 'Escape' });
    expect(document.activeElement).toBe(today);
  });

  it('begins the form with that date, time and person', async () => {
    openPage(`/jobs/new?date=2026-11-18&time=14:30&staff=${MIA.id}`, {
      'GET /me': () => OWNER,
      'GET /staff-names': () => ({ rows: [SAM, MIA] }),
      'GET /categories': () => ({ rows: [] }),
      'GET /customers?*': () => ({ rows: [], next_cursor: null }),
    });
    await screen.findByLabelText(/Booking Date/i);
    expect([valueOf(/Booking Date/i), valueOf(/Booking Time/i)]).toEqual(['2026-11-18', '14:30']);
    await waitFor(() => expect(valueOf(/Assigned Staff/i)).toBe(MIA.id));
  });
});

async function openTap(more: Partial<UnscheduledJob> = {}, path?: string) {
  window.happyDOM.setViewport({ width: 1440, height: 900 });
  const tap = unscheduledJob(1, more);
  let booked: CalendarJob | undefined;
  const days = () => ({ jobs: [ROOF, ...(booked ? [booked] : [])], tasks: [], is_cut: false });
  openDay({
    ...(path && { path }),
    more: {
      'GET /calendar?*': days,
      [ONE_DAY]: days,
      'GET /calendar/unscheduled': () => ({ rows: booked ? [] : [tap], next_cursor: null, total: booked ? 0 : 1 }),
      [SCHEDULE]: (input) => {
        const { starts_at: start } = input as JobScheduleInput;
        booked = { ...ROOF, ...tap, booking_date: start ?? '', status: 'booked' };
        return { job: booked, clashes: [] };
      },
    },
  });
  await findEvent(/Roof repair/);
  const opener = await screen.findByRole('button', { name: 'Book Tap 1…' });
  const open = async () => {
    opener.focus();
    await press('Book Tap 1…');
    await screen.findByRole('dialog', { name: 'Book Tap 1' });
  };
  await open();
  return { open };
}

async function bookTap() {
  await openTap();
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  typeInto('Time', '13:00');
  await press('Book');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  return { shown: () => scroll.mock.contexts.map((element) => element instanceof HTMLElement && element.dataset['event']) };
}

describe('for a job of the tray the dialog suggests', () => {
  const suggested = () => [valueOf('Date'), valueOf('Time'), valueOf('Person')];

  it('the shown day for nobody, until a free time is pressed: then that one, for its person', async () => {
    const { open } = await openTap();
    expect(suggested()).toEqual(['2026-11-16', '08:00', '']);
    await press('Cancel');
    fireEvent.click(screen.getByRole('list', { name: 'Sam Leota' }), { clientY: pixels('14:40') });
    await screen.findByRole('link', { name: '2:30 PM New Job' });
    await open();
    expect(suggested()).toEqual(['2026-11-16', '14:30', SAM.id]);
  });

  it('the person whose events are shown, unless it has one', async () => {
    await openTap({}, `${DAY_PATH}&staff=${SAM.id}`);
    expect(suggested()).toEqual(['2026-11-16', '08:00', SAM.id]);
  });

  it('its own person', async () => {
    await openTap({ staff: MIA }, `${DAY_PATH}&staff=${SAM.id}`);
    expect(suggested()).toEqual(['2026-11-16', '08:00', MIA.id]);
  });
});

describe('after a move in the dialog, the focus is', () => {
  const other = { ...DRAIN, booking_date: at('16:00') };
  async function moveTo(field: 'Date' | 'Time', text: string) {
    let roof = ROOF;
    openDay({
      more: {
        [SCHEDULE]: (input) => {
          roof = { ...roof, booking_date: (input as JobScheduleInput).starts_at ?? '' };
          return scheduled(roof);
        },
        [ONE_DAY]: () => ({ jobs: [roof, other], tasks: [], is_cut: false }),
      },
    });
    await findEvent(/Roof repair/);
    await press('Move Roof repair to…');
    await screen.findByRole('dialog', { name: 'Move Roof repair' });
    typeInto(field, text);
    await press('Move');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }

  it('on the event', async () => {
    await moveTo('Time', '13:00');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Roof repair to…'));
  });

  it('on the event that was booked from the tray, which comes into view as a whole', async () => {
    const { shown } = await bookTap();
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Tap 1 to…'));
    expect(shown()).toEqual([unscheduledJob(1).id]);
  });

  it('on the job in the tray when that was not booked', async () => {
    await openTap();
    await press('Cancel');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Book Tap 1…'));
  });

  it('on the calendar when the event has left it, not on another event', async () => {
    await moveTo('Date', '2026-11-20');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Time grid'));
  });
});
