import type { ActiveTimer } from '@callout/contract/timer';
import { type ProgressLevel, progressLevel, timerProgress } from '@callout/domain/timer/elapsed-time';
import { CloudOff } from 'lucide-react';
import { classes } from '../../ui/classes.ts';
import { useIsUnsent } from './timer-pause.api.ts';

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

/** While a pause of this job waits for a connection. */
export function UnsentPause({ jobId, iconOnly = false, className }: { jobId: string; iconOnly?: boolean; className?: string }) {
  if (!useIsUnsent(jobId)) return null;
  return (
    <span title="Paused, not sent yet" className={classes('flex items-center gap-1.5 font-medium text-warn-ink', className)}>
      <CloudOff aria-hidden="true" className="size-4 shrink-0" />
      <span className={iconOnly ? 'sr-only' : 'truncate'}>Paused, not sent yet</span>
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
