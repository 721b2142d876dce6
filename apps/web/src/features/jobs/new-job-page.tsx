import { useQuery } from '@tanstack/react-query';
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { newId } from '../../lib/new-id.ts';
import { RecordForm } from '../../lib/record-form.tsx';
import { findDraftOfOtherPart } from '../../lib/stored-drafts.ts';
import { shownTimeZone } from '../../lib/time-zone.ts';
import { keepTypedLater } from '../../lib/use-draft.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { HAS_KEYBOARD } from '../../ui/use-browser-state.ts';
import { useCan, useMe, useProfile } from '../company/company.api.ts';
import { CustomerPicker, useNewCustomer } from '../customers/customer-picker.tsx';
import { customerOptions } from '../customers/customers.api.ts';
import { type BookingParts, JobFields, useStaffChoices } from './job-fields.tsx';
import { bookedBy, formFor, newJobValues, toJobInput, type WantedBooking } from './job-form.ts';
import { useCreateJob } from './jobs.api.ts';

interface NewJobPageProps extends BookingParts {
  /** Whom the job is for, as the link says; one that is not there counts as none. */
  customerId?: string | undefined;
  booking: WantedBooking;
}

export function NewJobPage({ customerId = '', ...parts }: NewJobPageProps) {
  const given = useQuery({ ...customerOptions(customerId), enabled: customerId !== '' });
  if (given.isLoading) return <SkeletonRecord label="Loading..." fields={8} />;
  const givenId = given.data?.id ?? '';
  // What is typed for a customer or a time that was clicked on is a draft of its own, in a form of its own.
  const part = partOf(givenId, parts.booking);
  return <NewJobForm key={part} part={part} givenId={givenId} {...parts} />;
}

const partOf = (customerId: string, { date = '', time = '', staff = '' }: WantedBooking) => [customerId, date, time, staff].join(' ');

/** The customer and the booking that a part stands for. */
function wantedBy(part: string) {
  const [customer, date, time, staff] = part.split(' ');
  return { ...(customer && { customer }), ...(date && { date }), ...(time && { time }), ...(staff && { staff }) };
}

/** Nobody and no time was clicked on. */
const PLAIN = partOf('', {});

type NewJobFormProps = Omit<NewJobPageProps, 'customerId'> & { givenId: string; part: string };

function NewJobForm({ givenId, part, booking, ClashHint, onBooked }: NewJobFormProps) {
  const navigate = useNavigate();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const leave = () => (canGoBack ? router.history.back() : void navigate({ to: '/jobs' }));
  const create = useCreateJob();
  const person = useMe().user.id;
  const hourlyRate = useProfile()?.default_hourly_rate ?? null;
  const mayEdit = useCan('jobs.edit');
  const staff = useStaffChoices();
  /** Made once per form: sending again after a lost answer is the same job, not a second one. */
  const [id, setId] = useState(newId);
  const [zone] = useState(shownTimeZone);
  const [initial] = useState(() => newJobValues(new Date(), zone, { customerId: givenId, hourlyRate, booking }));
  const editor = useRecordForm({
    definition: useMemo(() => formFor(zone), [zone]),
    initial,
    person,
    part,
    newId: [id, setId],
    save: (values) => create.mutateAsync({ ...toJobInput(values, zone), id, customer_id: values.customer_id }),
    onSaved: (job, later) => {
      const booked = bookedBy(job, undefined, zone);
      if (booked) onBooked(booked);
      const isUnsaved = mayEdit && keepTypedLater(person, `/jobs/${id}/edit`, later);
      return navigate({ to: isUnsaved ? '/jobs/$id/edit' : '/jobs/$id', params: { id }, replace: true, ignoreBlocker: true });
    },
  });
  const { form, saving } = editor;
  const onlyPerson = staff.length === 1 ? staff[0]?.value : undefined;
  useEffect(() => {
    // In a firm of one there is nobody to choose. It counts as where the form started, not as typed.
    if (onlyPerson !== undefined && form.getValues('staff_id') === '') form.resetField('staff_id', { defaultValue: onlyPerson });
  }, [onlyPerson, form]);
  const customerId = useWatch({ control: form.control, name: 'customer_id' });
  const pick = (customer: string) => {
    form.setValue('customer_id', customer, { shouldDirty: true });
    form.clearErrors('customer_id');
    // The search is gone and would take the focus along. A phone would open its keyboard.
    if (customer !== '' && window.matchMedia(HAS_KEYBOARD).matches) form.setFocus('title');
  };
  const newCustomer = useNewCustomer(pick);
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="New Job" />
      {part === PLAIN && <UnfinishedJob person={person} />}
      <RecordForm
        editor={editor}
        what="this job"
        actions={
          <div className="mt-4 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button onClick={leave}>Cancel</Button>
            <Button type="submit" tone="primary" busy={saving} disabled={customerId === ''}>
              {saving ? 'Creating…' : 'Create Job'}
            </Button>
          </div>
        }
      >
        <CustomerPicker
          customerId={customerId}
          onPick={pick}
          newCustomer={newCustomer}
          isFixed={givenId !== ''}
          error={form.getFieldState('customer_id', form.formState).error?.message}
        />
        <JobFields editor={editor} staff={staff} zone={zone} ClashHint={ClashHint} />
      </RecordForm>
      {/* Outside the form, which would hear the sheet's own form being sent. */}
      {newCustomer.sheet}
    </div>
  );
}

/** What was typed for a customer or a time that was clicked on, and neither saved nor left behind: here it would not be looked for. */
function UnfinishedJob({ person }: { person: string }) {
  const [found] = useState(() => findDraftOfOtherPart(person, window.location.pathname, PLAIN));
  if (!found) return null;
  const title = found.draft.fields.find(([field]) => field === 'title')?.[1];
  return (
    <Banner
      className="mb-4"
      actions={
        <LinkButton to="/jobs/new" search={wantedBy(found.part)}>
          Continue
        </LinkButton>
      }
    >
      {typeof title === 'string' && title !== '' ? `You have an unsaved job: “${title}”.` : 'You have an unsaved job.'}
    </Banner>
  );
}
