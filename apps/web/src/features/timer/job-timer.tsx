import type { Job } from '@callout/contract/jobs';
import { hasTimer } from '@callout/domain/jobs/job';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatDateTime, formatTime } from '@callout/domain/time/date-format';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { formatElapsedTime } from '@callout/domain/timer/elapsed-time';
import { calculateTimeCost } from '@callout/domain/timer/timer';
import { Check, ChevronUp } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { Button } from '../../ui/button.tsx';
import type { ButtonTone } from '../../ui/button-classes.ts';
import { Card } from '../../ui/card.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useCan, useMe, useProfile } from '../company/company.api.ts';
import { useCompleteJob } from '../jobs/jobs-status.api.ts';
import { getServerInstant, useElapsedSeconds } from './server-clock.ts';
import { useActiveTimer } from './timer.api.ts';
import { TimerBar } from './timer-bar.tsx';
import { TimerButton } from './timer-button.tsx';
import { useMyRunningEntry } from './timer-commands.api.ts';
import { PendingPauseNotice, PlannedHours, TimerProgressBar, TimerStatusDot } from './timer-parts.tsx';
import { useHasPendingPause, usePendingPause, withPause } from './timer-pause.api.ts';
import { useTimerStore } from './timer-store.ts';

/** The timer of a job billed by the hour: a panel on desktops; on phones, a bar that opens a sheet. */
export function JobTimer({ job: stored }: { job: Job }) {
  const canWork = useCan('jobs.work');
  const pause = usePendingPause();
  const job = pause ? { ...stored, timer: withPause(stored.timer, pause) } : stored;
  if (!canWork) return null;
  if (hasTimer(job)) return <ResponsiveTimer job={job} />;
  return job.job_type === 'hourly' && job.status === 'complete' ? <UnbilledTime job={job} /> : null;
}

function ResponsiveTimer({ job }: { job: Job }) {
  const isDesktop = useMediaQuery(DESKTOP_UP);
  useEffect(() => {
    const showPanel = (panelJobId: string | null) => void useTimerStore.setState({ panelJobId });
    showPanel(job.id);
    return () => showPanel(null);
  }, [job.id]);

  const { open, dialog } = useAllocateDialog(job);
  return (
    <>
      {isDesktop ? <TimerPanel job={job} onAllocate={open} /> : <PhoneTimer job={job} onAllocate={open} />}
      {dialog}
    </>
  );
}

function useAllocateDialog(job: Job) {
  const [allocating, setAllocating] = useState({ isOpen: false, count: 0 });
  const open = () => setAllocating(({ count }) => ({ isOpen: true, count: count + 1 }));
  const setOpen = (isOpen: boolean) => setAllocating(({ count }) => ({ isOpen, count }));
  const module = useLazyModule(
    () => import('./allocate-dialog.tsx'),
    allocating.isOpen,
    () => setOpen(false),
  );
  const dialog = module && <module.AllocateDialog key={allocating.count} job={job} open={allocating.isOpen} onOpenChange={setOpen} />;
  return { open, dialog };
}

/** Offers to bill a completed job's remaining hours, because a completed job no longer has a timer. */
function UnbilledTime({ job }: { job: Job }) {
  const { open, dialog } = useAllocateDialog(job);
  const title = useId();
  return (
    <>
      {useUnbilledSeconds(job) > 0 && (
        <section aria-labelledby={title}>
          <Card className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-4 lg:p-5">
            <div>
              <h2 id={title} className="text-lg font-semibold">
                Unbilled Time
              </h2>
              <AllocationNote job={job} className="mt-1" />
            </div>
            <AllocateButton job={job} onAllocate={open} />
          </Card>
        </section>
      )}
      {dialog}
    </>
  );
}

interface TimerViewProps {
  job: Job;
  onAllocate: () => void;
}

function TimerPanel({ job, onAllocate }: TimerViewProps) {
  const isRunning = useMyRunningEntry(job) !== undefined;
  const title = useId();
  return (
    <section aria-labelledby={title}>
      <Card className="p-4 lg:p-5">
        <TimerSummary
          job={job}
          title={
            <h2 id={title} className="text-lg font-semibold">
              Job Timer
            </h2>
          }
        />
        <div className="mt-4 flex flex-wrap gap-2">
          <TimerButton job={job} tone="primary" runningTone="secondary" />
          <AllocateButton job={job} onAllocate={onAllocate} />
          <CompleteButton job={job} tone={isRunning ? 'primary' : 'secondary'} className="ml-auto" />
        </div>
        <AllocationNote job={job} className="mt-3" />
      </Card>
    </section>
  );
}

