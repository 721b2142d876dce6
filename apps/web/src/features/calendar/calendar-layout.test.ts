import { eventEnd } from '@callout/domain/calendar/calendar-event';
import { wallTime } from '@callout/domain/time/wall-time';
import { addDays, localDate, startOfDay, zonedInstant } from '@callout/domain/time/zoned-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partText } from './calendar-clashes.ts';
import { type CalendarEvent, clashesOf } from './calendar-event.ts';
import {
  dayColumns,
  droppedStart,
  fillColumn,
  type GridColumn,
  instantOfWall,
  laneColumns,
  resizedTo,
  snapMinutes,
  wallMinutes,
} from './calendar-layout.ts';
import { visibleDays } from './calendar-view.ts';
import { clockChangeOn } from './clock-change-band.ts';
import { summaryOf } from './column-summary.ts';

const AUCKLAND = 'Pacific/Auckland';
const ZONES = [AUCKLAND, 'Australia/Lord_Howe', 'Pacific/Chatham'] as const;
const SAM = { id: 'sam', name: 'Sam Leota', hex_code: '#16a34a' };
const HEMI = { id: 'hemi', name: 'Hemi Walker', hex_code: null };

function event(date: string, time: string, hours: string | null, more: Partial<CalendarEvent> & { zone?: string } = {}): CalendarEvent {
  const { zone = AUCKLAND, ...rest } = more;
  const start = zonedInstant(date, time, zone);
  return {
    kind: 'job',
    id: `${date} ${time}`,
    title: 'Roof repair',
    status: 'booked',
    staff: SAM,
    job: null,
    word: 'Booked',
    color: null,
    isBusy: true,
    isTimerRunning: false,
    start,
    hours,
    end: eventEnd(start, hours),
    ...rest,
  };
}

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const column = (date: string): GridColumn => ({ key: date, date });
/** 'from - to' in each column, in hours. */
const drawn = (columns: readonly GridColumn[], events: readonly CalendarEvent[], zone = AUCKLAND) =>
  columns.map((one) => fillColumn(one, events, clashesOf(events), zone).boxes.map(({ top, bottom }) => `${top / 60} - ${bottom / 60}`));

describe('an event stands at the wall time it was booked for', () => {
  it.each(ZONES)('on every day of the weeks in which clocks change in %s', (zone) => {
    for (const week of ['2026-03-30', '2026-09-21', '2026-09-28', '2026-10-05']) {
      const days = visibleDays('week', week);
      const events = days.map((day) => event(day, '08:00', '1.5', { zone }));
      expect(drawn(dayColumns(days), events, zone)).toEqual(days.map(() => ['8 - 9.5']));
    }
  });

  it('and ends where clocks show its end, over the hour that they skip or repeat', () => {
    const [skipping, repeating] = ['2026-09-27', '2026-04-05'];
    expect(drawn([column(skipping)], [event(skipping, '01:00', '3')])).toEqual([['1 - 5']]);
    expect(drawn([column(repeating)], [event(repeating, '01:00', '3')])).toEqual([['1 - 3']]);
    expect(drawn([column(repeating)], [event(repeating, '02:45', '0.5')])).toEqual([['2.75 - 3.25']]);
    expect(
      drawn([column('2026-04-05')], [event('2026-04-05', '01:00', '2', { zone: 'Australia/Lord_Howe' })], 'Australia/Lord_Howe'),
    ).toEqual([['1 - 2.5']]);
  });

  it('takes an hour without a duration', () => {
    expect(drawn([column('2026-11-17')], [event('2026-11-17', '08:00', null)])).toEqual([['8 - 9']]);
  });

  it('continues in the next column after midnight', () => {
    const days = ['2026-11-16', '2026-11-17', '2026-11-18'];
    const [overnight] = fillColumn(column('2026-11-17'), [event('2026-11-16', '22:00', '30')], new Map(), AUCKLAND).boxes;
    expect(drawn(dayColumns(days), [event('2026-11-16', '22:00', '30')])).toEqual([['22 - 24'], ['0 - 24'], ['0 - 4']]);
    expect(overnight).toMatchObject({ startsHere: false, endsHere: false });
    expect(drawn(dayColumns(days), [event('2026-11-16', '22:00', '2')])).toEqual([['22 - 24'], [], []]);
  });

  it('is at least half an hour high, also at the end of a day', () => {
    expect(drawn(dayColumns(['2026-11-16', '2026-11-17']), [event('2026-11-16', '23:45', '0.5')])).toEqual([['23.5 - 24'], ['0 - 0.5']]);
  });
});

