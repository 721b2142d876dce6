import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIME_ZONES } from '../time/time-zones.ts';
import { addDays, toInstant } from '../time/zoned-time.ts';
import { calculateElapsedSeconds } from './elapsed-time.ts';
import {
  addWeeks,
  buildTimeSheet,
  calculateSecondsPerDay,
  formatHoursAndMinutes,
  formatWeek,
  getCurrentWeek,
  getDayBoundaries,
  getWeekDates,
  getWeekStart,
  type TimeSheetEntry,
} from './time-sheet.ts';

const ZONE = 'Pacific/Auckland';
const WEEK = '2026-11-09';
const at = (date: string, time: string) => toInstant(date, time, ZONE);
const NOW = at('2026-11-15', '23:00');

function entry(from: [string, string], to: [string, string] | null, overrides: Partial<TimeSheetEntry> = {}): TimeSheetEntry {
  return {
    started_at: at(...from),
    ended_at: to && at(...to),
    staff_id: 'sam',
    staff_name: 'Sam',
    job_id: 'job-1',
    job_number: 'J26110001',
    job_title: 'Roof repair',
    is_allocated: false,
    hourly_rate: '85.00',
    ...overrides,
  };
}

const toHours = (days: readonly number[]) => days.map((seconds) => seconds / 3600);
const buildSheet = (...entries: TimeSheetEntry[]) => buildTimeSheet(entries, { week: WEEK, zone: ZONE, now: NOW });

describe('time sheet week', () => {
  it.each([
    ['2026-11-09', '2026-11-09'],
    ['2026-11-15', '2026-11-09'],
    ['2026-11-16', '2026-11-16'],
    ['2027-01-01', '2026-12-28'],
    ['1969-12-31', '1969-12-29'],
  ])('of %s starts on Monday %s', (date, monday) => {
    expect(getWeekStart(date)).toBe(monday);
  });

  it('depends on the zone: Sunday evening in London is Monday in Auckland', () => {
    const now = '2026-11-15T20:00:00.000Z';
    expect([getCurrentWeek(now, 'Europe/London'), getCurrentWeek(now, ZONE)]).toEqual(['2026-11-09', '2026-11-16']);
  });

  it('has seven dates and a week before and after it', () => {
    expect(getWeekDates(WEEK).at(-1)).toBe('2026-11-15');
    expect([addWeeks(WEEK, 1), addWeeks(WEEK, -1)]).toEqual(['2026-11-16', '2026-11-02']);
  });

  it.each([
    ['2026-11-09', 168, 24],
    ['2026-09-21', 167, 23],
    ['2026-03-30', 169, 25],
  ])('from %s has %s hours in Auckland, %s of them on Sunday', (week, length, sunday) => {
    const boundaries = getDayBoundaries(week, ZONE);
    const days = boundaries.slice(1).map((end, day) => (end - (boundaries[day] ?? 0)) / 3_600_000);
    expect([days.reduce((sum, day) => sum + day, 0), days[6]]).toEqual([length, sunday]);
  });

  it.each([
    ['2026-11-09', 'Nov 9 – 15, 2026'],
    ['2026-11-30', 'Nov 30 – Dec 6, 2026'],
    ['2026-12-28', 'Dec 28, 2026 – Jan 3, 2027'],
  ])('from %s is formatted as %s', (week, text) => {
    expect(formatWeek(week)).toBe(text);
  });

  it('rejects an invalid date', () => {
    expect(() => getWeekStart('yesterday')).toThrow('Not a date');
  });
});

