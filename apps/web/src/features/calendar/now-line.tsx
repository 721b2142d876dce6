import { toTimeInputValue, toWallTime } from '@callout/domain/time/wall-time';
import { useCurrentMinute } from '../../lib/use-today.ts';
import { toGridLength } from './event-box.tsx';

const toMinutes = ({ hour, minute }: { hour: number; minute: number }) => hour * 60 + minute;

/**
 * Marks the current time. Above the events, which would otherwise hide the line in a full column, it is thin enough to read text through it.
 * Focused and hovered events cover it.
 */
export function NowLine({ zone }: { zone: string }) {
  const now = toWallTime(useCurrentMinute(), zone);
  const top = toGridLength(toMinutes(now));
  return (
    <>
      <div className="pointer-events-none absolute inset-x-0 h-0.5 -translate-y-px bg-danger" style={{ top }} />
      <div data-now="" className="pointer-events-none absolute inset-x-0 z-25 h-px -translate-y-px bg-danger/45" style={{ top }} />
    </>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** Hour labels this close to the current time are hidden, because they would overlap the current time's label. */
const LABEL_OVERLAP_MINUTES = 12;

interface HourLabelsProps {
  zone: string;
  hasNowLabel: boolean;
}

export function HourLabels({ zone, hasNowLabel }: HourLabelsProps) {
  const now = toWallTime(useCurrentMinute(), zone);
  const isHidden = (hour: number) => hasNowLabel && Math.abs(hour * 60 - toMinutes(now)) < LABEL_OVERLAP_MINUTES;
  return (
    <>
      {HOURS.slice(1).map((hour) => (
        <span key={hour} hidden={isHidden(hour)} className="absolute right-2 -translate-y-1/2" style={{ top: toGridLength(hour * 60) }}>
          {hour % 12 || 12}
          {hour < 12 ? 'am' : 'pm'}
        </span>
      ))}
      {hasNowLabel && (
        <span
          className="absolute right-1 -translate-y-1/2 rounded-control bg-danger px-1.5 py-0.5 font-semibold text-on-danger"
          style={{ top: toGridLength(toMinutes(now)) }}
        >
          <span className="sr-only">Now </span>
          {now.hour % 12 || 12}:{toTimeInputValue(now).slice(3)}
        </span>
      )}
    </>
  );
}
