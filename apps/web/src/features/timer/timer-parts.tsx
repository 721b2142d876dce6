import type { ActiveTimer } from '@callout/contract/timer';
import { calculateTimerProgress, getProgressLevel, type ProgressLevel } from '@callout/domain/timer/elapsed-time';
import { UnsentNotice } from '../../lib/unsent-notice.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useUnsentTimerChange } from './timer.api.ts';

/** Blue and pulsing while the timer runs, yellow while it is paused, with a label for screen readers. */
export function TimerStatusDot({ status }: { status: ActiveTimer['timer_status'] }) {
  const isRunning = status === 'started';
  return (
    <span
      className={classNames(
        'inline-block size-2.5 shrink-0 rounded-full ring-4',
        isRunning ? 'animate-pulse bg-info ring-info/25' : 'bg-attention ring-attention/25',
      )}
    >
      <span className="sr-only">{isRunning ? 'Running' : 'Paused'}</span>
    </span>
  );
}

/** Says that the last change of the job's timer is waiting for a connection. */
export function UnsentTimerNotice({ jobId, iconOnly = false, className }: { jobId: string; iconOnly?: boolean; className?: string }) {
  const change = useUnsentTimerChange(jobId);
  if (!change) return null;
  const text = change === 'pause' ? 'Paused, not sent yet' : 'Started, not sent yet';
  return <UnsentNotice text={text} iconOnly={iconOnly} className={className} />;
}

const PROGRESS_COLORS: Record<ProgressLevel, string> = { normal: 'bg-info', high: 'bg-warn', critical: 'bg-danger' };

interface ProgressBarProps {
  seconds: number;
  /** Planned hours; null hides the bar. */
  planned: string | null;
  className?: string;
}

export function TimerProgressBar({ seconds, planned, className }: ProgressBarProps) {
  const percent = calculateTimerProgress(seconds, planned);
  if (percent === null) return null;
  return (
    <span
      role="progressbar"
      aria-label="Planned time used"
      aria-valuenow={Math.floor(percent)}
      data-level={getProgressLevel(percent)}
      className={classNames('block overflow-hidden bg-neutral-soft', className)}
    >
      <span
        className={classNames('block h-full transition-[width] duration-160', PROGRESS_COLORS[getProgressLevel(percent)])}
        style={{ width: `${percent}%` }}
      />
    </span>
  );
}

/** Shows the planned hours after the elapsed time, such as ' / 3h'. */
export function PlannedHours({ planned }: { planned: string | null }) {
  return Number(planned ?? 0) > 0 ? <span className="font-normal text-ink-3">{` / ${Number(planned)}h`}</span> : null;
}
