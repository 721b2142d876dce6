import { eventEnd } from '@callout/domain/calendar/calendar-event';
import { localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import { describe, expect, it } from 'vitest';
import type { CalendarEvent } from './calendar-event.ts';
import { visibleDays } from './calendar-view.ts';
import { eventsByDay, fitting, shortTime, startOnDay } from './month-layout.ts';

const AUCKLAND = 'Pacific/Auckland';
const NOVEMBER = visibleDays('month', '2026-11-17');

function event(date: string, time: string, hours: string | null, zone = AUCKLAND): CalendarEvent {
  const start = zonedInstant(date, time, zone);
  return {
    kind: 'job',
    id: `${date} ${time}`,
    title: 'Roof repair',
    status: 'booked',
    staff: null,
    job: null,
    word: 'Booked',
    color: null,
    isBusy: true,
    isTimerRunning: false,
    start,
    hours,
    end: eventEnd(start, hours),
  };
}

/** 'time of the start, day of the event' of each day that has some. */
const shown = (days: readonly string[], events: readonly CalendarEvent[], zone = AUCKLAND) =>
  Object.fromEntries(
    [...eventsByDay(days, events, zone)]
      .filter(([, entries]) => entries.length > 0)
      .map(([day, entries]) => [day, entries.map(({ event: { start }, dayIndex }) => `${shortTime(start, zone)}, ${dayIndex}`)]),
  );

describe('the days of a month', () => {
  it('hold their events in order, each on the day that clocks of the zone show', () => {
    const events = [event('2026-11-17', '08:00', '2'), event('2026-11-17', '13:15', null), event('2026-11-18', '00:00', '1')];
    expect(shown(NOVEMBER, events)).toEqual({ '2026-11-17': ['8am, 0', '1:15pm, 0'], '2026-11-18': ['12am, 0'] });
    expect(shown(NOVEMBER, events, 'UTC')).toEqual({ '2026-11-16': ['7pm, 0'], '2026-11-17': ['12:15am, 0', '11am, 0'] });
  });

  it('show what goes on after midnight on each of its days, before what starts there', () => {
    const events = [event('2026-11-16', '22:00', '30'), event('2026-11-18', '01:00', '1')];
    expect(shown(NOVEMBER, events)).toEqual({
      '2026-11-16': ['10pm, 0'],
      '2026-11-17': ['10pm, 1'],
      '2026-11-18': ['10pm, 2', '1am, 0'],
    });
  });

  it('do not have an event that ends with the day before', () => {
    expect(shown(NOVEMBER, [event('2026-11-16', '22:00', '2')])).toEqual({ '2026-11-16': ['10pm, 0'] });
  });

  it('leave out what lies outside of the six weeks', () => {
    expect(shown(NOVEMBER, [event('2026-10-25', '22:00', '4'), event('2026-12-06', '23:00', '48')])).toEqual({
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
])('of %d events in a day with room for four, %d are shown and %d left out', (count, lines, left) => {
  const found = fitting(
    Array.from({ length: count }, (_, index) => index),
    4,
  );
  expect([found.shown.length, found.left]).toEqual([lines, left]);
});

describe('an event that is dropped on a day', () => {
  it.each(['Pacific/Auckland', 'Australia/Lord_Howe', 'Pacific/Chatham'])('keeps its wall time across clock changes in %s', (zone) => {
    const booked = event('2026-09-20', '09:15', '1', zone);
    for (const day of ['2026-04-04', '2026-04-05', '2026-09-27', '2026-10-04', '2026-10-05']) {
      const start = startOnDay(day, booked, 0, zone);
      expect([localDate(start, zone), shortTime(start, zone)]).toEqual([day, '9:15am']);
    }
  });

  it('begins as many days before it as it had begun before the day where it was taken', () => {
    expect(startOnDay('2026-11-20', event('2026-11-16', '22:00', '30'), 1, AUCKLAND)).toBe(zonedInstant('2026-11-19', '22:00', AUCKLAND));
  });

  it('is at 8 in the morning when it had no date', () => {
    expect(startOnDay('2026-11-20', { start: null }, 0, AUCKLAND)).toBe(zonedInstant('2026-11-20', '08:00', AUCKLAND));
  });
});
