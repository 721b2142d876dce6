import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { findOtherFormDraft } from '../../lib/persistent-drafts.ts';
import { RecordForm } from '../../lib/record-form.tsx';
import { getDisplayTimeZone } from '../../lib/time-zone.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { saveDraftForNewRecord } from '../../lib/use-session-draft.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { FormActions } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RecordSkeleton } from '../../ui/skeleton.tsx';
import { usePrefetch } from '../../ui/use-lazy-module.ts';
import { useCan, useMe, useProfile } from '../company/company.api.ts';
import { useCustomerPicker } from '../customers/customer-picker.tsx';
import { useCustomer } from '../customers/customers.api.ts';
import { type BookingExtensions, JobFields, useStaffChoices } from './job-fields.tsx';
import { type BookingPrefill, createJobForm, findNewBooking, getNewJobDefaults } from './job-form.ts';
import { useCreateJob } from './jobs-save.api.ts';

interface NewJobPageProps extends BookingExtensions {
  /** Customer id from the URL; ignored if no such customer exists. */
  customerId?: string | undefined;
  booking: BookingPrefill;
}

export function NewJobPage({ customerId = '', ...parts }: NewJobPageProps) {
  const presetCustomer = useCustomer(customerId, { enabled: customerId !== '' });
  if (presetCustomer.isLoading) return <RecordSkeleton label="Loading..." fields={8} />;
  const presetCustomerId = presetCustomer.data?.id ?? '';
  // Each combination of preset customer and booking has its own form and draft.
  const part = getDraftPart(presetCustomerId, parts.booking);
  return <NewJobForm key={part} part={part} presetCustomerId={presetCustomerId} {...parts} />;
}

const getDraftPart = (customer: string, { date = '', time = '', staff = '' }: BookingPrefill) => [customer, date, time, staff].join(' ');

/** Inverse of `getDraftPart`: returns the route's search params. */
function parseDraftPart(part: string) {
  const [customer, date, time, staff] = part.split(' ');
  return { ...(customer && { customer }), ...(date && { date }), ...(time && { time }), ...(staff && { staff }) };
}

const BLANK_DRAFT_PART = getDraftPart('', {});

type NewJobFormProps = Omit<NewJobPageProps, 'customerId'> & { presetCustomerId: string; part: string };

function NewJobForm({ presetCustomerId, part, booking, ClashHint, onBooked }: NewJobFormProps) {
  const navigate = useNavigate();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const leave = () => (canGoBack ? router.history.back() : void navigate({ to: '/jobs' }));
  const create = useCreateJob();
  const person = useMe().user.id;
  const hourlyRate = useProfile()?.default_hourly_rate ?? null;
  const canEdit = useCan('jobs.edit');
  const staff = useStaffChoices();
  /** One id per form, so that a retry after a lost response doesn't create a second job. */
  const [id, setId] = useState(createId);
  // Without a connection, the new job's page could not be loaded.
  usePrefetch(useCallback(() => router.preloadRoute({ to: '/jobs/$id', params: { id } }), [router, id]));
  const [zone] = useState(getDisplayTimeZone);
  const [initial] = useState(() => getNewJobDefaults(new Date(), zone, { customerId: presetCustomerId, hourlyRate, booking }));
  const editor = useRecordForm({
    definition: useMemo(() => createJobForm(zone), [zone]),
    initial,
    person,
    part,
    newRecordId: [id, setId],
    save: (values) => create(id, values, zone),
    onSaved: (job, unsavedEdits) => {
      const newBooking = findNewBooking(job, undefined, zone);
      if (newBooking) onBooked(newBooking);
      const hasUnsavedEdits = canEdit && saveDraftForNewRecord(person, `/jobs/${id}/edit`, unsavedEdits);
      return navigate({ to: hasUnsavedEdits ? '/jobs/$id/edit' : '/jobs/$id', params: { id }, replace: true, ignoreBlocker: true });
    },
  });
  const { form, saving } = editor;
  const onlyPerson = staff.length === 1 ? staff[0]?.value : undefined;
  useEffect(() => {
    // In a one-person company, preselect that person as the default value, which doesn't count as an unsaved edit.
    if (onlyPerson !== undefined && form.getValues('staff_id') === '') form.resetField('staff_id', { defaultValue: onlyPerson });
  }, [onlyPerson, form]);
  const { customerId, picker, sheet } = useCustomerPicker(form, { isLocked: presetCustomerId !== '' });
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="New Job" />
      {part === BLANK_DRAFT_PART && <UnsavedJobBanner person={person} />}
      <RecordForm
        editor={editor}
        recordLabel="this job"
        actions={
          <FormActions
            cancelLink={<Button onClick={leave}>Cancel</Button>}
            saving={saving}
            disabled={customerId === ''}
            label="Create Job"
            savingLabel="Creating…"
          />
        }
      >
        {picker}
        <JobFields editor={editor} staff={staff} zone={zone} ClashHint={ClashHint} />
      </RecordForm>
      {sheet}
    </div>
  );
}

/** Links to an unsaved draft that was started from a customer or the calendar. People look for such drafts on the blank form. */
function UnsavedJobBanner({ person }: { person: string }) {
  const [found] = useState(() => findOtherFormDraft(person, window.location.pathname, BLANK_DRAFT_PART));
  if (!found) return null;
  const title = found.draft.fields.find(([field]) => field === 'title')?.[1];
  return (
    <Banner
      className="mb-4"
      actions={
        <LinkButton to="/jobs/new" search={parseDraftPart(found.part)}>
          Continue
        </LinkButton>
      }
    >
      {typeof title === 'string' && title !== '' ? `You have an unsaved job: “${title}”.` : 'You have an unsaved job.'}
    </Banner>
  );
}
