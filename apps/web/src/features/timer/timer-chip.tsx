import type { ActiveTimer } from '@callout/contract/timer';
import { elapsedText } from '@callout/domain/timer/elapsed-time';
import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { useElapsed } from './server-clock.ts';
import { useActiveTimer } from './timer.api.ts';
import { ProgressBar, TimerDot, UnsentPause } from './timer-parts.tsx';
import { useTimerStore } from './timer-store.ts';

/** In the header of every page while the person's timer is started or paused. */
export function TimerChip() {
  const timer = useActiveTimer();
  const isCardHidden = useTimerStore((store) => store.isCardHidden);
  if (!timer) return null;
  return (
    <>
      <Chip timer={timer} />
      {isCardHidden && (
        <IconButton label="Show timer" className="max-lg:hidden" onClick={() => useTimerStore.setState({ isCardHidden: false })}>
          <ChevronDown aria-hidden="true" />
        </IconButton>
      )}
    </>
  );
}

function Chip({ timer }: { timer: ActiveTimer }) {
  const seconds = useElapsed(timer);
  const isRunning = timer.timer_status === 'started';
  const job = `#${timer.job_number}`;
  return (
    <Link
      to="/jobs/$id"
      params={{ id: timer.job_id }}
      data-header-timer=""
      title={`View Job ${job} ${timer.title}`}
      className={classes(
        'relative flex h-11 shrink-0 items-center gap-2.5 overflow-hidden rounded-control px-3 text-base font-semibold whitespace-nowrap lg:h-9',
        isRunning ? 'bg-info-soft text-info-ink' : 'bg-warn-soft text-warn-ink',
      )}
    >
      <TimerDot status={timer.timer_status} />
      <span className="sr-only">{`View Job ${job} ${timer.title}`}</span>
      <span aria-hidden="true" className="font-medium tabular-nums max-lg:hidden">
        {job}
      </span>
      <span className="tabular-nums">{elapsedText(seconds)}</span>
      <UnsentPause jobId={timer.job_id} iconOnly />
      <ProgressBar seconds={seconds} planned={timer.duration} className="absolute inset-x-0 bottom-0 h-0.5 bg-transparent" />
    </Link>
  );
}
