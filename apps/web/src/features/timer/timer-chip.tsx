import type { ActiveTimer } from '@callout/contract/timer';
import { formatElapsedTime } from '@callout/domain/timer/elapsed-time';
import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useElapsedSeconds } from './server-clock.ts';
import { useActiveTimer } from './timer.api.ts';
import { TimerProgressBar, TimerStatusDot, UnsentTimerNotice } from './timer-parts.tsx';
import { isTimerHidden, useTimerStore } from './timer-store.ts';

/**
 * Shown in the header while the signed-in person has a running or paused timer, except on the page that shows the timer itself. On desktops,
 * it replaces the card below the header, so that the timer is displayed only once.
 */
export function TimerChip() {
  const timer = useActiveTimer();
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const { isCardHidden, hiddenEntryId, panelJobId } = useTimerStore();
  if (!timer) return null;
  if (panelJobId === timer.job_id) return null;
  if (isDesktop ? !isCardHidden : isTimerHidden(timer, hiddenEntryId)) return null;
  return (
    <>
      <Chip timer={timer} />
      {isDesktop && (
        <IconButton label="Show timer" onClick={() => useTimerStore.setState({ isCardHidden: false })}>
          <ChevronDown aria-hidden="true" />
        </IconButton>
      )}
    </>
  );
}

function Chip({ timer }: { timer: ActiveTimer }) {
  const seconds = useElapsedSeconds(timer);
  const isRunning = timer.timer_status === 'started';
  const job = `#${timer.job_number}`;
  return (
    <Link
      to="/jobs/$id"
      params={{ id: timer.job_id }}
      title={`View Job ${job} ${timer.title}`}
      className={classNames(
        'relative flex h-11 shrink-0 items-center gap-2.5 overflow-hidden rounded-control px-3 text-base font-semibold whitespace-nowrap lg:h-9',
        isRunning ? 'bg-info-soft text-info-ink' : 'bg-warn-soft text-warn-ink',
      )}
    >
      <TimerStatusDot status={timer.timer_status} />
      <span className="sr-only">{`View Job ${job} ${timer.title}`}</span>
      <span aria-hidden="true" className="font-medium tabular-nums max-lg:hidden">
        {job}
      </span>
      <span className="tabular-nums">{formatElapsedTime(seconds)}</span>
      <UnsentTimerNotice jobId={timer.job_id} iconOnly />
      <TimerProgressBar seconds={seconds} planned={timer.duration} className="absolute inset-x-0 bottom-0 h-0.5 bg-transparent" />
    </Link>
  );
}
