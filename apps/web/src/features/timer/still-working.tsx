import type { ActiveTimer, TimeEntry } from '@callout/contract/timer';
import { formatDateTime } from '@callout/domain/time/date-format';
import { listedTimeZone } from '@callout/domain/time/time-zones';
import { wallTime } from '@callout/domain/time/wall-time';
import { localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import { likelyEnd, reasonToAsk } from '@callout/domain/timer/still-working';
import { type SubmitEvent, useId, useState } from 'react';
import { fieldErrors, hasCode } from '../../lib/error-messages.ts';
import { browserTimeZone } from '../../lib/time-zone.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useProfile } from '../company/company.api.ts';
import { serverInstant, useServerSecond } from './server-clock.ts';
import { useCorrectEnd } from './timer-commands.api.ts';
import { useTimerStore } from './timer-store.ts';

const useCompanyTimeZone = () => useProfile()?.timezone ?? browserTimeZone();

/** Asks the owner of a timer that was perhaps forgotten, on whichever page they are. What is being corrected stays until they close it. */
export function StillWorking({ timer }: { timer: ActiveTimer | null }) {
  const [correcting, setCorrecting] = useState<ActiveTimer | null>(null);
  const [isOpen, setOpen] = useState(false);
  const correct = (asked: ActiveTimer) => {
    setCorrecting(asked);
    setOpen(true);
  };
  return (
    <>
      {timer?.timer_status === 'started' && <Question timer={timer} onCorrect={() => correct(timer)} />}
      {correcting && <CorrectionSheet key={correcting.entry.id} timer={correcting} open={isOpen} onOpenChange={setOpen} />}
    </>
  );
}

function Question({ timer, onCorrect }: { timer: ActiveTimer; onCorrect: () => void }) {
  const { entry, duration: planned } = timer;
  const zone = useCompanyTimeZone();
  const answer = useTimerStore((store) => store.answer);
  const answered_at = answer?.entryId === entry.id ? answer.at : null;
  const now = useServerSecond(true);
  if (reasonToAsk({ started_at: entry.started_at, planned, answered_at, now }, zone) === null) return null;
  return (
    <div className="mx-auto max-w-7xl px-4 pt-4 lg:px-6 print:hidden">
      <Banner
        tone="warn"
        actions={
          <>
            <Button onClick={() => useTimerStore.setState({ answer: { entryId: entry.id, at: serverInstant() } })}>Yes, keep going</Button>
            <Button onClick={onCorrect}>No, correct the end</Button>
          </>
        }
      >
        <span className="block text-lg font-semibold">Still working?</span>
        {`Your timer on #${timer.job_number} ${timer.title} has been running since ${formatDateTime(entry.started_at, zone)}.`}
      </Banner>
    </div>
  );
}

const pad = (part: number) => String(part).padStart(2, '0');

interface CorrectionSheetProps {
  timer: ActiveTimer;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function CorrectionSheet({ timer, open, onOpenChange }: CorrectionSheetProps) {
  const { entry, duration: planned } = timer;
  const zone = useCompanyTimeZone();
  const correct = useCorrectEnd();
  const form = useId();
  const [version, setVersion] = useState(entry.version);
  const [[date, time], setEnd] = useState((): readonly [string, string] => {
    const end = likelyEnd({ started_at: entry.started_at, planned, now: serverInstant() }, zone);
    const { hour, minute } = wallTime(end, zone);
    return [localDate(end, zone), `${pad(hour)}:${pad(minute)}`];
  });
  const [error, setError] = useState<string>();
  const change = (next: readonly [string, string]) => {
    setEnd(next);
    setError(undefined);
  };

  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if (correct.isPending) return;
    const end = endOf(date, time, zone);
    const wrong = wrongEnd(end, entry.started_at);
    setError(wrong);
    if (end === null || wrong !== undefined) return;
    correct.mutate(
      { id: entry.id, version, ended_at: end },
      {
        onSuccess: () => onOpenChange(false),
        onError: (failure) => {
          const current = hasCode(failure, 'STALE_VERSION') ? (failure.data as { current: TimeEntry }).current : undefined;
          if (current) setVersion(current.version);
          setError(current ? changedText(current, zone) : fieldErrors(failure)['ended_at']);
        },
      },
    );
  };

  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="When did you stop?"
      description={`#${timer.job_number} ${timer.title}, started ${formatDateTime(entry.started_at, zone)}`}
      actions={
        <>
          <Button disabled={correct.isPending} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button type="submit" form={form} tone="primary" busy={correct.isPending}>
            {correct.isPending ? 'Saving…' : 'Correct End'}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={save} className="grid grid-cols-2 items-start gap-4">
        <TextField label="Date" type="date" value={date} onChange={({ target }) => change([target.value, time])} />
        <TextField
          label="Time"
          type="time"
          value={time}
          hint={`${listedTimeZone(zone)?.label ?? zone} time`}
          onChange={({ target }) => change([date, target.value])}
        />
        <p role="alert" className="col-span-2 text-sm text-danger-ink empty:hidden">
          {error}
        </p>
      </form>
    </Sheet>
  );
}

function endOf(date: string, time: string, zone: string): string | null {
  try {
    return zonedInstant(date, time.slice(0, 5), zone);
  } catch {
    return null;
  }
}

/** In the server's words, which checks it again. */
function wrongEnd(end: string | null, startedAt: string): string | undefined {
  if (end === null) return 'Please enter a date and a time';
  if (Date.parse(end) <= Date.parse(startedAt)) return 'The end must be after the start';
  if (Date.parse(end) > Date.parse(serverInstant())) return 'The end must not be in the future';
  return undefined;
}

/** Paused, corrected or completed from elsewhere while this was open. */
const changedText = ({ ended_at }: TimeEntry, zone: string) =>
  `${ended_at ? `This timer was stopped elsewhere; it ended ${formatDateTime(ended_at, zone)}.` : 'This timer was changed elsewhere.'} Press Correct End again to save your time.`;
