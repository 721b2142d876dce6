import type { Job } from '@callout/contract/jobs';
import { isTimed } from '@callout/domain/jobs/job';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatDateTime, formatTime } from '@callout/domain/time/date-format';
import { localDate } from '@callout/domain/time/zoned-time';
import { elapsedText } from '@callout/domain/timer/elapsed-time';
import { timeCost } from '@callout/domain/timer/timer';
import { Check, ChevronUp } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { ButtonTone } from '../../ui/button-style.ts';
import { Card } from '../../ui/card.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useCan, useCompanyTimeZone, useMe, useProfile } from '../company/company.api.ts';
import { useCompleteJob } from '../jobs/jobs-status.api.ts';
import { serverInstant, useElapsed } from './server-clock.ts';
import { useActiveTimer } from './timer.api.ts';
import { TimerBar } from './timer-bar.tsx';
import { TimerButton } from './timer-button.tsx';
import { useOwnEntry } from './timer-commands.api.ts';
import { PlannedHours, ProgressBar, TimerDot, UnsentPause } from './timer-parts.tsx';
import { useIsUnsent, useKeptPause, withPause } from './timer-pause.api.ts';
import { useTimerStore } from './timer-store.ts';

/** The timer of a job that is worked on by the hour: a panel on desks, on phones a bar that opens a sheet. */
export function JobTimer({ job: stored }: { job: Job }) {
  const mayWork = useCan('jobs.work');
  const pause = useKeptPause();
  const job = pause ? { ...stored, timer: withPause(stored.timer, pause) } : stored;
  if (!mayWork) return null;
  if (isTimed(job)) return <ShownTimer job={job} />;
  return job.job_type === 'hourly' && job.status === 'complete' ? <UnallocatedTime job={job} /> : null;
}

function ShownTimer({ job }: { job: Job }) {
  const isDesk = useMediaQuery(DESK_UP);
  useEffect(() => {
    const showPanel = (panelJobId: string | null) => void useTimerStore.setState({ panelJobId });
    showPanel(job.id);
    return () => showPanel(null);
  }, [job.id]);

  const { open, dialog } = useAllocateDialog(job);
  return (
    <>
      {isDesk ? <TimerPanel job={job} onAllocate={open} /> : <PhoneTimer job={job} onAllocate={open} />}
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

/** A completed job has no timer any more, but its last hours may still be missing from the bill. */
function UnallocatedTime({ job }: { job: Job }) {
  const { open, dialog } = useAllocateDialog(job);
  const title = useId();
  return (
    <>
      {useUnallocated(job) > 0 && (
        <section aria-labelledby={title}>
          <Card className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-4 lg:p-5">
            <div>
              <h2 id={title} className="text-lg font-semibold">
                Unallocated Time
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

interface TimerProps {
  job: Job;
  onAllocate: () => void;
}

function TimerPanel({ job, onAllocate }: TimerProps) {
  const isRunning = useOwnEntry(job) !== undefined;
  const title = useId();
  return (
    <section aria-labelledby={title}>
      <Card className="p-4 lg:p-5">
        <TimerFacts
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

/** Completing is never one stray tap away: it is in the sheet. */
function PhoneTimer({ job, onAllocate }: TimerProps) {
  const own = useOwnEntry(job);
  const active = useActiveTimer();
  const isUnsent = useIsUnsent(job.id);
  const [isOpen, setOpen] = useState(false);
  const allocate = () => {
    setOpen(false);
    onAllocate();
  };
  const status = own ? 'started' : active?.job_id === job.id ? 'paused' : null;
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
            {isUnsent ? (
              <UnsentPause jobId={job.id} className="text-base" />
            ) : (
              <span className="text-base text-ink-2 tabular-nums">{cost}</span>
            )}
            <span className="sr-only">Allocate or complete</span>
          </button>
        )}
      </TimerBar>
      <Sheet open={isOpen} onOpenChange={setOpen} title="Job Timer">
        <TimerFacts job={job} />
        <AllocationNote job={job} className="mt-3" />
        <div className="mt-4 grid gap-2">
          <AllocateButton job={job} onAllocate={allocate} />
          <CompleteButton job={job} tone="primary" />
        </div>
      </Sheet>
    </>
  );
}

function TimerFacts({ job, title }: { job: Job; title?: ReactNode }) {
  const seconds = useElapsed(job.timer);
  const currency = useProfile()?.currency;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        {title}
        <RunningPeople job={job} />
        <UnsentPause jobId={job.id} className="text-sm" />
      </div>
      <p className="mt-1 flex flex-wrap items-baseline justify-between gap-x-4 tabular-nums">
        <span className="text-2xl font-semibold">
          {elapsedText(seconds)}
          <span className="text-base">
            <PlannedHours planned={job.duration} />
          </span>
        </span>
        <span className="text-lg font-semibold">{formatMoney(timeCost(seconds, job.timer.hourly_rate), currency)}</span>
      </p>
      <ProgressBar seconds={seconds} planned={job.duration} className="mt-2 h-1.5 rounded-full" />
    </>
  );
}

/** Who works on it now, the person themselves first: 'Sam Leota, since 9:04 AM'. */
function RunningPeople({ job }: { job: Job }) {
  const { staff_id } = useMe().user;
  const zone = useCompanyTimeZone();
  const since = (instant: string) =>
    localDate(instant, zone) === localDate(serverInstant(), zone) ? formatTime(instant, zone) : formatDateTime(instant, zone);
  const isOwn = (entry: { staff_id: string }) => entry.staff_id === staff_id;
  const people = job.timer.running.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  if (people.length === 0) return null;
  return (
    <ul aria-label="Working now" className="space-y-0.5 text-sm font-medium text-info-ink">
      {people.map((entry) => (
        <li key={entry.id} className="flex items-center gap-2.5">
          <TimerDot status="started" />
          {`${isOwn(entry) ? 'You' : entry.staff_name}, since ${since(entry.started_at)}`}
        </li>
      ))}
    </ul>
  );
}

/** Seconds that no line bills yet. */
function useUnallocated({ timer }: Job): number {
  return Math.max(0, useElapsed(timer) - timer.allocated_seconds);
}

/** Like Complete Job it waits for a pause that has not been sent: the server would count on up to now. */
function AllocateButton({ job, onAllocate }: TimerProps) {
  const isEmpty = useUnallocated(job) === 0;
  const isUnsent = useIsUnsent(job.id);
  return (
    <Button disabled={isUnsent || isEmpty} onClick={onAllocate}>
      Allocate
    </Button>
  );
}

/** What Allocate would bill, or why it cannot. */
function AllocationNote({ job, className }: { job: Job; className: string }) {
  const elapsed = useElapsed(job.timer);
  const seconds = useUnallocated(job);
  const currency = useProfile()?.currency;
  const cost = formatMoney(timeCost(seconds, job.timer.hourly_rate), currency);
  const text =
    elapsed === 0
      ? 'No time to allocate yet.'
      : seconds === 0
        ? 'All time on this job has been allocated.'
        : `${elapsedText(seconds)} not allocated yet, ${cost}`;
  return <p className={`text-sm text-ink-3 tabular-nums ${className}`}>{text}</p>;
}

function CompleteButton({ job, tone, className }: { job: Job; tone: ButtonTone; className?: string }) {
  const complete = useCompleteJob();
  return (
    <Button tone={tone} className={className} disabled={useIsUnsent(job.id)} busy={complete.isPending} onClick={() => complete.mutate(job)}>
      <Check aria-hidden="true" />
      Complete Job
    </Button>
  );
}
