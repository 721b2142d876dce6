import type { Job } from '@callout/contract/jobs';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { getDisplayTimeZone } from '../../lib/time-zone.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RecordSkeleton } from '../../ui/skeleton.tsx';
import { categoriesQueryOptions } from '../categories/categories.api.ts';
import { useMe } from '../company/company.api.ts';
import { useCustomerPicker } from '../customers/customer-picker.tsx';
import { DeleteJobMenu } from './delete-job-menu.tsx';
import { type BookingExtensions, JobFields, useStaffChoices } from './job-fields.tsx';
import { createJobForm, findNewBooking, type JobFormOutput } from './job-form.ts';
import { JobNotFound } from './job-labels.tsx';
import { evictJob, formatJobNumber, jobQueryOptions, useDeleteJob, useJob, useUnsentJob } from './jobs.api.ts';
import { useCreateJob, useUpdateJob } from './jobs-save.api.ts';

interface EditJobPageProps extends BookingExtensions {
  id: string;
  onLeave: () => void;
  /**
   * Offers to cancel the job together with its open invoice, after saving the other changes. Undefined for people who may not. Passed in by
   * the route, because jobs may not import invoices.
   */
  cancelBilledJob: ((job: { jobId: string; saveEdits: () => Promise<unknown> }) => Promise<boolean>) | undefined;
}

export function EditJobPage({ id, ...rest }: EditJobPageProps) {
  const query = useJob(id);
  // The form waits for the categories. If they loaded later, they would push down the fields below them.
  const areCategoriesLoading = useQuery(categoriesQueryOptions).isLoading;
  return (
    <QueryView
      query={query}
      isInCard
      delayDisplay={areCategoriesLoading}
      skeleton={<RecordSkeleton label="Loading..." fields={8} />}
      notFound={<JobNotFound />}
    >
      {(job) => <EditJobForm job={job} isMissing={hasErrorCode(query.error, 'NOT_FOUND')} {...rest} />}
    </QueryView>
  );
}

interface EditJobFormProps extends Omit<EditJobPageProps, 'id'> {
  job: Job;
  isMissing: boolean;
}

function EditJobForm({ job, isMissing, onLeave, ClashHint, onBooked, cancelBilledJob }: EditJobFormProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [update, create, remove] = [useUpdateJob(), useCreateJob(), useDeleteJob()];
  const [copyId] = useState(createId);
  const [zone] = useState(getDisplayTimeZone);
  /** True if the job was deleted in another tab or by someone else while this page was open. */
  const isDeleted = isMissing && remove.isIdle;
  const isUnsent = useUnsentJob(job.id) !== undefined;
  const staff = useStaffChoices(job);
  useDocumentTitle(`Edit ${job.title}`);
  /** The server refuses to cancel a job that has an open invoice, so the other changes are saved first. */
  const saveAndCancel = async (values: JobFormOutput, version: number) => {
    const failure: { error?: unknown } = {};
    const saveEdits = () =>
      update(job, version, { ...values, status: job.status }, zone).catch((error: unknown) => {
        failure.error = error;
        throw error;
      });
    if (await cancelBilledJob?.({ jobId: job.id, saveEdits })) return queryClient.query({ ...jobQueryOptions(job.id), staleTime: 0 });
    if ('error' in failure) throw failure.error;
    return null;
  };
  const editor = useRecordForm({
    definition: useMemo(() => createJobForm(zone, job), [zone, job]),
    record: job,
    person: useMe().user.id,
    save: async (values, version) => {
      const isCanceled = values.status === 'canceled' && job.status !== 'canceled';
      if (isCanceled && cancelBilledJob && !isDeleted && typeof job.billed_amount === 'string') {
        return saveAndCancel(values, version);
      }
      const saved = await (isDeleted ? create(copyId, values, zone) : update(job, version, values, zone));
      const booking = findNewBooking(saved, isDeleted ? undefined : job, zone);
      if (booking) onBooked(booking);
      return saved;
    },
    onSaved: ({ id }, unsavedEdits) => {
      if (id !== job.id) return navigate({ to: '/jobs/$id', params: { id }, replace: true, ignoreBlocker: true });
      return Object.keys(unsavedEdits).length === 0 ? onLeave() : undefined;
    },
  });
  const { picker, sheet } = useCustomerPicker(editor.form, { isOptional: true });
  const deleteAndLeave = async () => {
    await remove.mutateAsync(job);
    await navigate({ to: '/jobs', replace: true, ignoreBlocker: true });
    evictJob(queryClient, job.id);
  };
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Edit Job"
        subtitle={`${formatJobNumber(job.job_number)} · ${job.title}`}
        actions={!isDeleted && !isUnsent && <DeleteJobMenu job={job} busy={remove.isPending} onDelete={deleteAndLeave} />}
      />
      {isDeleted && (
        <Banner tone="warn" className="mb-4">
          This job has been deleted. {job.customer_id && 'You can save your version as a new job.'}
        </Banner>
      )}
      <RecordForm
        editor={editor}
        recordLabel="this job"
        onCancel={onLeave}
        isDeleted={isDeleted}
        choices={{ staff_id: staff }}
        {...(job.customer_id ? { saveAsNewLabel: 'Save as new job' } : {})}
      >
        {job.customer_id === null && picker}
        <JobFields editor={editor} staff={staff} zone={zone} ClashHint={ClashHint} job={isDeleted ? undefined : job} />
      </RecordForm>
      {sheet}
    </div>
  );
}