describe('what clocks skip or show twice is marked', () => {
  it.each([
    ['skipped', '2026-09-27', AUCKLAND, 2, 3],
    ['skipped', '2026-09-27', 'Pacific/Chatham', 2.75, 3.75],
    ['skipped', '2026-10-04', 'Australia/Lord_Howe', 2, 2.5],
    ['repeated', '2026-04-05', AUCKLAND, 2, 3],
    ['repeated', '2026-04-05', 'Pacific/Chatham', 2.75, 3.75],
    ['repeated', '2026-04-05', 'Australia/Lord_Howe', 1.5, 2],
  ])('as %s on %s in %s from %d to %d', (kind, date, zone, from, to) => {
    expect(clockChangeOn(date, zone)).toEqual({ kind, top: from * 60, bottom: to * 60 });
  });

  it('on no other day', () => expect(clockChangeOn('2026-09-26', AUCKLAND)).toBeNull());
});

describe('a drop', () => {
  const drop = (date: string, time: string, zone: string = AUCKLAND, grab = { minutes: 0, continues: false }) =>
    droppedStart({ column: column(date), minutes: minutes(time) }, grab, zone);

  it.each([
    ['09:07', 540],
    ['09:08', 555],
    ['09:00', 540],
    ['23:53', 1440],
  ])('at %s is rounded to minute %d', (time, rounded) => {
    expect(snapMinutes(minutes(time))).toBe(rounded);
  });

  it('rounds half up: 09:07:30 is 09:15', () => expect(snapMinutes(547.5)).toBe(555));

  it.each(ZONES)('across a change of clocks keeps the wall time it was dropped on in %s', (zone) => {
    for (const date of ['2026-04-04', '2026-04-05', '2026-04-06', '2026-09-26', '2026-09-27', '2026-10-04']) {
      const start = drop(date, '08:00', zone);
      expect([localDate(start, zone), wallTime(start, zone)]).toMatchObject([date, { hour: 8, minute: 0 }]);
    }
  });

  it.each([
    ['2026-09-27', '02:30', AUCKLAND, '03:30'],
    ['2026-09-27', '03:00', 'Pacific/Chatham', '04:00'],
    ['2026-10-04', '02:15', 'Australia/Lord_Howe', '02:45'],
  ])('on %s at %s, which clocks skip in %s, is at %s', (date, time, zone, shown) => {
    expect(drop(date, time, zone)).toBe(zonedInstant(date, time, zone));
    expect(drop(date, time, zone)).toBe(zonedInstant(date, shown, zone));
  });

  it('is the first of two when clocks show it twice', () => {
    expect(drop('2026-04-05', '02:30')).toBe('2026-04-04T13:30:00.000Z');
  });

  it('counts from where the event was taken, and stays on the day', () => {
    expect(drop('2026-11-17', '10:05', AUCKLAND, { minutes: 65, continues: false })).toBe(zonedInstant('2026-11-17', '09:00', AUCKLAND));
    expect(drop('2026-11-17', '00:20', AUCKLAND, { minutes: 65, continues: false })).toBe(startOfDay('2026-11-17', AUCKLAND));
    expect(drop('2026-11-17', '23:59', AUCKLAND)).toBe(zonedInstant('2026-11-17', '23:45', AUCKLAND));
  });

  it('of an event that began the day before keeps that', () => {
    expect(drop('2026-11-18', '02:00', AUCKLAND, { minutes: 240, continues: true })).toBe(zonedInstant('2026-11-17', '22:00', AUCKLAND));
  });

  it('shows the event where it was dropped, on any day, at any quarter, in any of the zones', () => {
    const anyDate = fc.integer({ min: 0, max: 365 }).map((days) => addDays('2026-01-01', days));
    const anyQuarter = fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15);
    fc.assert(
      fc.property(anyDate, anyQuarter, fc.constantFrom(...ZONES), (date, quarter, zone) => {
        const start = droppedStart({ column: column(date), minutes: quarter }, { minutes: 0, continues: false }, zone);
        const change = clockChangeOn(date, zone);
        const isSkipped = change?.kind === 'skipped' && quarter >= change.top && quarter < change.bottom;
        const shown = quarter + (isSkipped ? change.bottom - change.top : 0);
        const [box] = fillColumn(column(date), [event(date, '00:00', '1', { start, end: eventEnd(start, '1') })], new Map(), zone).boxes;
        expect(box?.wallStart).toBe((box?.day ?? 0) + shown);
        expect(instantOfWall(wallMinutes(start, zone), zone)).toBe(start);
      }),
    );
  });
});

