import type { TimeEntry } from '@callout/contract/timer';
import { formatDateTime, formatTime } from '@callout/domain/time/date-format';
import { listedTimeZone } from '@callout/domain/time/time-zones';
import { fieldTime, wallTime } from '@callout/domain/time/wall-time';
import { clockChangeAt, localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import { type SubmitEvent, useId, useState } from 'react';
import { fieldErrors, hasCode } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useCompanyTimeZone } from '../company/company.api.ts';
import { serverInstant } from './server-clock.ts';
import { useCorrectEnd } from './timer-commands.api.ts';

interface CorrectEndProps {
  entry: Pick<TimeEntry, 'id' | 'started_at' | 'version'>;
  /** '#J26030042 Roof repair' */
  job: string;
  /** What it starts from. */
  firstEnd: () => string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The owner of a time entry says when the work really ended. */
export function CorrectEnd({ entry, job, firstEnd, open, onOpenChange }: CorrectEndProps) {
  const zone = useCompanyTimeZone();
  const correct = useCorrectEnd();
  const form = useId();
  const [version, setVersion] = useState(entry.version);
  const [first] = useState(firstEnd);
  const [[date, time], setEnd] = useState(() => shownEnd(first, zone));
  const [error, setError] = useState<string>();
  const change = (next: [string, string]) => {
    setEnd(next);
    setError(undefined);
  };

  /** Fields show minutes: an end that was not touched keeps its seconds. */
  const chosenEnd = (...chosen: [string, string]) =>
    chosen.join(' ') === shownEnd(first, zone).join(' ') ? first : endOf(...chosen, zone);

  const end = chosenEnd(date, time);
  const isRepeated = end !== null && end !== first && clockChangeAt(date, time.slice(0, 5), zone) === 'repeated';

  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if (correct.isPending) return;
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
          hint={`${listedTimeZone(zone)?.label ?? zone} time`}
          onChange={({ target }) => change([date, target.value])}
        />
        {isRepeated && (
          <p role="status" className="col-span-2 text-sm text-warn-ink">
            {`Clocks go back that night and show ${formatTime(end, zone)} twice. The first one is meant.`}
          </p>
        )}
        <p role="alert" className="col-span-2 text-sm text-danger-ink empty:hidden">
          {error}
        </p>
      </form>
    </Sheet>
  );
}

function shownEnd(end: string, zone: string): [string, string] {
  return [localDate(end, zone), fieldTime(wallTime(end, zone))];
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
