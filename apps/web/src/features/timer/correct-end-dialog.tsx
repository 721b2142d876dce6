import type { TimeEntry } from '@callout/contract/timer';
import { formatDateTime, formatTime } from '@callout/domain/time/date-format';
import { formatTimeZone } from '@callout/domain/time/time-zones';
import { toTimeInputValue, toWallTime } from '@callout/domain/time/wall-time';
import { findClockChange, toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import { type SubmitEvent, useId, useState } from 'react';
import { getFieldErrors, hasErrorCode } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useCompanyTimeZone } from '../company/company.api.ts';
import { getServerInstant } from './server-clock.ts';
import { useCorrectEnd } from './timer-entries.api.ts';

interface CorrectEndDialogProps {
  entry: Pick<TimeEntry, 'id' | 'started_at' | 'version'>;
  /** The job's number and title, such as '#J26030042 Roof repair'. */
  job: string;
  getInitialEnd: () => string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CorrectEndDialog({ entry, job, getInitialEnd, open, onOpenChange }: CorrectEndDialogProps) {
  const zone = useCompanyTimeZone();
  const correct = useCorrectEnd();
  const form = useId();
  const [version, setVersion] = useState(entry.version);
  const [initialEnd] = useState(getInitialEnd);
  const [[date, time], setEnd] = useState(() => toDateAndTime(initialEnd, zone));
  const [error, setError] = useState<string>();
  const change = (next: [string, string]) => {
    setEnd(next);
    setError(undefined);
  };

  /** Returns the entered end. The fields show only minutes, so an unchanged end keeps its original seconds. */
  const resolveEnd = (...fields: [string, string]) =>
    fields.join(' ') === toDateAndTime(initialEnd, zone).join(' ') ? initialEnd : parseEnd(...fields, zone);

  const end = resolveEnd(date, time);
  const isAmbiguous = end !== null && end !== initialEnd && findClockChange(date, time.slice(0, 5), zone) === 'repeated';

  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if (correct.isPending) return;
    const endError = findEndError(end, entry.started_at);
    setError(endError);
    if (end === null || endError !== undefined) return;
    correct.mutate(
      { entry: { id: entry.id, version }, job, endedAt: end },
      {
        onSuccess: () => onOpenChange(false),
        onError: (failure) => {
          const current = hasErrorCode(failure, 'STALE_VERSION') ? (failure.data as { current: TimeEntry }).current : undefined;
          if (current) setVersion(current.version);
          setError(current ? formatStaleMessage(current, zone) : getFieldErrors(failure)['ended_at']);
        },
      },
    );
  };

  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="When did you stop?"
      description={`${job}, started ${formatDateTime(entry.started_at, zone)}`}
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
          hint={formatTimeZone(zone)}
          onChange={({ target }) => change([date, target.value])}
        />
        {isAmbiguous && (
          <p role="status" className="col-span-2 text-sm text-warn-ink">
            {`Clocks go back that night, so ${formatTime(end, zone)} occurs twice. The first one is used.`}
          </p>
        )}
        <p role="alert" className="col-span-2 text-sm text-danger-ink empty:hidden">
          {error}
        </p>
      </form>
    </Sheet>
  );
}

function toDateAndTime(end: string, zone: string): [string, string] {
  return [toLocalDate(end, zone), toTimeInputValue(toWallTime(end, zone))];
}

function parseEnd(date: string, time: string, zone: string): string | null {
  try {
    return toInstant(date, time.slice(0, 5), zone);
  } catch {
    return null;
  }
}

/** Uses the same wording as the server, which validates the end again. */
function findEndError(end: string | null, startedAt: string): string | undefined {
  if (end === null) return 'Please enter a date and a time';
  if (Date.parse(end) <= Date.parse(startedAt)) return 'The end must be after the start';
  if (Date.parse(end) > Date.parse(getServerInstant())) return 'The end must not be in the future';
  return undefined;
}

/** Explains that the entry was paused, corrected or completed on another page while this dialog was open. */
const formatStaleMessage = ({ ended_at }: TimeEntry, zone: string) =>
  `${ended_at ? `This timer was stopped elsewhere; it ended ${formatDateTime(ended_at, zone)}.` : 'This timer was changed elsewhere.'} Press Correct End again to save your time.`;
