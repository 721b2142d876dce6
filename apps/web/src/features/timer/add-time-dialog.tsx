import type { Job } from '@callout/contract/jobs';
import { HOUR_MS, MINUTE_MS } from '@callout/domain/time/time-units';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useId, useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { getFieldErrors } from '../../lib/error-messages.ts';
import { getDisplayTimeZone } from '../../lib/time-zone.ts';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useCan, useMe } from '../company/company.api.ts';
import { toNamedJob } from '../jobs/jobs.api.ts';
import { staffNamesQueryOptions } from '../staff/staff.api.ts';
import { getServerInstant } from './server-clock.ts';
import { useAddTime } from './timer-entries.api.ts';
import { findPeriodError, PeriodFields, type PeriodText, parsePeriod, toPeriodText } from './worked-period-fields.tsx';

interface AddTimeDialogProps {
  job: Job;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

interface WorkedTimeFields extends PeriodText {
  staffId: string;
}

/** Adds time that no timer recorded, in the displayed time zone. Remounted each time it opens, which resets the fields. */
export function AddTimeDialog({ job, open, onOpenChange }: AddTimeDialogProps) {
  const { user } = useMe();
  const people = useAssignablePeople();
  const form = useId();
  const add = useAddTime();
  const [zone] = useState(getDisplayTimeZone);
  const [fields, setFields] = useState(() => getInitialFields(user.staff_id ?? '', zone));
  /** A retry after a lost response sends the same id and adds the time once. Changed fields are a different request. */
  const [id, setId] = useState(createId);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const change = (changes: Partial<WorkedTimeFields>) => {
    setFields((before) => ({ ...before, ...changes }));
    setId(createId());
    setErrors({});
  };
  const period = parsePeriod(fields, zone);
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if (add.isPending) return;
    const error = findPeriodError(period);
    setErrors(error);
    if (!period || Object.keys(error).length > 0) return;
    const { started_at, ended_at } = period;
    const me = { id: user.staff_id ?? '', name: user.name ?? '' };
    const staff = people.find((person) => person.id === fields.staffId) ?? me;
    add.mutate(
      { id, job: toNamedJob(job), staff, addedBy: me.name, started_at, ended_at },
      { onSuccess: () => onOpenChange(false), onError: (failure) => setErrors(getFieldErrors(failure)) },
    );
  };
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Add Time"
      description={`#${job.job_number} ${job.title}`}
      actions={
        <>
          <Button disabled={add.isPending} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button type="submit" form={form} tone="primary" busy={add.isPending}>
            {add.isPending ? 'Saving…' : 'Add Time'}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={save} className="grid grid-cols-2 items-start gap-4">
        <PersonField people={people} value={fields.staffId} error={errors['staff_id']} onChange={(staffId) => change({ staffId })} />
        <PeriodFields fields={fields} period={period} zone={zone} errors={errors} onChange={change} />
      </form>
    </Sheet>
  );
}

interface PersonFieldProps {
  people: readonly { id: string; name: string }[];
  value: string;
  error: string | undefined;
  onChange: (staffId: string) => void;
}

/** Returns nobody for people who may only add their own time. */
function useAssignablePeople() {
  const canEditAll = useCan('time.editAll');
  const people = useQuery({ ...staffNamesQueryOptions, enabled: canEditAll }).data ?? [];
  return canEditAll ? people : [];
}

function PersonField({ people, value, error, onChange }: PersonFieldProps) {
  if (people.length < 2) return null;
  return (
    <SelectField
      label="Person"
      choices={people.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      error={error}
      className="col-span-2"
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

const QUARTER_HOUR_MS = 15 * MINUTE_MS;

/** Suggests the hour that ended at the last quarter hour. */
function getInitialFields(staffId: string, zone: string): WorkedTimeFields {
  const end = Math.floor(Date.parse(getServerInstant()) / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
  const [startedAt, endedAt] = [new Date(end - HOUR_MS).toISOString(), new Date(end).toISOString()];
  return { staffId, ...toPeriodText(startedAt, endedAt, zone) };
}
