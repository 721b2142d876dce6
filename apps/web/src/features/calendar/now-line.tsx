import { fieldTime, wallTime } from '@callout/domain/time/wall-time';
import { useMinute } from '../../lib/use-today.ts';
import { hoursHigh } from './event-box.tsx';

const minutesOf = ({ hour, minute }: { hour: number; minute: number }) => hour * 60 + minute;

/** Behind the events, so that it never runs through their words. */
export function NowLine({ zone }: { zone: string }) {
  const now = wallTime(useMinute(), zone);
  return <div data-now="" className="absolute inset-x-0 h-0.5 -translate-y-px bg-danger" style={{ top: hoursHigh(minutesOf(now)) }} />;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** An hour this near to now gives way to it. */
const NEAR_MINUTES = 12;

interface HourLabelsProps {
  zone: string;
  showsNow: boolean;
}

/** '8am', '1pm', and the present time among them. */
export function HourLabels({ zone, showsNow }: HourLabelsProps) {
  const now = wallTime(useMinute(), zone);
  const isNear = (hour: number) => showsNow && Math.abs(hour * 60 - minutesOf(now)) < NEAR_MINUTES;
  return (
    <>
      {HOURS.slice(1).map((hour) => (
        <span key={hour} hidden={isNear(hour)} className="absolute right-2 -translate-y-1/2" style={{ top: hoursHigh(hour * 60) }}>
          {hour % 12 || 12}
          {hour < 12 ? 'am' : 'pm'}
        </span>
      ))}
      {showsNow && (
        <span
          className="absolute right-1 -translate-y-1/2 rounded-control bg-danger px-1.5 py-0.5 font-semibold text-on-danger"
          style={{ top: hoursHigh(minutesOf(now)) }}
        >
          <span className="sr-only">Now </span>
          {now.hour % 12 || 12}:{fieldTime(now).slice(3)}
        </span>
      )}
    </>
  );
}