describe('a resize', () => {
  const start = zonedInstant('2026-11-17', '09:00', AUCKLAND);
  const resize = (date: string, time: string, from = start) => resizedTo(from, { column: column(date), minutes: minutes(time) }, AUCKLAND);

  it.each([
    ['10:07', '1'],
    ['10:08', '1.25'],
    ['10:53', '2'],
    ['09:15', '0.5'],
    ['08:00', '0.5'],
    ['24:00', '15'],
  ])('to %s takes %s hours', (time, hours) => {
    expect(resize('2026-11-17', time)).toBe(hours);
  });

  it('counts the hours that pass when clocks change', () => {
    expect(resize('2026-09-27', '05:00', zonedInstant('2026-09-27', '01:00', AUCKLAND))).toBe('3');
    expect(resize('2026-04-05', '05:00', zonedInstant('2026-04-05', '01:00', AUCKLAND))).toBe('5');
    expect(resize('2026-11-18', '02:00')).toBe('17');
  });
});

describe('events that overlap', () => {
  const fill = (...events: CalendarEvent[]) => fillColumn(column('2026-11-17'), events, clashesOf(events), AUCKLAND);
  const boxes = (...events: CalendarEvent[]) => fill(...events).boxes;
  const at = (time: string, hours: string, more: Partial<CalendarEvent> = {}) => event('2026-11-17', time, hours, more);

  it('are inset when the earlier one stays readable, and the later one says by how much they clash', () => {
    const [earlier, later] = boxes(at('09:00', '3'), at('11:30', '1.5'));
    expect(earlier).toMatchObject({ depth: 0, lanes: 1, clash: null });
    expect(later).toMatchObject({ depth: 1, lanes: 1, clash: { minutes: 30, top: 690, bottom: 720 } });
  });

  it('are hatched on the one that clashes, whatever lies between', () => {
    const [, other, later] = boxes(at('09:00', '6'), at('10:30', '4', { staff: HEMI }), at('12:00', '3'));
    expect([other?.hatchDepth, later?.depth, later?.hatchDepth]).toEqual([null, 2, 0]);
    const [, , beside] = boxes(at('09:00', '6'), at('09:30', '1', { staff: HEMI }), at('10:45', '1'));
    expect(beside).toMatchObject({ lane: 1, clash: { minutes: 60 }, hatchDepth: null });
  });

  it('clash on the days on which they share time', () => {
    const events = [event('2026-11-16', '20:00', '4'), event('2026-11-16', '21:00', '13')];
    const clashOn = (date: string) => fillColumn(column(date), events, clashesOf(events), AUCKLAND).boxes.at(-1)?.clash;
    expect(clashOn('2026-11-16')).toMatchObject({ minutes: 180 });
    expect(clashOn('2026-11-17')).toBeNull();
  });

  it('stand side by side when they start at nearly the same time', () => {
    const placed = boxes(at('09:00', '3'), at('09:30', '1', { staff: HEMI }), at('10:45', '1'));
    expect(placed.map(({ lane, lanes, depth }) => [lane, lanes, depth])).toEqual([
      [0, 2, 0],
      [1, 2, 0],
      [1, 2, 0],
    ]);
  });

  it('do not clash when they are of two people, nobody’s, finished, or one begins as the other ends', () => {
    const all = [
      ...boxes(at('09:00', '2'), at('10:00', '2', { staff: HEMI })),
      ...boxes(at('09:00', '2', { staff: null }), at('10:00', '2', { staff: null })),
      ...boxes(at('09:00', '2', { isBusy: false }), at('10:00', '2')),
      ...boxes(at('09:00', '1'), at('10:00', '2')),
    ];
    expect(all.map(({ clash }) => clash)).toEqual(all.map(() => null));
  });

  it('grow under the pointer unless they would cover another one or a clash', () => {
    const clear = (...events: CalendarEvent[]) => boxes(...events).map(({ isClear }) => isClear);
    expect(clear(at('09:00', '3'), at('11:30', '1.5'))).toEqual([false, true]);
    expect(clear(at('09:00', '1'), at('09:15', '1', { staff: HEMI }))).toEqual([true, true]);
    expect(clear(at('09:00', '1'), at('09:15', '1'), at('15:00', '1'))).toEqual([false, true, true]);
  });

  it('stand four side by side; of more the last lane says how many, with their times, hours and clashes', () => {
    const same = (count: number) => Array.from({ length: count }, (_, index) => at('09:00', '2', { id: `same ${index}` }));
    expect(fill(...same(4))).toMatchObject({ boxes: [{ lanes: 4 }, { lanes: 4 }, { lanes: 4 }, { lanes: 4 }], more: [] });
    const contents = fill(...same(6), at('15:00', '1'));
    expect(contents.boxes.map(({ lanes }) => lanes)).toEqual([4, 4, 4, 1]);
    expect(contents.more).toMatchObject([{ top: 540, bottom: 660, lane: 3, lanes: 4, hidden: [{}, {}, {}] }]);
    expect(summaryOf(column('2026-11-17'), contents, AUCKLAND)).toMatchObject({ bookedHours: 13, clashMinutes: 5 * 120 });
  });

  it('by the thousand are drawn as few', () => {
    const contents = fill(...Array.from({ length: 2000 }, (_, index) => at('00:00', '9999', { id: String(index) })));
    expect([contents.boxes.length, contents.more.length, contents.more[0]?.hidden.length]).toEqual([3, 1, 1997]);
  });

  it('never cover the words of another, whatever there is', () => {
    const anyEvent = fc.record({ quarter: fc.integer({ min: 0, max: 90 }), quarters: fc.integer({ min: 2, max: 20 }) });
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), (random) => {
        const events = random.map(({ quarter, quarters }, index) => {
          const start = instantOfWall(wallMinutes(startOfDay('2026-11-17', AUCKLAND), AUCKLAND) + quarter * 15, AUCKLAND);
          return at('00:00', '1', { id: String(index), start, end: eventEnd(start, String(quarters / 4)) });
        });
        const { boxes: placed, more } = fill(...events);
        expect(placed.length + more.flatMap(({ hidden }) => hidden).length).toBe(random.length);
        for (const [index, one] of placed.entries()) {
          for (const other of placed.slice(index + 1)) {
            if (one.top >= other.bottom || other.top >= one.bottom) continue;
            expect(one.lanes).toBe(other.lanes);
            const isReadable = other.depth > one.depth && other.top - one.top >= 60;
            expect(one.lane !== other.lane || isReadable).toBe(true);
          }
        }
      }),
    );
  });
});

