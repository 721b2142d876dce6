import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BookedTime, clashesIn, eventEnd, overlapMinutes } from './calendar-event.ts';

const at = (time: string) => `2026-11-17T${time}:00.000Z`;
const booked = (id: string, from: string, to: string, staffId: string | null = 'sam'): BookedTime => ({
  id,
  staffId,
  start: at(from),
  end: at(to),
});

describe('the end of an event', () => {
  it('is its hours after the start, and one hour without a duration', () => {
    expect(eventEnd(at('08:00'), '1.25')).toBe(at('09:15'));
    expect(eventEnd(at('08:00'), null)).toBe(at('09:00'));
  });

  it('is its hours later also when the clocks change meanwhile', () => {
    expect(eventEnd('2026-09-26T13:00:00.000Z', '2')).toBe('2026-09-26T15:00:00.000Z');
  });
});

describe('clashes', () => {
  it('are two bookings of one person that overlap, by how many minutes', () => {
    const pairs = clashesIn([booked('drain', '11:30', '13:00'), booked('cylinder', '09:00', '12:00')]);
    expect(pairs).toEqual([{ earlierId: 'cylinder', laterId: 'drain', staffId: 'sam', minutes: 30 }]);
  });

  it('are none when one begins as the other ends, for two people, or for nobody', () => {
    expect(clashesIn([booked('a', '09:00', '10:00'), booked('b', '10:00', '11:00')])).toEqual([]);
    expect(clashesIn([booked('a', '09:00', '10:00'), booked('b', '09:00', '10:00', 'mia')])).toEqual([]);
    expect(clashesIn([booked('a', '09:00', '10:00', null), booked('b', '09:00', '10:00', null)])).toEqual([]);
  });

  it('are those that every two show: each later one with the one it shares most time with', () => {
    const anyBooking = fc.record({
      from: fc.integer({ min: 0, max: 80 }),
      length: fc.integer({ min: 1, max: 12 }),
      staff: fc.constantFrom('a', 'b', null),
    });
    fc.assert(
      fc.property(fc.array(anyBooking, { maxLength: 12 }), (drawn) => {
        const quarter = (count: number) => new Date(Date.UTC(2026, 10, 17) + count * 900_000).toISOString();
        const bookings = drawn.map(({ from, length, staff }, index) => ({
          id: String(index).padStart(2, '0'),
          staffId: staff,
          start: quarter(from),
          end: quarter(from + length),
        }));
        const pairs = bookings.flatMap((later) =>
          bookings
            .filter(({ id, start }) => start < later.start || (start === later.start && id < later.id))
            .filter(({ staffId }) => staffId !== null && staffId === later.staffId)
            .map((earlier) => ({ earlierId: earlier.id, laterId: later.id, minutes: overlapMinutes(earlier, later) }))
            .filter(({ minutes }) => minutes > 0),
        );
        const most = new Map<string, number>();
        for (const { laterId, minutes } of pairs) most.set(laterId, Math.max(minutes, most.get(laterId) ?? 0));
        const found = clashesIn(bookings);
        expect(new Map(found.map(({ laterId, minutes }) => [laterId, minutes]))).toEqual(most);
        expect(found).toHaveLength(most.size);
        for (const { earlierId, laterId, minutes } of found) expect(pairs).toContainEqual({ earlierId, laterId, minutes });
      }),
    );
  });

  it('of thousands at the same time are no more than there are bookings', () => {
    const many = Array.from({ length: 2000 }, (_, index) => booked(String(index).padStart(4, '0'), '09:00', '12:00'));
    expect(clashesIn(many)).toHaveLength(1999);
  });
});
