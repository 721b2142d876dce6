import type { JobScheduleInput } from '@callout/contract/calendar';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { at, DRAIN, fakeLayout, findEvent, ONE_DAY, openDay, pixels, ROOF, SCHEDULE, scheduled } from './drag-calendar.ts';
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

  it('on the calendar when the event has left it, not on another event', async () => {
    await moveTo('Date', '2026-11-20');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Time grid'));
  });
});
