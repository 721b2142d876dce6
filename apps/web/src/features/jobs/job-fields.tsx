import type { Job } from '@callout/contract/jobs';
import { DURATION_STEP, durationInHours, isDurationHours } from '@callout/domain/durations/duration';
import { isActive, statusOnceBooked } from '@callout/domain/jobs/job';
import { isAmount } from '@callout/domain/money/amount';
import { currencySymbol } from '@callout/domain/money/currency';
import { isPositive, subtractMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import { fieldTime } from '@callout/domain/time/wall-time';
import { zonedInstant } from '@callout/domain/time/zoned-time';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useId } from 'react';
import { useWatch } from 'react-hook-form';
import { clockChangeText } from '../../lib/clock-change.ts';
import { FormFields } from '../../lib/form-fields.tsx';
import { timeZoneText } from '../../lib/time-zone.ts';
import type { RecordEditor } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { readDecimal } from '../../ui/decimal-text.ts';
import { type Choice, SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useCan, useProfile } from '../company/company.api.ts';
import { staffNamesQuery } from '../staff/staff.api.ts';
import { CategoriesField } from './job-categories-field.tsx';
import { STATUS_CHOICES } from './job-filter.ts';
import type { JobFormOutput, JobValues } from './job-form.ts';

export type JobEditor = RecordEditor<JobValues, JobFormOutput, Job>;

/** Whom a job can be assigned to, with the person it is assigned to already. */
export function useStaffChoices(job?: Job): readonly Choice[] {
  const names = useQuery(staffNamesQuery).data ?? [];
  const people = job?.staff && !names.some(({ id }) => id === job.staff_id) ? [...names, job.staff] : names;
  return people.map(({ id, name }) => ({ value: id, label: name }));
}

/** Two short fields side by side, on a phone too. */
const PAIR = 'grid grid-cols-2 items-start gap-x-3 gap-y-4 sm:col-span-6 sm:grid-cols-6 lg:gap-x-5';

/** What a form would book. */
export interface TypedBooking {
  readonly staffId: string;
  readonly start: string;
  readonly hours: string;
  /** In which it was typed. */
  readonly zone: string;
  /** The job itself, when it is stored already. */
  readonly jobId?: string | undefined;
}

/** What the calendar, which comes after jobs, adds to the form of a job. */
export interface BookingParts {
  /** Says what else takes that person's time. */
  ClashHint: ComponentType<TypedBooking>;
  /** Saving has booked somebody. */
  onBooked: (booking: TypedBooking) => void;
}

interface JobFieldsProps {
  editor: JobEditor;
  staff: readonly Choice[];
  /** In which date and time are typed. */
  zone: string;
  ClashHint: BookingParts['ClashHint'];
  /** As it is stored; none yet while it is new. */
  job?: Job | undefined;
}

interface ChoiceFieldProps {
  editor: JobEditor;
  name: 'staff_id' | 'duration_unit';
  choices: readonly Choice[];
  className: string;
}

/** The fields of a job in the order a call comes in: what, who, when, for how much, where. */
export function JobFields({ editor, staff, zone, ClashHint, job }: JobFieldsProps) {
  const symbol = currencySymbol(useProfile()?.currency);
  const amount = { leading: symbol, step: '1' };
  const statuses = useStatusChoices(editor);
  return (
    <>
      <FormFields editor={editor} names={['title', 'description']} />
      <CategoriesField editor={editor} />
      <ChoiceField
        editor={editor}
        name="staff_id"
        choices={[{ value: '', label: 'Choose a staff member' }, ...staff]}
        className="sm:col-span-6"
      />
      <BookingFields editor={editor} zone={zone} />
      <div className={PAIR}>
        <FormFields editor={editor} names={['duration']} extras={{ duration: { step: DURATION_STEP } }} />
        <ChoiceField
          editor={editor}
          name="duration_unit"
          choices={editor.definition.fields.duration_unit.choices ?? []}
          className="sm:col-span-3"
        />
        <BookingHint editor={editor} zone={zone} ClashHint={ClashHint} jobId={job?.id} />
      </div>
      <FormFields
        editor={editor}
        names={['status', 'job_type', 'fixed_amount', 'hourly_rate', 'use_alternate_address', 'address']}
        extras={{
          status: { choices: statuses, hint: <StatusHint editor={editor} job={job} /> },
          fixed_amount: amount,
          hourly_rate: { ...amount, trailing: '/hr' },
          address: { rows: 2 },
        }}
      />
    </>
  );
}

/** Paid records a payment, which not every role may; a job that is paid stays so. */
function useStatusChoices(editor: JobEditor): readonly Choice[] {
  const mayPay = useCan('payments.manage');
  const isPaid = editor.form.formState.defaultValues?.status === 'paid';
  return STATUS_CHOICES.filter(({ value }) => value !== 'paid' || mayPay || isPaid);
}

