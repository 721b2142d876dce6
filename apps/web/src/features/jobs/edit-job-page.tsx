import type { Job } from '@callout/contract/jobs';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { useMe } from '../company/company.api.ts';
import { DeleteJobMenu } from './delete-job-menu.tsx';
import { JobFields, useStaffChoices } from './job-fields.tsx';
import { formFor, toJobInput } from './job-form.ts';
import { JobNotFound } from './job-labels.tsx';
import { forgetJob, jobOptions, useCreateJob, useDeleteJob, useUpdateJob } from './jobs.api.ts';

/** `onLeave` leads from the form back to the job. */
export function EditJobPage({ id, onLeave }: { id: string; onLeave: () => void }) {
  const query = useQuery(jobOptions(id));
  return (
    <QueryView query={query} inCard skeleton={<SkeletonRecord label="Loading..." fields={8} />} notFound={<JobNotFound />}>
      {(job) => <JobEditForm job={job} isMissing={hasCode(query.error, 'NOT_FOUND')} onLeave={onLeave} />}
    </QueryView>
  );
}

function JobEditForm({ job, isMissing, onLeave }: { job: Job; isMissing: boolean; onLeave: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [update, create, remove] = [useUpdateJob(), useCreateJob(), useDeleteJob()];
  const [copyId] = useState(newId);
  /** Deleted elsewhere while it is open here. */
  const gone = isMissing && remove.isIdle;
  const staff = useStaffChoices(job);
  useDocumentTitle(`Edit ${job.title}`);
  const editor = useRecordForm({
    definition: formFor(job),
    record: job,
    person: useMe().user.id,
    save: (values, version) =>
      gone
        ? create.mutateAsync({ ...toJobInput(values), id: copyId, customer_id: job.customer_id ?? '' })
        : update.mutateAsync({ ...toJobInput(values, job), id: job.id, version }),
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
        <JobFields editor={editor} staff={staff} />
      </RecordForm>
    </div>
  );
}
