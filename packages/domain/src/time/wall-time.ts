/** The date and time that clocks in a time zone show. Months start at 1; hours run from 0 to 23. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const INSTANT_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Cached because creating a formatter costs about as much as ten uses, and lists use one in every row. */
const clockFormatters = new Map<string, Intl.DateTimeFormat>();

/** Converts an instant to wall time. Throws a RangeError if the zone is unknown. */
export function toWallTime(instant: string, zone: string): WallTime {
  return toWallTimeAt(toEpochMs(instant), zone);
}

/** Formats a time for a time input: '09:05'. */
export function toTimeInputValue({ hour, minute }: Pick<WallTime, 'hour' | 'minute'>): string {
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Returns how far the zone's clocks are ahead of UTC, in milliseconds, at the epoch time `ms`. */
export function getUtcOffset(ms: number, zone: string): number {
  const { year, month, day, hour, minute, second } = toWallTimeAt(ms, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}

/** Parses an ISO instant. Rejects text without an offset, which would be read in the machine's own time zone. */
export function toEpochMs(instant: string): number {
  const ms = INSTANT_PATTERN.test(instant) ? Date.parse(instant) : Number.NaN;
  if (Number.isNaN(ms)) throw new RangeError(`Not an instant: ${JSON.stringify(instant.slice(0, 40))}`);
  return ms;
}

function toWallTimeAt(ms: number, zone: string): WallTime {
  const parts = new Map(
    getClockFormatter(zone)
      .formatToParts(ms)
      .map((part) => [part.type, Number(part.value)]),
  );
  const getPart = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? Number.NaN;
  return {
    year: getPart('year'),
    month: getPart('month'),
    day: getPart('day'),
    hour: getPart('hour'),
    minute: getPart('minute'),
    second: getPart('second'),
  };
}

function getClockFormatter(zone: string): Intl.DateTimeFormat {
  const cached = clockFormatters.get(zone);
  if (cached) return cached;
  const numeric = 'numeric' as const;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  clockFormatters.set(zone, formatter);
  return formatter;
}
