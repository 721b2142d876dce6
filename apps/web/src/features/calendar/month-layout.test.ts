import { calculateEventEnd } from '@callout/domain/calendar/calendar-event';
import { toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import { describe, expect, it } from 'vitest';
import type { CalendarEvent } from './calendar-event.ts';
import { getVisibleDates } from './calendar-view.ts';
import { fitEntries, formatShortTime, getStartOnDay, groupEventsByDay } from './month-layout.ts';

const AUCKLAND = 'Pacific/Auckland';
const NOVEMBER = getVisibleDates('month', '2026-11-17');

function event(date: string, time: string, hours: string | null, zone = AUCKLAND): CalendarEvent {
  const start = toInstant(date, time, zone);
  return {
    kind: 'job',
    id: `${date} ${time}`,
    title: 'Roof repair',
    status: 'booked',
    staff: null,
    job: null,
    statusLabel: 'Booked',
    color: null,
    isBusy: true,
    isTimerRunning: false,
    start,
    hours,
    end: calculateEventEnd(start, hours),
  };
}

/** Lists '<start time>, <day index>' for every event, by date. */
const listByDay = (days: readonly string[], events: readonly CalendarEvent[], zone = AUCKLAND) =>
  Object.fromEntries(
    [...groupEventsByDay(days, events, zone)]
      .filter(([, entries]) => entries.length > 0)
      .map(([day, entries]) => [day, entries.map(({ event: { start }, dayIndex }) => `${formatShortTime(start, zone)}, ${dayIndex}`)]),
  );

describe('groupEventsByDay', () => {
  it('groups events by local day in the zone, in order', () => {
    const events = [event('2026-11-17', '08:00', '2'), event('2026-11-17', '13:15', null), event('2026-11-18', '00:00', '1')];
    expect(listByDay(NOVEMBER, events)).toEqual({ '2026-11-17': ['8am, 0', '1:15pm, 0'], '2026-11-18': ['12am, 0'] });
    expect(listByDay(NOVEMBER, events, 'UTC')).toEqual({ '2026-11-16': ['7pm, 0'], '2026-11-17': ['12:15am, 0', '11am, 0'] });
  });

  it('lists an event that continues past midnight on each of its days, before events that start that day', () => {
    const events = [event('2026-11-16', '22:00', '30'), event('2026-11-18', '01:00', '1')];
    expect(listByDay(NOVEMBER, events)).toEqual({
      '2026-11-16': ['10pm, 0'],
      '2026-11-17': ['10pm, 1'],
      '2026-11-18': ['10pm, 2', '1am, 0'],
    });
  });

  it('does not list an event on the next day if it ends at midnight', () => {
    expect(listByDay(NOVEMBER, [event('2026-11-16', '22:00', '2')])).toEqual({ '2026-11-16': ['10pm, 0'] });
  });

  it('leaves out days outside the six weeks', () => {
    expect(listByDay(NOVEMBER, [event('2026-10-25', '22:00', '4'), event('2026-12-06', '23:00', '48')])).toEqual({
      '2026-10-26': ['10pm, 1'],
      '2026-12-06': ['11pm, 0'],
    });
  });
});

it.each([
  [4, 4, 0],
  [5, 3, 2],
  [12, 3, 9],
  [0, 0, 0],
])('fits %d events into four rows: %d visible, %d hidden', (count, visibleCount, hiddenCount) => {
  const found = fitEntries(
    Array.from({ length: count }, (_, index) => index),
    4,
  );
  expect([found.visible.length, found.hiddenCount]).toEqual([visibleCount, hiddenCount]);
});

describe('an event dropped on a day', () => {
  it.each(['Pacific/Auckland', 'Australia/Lord_Howe', 'Pacific/Chatham'])(
    'keeps its wall-clock time across clock changes in %s',
    (zone) => {
      const booked = event('2026-09-20', '09:15', '1', zone);
      for (const day of ['2026-04-04', '2026-04-05', '2026-09-27', '2026-10-04', '2026-10-05']) {
        const start = getStartOnDay(day, booked, 0, zone);
        expect([toLocalDate(start, zone), formatShortTime(start, zone)]).toEqual([day, '9:15am']);
      }
    },
  );

  it('starts a day earlier if it was dragged by its second day', () => {
    expect(getStartOnDay('2026-11-20', event('2026-11-16', '22:00', '30'), 1, AUCKLAND)).toBe(toInstant('2026-11-19', '22:00', AUCKLAND));
  });

  it('starts at 8:00 AM if it had no date', () => {
    expect(getStartOnDay('2026-11-20', { start: null }, 0, AUCKLAND)).toBe(toInstant('2026-11-20', '08:00', AUCKLAND));
  });
});