describe('the times of an event', () => {
  const parts = (events: readonly CalendarEvent[], ...dates: string[]) =>
    dates.flatMap((date) => fillColumn(column(date), events, new Map(), AUCKLAND).boxes.map((box) => partText(box, AUCKLAND)));

  it('say on each of its days from when or until when it goes on', () => {
    expect(parts([event('2026-11-20', '21:00', '38')], '2026-11-20', '2026-11-21', '2026-11-22')).toEqual([
      '9:00 PM – Sun 11:00 AM',
      'from Fri 9:00 PM',
      'until 11:00 AM',
    ]);
  });

  it('tell the second one of those that clocks show twice', () => {
    expect(parts([event('2026-04-05', '02:15', '1')], '2026-04-05')).toEqual(['2:15 – 2:15 AM (again)']);
    const second = event('2026-04-05', '02:15', '1', { start: '2026-04-04T14:15:00.000Z', end: '2026-04-04T15:15:00.000Z' });
    expect(parts([second], '2026-04-05')).toEqual(['2:15 AM (again) – 3:15 AM']);
  });
});

describe('the lanes of a day', () => {
  it('are one for each person, and one for nobody only when it is needed', () => {
    const events = [event('2026-11-17', '09:00', '1', { staff: null }), event('2026-11-17', '10:00', '1', { staff: HEMI })];
    expect(laneColumns('2026-11-17', [SAM], []).map(({ staff }) => staff?.name)).toEqual(['Sam Leota']);
    expect(laneColumns('2026-11-17', [SAM], events).map(({ staff }) => staff?.name ?? null)).toEqual([null, 'Sam Leota', 'Hemi Walker']);
    expect(laneColumns('2026-11-17', [], [])).toHaveLength(1);
  });

  it('begin with the people who have work when not all of them fit', () => {
    const people = Array.from({ length: 7 }, (_, index) => ({ ...HEMI, id: String(index), name: `Person ${index}` }));
    const events = [
      event('2026-11-17', '10:00', '1', { staff: people[5] ?? null }),
      event('2026-11-17', '09:00', '1', { staff: people[3] ?? null }),
    ];
    const order = (count: number) => laneColumns('2026-11-17', people.slice(0, count), events).map(({ key }) => key);
    expect(order(7)).toEqual(['3', '5', '0', '1', '2', '4', '6']);
    expect(order(6)).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  it('add up what is booked on the day and what clashes', () => {
    const events = [
      event('2026-11-16', '23:00', '2'),
      event('2026-11-17', '09:00', '3', { status: 'complete', isBusy: false }),
      event('2026-11-17', '13:00', '2'),
      event('2026-11-17', '14:30', '1'),
      event('2026-11-17', '16:00', '1', { status: 'canceled', isBusy: false }),
      event('2026-11-17', '18:00', '0.5', { kind: 'task' }),
    ];
    const [lane = column('')] = laneColumns('2026-11-17', [SAM], events);
    const summary = summaryOf(lane, fillColumn(lane, events, clashesOf(events), AUCKLAND), AUCKLAND);
    expect(summary).toEqual({ bookedHours: 7, taskHours: 0.5, clashMinutes: 30 });
  });

  it('count of a clash that goes on after midnight what is of the day', () => {
    const events = [event('2026-11-16', '20:00', '6'), event('2026-11-16', '21:00', '13')];
    const clashMinutes = (date: string) => {
      const lane = { ...column(date), staff: SAM };
      return summaryOf(lane, fillColumn(lane, events, clashesOf(events), AUCKLAND), AUCKLAND).clashMinutes;
    };
    expect([clashMinutes('2026-11-16'), clashMinutes('2026-11-17')]).toEqual([180, 120]);
  });
});
