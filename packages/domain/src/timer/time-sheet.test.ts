import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIME_ZONES } from '../time/time-zones.ts';
import { addDays, zonedInstant } from '../time/zoned-time.ts';
import { elapsedSeconds } from './elapsed-time.ts';
import {
  addWeeks,
  currentWeek,
  dayLimits,
  daysOfWeek,
  hoursText,
  type SheetEntry,
  secondsPerDay,
  timeSheet,
  weekOf,
  weekText,
} from './time-sheet.ts';

const ZONE = 'Pacific/Auckland';
const WEEK = '2026-11-09';
const at = (date: string, time: string) => zonedInstant(date, time, ZONE);
const NOW = at('2026-11-15', '23:00');

function entry(from: [string, string], to: [string, string] | null, over: Partial<SheetEntry> = {}): SheetEntry {
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
    ...over,
  };
}

const hours = (days: readonly number[]) => days.map((seconds) => seconds / 3600);
const sheetOf = (...entries: SheetEntry[]) => timeSheet(entries, { week: WEEK, zone: ZONE, now: NOW });

describe('a week', () => {
  it.each([
    ['2026-11-09', '2026-11-09'],
    ['2026-11-15', '2026-11-09'],
    ['2026-11-16', '2026-11-16'],
    ['2027-01-01', '2026-12-28'],
    ['1969-12-31', '1969-12-29'],
  ])('of %s starts on Monday %s', (date, monday) => {
    expect(weekOf(date)).toBe(monday);
  });

  it('is the one of the zone: on Sunday evening in London it is Monday in Auckland', () => {
    const now = '2026-11-15T20:00:00.000Z';
    expect([currentWeek(now, 'Europe/London'), currentWeek(now, ZONE)]).toEqual(['2026-11-09', '2026-11-16']);
  });

  it('has seven days and a next and a previous one', () => {
    expect(daysOfWeek(WEEK).at(-1)).toBe('2026-11-15');
    expect([addWeeks(WEEK, 1), addWeeks(WEEK, -1)]).toEqual(['2026-11-16', '2026-11-02']);
  });

  it.each([
    ['2026-11-09', 168, 24],
    ['2026-09-21', 167, 23],
    ['2026-03-30', 169, 25],
  ])('from %s has %s hours in Auckland, and Sunday %s', (week, length, sunday) => {
    const limits = dayLimits(week, ZONE);
    const days = limits.slice(1).map((end, day) => (end - (limits[day] ?? 0)) / 3_600_000);
    expect([days.reduce((sum, day) => sum + day, 0), days[6]]).toEqual([length, sunday]);
  });

  it.each([
    ['2026-11-09', 'Nov 9 – 15, 2026'],
    ['2026-11-30', 'Nov 30 – Dec 6, 2026'],
    ['2026-12-28', 'Dec 28, 2026 – Jan 3, 2027'],
  ])('from %s is called %s', (week, text) => {
    expect(weekText(week)).toBe(text);
  });

  it('refuses what is no date', () => {
    expect(() => weekOf('yesterday')).toThrow('Not a date');
  });
});

