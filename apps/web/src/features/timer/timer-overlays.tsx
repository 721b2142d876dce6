import type { ActiveTimer } from '@callout/contract/timer';
import { formatMoney } from '@callout/domain/money/money-text';
import { elapsedText } from '@callout/domain/timer/elapsed-time';
import { timeCost } from '@callout/domain/timer/timer';
import { Link } from '@tanstack/react-router';
import { ChevronUp } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useProfile } from '../company/company.api.ts';
import { useElapsed } from './server-clock.ts';
import { StillWorking } from './still-working.tsx';
import { TimerBar } from './timer-bar.tsx';
import { TimerButton } from './timer-button.tsx';
import { timedJobOf } from './timer-commands.api.ts';
import { PlannedHours, ProgressBar, TimerDot, UnsentPause } from './timer-parts.tsx';
import { useIsUnsent } from './timer-pause.api.ts';
import { useTimerStore } from './timer-store.ts';

/** What the timer shows on every page besides the header: a card on desks, a bar on phones, and its question. */
export function TimerOverlays({ timer }: { timer: ActiveTimer | null }) {
  return (
    <>
      {timer && <FloatingTimer timer={timer} />}
      <StillWorking timer={timer} />
    </>
  );
}

/** Not where the job's own page shows the same; on a phone no second bar over that of any job's page. */
function FloatingTimer({ timer }: { timer: ActiveTimer }) {
  const isDesk = useMediaQuery(DESK_UP);
  const panelJobId = useTimerStore((store) => store.panelJobId);
  const isCardHidden = useTimerStore((store) => store.isCardHidden);
  if (isDesk) return isCardHidden || panelJobId === timer.job_id ? null : <TimerCard timer={timer} />;
  return panelJobId === null ? <ActiveTimerBar timer={timer} /> : null;
}

/** In a row of its own below the header, so that it covers neither the page's buttons nor a toast. */
function TimerCard({ timer }: { timer: ActiveTimer }) {
  const seconds = useElapsed(timer);
  const currency = useProfile()?.currency;
  return (
    <div data-docked="top" className="sticky top-(--top-bar-height) z-25 flex h-14 items-end justify-end bg-canvas px-6 print:hidden">
      <section
        aria-label="Timer"
        className="relative flex h-11 min-w-0 items-center gap-4 overflow-hidden rounded-card bg-raised pr-1 pl-4 text-base shadow-float"
      >
        <TimerDot status={timer.timer_status} />
        <p className="min-w-0 truncate">
          <span className="text-ink-2 tabular-nums">{`#${timer.job_number}`}</span>
          <span className="ml-2 font-medium">{timer.title}</span>
        </p>
        <p className="shrink-0 font-semibold tabular-nums">
          {elapsedText(seconds)}
          <PlannedHours planned={timer.duration} />
        </p>
        <p className="shrink-0 font-semibold tabular-nums">{formatMoney(timeCost(seconds, timer.hourly_rate), currency)}</p>
        <UnsentPause jobId={timer.job_id} className="shrink-0" />
        <div className="flex shrink-0 items-center">
          <TimerButton job={timedJobOf(timer)} tone="quiet" startLabel="Resume" />
          <LinkButton to="/jobs/$id" params={{ id: timer.job_id }} tone="accent">
            View Job
          </LinkButton>
          <IconButton label="Hide timer" onClick={() => useTimerStore.setState({ isCardHidden: true })}>
            <ChevronUp aria-hidden="true" />
          </IconButton>
        </div>
        <ProgressBar seconds={seconds} planned={timer.duration} className="absolute inset-x-0 bottom-0 h-1" />
      </section>
    </div>
  );
}

function ActiveTimerBar({ timer }: { timer: ActiveTimer }) {
  const isUnsent = useIsUnsent(timer.job_id);
  return (
    <TimerBar job={timedJobOf(timer)} status={timer.timer_status} tone="secondary" startLabel="Resume">
      {(time, cost) => (
        <Link to="/jobs/$id" params={{ id: timer.job_id }} className="flex min-w-0 flex-1 flex-col justify-center self-stretch px-4">
          {time}
          <UnsentPause jobId={timer.job_id} className="text-base" />
          <span className={classes('truncate text-base text-ink-2 tabular-nums', isUnsent && 'sr-only')}>
            {`${cost} · `}
            <span className="sr-only">View Job </span>
            {`#${timer.job_number} ${timer.title}`}
          </span>
        </Link>
      )}
    </TimerBar>
  );
}
