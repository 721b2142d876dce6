import type { ActiveTimer } from '@callout/contract/timer';
import { formatElapsedTime } from '@callout/domain/timer/elapsed-time';
import { Link } from '@tanstack/react-router';
import { ChevronUp, X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useElapsedSeconds } from './server-clock.ts';
import { StillWorkingPrompt } from './still-working-prompt.tsx';
import { useUnsentTimerChange } from './timer.api.ts';
import { TimerBar } from './timer-bar.tsx';
import { TimerButton } from './timer-button.tsx';
import { toTimedJob } from './timer-commands.api.ts';
import { formatTimerCost } from './timer-cost.ts';
import { PlannedHours, TimerProgressBar, TimerStatusDot, UnsentTimerNotice } from './timer-parts.tsx';
import { isTimerHidden, useTimerStore } from './timer-store.ts';

/** Adds the timer to every page: a card on desktops, a bar on phones, and the 'Still working?' prompt. */
export function TimerOverlays({ timer }: { timer: ActiveTimer | null }) {
  return (
    <>
      {timer && <FloatingTimer timer={timer} />}
      <StillWorkingPrompt timer={timer} />
    </>
  );
}

/**
 * Hides the timer on the job page that already displays it. On phones, hides it on every job page that has its own timer bar, and hides a
 * paused timer that the person has hidden.
 */
function FloatingTimer({ timer }: { timer: ActiveTimer }) {
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const panelJobId = useTimerStore((store) => store.panelJobId);
  const isCardHidden = useTimerStore((store) => store.isCardHidden);
  const hiddenEntryId = useTimerStore((store) => store.hiddenEntryId);
  if (isDesktop) return isCardHidden || panelJobId === timer.job_id ? null : <TimerCard timer={timer} />;
  return panelJobId === null && !isTimerHidden(timer, hiddenEntryId) ? <ActiveTimerBar timer={timer} /> : null;
}

/** Docks the card below the header across the page, so that it covers neither the page's buttons nor a toast. */
function TimerCard({ timer }: { timer: ActiveTimer }) {
  const seconds = useElapsedSeconds(timer);
  return (
    <section
      aria-label="Timer"
      data-docked="top"
      className="sticky top-(--top-bar-height) z-25 flex h-12 items-center justify-end gap-4 border-b bg-surface px-4 text-base print:hidden"
    >
      <TimerStatusDot status={timer.timer_status} />
      <p className="min-w-0 truncate">
        <span className="text-ink-2 tabular-nums">{`#${timer.job_number}`}</span>
        <span className="ml-2 font-medium">{timer.title}</span>
      </p>
      <p className="shrink-0 font-semibold tabular-nums">
        {formatElapsedTime(seconds)}
        <PlannedHours planned={timer.duration} />
      </p>
      <p className="shrink-0 font-semibold tabular-nums">{formatTimerCost(toTimedJob(timer), seconds)}</p>
      <UnsentTimerNotice jobId={timer.job_id} className="shrink-0" />
      <div className="flex shrink-0 items-center">
        <TimerButton job={toTimedJob(timer)} tone="quiet" startLabel="Resume" />
        <LinkButton to="/jobs/$id" params={{ id: timer.job_id }} tone="accent">
          View Job
        </LinkButton>
        <IconButton label="Hide timer" onClick={() => useTimerStore.setState({ isCardHidden: true })}>
          <ChevronUp aria-hidden="true" />
        </IconButton>
      </div>
      <TimerProgressBar seconds={seconds} planned={timer.duration} className="absolute inset-x-0 -bottom-px h-1" />
    </section>
  );
}

function ActiveTimerBar({ timer }: { timer: ActiveTimer }) {
  const isUnsent = useUnsentTimerChange(timer.job_id) !== undefined;
  return (
    <TimerBar
      job={toTimedJob(timer)}
      status={timer.timer_status}
      tone="secondary"
      startLabel="Resume"
      extraButton={
        timer.timer_status === 'paused' && (
          <IconButton label="Hide timer" data-hide-timer="" onClick={() => useTimerStore.setState({ hiddenEntryId: timer.entry.id })}>
            <X aria-hidden="true" />
          </IconButton>
        )
      }
    >
      {(time, cost) => (
        <Link to="/jobs/$id" params={{ id: timer.job_id }} className="flex min-w-0 flex-1 flex-col justify-center self-stretch px-4">
          {time}
          <UnsentTimerNotice jobId={timer.job_id} className="text-base" />
          <span className={classNames('truncate text-base text-ink-2 tabular-nums', isUnsent && 'sr-only')}>
            {`${cost} · `}
            <span className="sr-only">View Job </span>
            {`#${timer.job_number} ${timer.title}`}
          </span>
        </Link>
      )}
    </TimerBar>
  );
}
