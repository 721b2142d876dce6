/** Times as a clock on the wall of a named time zone shows them. Months count from 1, hours from 0 to 23. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Making one costs about as much as ten uses of it, and a list uses it in every row. */
const clocks = new Map<string, Intl.DateTimeFormat>();

/** An unknown zone throws a RangeError. */
export function wallTime(instant: string, zone: string): WallTime {
  return wallTimeAt(milliseconds(instant), zone);
}

/** 'HH:mm', as a time field of a form holds it: '09:05'. */
export function fieldTime({ hour, minute }: Pick<WallTime, 'hour' | 'minute'>): string {
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
}

/** How far, in milliseconds, the clocks of a zone are ahead of UTC. */
export function offsetAt(ms: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallTimeAt(ms, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}

/** Text without an offset is refused: it would be read in the zone of whichever machine runs this. */
export function milliseconds(instant: string): number {
  const ms = INSTANT.test(instant) ? Date.parse(instant) : Number.NaN;
  if (Number.isNaN(ms)) throw new RangeError(`Not an instant: ${JSON.stringify(instant.slice(0, 40))}`);
  return ms;
}

function wallTimeAt(ms: number, zone: string): WallTime {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(ms)
      .map((part) => [part.type, Number(part.value)]),
  );
  const shown = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? Number.NaN;
  return {
    year: shown('year'),
    month: shown('month'),
    day: shown('day'),
    hour: shown('hour'),
    minute: shown('minute'),
    second: shown('second'),
  };
}

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const numeric = 'numeric' as const;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  clocks.set(zone, clock);
  return clock;
}
