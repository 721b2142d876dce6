import { addDays, getEndOfDay, getStartOfDay } from '../time/zoned-time.ts';
import { getWeekStart } from '../timer/time-sheet.ts';

/** 'overdue' means booked before today and unfinished, 'none' without a date, and 'custom' between two chosen dates. */
export const BOOKING_FILTERS = ['today', 'tomorrow', 'this-week', 'next-7-days', 'overdue', 'none', 'custom'] as const;
export type BookingFilter = (typeof BOOKING_FILTERS)[number];

interface DateBounds {
  /** Both dates ('yyyy-MM-dd') are inclusive. A missing one leaves that side open. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface BookingCriteria {
  booked_from?: string;
  booked_to?: string;
  booking?: 'none' | 'unfinished';
}

/** Converts a filter to what the server compares bookings with. `today` is the date in `zone`; `dates` apply to 'custom' only. */
export function getBookingCriteria(filter: BookingFilter, dates: DateBounds, today: string, zone: string): BookingCriteria {
  const getRange = ({ from, to }: DateBounds): BookingCriteria => ({
    ...(from === undefined ? {} : { booked_from: getStartOfDay(from, zone) }),
    ...(to === undefined ? {} : { booked_to: getEndOfDay(to, zone) }),
  });
  switch (filter) {
    case 'today':
      return getRange({ from: today, to: today });
    case 'tomorrow':
      return getRange({ from: addDays(today, 1), to: addDays(today, 1) });
    case 'this-week':
      return getRange({ from: getWeekStart(today), to: addDays(getWeekStart(today), 6) });
    case 'next-7-days':
      return getRange({ from: today, to: addDays(today, 6) });
    case 'overdue':
      return { ...getRange({ to: addDays(today, -1) }), booking: 'unfinished' };
    case 'none':
      return { booking: 'none' };
    case 'custom':
      return getRange(dates);
    default:
      return filter satisfies never;
  }
}
