import type { ActiveTimer } from '@callout/contract/timer';
import { type ProgressLevel, progressLevel, timerProgress } from '@callout/domain/timer/elapsed-time';
import { classes } from '../../ui/classes.ts';

/** Blue and pulsing while it runs, yellow while it is paused; says so to those who do not see it. */
export function TimerDot({ status }: { status: ActiveTimer['timer_status'] }) {
  const isRunning = status === 'started';
  return (
    <span
      className={classes(
        'inline-block size-2.5 shrink-0 rounded-full ring-4',
        isRunning ? 'animate-pulse bg-info ring-info/25' : 'bg-attention ring-attention/25',
      )}
    >
      <span className="sr-only">{isRunning ? 'Running' : 'Paused'}</span>
    </span>
  );
}

const COLORS: Record<ProgressLevel, string> = { normal: 'bg-info', high: 'bg-warn', critical: 'bg-danger' };

interface ProgressBarProps {
  seconds: number;
  /** Hours; without a plan there is no bar. */
  planned: string | null;
  className?: string;
}

export function ProgressBar({ seconds, planned, className }: ProgressBarProps) {
  const percent = timerProgress(seconds, planned);
  if (percent === null) return null;
  return (
    <span
      role="progressbar"
      aria-label="Planned time used"
      aria-valuenow={Math.floor(percent)}
      data-level={progressLevel(percent)}
      className={classes('block overflow-hidden bg-neutral-soft', className)}
    >
      <span
        className={classes('block h-full transition-[width] duration-160', COLORS[progressLevel(percent)])}
        style={{ width: `${percent}%` }}
      />
    </span>
  );
}

/** '/ 3h' after the elapsed time. */
export function PlannedHours({ planned }: { planned: string | null }) {
  return Number(planned ?? 0) > 0 ? <span className="font-normal text-ink-3">{` / ${Number(planned)}h`}</span> : null;
}