/** Complete Job is inside the sheet, so that a stray tap on the bar can't complete the job. */
function PhoneTimer({ job, onAllocate }: TimerViewProps) {
  const myEntry = useMyRunningEntry(job);
  const active = useActiveTimer();
  const hasPendingPause = useHasPendingPause(job.id);
  const [isOpen, setOpen] = useState(false);
  const allocate = () => {
    setOpen(false);
    onAllocate();
  };
  const status = myEntry ? 'started' : active?.job_id === job.id ? 'paused' : null;
  return (
    <>
      <TimerBar job={job} status={status} tone="primary">
        {(time, cost) => (
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
            className="flex min-w-0 flex-1 flex-col justify-center self-stretch px-4 text-left -outline-offset-2"
          >
            <span className="flex items-center gap-2">
              {time}
              <ChevronUp aria-hidden="true" className="size-5 shrink-0 text-ink-3" />
            </span>
            {hasPendingPause ? (
              <PendingPauseNotice jobId={job.id} className="text-base" />
            ) : (
              <span className="text-base text-ink-2 tabular-nums">{cost}</span>
            )}
            <span className="sr-only">Allocate or complete</span>
          </button>
        )}
      </TimerBar>
      <Sheet open={isOpen} onOpenChange={setOpen} title="Job Timer">
        <TimerSummary job={job} />
        <AllocationNote job={job} className="mt-3" />
        <div className="mt-4 grid gap-2">
          <AllocateButton job={job} onAllocate={allocate} />
          <CompleteButton job={job} tone="primary" />
        </div>
      </Sheet>
    </>
  );
}

function TimerSummary({ job, title }: { job: Job; title?: ReactNode }) {
  const seconds = useElapsedSeconds(job.timer);
  const currency = useProfile()?.currency;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        {title}
        <PeopleWorkingNow job={job} />
        <PendingPauseNotice jobId={job.id} className="text-sm" />
      </div>
      <p className="mt-1 flex flex-wrap items-baseline justify-between gap-x-4 tabular-nums">
        <span className="text-2xl font-semibold">
          {formatElapsedTime(seconds)}
          <span className="text-base">
            <PlannedHours planned={job.duration} />
          </span>
        </span>
        <span className="text-lg font-semibold">{formatMoney(calculateTimeCost(seconds, job.timer.hourly_rate), currency)}</span>
      </p>
      <TimerProgressBar seconds={seconds} planned={job.duration} className="mt-2 h-1.5 rounded-full" />
    </>
  );
}

/** Lists the people with a running timer, the signed-in person first: 'Sam Leota, since 9:04 AM'. */
function PeopleWorkingNow({ job }: { job: Job }) {
  const { staff_id } = useMe().user;
  const zone = useDisplayTimeZone();
  const formatStart = (instant: string) =>
    toLocalDate(instant, zone) === toLocalDate(getServerInstant(), zone) ? formatTime(instant, zone) : formatDateTime(instant, zone);
  const isMine = (entry: { staff_id: string }) => entry.staff_id === staff_id;
  const people = job.timer.running.toSorted((a, b) => Number(isMine(b)) - Number(isMine(a)));
  if (people.length === 0) return null;
  return (
    <ul aria-label="Working now" className="space-y-0.5 text-sm font-medium text-info-ink">
      {people.map((entry) => (
        <li key={entry.id} className="flex items-center gap-2.5">
          <TimerStatusDot status="started" />
          {`${isMine(entry) ? 'You' : entry.staff_name}, since ${formatStart(entry.started_at)}`}
        </li>
      ))}
    </ul>
  );
}

function useUnbilledSeconds({ timer }: Job): number {
  return Math.max(0, useElapsedSeconds(timer) - timer.allocated_seconds);
}

/** Disabled until a pending pause is sent. Before that, the server would still count the time since the pause. */
function AllocateButton({ job, onAllocate }: TimerViewProps) {
  const isEmpty = useUnbilledSeconds(job) === 0;
  const hasPendingPause = useHasPendingPause(job.id);
  return (
    <Button disabled={hasPendingPause || isEmpty} onClick={onAllocate}>
      Allocate
    </Button>
  );
}

/** Shows the time and cost that Allocate would bill, or why there is nothing to bill. */
function AllocationNote({ job, className }: { job: Job; className: string }) {
  const elapsed = useElapsedSeconds(job.timer);
  const seconds = useUnbilledSeconds(job);
  const currency = useProfile()?.currency;
  const cost = formatMoney(calculateTimeCost(seconds, job.timer.hourly_rate), currency);
  const text =
    elapsed === 0
      ? 'No time to allocate yet.'
      : seconds === 0
        ? 'All time on this job has been allocated.'
        : `${formatElapsedTime(seconds)} unbilled, ${cost}`;
  return <p className={`text-sm text-ink-3 tabular-nums ${className}`}>{text}</p>;
}

function CompleteButton({ job, ...props }: { job: Job; tone: ButtonTone; className?: string }) {
  const complete = useCompleteJob();
  return (
    <Button {...props} disabled={useHasPendingPause(job.id)} busy={complete.isPending} onClick={() => complete.mutate(job)}>
      <Check aria-hidden="true" />
      Complete Job
    </Button>
  );
}
