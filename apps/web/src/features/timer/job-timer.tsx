import type { Job } from '@callout/contract/jobs';
import { canAddTime, hasBillingTimer, isActiveStatus } from '@callout/domain/jobs/job';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatDateTime, formatTime } from '@callout/domain/time/date-format';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { formatElapsedTime } from '@callout/domain/timer/elapsed-time';
import { calculateTimeCost, hasTimePrice } from '@callout/domain/timer/timer';
import { Check, ChevronUp } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { Button } from '../../ui/button.tsx';
import type { ButtonTone } from '../../ui/button-classes.ts';
import { Card } from '../../ui/card.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan, useMe } from '../company/company.api.ts';
import { useCompleteJob } from '../jobs/jobs-status.api.ts';
import { AddTimeButton, useAddTimeDialog, useAllocateDialog } from './job-timer-dialogs.tsx';
import { getServerInstant, useElapsedSeconds } from './server-clock.ts';
import { useActiveTimer, useUnsentTimerChange } from './timer.api.ts';
import { TimerBar } from './timer-bar.tsx';
import { TimerButton } from './timer-button.tsx';
import { useMyRunningEntry } from './timer-commands.api.ts';
import { formatTimerCost } from './timer-cost.ts';
import { PlannedHours, TimerProgressBar, TimerStatusDot, UnsentTimerNotice } from './timer-parts.tsx';
import { useTimerStore } from './timer-store.ts';

/** A job's time: its timer while the job is unfinished, then the time that was worked and isn't billed yet. */
export function JobTimer({ job }: { job: Job }) {
  const canWork = useCan('jobs.work');
  if (!canWork) return null;
  if (hasBillingTimer(job)) return <BillingTimer job={job} />;
  if (isActiveStatus(job.status)) return <FixedPriceTimer job={job} />;
  return canAddTime(job.status) ? <WorkedTime job={job} /> : null;
}

/** Tells the floating timer that this page already shows the job's timer. */
function useTimerOnPage(jobId: string | null): void {
  useEffect(() => {
    const showPanel = (panelJobId: string | null) => void useTimerStore.setState({ panelJobId });
    showPanel(jobId);
    return () => showPanel(null);
  }, [jobId]);
}

/** The timer of a job billed by the hour: a panel on desktops; on phones, a bar that opens a sheet. */
function BillingTimer({ job }: { job: Job }) {
  const isDesktop = useMediaQuery(DESKTOP_UP);
  useTimerOnPage(job.id);
  const [allocate, addTime] = [useAllocateDialog(job), useAddTimeDialog(job)];
  const view = { job, onAllocate: allocate.open, onAddTime: addTime.open };
  return (
    <>
      {isDesktop ? <TimerPanel {...view} /> : <PhoneTimer {...view} />}
      {allocate.dialog}
      {addTime.dialog}
    </>
  );
}

const FIXED_PRICE_NOTE = 'For your records; this job has a fixed price';

/** A panel at all widths. On phones, it leaves the floating bar to another job's timer. */
function FixedPriceTimer({ job }: { job: Job }) {
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const isMyTimer = useActiveTimer()?.job_id === job.id;
  useTimerOnPage(isDesktop || isMyTimer ? job.id : null);
  const addTime = useAddTimeDialog(job);
  const title = useId();
  return (
    <section aria-labelledby={title}>
      <Card className="p-4 lg:p-5">
        <TimerSummary job={job} title={<TimerTitle id={title} />} />
        <div className="mt-4 flex flex-wrap gap-2">
          <TimerButton job={job} tone="secondary" />
          <AddTimeButton onClick={addTime.open} />
        </div>
        <p className="mt-3 text-sm text-ink-3">{FIXED_PRICE_NOTE}</p>
      </Card>
      {addTime.dialog}
    </section>
  );
}

function TimerTitle({ id }: { id: string }) {
  return (
    <h2 id={id} className="text-lg font-semibold">
      Job Timer
    </h2>
  );
}

