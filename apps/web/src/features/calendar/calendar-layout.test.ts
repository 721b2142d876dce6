import { calculateEventEnd } from '@callout/domain/calendar/calendar-event';
import { toWallTime } from '@callout/domain/time/wall-time';
import { addDays, getStartOfDay, toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CalendarEvent, findEventClashes } from './calendar-event.ts';
import { formatSegmentTimes } from './calendar-format.ts';
import {
  createDayColumns,
  createLaneColumns,
  type GridColumn,
  getDroppedStart,
  getResizedHours,
  layOutColumn,
  snapToSlot,
  toWallMinutes,
  wallMinutesToInstant,
} from './calendar-layout.ts';
import { getVisibleDates } from './calendar-view.ts';
import { findClockChangeBand } from './clock-change-band.ts';
import { summarizeColumn } from './column-summary.ts';

const AUCKLAND = 'Pacific/Auckland';
const ZONES = [AUCKLAND, 'Australia/Lord_Howe', 'Pacific/Chatham'] as const;
const SAM = { id: 'sam', name: 'Sam Leota', hex_code: '#16a34a' };
const HEMI = { id: 'hemi', name: 'Hemi Walker', hex_code: null };

function event(date: string, time: string, hours: string | null, over: Partial<CalendarEvent> & { zone?: string } = {}): CalendarEvent {
  const { zone = AUCKLAND, ...rest } = over;
  const start = toInstant(date, time, zone);
  return {
    kind: 'job',
    id: `${date} ${time}`,
    title: 'Roof repair',
    status: 'booked',
    staff: SAM,
    job: null,
    statusLabel: 'Booked',
    color: null,
    isBusy: true,
    isTimerRunning: false,
    start,
    hours,
    end: calculateEventEnd(start, hours),
    ...rest,
  };
}

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const column = (date: string): GridColumn => ({ key: date, date });
/** Lists 'start - end' of each box in every column, in hours of the column's day. */
const listSpans = (columns: readonly GridColumn[], events: readonly CalendarEvent[], zone = AUCKLAND) =>
  columns.map((each) =>
    layOutColumn(each, events, findEventClashes(events), zone).boxes.map(({ top, bottom }) => `${top / 60} - ${bottom / 60}`),
  );

describe('the box of an event', () => {
  it.each(ZONES)('matches the wall-clock time on every day of a week with a clock change in %s', (zone) => {
    for (const week of ['2026-03-30', '2026-09-21', '2026-09-28', '2026-10-05']) {
      const days = getVisibleDates('week', week);
      const events = days.map((day) => event(day, '08:00', '1.5', { zone }));
      expect(listSpans(createDayColumns(days), events, zone)).toEqual(days.map(() => ['8 - 9.5']));
    }
  });

  it('ends at the wall-clock end time when clocks skip or repeat an hour', () => {
    const [skipping, repeating] = ['2026-09-27', '2026-04-05'];
    expect(listSpans([column(skipping)], [event(skipping, '01:00', '3')])).toEqual([['1 - 5']]);
    expect(listSpans([column(repeating)], [event(repeating, '01:00', '3')])).toEqual([['1 - 3']]);
    expect(listSpans([column(repeating)], [event(repeating, '02:45', '0.5')])).toEqual([['2.75 - 3.25']]);
    expect(
      listSpans([column('2026-04-05')], [event('2026-04-05', '01:00', '2', { zone: 'Australia/Lord_Howe' })], 'Australia/Lord_Howe'),
    ).toEqual([['1 - 2.5']]);
  });

  it('spans one hour if the event has no duration', () => {
    expect(listSpans([column('2026-11-17')], [event('2026-11-17', '08:00', null)])).toEqual([['8 - 9']]);
  });

  it('continues in the next column after midnight', () => {
    const days = ['2026-11-16', '2026-11-17', '2026-11-18'];
    const [overnight] = layOutColumn(column('2026-11-17'), [event('2026-11-16', '22:00', '30')], new Map(), AUCKLAND).boxes;
    expect(listSpans(createDayColumns(days), [event('2026-11-16', '22:00', '30')])).toEqual([['22 - 24'], ['0 - 24'], ['0 - 4']]);
    expect(overnight).toMatchObject({ startsHere: false, endsHere: false });
    expect(listSpans(createDayColumns(days), [event('2026-11-16', '22:00', '2')])).toEqual([['22 - 24'], [], []]);
  });

  it('is at least half an hour high, even at the end of a day', () => {
    const columns = createDayColumns(['2026-11-16', '2026-11-17']);
    expect(listSpans(columns, [event('2026-11-16', '23:45', '0.5')])).toEqual([['23.5 - 24'], ['0 - 0.5']]);
  });
});

