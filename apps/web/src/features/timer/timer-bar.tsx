import type { ActiveTimer } from '@callout/contract/timer';
import { formatElapsedTime } from '@callout/domain/timer/elapsed-time';
import type { ReactNode } from 'react';
import type { ButtonTone } from '../../ui/button-classes.ts';
import { useElapsedSeconds } from './server-clock.ts';
import { TimerButton } from './timer-button.tsx';
import type { TimedJob } from './timer-commands.api.ts';
import { formatTimerCost } from './timer-cost.ts';
import { PlannedHours, TimerProgressBar, TimerStatusDot } from './timer-parts.tsx';

interface TimerBarProps {
  job: TimedJob;
  /** Status of the signed-in person's timer; null if they never started it on this job. */
  status: ActiveTimer['timer_status'] | null;
  tone: ButtonTone;
  startLabel?: 'Resume';
  /** Button at the end of the bar. */
  extraButton?: ReactNode;
  /** Renders the button or link that contains the time. */
  children: (time: ReactNode, cost: string) => ReactNode;
}

/** Docks the timer above the menu bar below 1024 px, with a progress bar as its upper edge. Large text shrinks the button to an icon. */
export function TimerBar({ job, status, tone, startLabel, extraButton, children }: TimerBarProps) {
  const seconds = useElapsedSeconds(job.timer);
  const time = (
    <span className="flex items-baseline gap-2.5 whitespace-nowrap @max-[18rem]:whitespace-normal">
      {status && (
        <span className="ml-1 flex self-center">
          <TimerStatusDot status={status} />
        </span>
      )}
      <span className="text-xl font-semibold tabular-nums @max-[18rem]:text-base">
        {formatElapsedTime(seconds)}
        <span className="text-base @max-[18rem]:hidden">
          <PlannedHours planned={job.duration} />
        </span>
      </span>
    </span>
  );
  return (
    <section
      aria-label="Timer"
      data-docked="bottom"
      className="fixed inset-x-0 bottom-[calc(var(--menu-bar-height)+env(safe-area-inset-bottom))] @container z-30 my-0! flex h-17 items-center border-t bg-surface pr-4 has-data-hide-timer:pr-1 print:hidden"
    >
      {children(time, formatTimerCost(job, seconds))}
      <TimerButton job={job} tone={tone} startLabel={startLabel} className="h-12 min-w-[112px] @max-[18rem]:min-w-12" />
      {extraButton}
      <TimerProgressBar seconds={seconds} planned={job.duration} className="absolute inset-x-0 -top-px h-1" />
    </section>
  );
}