/** Shows a completed job's hours, which it no longer times, and offers to bill those that remain. */
function WorkedTime({ job }: { job: Job }) {
  const [allocate, addTime] = [useAllocateDialog(job), useAddTimeDialog(job)];
  const title = useId();
  const isHourly = job.job_type === 'hourly';
  const hasUnbilledTime = useUnbilledSeconds(job) > 0 && isHourly;
  const worked = useElapsedSeconds(job.timer);
  return (
    <section aria-labelledby={title}>
      <Card className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-4 lg:p-5">
        <div>
          <h2 id={title} className="text-lg font-semibold">
            {hasUnbilledTime ? 'Unbilled Time' : `Worked Time: ${formatElapsedTime(worked)}`}
          </h2>
          {isHourly ? <AllocationNote job={job} className="mt-1" /> : <p className="mt-1 text-sm text-ink-3">{FIXED_PRICE_NOTE}</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          {hasUnbilledTime && <AllocateButton job={job} onAllocate={allocate.open} />}
          <AddTimeButton onClick={addTime.open} />
        </div>
      </Card>
      {allocate.dialog}
      {addTime.dialog}
    </section>
  );
}

interface TimerViewProps {
  job: Job;
  onAllocate: () => void;
  onAddTime: () => void;
}

function TimerPanel({ job, onAllocate, onAddTime }: TimerViewProps) {
  const isRunning = useMyRunningEntry(job) !== undefined;
  const title = useId();
  return (
    <section aria-labelledby={title} className="@container">
      <Card className="p-4 lg:p-5">
        <TimerSummary job={job} title={<TimerTitle id={title} />} />
        {/* The narrow column beside the job has no room for four buttons in a row. */}
        <div className="mt-4 grid grid-cols-2 gap-2 @min-[34rem]:flex">
          <TimerButton job={job} tone="primary" runningTone="secondary" />
          <AllocateButton job={job} onAllocate={onAllocate} />
          <AddTimeButton onClick={onAddTime} />
          <CompleteButton job={job} tone={isRunning ? 'primary' : 'secondary'} className="@min-[34rem]:ml-auto" />
        </div>
        <AllocationNote job={job} className="mt-3" />
      </Card>
    </section>
  );
}

/** Complete Job is inside the sheet, so that a stray tap on the bar can't complete the job. */
function PhoneTimer({ job, onAllocate, onAddTime }: TimerViewProps) {
  const myEntry = useMyRunningEntry(job);
  const active = useActiveTimer();
  const isUnsent = useUnsentTimerChange(job.id) !== undefined;
  const [isOpen, setOpen] = useState(false);
  const closeAnd = (action: () => void) => () => {
    setOpen(false);
    action();
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
            {isUnsent ? (
              <UnsentTimerNotice jobId={job.id} className="text-base" />
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
          <AllocateButton job={job} onAllocate={closeAnd(onAllocate)} />
          <AddTimeButton onClick={closeAnd(onAddTime)} />
          <CompleteButton job={job} tone="primary" />
        </div>
      </Sheet>
    </>
  );
}

function TimerSummary({ job, title }: { job: Job; title?: ReactNode }) {
  const seconds = useElapsedSeconds(job.timer);
  const { currency } = job;
  const cost = formatMoney(calculateTimeCost(seconds, job.timer.hourly_rate), currency);
  const isBilled = job.job_type === 'hourly';
  const hasRate = hasTimePrice(job);
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        {title}
        <PeopleWorkingNow job={job} />
        <UnsentTimerNotice jobId={job.id} className="text-sm" />
      </div>
      <p className="mt-1 flex flex-wrap items-baseline justify-between gap-x-4 tabular-nums">
        <span className="text-2xl font-semibold">
          {formatElapsedTime(seconds)}
          <span className="text-base">
            <PlannedHours planned={job.duration} />
          </span>
        </span>
        {isBilled && hasRate && <span className="text-lg font-semibold">{cost}</span>}
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

/** Disabled while a change of the timer is unsent. Before that, the server would bill another time than the page shows. */
function AllocateButton({ job, onAllocate }: Pick<TimerViewProps, 'job' | 'onAllocate'>) {
  const isEmpty = useUnbilledSeconds(job) === 0;
  const isUnsent = useUnsentTimerChange(job.id) !== undefined;
  return (
    <Button disabled={isUnsent || isEmpty} onClick={onAllocate}>
      Allocate
    </Button>
  );
}

/** Shows the time and cost that Allocate would bill, or why there is nothing to bill. */
function AllocationNote({ job, className }: { job: Job; className: string }) {
  const elapsed = useElapsedSeconds(job.timer);
  const seconds = useUnbilledSeconds(job);
  const cost = formatTimerCost(job, seconds);
  const text =
    elapsed === 0
      ? 'No time to allocate yet.'
      : seconds === 0
        ? 'All time on this job has been allocated.'
        : `${formatElapsedTime(seconds)} unbilled, ${hasTimePrice(job) ? cost : 'no hourly rate yet'}`;
  return <p className={`text-sm text-ink-3 tabular-nums ${className}`}>{text}</p>;
}

function CompleteButton({ job, ...props }: { job: Job; tone: ButtonTone; className?: string }) {
  const { complete, isPending } = useCompleteJob();
  return (
    <Button {...props} busy={isPending} onClick={() => complete(job)}>
      <Check aria-hidden="true" />
      Complete Job
    </Button>
  );
}