describe('findClockChangeBand', () => {
  it.each([
    ['skipped', '2026-09-27', AUCKLAND, 2, 3],
    ['skipped', '2026-09-27', 'Pacific/Chatham', 2.75, 3.75],
    ['skipped', '2026-10-04', 'Australia/Lord_Howe', 2, 2.5],
    ['repeated', '2026-04-05', AUCKLAND, 2, 3],
    ['repeated', '2026-04-05', 'Pacific/Chatham', 2.75, 3.75],
    ['repeated', '2026-04-05', 'Australia/Lord_Howe', 1.5, 2],
  ])('returns the %s hours on %s in %s: from %d to %d', (kind, date, zone, from, to) => {
    expect(findClockChangeBand(date, zone)).toEqual({ kind, top: from * 60, bottom: to * 60 });
  });

  it('returns null on days without a clock change', () => expect(findClockChangeBand('2026-09-26', AUCKLAND)).toBeNull());
});

describe('dropping an event', () => {
  const drop = (date: string, time: string, zone: string = AUCKLAND, grab = { minutes: 0, startsEarlier: false }) =>
    getDroppedStart({ column: column(date), minutes: minutes(time) }, grab, zone);

  it.each([
    ['09:07', 540],
    ['09:08', 555],
    ['09:00', 540],
    ['23:53', 1440],
  ])('at %s snaps it to minute %d', (time, rounded) => {
    expect(snapToSlot(minutes(time))).toBe(rounded);
  });

  it('rounds half up: 09:07:30 becomes 09:15', () => expect(snapToSlot(547.5)).toBe(555));

  it.each(ZONES)('keeps the wall-clock time it was dropped at across a clock change in %s', (zone) => {
    for (const date of ['2026-04-04', '2026-04-05', '2026-04-06', '2026-09-26', '2026-09-27', '2026-10-04']) {
      const start = drop(date, '08:00', zone);
      expect([toLocalDate(start, zone), toWallTime(start, zone)]).toMatchObject([date, { hour: 8, minute: 0 }]);
    }
  });

  it.each([
    ['2026-09-27', '02:30', AUCKLAND, '03:30'],
    ['2026-09-27', '03:00', 'Pacific/Chatham', '04:00'],
    ['2026-10-04', '02:15', 'Australia/Lord_Howe', '02:45'],
  ])('on %s at %s, a time skipped in %s, moves it to %s', (date, time, zone, actual) => {
    expect(drop(date, time, zone)).toBe(toInstant(date, time, zone));
    expect(drop(date, time, zone)).toBe(toInstant(date, actual, zone));
  });

  it('at a repeated time uses the first occurrence', () => {
    expect(drop('2026-04-05', '02:30')).toBe('2026-04-04T13:30:00.000Z');
  });

  it('keeps the grabbed point under the pointer without leaving the day', () => {
    expect(drop('2026-11-17', '10:05', AUCKLAND, { minutes: 65, startsEarlier: false })).toBe(toInstant('2026-11-17', '09:00', AUCKLAND));
    expect(drop('2026-11-17', '00:20', AUCKLAND, { minutes: 65, startsEarlier: false })).toBe(getStartOfDay('2026-11-17', AUCKLAND));
    expect(drop('2026-11-17', '23:59', AUCKLAND)).toBe(toInstant('2026-11-17', '23:45', AUCKLAND));
  });

  it('that was grabbed on its second day keeps its start on the day before', () => {
    expect(drop('2026-11-18', '02:00', AUCKLAND, { minutes: 240, startsEarlier: true })).toBe(toInstant('2026-11-17', '22:00', AUCKLAND));
  });

  it('displays it where it was dropped, for any date, quarter hour and zone', () => {
    const anyDate = fc.integer({ min: 0, max: 365 }).map((days) => addDays('2026-01-01', days));
    const anyQuarter = fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15);
    fc.assert(
      fc.property(anyDate, anyQuarter, fc.constantFrom(...ZONES), (date, quarter, zone) => {
        const start = getDroppedStart({ column: column(date), minutes: quarter }, { minutes: 0, startsEarlier: false }, zone);
        const change = findClockChangeBand(date, zone);
        const isSkipped = change?.kind === 'skipped' && quarter >= change.top && quarter < change.bottom;
        const shown = quarter + (isSkipped ? change.bottom - change.top : 0);
        const dropped = event(date, '00:00', '1', { start, end: calculateEventEnd(start, '1') });
        const [box] = layOutColumn(column(date), [dropped], new Map(), zone).boxes;
        expect(box?.wallStart).toBe((box?.wallDayStart ?? 0) + shown);
        expect(wallMinutesToInstant(toWallMinutes(start, zone), zone)).toBe(start);
      }),
    );
  });
});