/** What saving does beside setting the status. A component of its own, so that what is typed does not render the whole form. */
function StatusHint({ editor: { form }, job }: Pick<JobFieldsProps, 'editor' | 'job'>) {
  const currency = useProfile()?.currency;
  const mayPay = useCan('payments.manage');
  const [status, date, time, type, fixed] = useWatch({
    control: form.control,
    name: ['status', 'booking_date', 'booking_time', 'job_type', 'fixed_amount'],
  });
  const { booking_date: dateBefore, booking_time: timeBefore } = form.formState.defaultValues ?? {};
  const isRebooked = !job || date !== dateBefore || time !== timeBefore;
  if (isRebooked && status !== 'booked' && statusOnceBooked(status) === 'booked') return 'A job with a date and time is saved as Booked.';
  if (status !== 'paid' || job?.status === 'paid' || !mayPay) return null;
  const typed = readDecimal(fixed);
  const price = type === 'fixed' && isAmount(typed) ? typed : '0';
  const due = job?.billed_amount ?? (job && job.items.length > 0 ? job.totals.total_amount : price);
  const rest = subtractMoney(due, job?.paid_amount ?? '0');
  return isPositive(rest) ? `Saving records a payment of ${formatMoney(rest, currency)} by bank transfer, today.` : null;
}

/** Controlled, because its choices may arrive after its value. */
function ChoiceField({ editor: { form, definition }, name, choices, className }: ChoiceFieldProps) {
  return (
    <SelectField
      {...form.register(name)}
      label={definition.fields[name].label}
      choices={choices}
      value={useWatch({ control: form.control, name })}
      error={form.getFieldState(name, form.formState).error?.message}
      className={className}
    />
  );
}

const QUARTERS = Array.from({ length: 96 }, (_, quarter) => fieldTime({ hour: Math.floor(quarter / 4), minute: (quarter % 4) * 15 }));

/** A changed date or time selects Booked; the person may then choose another status. */
function BookingFields({ editor, zone }: { editor: JobEditor; zone: string }) {
  const { form } = editor;
  const quarters = useId();
  const selectBooked = () => form.setValue('status', 'booked', { shouldDirty: true });
  const errorOf = (name: 'booking_date' | 'booking_time') => form.getFieldState(name, form.formState).error?.message;
  return (
    <div className={PAIR}>
      <TextField
        {...form.register('booking_date', { onChange: selectBooked })}
        label="Booking date"
        type="date"
        error={errorOf('booking_date')}
        className="sm:col-span-3"
      />
      <TextField
        {...form.register('booking_time', { onChange: selectBooked })}
        label="Booking time"
        type="time"
        step={900}
        list={quarters}
        hint={`Times are in ${timeZoneText(zone)}`}
        error={errorOf('booking_time')}
        className="sm:col-span-3"
      />
      <ClockChangeWarning editor={editor} zone={zone} />
      <datalist id={quarters}>
        {QUARTERS.map((time) => (
          <option key={time} value={time}>
            {time}
          </option>
        ))}
      </datalist>
    </div>
  );
}

interface BookingHintProps extends Pick<JobFieldsProps, 'editor' | 'zone' | 'ClashHint'> {
  jobId: string | undefined;
}

const isTyped = (date: string, time: string) => /^\d{4}-\d\d-\d\d$/.test(date) && /^\d\d:\d\d$/.test(time);

/** A component of its own, so that what is typed does not render the whole form. */
function BookingHint({ editor: { form }, zone, ClashHint, jobId }: BookingHintProps) {
  const [staffId, date, time, value, unit, status] = useWatch({
    control: form.control,
    name: ['staff_id', 'booking_date', 'booking_time', 'duration', 'duration_unit', 'status'],
  });
  const isNumber = /^\d+(\.\d+)?$/.test(value);
  const hours = isNumber ? durationInHours({ value, unit }) : '';
  if (!staffId || !isTyped(date, time) || !isDurationHours(hours) || !isActive(status)) return null;
  const booking = { staffId, start: zonedInstant(date, time, zone), hours, zone, jobId };
  return (
    <div className="col-span-full empty:hidden">
      <ClashHint {...booking} />
    </div>
  );
}

/** A component of its own, so that what is typed does not render the whole form. */
function ClockChangeWarning({ editor: { form }, zone }: { editor: JobEditor; zone: string }) {
  const [date, time] = useWatch({ control: form.control, name: ['booking_date', 'booking_time'] });
  const text = clockChangeText(date, time, zone, 'The job is booked for');
  return (
    text && (
      <Banner tone="warn" className="col-span-full">
        {text}
      </Banner>
    )
  );
}
