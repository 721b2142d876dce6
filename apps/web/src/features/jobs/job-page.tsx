import type { Job, JobRow } from '@callout/contract/jobs';
import { isActive, isTimed } from '@callout/domain/jobs/job';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Check, CreditCard, Pencil } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { QueryView, RestOfRecord } from '../../lib/query-view.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { FACT_LINK } from '../../ui/fact.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan } from '../company/company.api.ts';
import { DeleteJobMenu } from './delete-job-menu.tsx';
import { JobFacts, KnownJobFacts } from './job-facts.tsx';
import { JobHistory } from './job-history.tsx';
import { JobItems } from './job-items.tsx';
import { categoryNames, JobNotFound, JobStatusPill } from './job-labels.tsx';
import { InvoiceDiffers, JobPayment } from './job-payment.tsx';
import { forgetJob, jobOptions, knownJob, useDeleteJob } from './jobs.api.ts';
import { useCompleteJob } from './jobs-status.api.ts';

/** What other features show on a job's page. */
interface JobPageParts {
  Timer: ComponentType<{ job: Job }>;
  Comments: ComponentType<{ job: Job }>;
}

export function JobPage({ id, ...parts }: { id: string } & JobPageParts) {
  const query = useQuery(jobOptions(id));
  const known = knownJob(useQueryClient(), id);
  return (
    <QueryView
      query={query}
      inCard
      skeleton={<SkeletonRecord label="Loading..." fields={6} />}
      known={known && <KnownJob job={known} rest={<RestOfRecord query={query} label="Loading..." />} />}
      notFound={<JobNotFound />}
    >
      {(job) => <LoadedJob job={job} isMissing={hasCode(query.error, 'NOT_FOUND')} {...parts} />}
    </QueryView>
  );
}

function KnownJob({ job, rest }: { job: JobRow; rest: ReactNode }) {
  useDocumentTitle(job.title);
  return (
    <>
      <JobHeader job={job} />
      <KnownJobFacts job={job} />
      {rest}
    </>
  );
}

function JobHeader({ job, actions }: { job: JobRow | Job; actions?: ReactNode }) {
  return (
    <PageHeader
      title={job.title}
      isAsideBelow
      aside={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base text-ink-2">
          <JobStatusPill status={job.status} />
          <span className="tabular-nums">#{job.job_number}</span>
          <span className="[overflow-wrap:anywhere]">{categoryNames(job.categories)}</span>
          {'quote_number' in job && job.quote_number && <FromQuote job={job} number={job.quote_number} />}
          {'paid_amount' in job && <JobPayment job={job} />}
        </span>
      }
      actions={actions}
    />
  );
}

/** What was accepted stays with the job, also once its quote was deleted. */
function FromQuote({ job, number }: { job: Job; number: string }) {
  const text = `From quote ${number}`;
  return (
    <>
      {job.quote_id ? (
        <Link to="/quotes/$id" params={{ id: job.quote_id }} className={FACT_LINK}>
          {text}
        </Link>
      ) : (
        <span>{text}</span>
      )}
      <a href={`/api/jobs/${job.id}/accepted-quote.pdf`} download={`${number}-accepted.pdf`} className={FACT_LINK}>
        Download accepted quote
      </a>
    </>
  );
}

function LoadedJob({ job, isMissing, Timer, Comments }: { job: Job; isMissing: boolean } & JobPageParts) {
  const isDesk = useMediaQuery(DESK_UP);
  const remove = useDeleteJob();
  useDocumentTitle(job.title);
  /** Deleted elsewhere while it is open here. */
  const gone = isMissing && remove.isIdle;
  const next = !gone && <NextStep job={job} wide={!isDesk} />;
  return (
    <>
      <JobHeader
        job={job}
        actions={
          !gone && (
            <>
              {isDesk && next}
              <ManageJob job={job} remove={remove} />
            </>
          )
        }
      />
      {gone && (
        <Banner tone="warn" className="mb-4">
          This job has been deleted. This is its last version.
        </Banner>
      )}
      <InvoiceDiffers job={job} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="contents xl:block xl:space-y-4">
          <JobFacts job={job} />
          {!isDesk && next}
          <JobItems job={job} />
          <JobHistory job={job} className="max-xl:order-last" />
        </div>
        <div className="space-y-4 xl:sticky xl:top-[calc(var(--header-height)+1rem)]">
          <Timer job={job} />
          <Comments job={job} />
        </div>
      </div>
    </>
  );
}

/** The one filled button of the page. While a job is timed, the timer has it. */
function NextStep({ job, wide }: { job: Job; wide: boolean }) {
  const [mayWork, mayPay] = [useCan('jobs.work'), useCan('payments.manage')];
  const complete = useCompleteJob();
  if (mayWork && isActive(job.status) && !isTimed(job)) {
    return (
      <Button tone="primary" wide={wide} busy={complete.isPending} onClick={() => complete.mutate(job)}>
        <Check aria-hidden="true" />
        Complete Job
      </Button>
    );
  }
  if (!mayPay || (job.status !== 'complete' && job.status !== 'invoiced')) return null;
  return (
    <LinkButton to="/jobs/$id/payment" params={{ id: job.id }} state={{ fromPage: true }} tone="primary" wide={wide}>
      <CreditCard aria-hidden="true" />
      Payment
    </LinkButton>
  );
}

function ManageJob({ job, remove }: { job: Job; remove: ReturnType<typeof useDeleteJob> }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  if (!useCan('jobs.edit')) return null;
  const deleteAndLeave = async () => {
    await remove.mutateAsync(job);
    await navigate({ to: '/jobs', replace: true });
    forgetJob(queryClient, job.id);
  };
  return (
    <>
      <LinkButton to="/jobs/$id/edit" params={{ id: job.id }} state={{ fromPage: true }} className="max-sm:px-3.5">
        <Pencil aria-hidden="true" />
        <span className="max-sm:sr-only">Edit</span>
      </LinkButton>
      <DeleteJobMenu job={job} busy={remove.isPending} onDelete={deleteAndLeave} />
    </>
  );
}