describe('resizing an event', () => {
  const start = toInstant('2026-11-17', '09:00', AUCKLAND);
  const resize = (date: string, time: string, from = start) =>
    getResizedHours(from, { column: column(date), minutes: minutes(time) }, AUCKLAND);

  it.each([
    ['10:07', '1'],
    ['10:08', '1.25'],
    ['10:53', '2'],
    ['09:15', '0.5'],
    ['08:00', '0.5'],
    ['24:00', '15'],
  ])('from 09:00 to %s sets its duration to %s hours', (time, hours) => {
    expect(resize('2026-11-17', time)).toBe(hours);
  });

  it('counts elapsed hours when clocks change', () => {
    expect(resize('2026-09-27', '05:00', toInstant('2026-09-27', '01:00', AUCKLAND))).toBe('3');
    expect(resize('2026-04-05', '05:00', toInstant('2026-04-05', '01:00', AUCKLAND))).toBe('5');
    expect(resize('2026-11-18', '02:00')).toBe('17');
  });
});

describe('overlapping events', () => {
  const fill = (...events: CalendarEvent[]) => layOutColumn(column('2026-11-17'), events, findEventClashes(events), AUCKLAND);
  const boxes = (...events: CalendarEvent[]) => fill(...events).boxes;
  const at = (time: string, hours: string, over: Partial<CalendarEvent> = {}) => event('2026-11-17', time, hours, over);

  it('are inset if the earlier one stays readable, and only the later one is marked as clashing', () => {
    const [earlier, later] = boxes(at('09:00', '3'), at('11:30', '1.5'));
    expect(earlier).toMatchObject({ depth: 0, trackCount: 1, clash: null });
    expect(later).toMatchObject({ depth: 1, trackCount: 1, clash: { minutes: 30, top: 690, bottom: 720 } });
  });

  it('hatch the event they clash with, even if another event lies in between', () => {
    const [, other, later] = boxes(at('09:00', '6'), at('10:30', '4', { staff: HEMI }), at('12:00', '3'));
    expect([other?.hatchDepth, later?.depth, later?.hatchDepth]).toEqual([null, 2, 0]);
    const [, , beside] = boxes(at('09:00', '6'), at('09:30', '1', { staff: HEMI }), at('10:45', '1'));
    expect(beside).toMatchObject({ track: 1, clash: { minutes: 60 }, hatchDepth: null });
  });

  it('clash only on the days on which they overlap', () => {
    const events = [event('2026-11-16', '20:00', '4'), event('2026-11-16', '21:00', '13')];
    const clashOn = (date: string) => layOutColumn(column(date), events, findEventClashes(events), AUCKLAND).boxes.at(-1)?.clash;
    expect(clashOn('2026-11-16')).toMatchObject({ minutes: 180 });
    expect(clashOn('2026-11-17')).toBeNull();
  });

  it('are side by side if they start at nearly the same time', () => {
    const placed = boxes(at('09:00', '3'), at('09:30', '1', { staff: HEMI }), at('10:45', '1'));
    expect(placed.map(({ track, trackCount, depth }) => [track, trackCount, depth])).toEqual([
      [0, 2, 0],
      [1, 2, 0],
      [1, 2, 0],
    ]);
  });

  it('do not clash if assigned to different people, unassigned, finished, or back to back', () => {
    const all = [
      ...boxes(at('09:00', '2'), at('10:00', '2', { staff: HEMI })),
      ...boxes(at('09:00', '2', { staff: null }), at('10:00', '2', { staff: null })),
      ...boxes(at('09:00', '2', { isBusy: false }), at('10:00', '2')),
      ...boxes(at('09:00', '1'), at('10:00', '2')),
    ];
    expect(all.map(({ clash }) => clash)).toEqual(all.map(() => null));
  });

  it('expand on hover unless they would cover another event or a clash', () => {
    const listExpandable = (...events: CalendarEvent[]) => boxes(...events).map(({ canExpand }) => canExpand);
    expect(listExpandable(at('09:00', '3'), at('11:30', '1.5'))).toEqual([false, true]);
    expect(listExpandable(at('09:00', '1'), at('09:15', '1', { staff: HEMI }))).toEqual([true, true]);
    expect(listExpandable(at('09:00', '1'), at('09:15', '1'), at('15:00', '1'))).toEqual([false, true, true]);
  });

  it('appear up to four side by side, with the rest collected in an overflow box', () => {
    const same = (count: number) => Array.from({ length: count }, (_, index) => at('09:00', '2', { id: `same ${index}` }));
    expect(fill(...same(4))).toMatchObject({ boxes: same(4).map(() => ({ trackCount: 4 })), overflow: [] });
    const contents = fill(...same(6), at('15:00', '1'));
    expect(contents.boxes.map(({ trackCount }) => trackCount)).toEqual([4, 4, 4, 1]);
    expect(contents.overflow).toMatchObject([{ top: 540, bottom: 660, track: 3, trackCount: 4, hidden: [{}, {}, {}] }]);
    expect(summarizeColumn(column('2026-11-17'), contents, AUCKLAND)).toMatchObject({ bookedHours: 13, clashMinutes: 5 * 120 });
  });

  it('are limited to a few boxes even if there are thousands', () => {
    const contents = fill(...Array.from({ length: 2000 }, (_, index) => at('00:00', '9999', { id: String(index) })));
    expect([contents.boxes.length, contents.overflow.length, contents.overflow[0]?.hidden.length]).toEqual([3, 1, 1997]);
  });

  it('never cover the text of another event, for random events', () => {
    const anyEvent = fc.record({ quarter: fc.integer({ min: 0, max: 90 }), quarters: fc.integer({ min: 2, max: 20 }) });
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), (random) => {
        const events = random.map(({ quarter, quarters }, index) => {
          const start = wallMinutesToInstant(toWallMinutes(getStartOfDay('2026-11-17', AUCKLAND), AUCKLAND) + quarter * 15, AUCKLAND);
          return at('00:00', '1', { id: String(index), start, end: calculateEventEnd(start, String(quarters / 4)) });
        });
        const { boxes: placed, overflow } = fill(...events);
        expect(placed.length + overflow.flatMap(({ hidden }) => hidden).length).toBe(random.length);
        for (const [index, one] of placed.entries()) {
          for (const other of placed.slice(index + 1)) {
            if (one.top >= other.bottom || other.top >= one.bottom) continue;
            expect(one.trackCount).toBe(other.trackCount);
            const isReadable = other.depth > one.depth && other.top - one.top >= 60;
            expect(one.track !== other.track || isReadable).toBe(true);
          }
        }
      }),
    );
  });
});

