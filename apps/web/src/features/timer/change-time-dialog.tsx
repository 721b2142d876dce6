import type { SheetEntry, TimeEntry } from '@callout/contract/timer';
import { formatDateTime } from '@callout/domain/time/date-format';
import { type SubmitEvent, useId, useState } from 'react';
import { getFieldErrors, hasErrorCode } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { DeleteDialog, Sheet } from '../../ui/dialog.tsx';
import { useCompanyTimeZone } from '../company/company.api.ts';
import { useChangeTime, useRemoveTime } from './timer-entries.api.ts';
import { findPeriodError, PeriodFields, type PeriodText, parsePeriod, toPeriodText, type WorkedPeriod } from './worked-period-fields.tsx';

interface ChangeTimeDialogProps {
  /** Unbilled time that was added by hand. */
  entry: SheetEntry;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Changes or deletes time that was added by hand. Remounted each time it opens, which resets the fields. */
export function ChangeTimeDialog({ entry, open, onOpenChange }: ChangeTimeDialogProps) {
  const zone = useCompanyTimeZone();
  const form = useId();
  const change = useChangeTime();
  const remove = useRemoveTime();
  const [isDeleting, setDeleting] = useState(false);
  const [version, setVersion] = useState(entry.version);
  const [initial] = useState({ started_at: entry.started_at, ended_at: entry.ended_at ?? entry.started_at });
  const initialText = toPeriodText(initial.started_at, initial.ended_at, zone);
  const [fields, setFields] = useState(initialText);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const period = keepUnchanged(parsePeriod(fields, zone), fields, { ...initial, text: initialText });
  const job = `#${entry.job_number} ${entry.job_title}`;
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    const error = findPeriodError(period);
    setErrors(error);
    if (!period || Object.keys(error).length > 0) return;
    const { started_at, ended_at } = period;
    change.mutate(
      { entry, version, started_at, ended_at },
      {
        onSuccess: () => onOpenChange(false),
        onError: (failure) => {
          const current = hasErrorCode(failure, 'STALE_VERSION') ? (failure.data as { current: TimeEntry }).current : undefined;
          if (current) setVersion(current.version);
          setErrors(current ? { started_at: formatStaleMessage(current, zone) } : getFieldErrors(failure));
        },
      },
    );
  };
  return (
    <>
      <Sheet
        open={open}
        onOpenChange={onOpenChange}
        title="Change Time"
        description={`${job}, ${entry.staff_name}`}
        actions={
          <>
            <Button tone="danger" disabled={change.isPending} onClick={() => setDeleting(true)}>
              Delete
            </Button>
            <Button disabled={change.isPending} onClick={() => onOpenChange(false)}>
              Cancel
            </Button>
            <Button type="submit" form={form} tone="primary" busy={change.isPending}>
              {change.isPending ? 'Saving…' : 'Save'}
            </Button>
          </>
        }
      >
        <form id={form} noValidate onSubmit={save} className="grid grid-cols-2 items-start gap-4">
          <PeriodFields
            fields={fields}
            period={period}
            zone={zone}
            errors={errors}
            onChange={(changes) => {
              setFields((before) => ({ ...before, ...changes }));
              setErrors({});
            }}
          />
        </form>
      </Sheet>
      <DeleteDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title="Delete this time?"
        description={`${job}, ${formatDateTime(entry.started_at, zone)}. The job's history keeps a note of it.`}
        busy={remove.isPending}
        onDelete={() => remove.mutateAsync(entry).then(() => onOpenChange(false))}
      />
    </>
  );
}

/** Fields show only minutes, and a time may occur twice in the night when clocks go back, so an instant that wasn't edited is kept. */
function keepUnchanged(
  period: WorkedPeriod | null,
  { date, start, end }: PeriodText,
  initial: { started_at: string; ended_at: string; text: PeriodText },
): WorkedPeriod | null {
  if (!period || date !== initial.text.date) return period;
  const isSameStart = start === initial.text.start;
  const isSameEnd = end === initial.text.end && period.isOvernight === initial.text.end <= initial.text.start;
  return {
    ...period,
    ...(isSameStart && { started_at: initial.started_at }),
    ...(isSameEnd && { ended_at: initial.ended_at }),
  };
}

const formatStaleMessage = ({ started_at, ended_at }: TimeEntry, zone: string) =>
  `This time was changed elsewhere: ${formatDateTime(started_at, zone)} to ${ended_at ? formatDateTime(ended_at, zone) : 'now'}. Press Save again to save yours.`;