describe('time entry', () => {
  const split = (from: [string, string], to: [string, string] | null, week = WEEK, now = NOW) =>
    toHours(calculateSecondsPerDay(entry(from, to), getDayBoundaries(week, ZONE), now));

  it('across midnight is split between both days', () => {
    expect(split(['2026-11-10', '22:00'], ['2026-11-11', '01:30'])).toEqual([0, 2, 1.5, 0, 0, 0, 0]);
  });

  it('across Sunday midnight is split between both weeks', () => {
    const [from, to]: [[string, string], [string, string]] = [
      ['2026-11-15', '23:00'],
      ['2026-11-16', '02:00'],
    ];
    expect(split(from, to)).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect(split(from, to, '2026-11-16')).toEqual([2, 0, 0, 0, 0, 0, 0]);
  });

  it('across a clock change counts elapsed time', () => {
    expect(split(['2026-09-26', '22:00'], ['2026-09-27', '06:00'], '2026-09-21')).toEqual([0, 0, 0, 0, 0, 2, 5]);
    expect(split(['2026-04-04', '22:00'], ['2026-04-05', '06:00'], '2026-03-30')).toEqual([0, 0, 0, 0, 0, 2, 7]);
  });

  it('that is still running counts until now, or as zero if the clock is behind its start', () => {
    expect(split(['2026-11-14', '23:00'], null)).toEqual([0, 0, 0, 0, 0, 1, 23]);
    expect(split(['2026-11-14', '23:00'], null, WEEK, at('2026-11-14', '22:00'))).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('time sheet', () => {
  it('totals time per person, job and day', () => {
    const sheet = buildSheet(
      entry(['2026-11-09', '08:00'], ['2026-11-09', '10:30']),
      entry(['2026-11-09', '11:00'], ['2026-11-09', '12:00'], { job_id: 'job-2', job_number: 'J26110002', job_title: 'Tap' }),
      entry(['2026-11-10', '08:00'], ['2026-11-10', '09:00']),
      entry(['2026-11-10', '08:00'], ['2026-11-10', '16:00'], { staff_id: 'mia', staff_name: 'Mia', is_allocated: true }),
    );
    expect(sheet.people.map(({ staff_name, days, total }) => [staff_name, toHours(days).slice(0, 2), total / 3600])).toEqual([
      ['Mia', [0, 8], 8],
      ['Sam', [3.5, 1], 4.5],
    ]);
    expect(sheet.people[1]?.jobs.map(({ job_title, days, total }) => [job_title, toHours(days).slice(0, 2), total / 3600])).toEqual([
      ['Roof repair', [2.5, 1], 3.5],
      ['Tap', [1, 0], 1],
    ]);
    expect([toHours(sheet.days).slice(0, 2), sheet.total / 3600, sheet.allocated / 3600]).toEqual([[3.5, 9], 12.5, 8]);
    expect(sheet.people[1]?.entries.map((entries) => entries.length)).toEqual([2, 1, 0, 0, 0, 0, 0]);
  });

  it('includes unbilled time only for hourly jobs', () => {
    const sheet = buildSheet(
      entry(['2026-11-09', '08:00'], ['2026-11-09', '10:30']),
      entry(['2026-11-10', '08:00'], ['2026-11-10', '10:00'], { is_allocated: true }),
      entry(['2026-11-11', '08:00'], ['2026-11-11', '16:00'], { job_id: 'fixed', hourly_rate: null }),
      entry(['2026-11-12', '08:00'], ['2026-11-12', '08:20'], { job_id: 'job-2', hourly_rate: '100.00' }),
    );
    expect([sheet.unbilled.total, toHours(sheet.unbilled.days)[0], sheet.unbilled_amount]).toEqual([10_200, 2.5, '245.83']);
    expect([sheet.allocated, sheet.total]).toEqual([7200, 46_200]);
  });

  it('groups deleted people by name and deleted jobs by number', () => {
    const deleted = { staff_id: null, job_id: null, hourly_rate: null };
    const sheet = buildSheet(
      entry(['2026-11-09', '08:00'], ['2026-11-09', '09:00'], { ...deleted, staff_name: 'Tim' }),
      entry(['2026-11-09', '10:00'], ['2026-11-09', '11:00'], { ...deleted, staff_name: 'Tim', job_number: 'J26110009' }),
      entry(['2026-11-09', '08:00'], ['2026-11-09', '09:00'], { ...deleted, staff_name: 'Ana' }),
    );
    expect(sheet.people.map(({ staff_name, jobs }) => [staff_name, jobs.length])).toEqual([
      ['Ana', 1],
      ['Tim', 2],
    ]);
  });

  it('contains a single second, and a timer in its first second on a Monday', () => {
    const monday = at('2026-11-09', '09:00');
    const second = entry(['2026-11-09', '09:00'], null, { ended_at: monday.replace('00.000Z', '01.000Z') });
    expect(buildSheet(second).people).toHaveLength(1);
    const running = entry(['2026-11-09', '09:00'], null);
    expect(buildTimeSheet([running], { week: WEEK, zone: ZONE, now: monday }).people).toHaveLength(1);
  });

  it('marks the day of a running timer, even in its first second', () => {
    const sheet = buildSheet(entry(['2026-11-15', '22:00'], null));
    expect(sheet.people[0]?.running).toEqual([false, false, false, false, false, false, true]);
    expect(buildSheet(entry(['2026-11-15', '23:00'], null)).people[0]?.running[6]).toBe(true);
    expect(buildTimeSheet([entry(['2026-11-15', '22:00'], null)], { week: '2026-11-02', zone: ZONE, now: NOW }).people).toEqual([]);
  });

  it('marks the new day for a timer that starts at midnight, and the old day for one that has run until midnight', () => {
    const now = at('2026-11-10', '00:00');
    const listRunningDays = (from: [string, string]) =>
      buildTimeSheet([entry(from, null)], { week: WEEK, zone: ZONE, now }).people[0]?.running.flatMap((isRunning, day) =>
        isRunning ? [day] : [],
      );
    expect([listRunningDays(['2026-11-10', '00:00']), listRunningDays(['2026-11-09', '23:00'])]).toEqual([[1], [0]]);
  });
});

const anyEntry = fc
  .record({
    start: fc.integer({ min: Date.UTC(2026, 0, 1) / 1000, max: Date.UTC(2026, 11, 31) / 1000 }),
    seconds: fc.integer({ min: 1, max: 400_000 }),
    staff: fc.constantFrom('mia', 'sam', null),
    job: fc.constantFrom('job-1', 'job-2', null),
    is_allocated: fc.boolean(),
    runs: fc.boolean(),
  })
  .map(({ start, seconds, staff, job, is_allocated, runs }): TimeSheetEntry => {
    const instant = (second: number) => new Date(second * 1000).toISOString();
    return {
      started_at: instant(start),
      ended_at: runs ? null : instant(start + seconds),
      staff_id: staff,
      staff_name: staff ?? 'Tim',
      job_id: job,
      job_number: job ?? 'J1',
      job_title: '',
      is_allocated,
      hourly_rate: job && '60.00',
    };
  });

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('time sheet totals', () => {
  const zones = fc.constantFrom(...TIME_ZONES.map(({ zone }) => zone));
  const END = '2027-01-06T12:34:56.789Z';

  it('match the entries over all weeks, in every zone and across clock changes', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 6 }), zones, (entries, zone) => {
        const weeks = Array.from({ length: 56 }, (_, index) => addDays('2025-12-22', 7 * index));
        const cells = weeks.flatMap((week) =>
          buildTimeSheet(entries, { week, zone, now: END }).people.flatMap(({ jobs }) => jobs.flatMap(({ days }) => days)),
        );
        expect(sum(cells)).toBe(calculateElapsedSeconds(entries, END));
      }),
      { numRuns: 40 },
    );
  });

  it('agree by job, by person, by day and overall', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 12 }), zones, fc.integer({ min: 0, max: 52 }), (entries, zone, index) => {
        const sheet = buildTimeSheet(entries, { week: addDays('2025-12-29', 7 * index), zone, now: END });
        for (const person of sheet.people) {
          expect(sum(person.jobs.map(({ total }) => total))).toBe(person.total);
          person.days.forEach((seconds, day) => expect(sum(person.jobs.map(({ days }) => days[day] ?? 0))).toBe(seconds));
        }
        expect(sum(sheet.people.map(({ total }) => total))).toBe(sheet.total);
        expect(sum(sheet.days)).toBe(sheet.total);
        expect(sheet.unbilled.total + sheet.allocated).toBeLessThanOrEqual(sheet.total);
      }),
      { numRuns: 200 },
    );
  });
});

it.each([
  [0, '0:00'],
  [29, '0:00'],
  [30, '0:01'],
  [3599, '1:00'],
  [26_100, '7:15'],
  [430_200, '119:30'],
])('formats %s seconds as %s', (seconds, text) => {
  expect(formatHoursAndMinutes(seconds)).toBe(text);
});