describe('formatSegmentTimes', () => {
  const formatDays = (events: readonly CalendarEvent[], ...dates: string[]) =>
    dates.flatMap((date) => layOutColumn(column(date), events, new Map(), AUCKLAND).boxes.map((box) => formatSegmentTimes(box, AUCKLAND)));

  it('states on each day when the event started or when it ends', () => {
    expect(formatDays([event('2026-11-20', '21:00', '38')], '2026-11-20', '2026-11-21', '2026-11-22')).toEqual([
      '9:00 PM – Sun 11:00 AM',
      'from Fri 9:00 PM',
      'until 11:00 AM',
    ]);
  });

  it('marks the second occurrence of a repeated time', () => {
    expect(formatDays([event('2026-04-05', '02:15', '1')], '2026-04-05')).toEqual(['2:15 – 2:15 AM (again)']);
    const second = event('2026-04-05', '02:15', '1', { start: '2026-04-04T14:15:00.000Z', end: '2026-04-04T15:15:00.000Z' });
    expect(formatDays([second], '2026-04-05')).toEqual(['2:15 AM (again) – 3:15 AM']);
  });
});

describe('the lanes of a day', () => {
  it('include one per person, and one for unassigned events only if needed', () => {
    const events = [event('2026-11-17', '09:00', '1', { staff: null }), event('2026-11-17', '10:00', '1', { staff: HEMI })];
    const names = (shown: readonly CalendarEvent[]) =>
      createLaneColumns('2026-11-17', [SAM], shown).map(({ staff }) => staff?.name ?? null);
    expect(names([])).toEqual(['Sam Leota']);
    expect(names(events)).toEqual([null, 'Sam Leota', 'Hemi Walker']);
    expect(createLaneColumns('2026-11-17', [], [])).toHaveLength(1);
  });

  it('start with the people who have work if the lanes do not all fit', () => {
    const people = Array.from({ length: 7 }, (_, index) => ({ ...HEMI, id: String(index), name: `Person ${index}` }));
    const events = [
      event('2026-11-17', '10:00', '1', { staff: people[5] ?? null }),
      event('2026-11-17', '09:00', '1', { staff: people[3] ?? null }),
    ];
    const order = (count: number) => createLaneColumns('2026-11-17', people.slice(0, count), events).map(({ key }) => key);
    expect(order(7)).toEqual(['3', '5', '0', '1', '2', '4', '6']);
    expect(order(6)).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  it('show the total booked hours and clash minutes of the day', () => {
    const events = [
      event('2026-11-16', '23:00', '2'),
      event('2026-11-17', '09:00', '3', { status: 'complete', isBusy: false }),
      event('2026-11-17', '13:00', '2'),
      event('2026-11-17', '14:30', '1'),
      event('2026-11-17', '16:00', '1', { status: 'canceled', isBusy: false }),
      event('2026-11-17', '18:00', '0.5', { kind: 'task' }),
    ];
    const [lane = column('')] = createLaneColumns('2026-11-17', [SAM], events);
    const summary = summarizeColumn(lane, layOutColumn(lane, events, findEventClashes(events), AUCKLAND), AUCKLAND);
    expect(summary).toEqual({ bookedHours: 7, taskHours: 0.5, clashMinutes: 30 });
  });

  it('count only the part of a clash that falls on the day', () => {
    const events = [event('2026-11-16', '20:00', '6'), event('2026-11-16', '21:00', '13')];
    const clashMinutes = (date: string) => {
      const lane = { ...column(date), staff: SAM };
      return summarizeColumn(lane, layOutColumn(lane, events, findEventClashes(events), AUCKLAND), AUCKLAND).clashMinutes;
    };
    expect([clashMinutes('2026-11-16'), clashMinutes('2026-11-17')]).toEqual([180, 120]);
  });
});
