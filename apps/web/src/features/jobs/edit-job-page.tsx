import type { Job } from '@callout/contract/jobs';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { shownTimeZone } from '../../lib/time-zone.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { categoriesQuery } from '../categories/categories.api.ts';
import { useMe } from '../company/company.api.ts';
import { DeleteJobMenu } from './delete-job-menu.tsx';
import { type BookingParts, JobFields, useStaffChoices } from './job-fields.tsx';
import { bookedBy, formFor, toJobInput } from './job-form.ts';
import { JobNotFound } from './job-labels.tsx';
import { forgetJob, jobOptions, useCreateJob, useDeleteJob, useUpdateJob } from './jobs.api.ts';

interface EditJobPageProps extends BookingParts {
  id: string;
  /** Leads from the form back to the job. */
  onLeave: () => void;
}

export function EditJobPage({ id, ...rest }: EditJobPageProps) {
  const query = useQuery(jobOptions(id));
  // Nobody knows how many categories there are: what stands below them would jump.
  const areCategoriesLoading = useQuery(categoriesQuery).isLoading;
  return (
    <QueryView
      query={query}
      inCard
      holdBack={areCategoriesLoading}
      skeleton={<SkeletonRecord label="Loading..." fields={8} />}
      notFound={<JobNotFound />}
    >
      {(job) => <JobEditForm job={job} isMissing={hasCode(query.error, 'NOT_FOUND')} {...rest} />}
    </QueryView>
  );
}

interface JobEditFormProps extends Omit<EditJobPageProps, 'id'> {
  job: Job;
  isMissing: boolean;
}

function JobEditForm({ job, isMissing, onLeave, ClashHint, onBooked }: JobEditFormProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [update, create, remove] = [useUpdateJob(), useCreateJob(), useDeleteJob()];
  const [copyId] = useState(newId);
  const [zone] = useState(shownTimeZone);
  /** Deleted elsewhere while it is open here. */
  const gone = isMissing && remove.isIdle;
  const staff = useStaffChoices(job);
  useDocumentTitle(`Edit ${job.title}`);
  const editor = useRecordForm({
    definition: useMemo(() => formFor(zone, job), [zone, job]),
    record: job,
    person: useMe().user.id,
    save: async (values, version) => {
      const saved = await (gone
        ? create.mutateAsync({ ...toJobInput(values, zone), id: copyId, customer_id: job.customer_id ?? '' })
        : update.mutateAsync({ ...toJobInput(values, zone, job), id: job.id, version }));
      const booking = bookedBy(saved, gone ? undefined : job, zone);
      if (booking) onBooked(booking);
      return saved;
    },
    onSaved: ({ id }, later) => {
      if (id !== job.id) return navigate({ to: '/jobs/$id', params: { id }, replace: true, ignoreBlocker: true });
      return Object.keys(later).length === 0 ? onLeave() : undefined;
    },
  });
  const deleteAndLeave = async () => {
    await remove.mutateAsync(job);
    await navigate({ to: '/jobs', replace: true, ignoreBlocker: true });
    forgetJob(queryClient, job.id);
  };
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Edit Job"
        subtitle={`#${job.job_number} · ${job.title}`}
        actions={!gone && <DeleteJobMenu job={job} busy={remove.isPending} onDelete={deleteAndLeave} />}
      />
      {gone && (
        <Banner tone="warn" className="mb-4">
          This job has been deleted. {job.customer_id && 'You can save your version as a new job.'}
        </Banner>
      )}
      <RecordForm
        editor={editor}
        what="this job"
        onCancel={onLeave}
        gone={gone}
        choices={{ staff_id: staff }}
        {...(job.customer_id ? { saveAsNew: 'Save as new job' } : {})}
      >
        <JobFields editor={editor} staff={staff} zone={zone} ClashHint={ClashHint} job={gone ? undefined : job} />
      </RecordForm>
    </div>
  );
}
