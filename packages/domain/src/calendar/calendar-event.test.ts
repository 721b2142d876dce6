import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BookedSlot, calculateEventEnd, calculateOverlapMinutes, detectClashes } from './calendar-event.ts';

const atTime = (time: string) => `2026-11-17T${time}:00.000Z`;
const createSlot = (id: string, from: string, to: string, staffId: string | null = 'sam'): BookedSlot => ({
  id,
  staffId,
  start: atTime(from),
  end: atTime(to),
});

describe('calendar event end time', () => {
  it('is the start plus the duration, or plus one hour if there is no duration', () => {
    expect(calculateEventEnd(atTime('08:00'), '1.25')).toBe(atTime('09:15'));
    expect(calculateEventEnd(atTime('08:00'), null)).toBe(atTime('09:00'));
  });

  it('is based on elapsed hours across a clock change', () => {
    expect(calculateEventEnd('2026-09-26T13:00:00.000Z', '2')).toBe('2026-09-26T15:00:00.000Z');
  });
});

describe('clashes', () => {
  it('are overlapping bookings of one person, with the overlap in minutes', () => {
    const pairs = detectClashes([createSlot('drain', '11:30', '13:00'), createSlot('cylinder', '09:00', '12:00')]);
    expect(pairs).toEqual([{ earlierId: 'cylinder', laterId: 'drain', staffId: 'sam', minutes: 30 }]);
  });

  it('exclude back-to-back bookings, bookings of different people and unassigned bookings', () => {
    expect(detectClashes([createSlot('a', '09:00', '10:00'), createSlot('b', '10:00', '11:00')])).toEqual([]);
    expect(detectClashes([createSlot('a', '09:00', '10:00'), createSlot('b', '09:00', '10:00', 'mia')])).toEqual([]);
    expect(detectClashes([createSlot('a', '09:00', '10:00', null), createSlot('b', '09:00', '10:00', null)])).toEqual([]);
  });

  it('pair each booking with the earlier booking it overlaps the most', () => {
    const anyBooking = fc.record({
      from: fc.integer({ min: 0, max: 80 }),
      length: fc.integer({ min: 1, max: 12 }),
      staff: fc.constantFrom('a', 'b', null),
    });
    fc.assert(
      fc.property(fc.array(anyBooking, { maxLength: 12 }), (drafts) => {
        const atQuarterHour = (count: number) => new Date(Date.UTC(2026, 10, 17) + count * 900_000).toISOString();
        const bookings = drafts.map(({ from, length, staff }, index) => ({
          id: String(index).padStart(2, '0'),
          staffId: staff,
          start: atQuarterHour(from),
          end: atQuarterHour(from + length),
        }));
        const pairs = bookings.flatMap((later) =>
          bookings
            .filter(({ id, start }) => start < later.start || (start === later.start && id < later.id))
            .filter(({ staffId }) => staffId !== null && staffId === later.staffId)
            .map((earlier) => ({ earlierId: earlier.id, laterId: later.id, minutes: calculateOverlapMinutes(earlier, later) }))
            .filter(({ minutes }) => minutes > 0),
        );
        const maxOverlaps = new Map<string, number>();
        for (const { laterId, minutes } of pairs) maxOverlaps.set(laterId, Math.max(minutes, maxOverlaps.get(laterId) ?? 0));
        const found = detectClashes(bookings);
        expect(new Map(found.map(({ laterId, minutes }) => [laterId, minutes]))).toEqual(maxOverlaps);
        expect(found).toHaveLength(maxOverlaps.size);
        for (const { earlierId, laterId, minutes } of found) expect(pairs).toContainEqual({ earlierId, laterId, minutes });
      }),
    );
  });

  it('stay below the number of bookings, even if thousands overlap', () => {
    const many = Array.from({ length: 2000 }, (_, index) => createSlot(String(index).padStart(4, '0'), '09:00', '12:00'));
    expect(detectClashes(many)).toHaveLength(1999);
  });
});