describe('an entry', () => {
  const split = (from: [string, string], to: [string, string] | null, week = WEEK, now = NOW) =>
    hours(secondsPerDay(entry(from, to), dayLimits(week, ZONE), now));

  it('that crosses midnight counts on each day its part', () => {
    expect(split(['2026-11-10', '22:00'], ['2026-11-11', '01:30'])).toEqual([0, 2, 1.5, 0, 0, 0, 0]);
  });

  it('that crosses Sunday midnight counts in both weeks', () => {
    const [from, to]: [[string, string], [string, string]] = [
      ['2026-11-15', '23:00'],
      ['2026-11-16', '02:00'],
    ];
    expect(split(from, to)).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect(split(from, to, '2026-11-16')).toEqual([2, 0, 0, 0, 0, 0, 0]);
  });

  it('through the night in which clocks go forward or back counts what really passed', () => {
    expect(split(['2026-09-26', '22:00'], ['2026-09-27', '06:00'], '2026-09-21')).toEqual([0, 0, 0, 0, 0, 2, 5]);
    expect(split(['2026-04-04', '22:00'], ['2026-04-05', '06:00'], '2026-03-30')).toEqual([0, 0, 0, 0, 0, 2, 7]);
  });

  it('that still runs counts until now, and nothing on a clock that is behind', () => {
    expect(split(['2026-11-14', '23:00'], null)).toEqual([0, 0, 0, 0, 0, 1, 23]);
    expect(split(['2026-11-14', '23:00'], null, WEEK, at('2026-11-14', '22:00'))).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('a time sheet', () => {
  it('adds up people, their jobs and days', () => {
    const sheet = sheetOf(
      entry(['2026-11-09', '08:00'], ['2026-11-09', '10:30']),
      entry(['2026-11-09', '11:00'], ['2026-11-09', '12:00'], { job_id: 'job-2', job_number: 'J26110002', job_title: 'Tap' }),
      entry(['2026-11-10', '08:00'], ['2026-11-10', '09:00']),
      entry(['2026-11-10', '08:00'], ['2026-11-10', '16:00'], { staff_id: 'mia', staff_name: 'Mia', is_allocated: true }),
    );
    expect(sheet.people.map(({ staff_name, days, total }) => [staff_name, hours(days).slice(0, 2), total / 3600])).toEqual([
      ['Mia', [0, 8], 8],
      ['Sam', [3.5, 1], 4.5],
    ]);
    expect(sheet.people[1]?.jobs.map(({ job_title, days, total }) => [job_title, hours(days).slice(0, 2), total / 3600])).toEqual([
      ['Roof repair', [2.5, 1], 3.5],
      ['Tap', [1, 0], 1],
    ]);
    expect([hours(sheet.days).slice(0, 2), sheet.total / 3600, sheet.allocated / 3600]).toEqual([[3.5, 9], 12.5, 8]);
    expect(sheet.people[1]?.entries.map((entries) => entries.length)).toEqual([2, 1, 0, 0, 0, 0, 0]);
  });

  it('says what nobody has billed, of jobs that are billed by the hour', () => {
    const sheet = sheetOf(
      entry(['2026-11-09', '08:00'], ['2026-11-09', '10:30']),
      entry(['2026-11-10', '08:00'], ['2026-11-10', '10:00'], { is_allocated: true }),
      entry(['2026-11-11', '08:00'], ['2026-11-11', '16:00'], { job_id: 'fixed', hourly_rate: null }),
      entry(['2026-11-12', '08:00'], ['2026-11-12', '08:20'], { job_id: 'job-2', hourly_rate: '100.00' }),
    );
    expect([sheet.unbilled.total, hours(sheet.unbilled.days)[0], sheet.unbilled_amount]).toEqual([10_200, 2.5, '245.83']);
    expect([sheet.allocated, sheet.total]).toEqual([7200, 46_200]);
  });

  it('keeps deleted people and jobs apart by what they were called', () => {
    const gone = { staff_id: null, job_id: null, hourly_rate: null };
    const sheet = sheetOf(
      entry(['2026-11-09', '08:00'], ['2026-11-09', '09:00'], { ...gone, staff_name: 'Tim' }),
      entry(['2026-11-09', '10:00'], ['2026-11-09', '11:00'], { ...gone, staff_name: 'Tim', job_number: 'J26110009' }),
      entry(['2026-11-09', '08:00'], ['2026-11-09', '09:00'], { ...gone, staff_name: 'Ana' }),
    );
    expect(sheet.people.map(({ staff_name, jobs }) => [staff_name, jobs.length])).toEqual([
      ['Ana', 1],
      ['Tim', 2],
    ]);
  });

  it('marks the day on which somebody still works, also in the first second', () => {
    const sheet = sheetOf(entry(['2026-11-15', '22:00'], null));
    expect(sheet.people[0]?.running).toEqual([false, false, false, false, false, false, true]);
    expect(sheetOf(entry(['2026-11-15', '23:00'], null)).people[0]?.running[6]).toBe(true);
    expect(timeSheet([entry(['2026-11-15', '22:00'], null)], { week: '2026-11-02', zone: ZONE, now: NOW }).people).toEqual([]);
  });
});

const worked = fc
  .record({
    start: fc.integer({ min: Date.UTC(2026, 0, 1) / 1000, max: Date.UTC(2026, 11, 31) / 1000 }),
    seconds: fc.integer({ min: 1, max: 400_000 }),
    staff: fc.constantFrom('mia', 'sam', null),
    job: fc.constantFrom('job-1', 'job-2', null),
    is_allocated: fc.boolean(),
    runs: fc.boolean(),
  })
  .map(({ start, seconds, staff, job, is_allocated, runs }): SheetEntry => {
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

describe('the sum of the cells', () => {
  const zones = fc.constantFrom(...TIME_ZONES.map(({ zone }) => zone));
  const END = '2027-01-06T12:34:56.789Z';

  it('is the sum of the entries over all weeks, in every zone and across every clock change', () => {
    fc.assert(
      fc.property(fc.array(worked, { maxLength: 6 }), zones, (entries, zone) => {
        const weeks = Array.from({ length: 56 }, (_, index) => addDays('2025-12-22', 7 * index));
        const cells = weeks.flatMap((week) =>
          timeSheet(entries, { week, zone, now: END }).people.flatMap(({ jobs }) => jobs.flatMap(({ days }) => days)),
        );
        expect(sum(cells)).toBe(elapsedSeconds(entries, END));
      }),
      { numRuns: 40 },
    );
  });

  it('is the same by job, by person, by day and in total', () => {
    fc.assert(
      fc.property(fc.array(worked, { maxLength: 12 }), zones, fc.integer({ min: 0, max: 52 }), (entries, zone, index) => {
        const sheet = timeSheet(entries, { week: addDays('2025-12-29', 7 * index), zone, now: END });
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
])('%s seconds read %s', (seconds, text) => {
  expect(hoursText(seconds)).toBe(text);
});
