import type { Job, JobRow } from '@callout/contract/jobs';
import { hasBillingTimer, isActiveStatus } from '@callout/domain/jobs/job';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Ban, Check, Copy, CreditCard, Pencil } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { QueryView, RecordDetailsPlaceholder } from '../../lib/query-view.tsx';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { UnsentRecordBanner } from '../../lib/unsent-notice.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { type MenuItem, MoreMenu } from '../../ui/menu.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RecordSkeleton } from '../../ui/skeleton.tsx';
import { SUMMARY_LINK_CLASSES } from '../../ui/summary-field.tsx';
import { toast } from '../../ui/toast.ts';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan } from '../company/company.api.ts';
import { DeleteJobMenu } from './delete-job-menu.tsx';
import { CachedJobFacts, JobFacts } from './job-facts.tsx';
import { JobHistory } from './job-history.tsx';
import { JobItems } from './job-items.tsx';
import { formatCategoryNames, JobNotFound, JobStatusPill } from './job-labels.tsx';
import { JobPaymentBanner, JobPaymentLink } from './job-payment.tsx';
import { evictJob, findCachedJob, formatJobNumber, useDeleteJob, useDuplicateJob, useJob, useUnsentJob } from './jobs.api.ts';
import { BILLED_JOB_MESSAGE, useCancelJob, useCompleteJob } from './jobs-status.api.ts';

/** Components that the route passes in. Jobs can't import them, because their features import jobs. */
interface JobPageSlots {
  Timer: ComponentType<{ job: Job }>;
  ScheduleButton: ComponentType<{ job: Job }>;
  Comments: ComponentType<{ job: Job }>;
  /** Offers to cancel the job together with its open invoice. Undefined for people who may not. */
  cancelBilledJob: BilledJobCanceler;
}

type BilledJobCanceler = ((job: { jobId: string }) => Promise<boolean>) | undefined;

export function JobPage({ id, ...parts }: { id: string } & JobPageSlots) {
  const query = useJob(id);
  const cachedRow = findCachedJob(useQueryClient(), id);
  return (
    <QueryView
      query={query}
      isInCard
      skeleton={<RecordSkeleton label="Loading..." fields={6} />}
      cached={cachedRow && <CachedJob job={cachedRow} rest={<RecordDetailsPlaceholder query={query} label="Loading..." />} />}
      notFound={<JobNotFound />}
    >
      {(job) => <LoadedJob job={job} isMissing={hasErrorCode(query.error, 'NOT_FOUND')} {...parts} />}
    </QueryView>
  );
}

function CachedJob({ job, rest }: { job: JobRow; rest: ReactNode }) {
  useDocumentTitle(job.title);
  return (
    <>
      <JobHeader job={job} />
      <CachedJobFacts job={job} />
      {rest}
    </>
  );
}

function JobHeader({ job, actions }: { job: JobRow | Job; actions?: ReactNode }) {
  return (
    <PageHeader
      title={job.title}
      note={<TimeZoneNote />}
      isAsideBelow
      aside={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base text-ink-2">
          <JobStatusPill status={job.status} />
          <span className="tabular-nums">{formatJobNumber(job.job_number)}</span>
          <span className="[overflow-wrap:anywhere]">{formatCategoryNames(job.categories)}</span>
          {'quote_number' in job && job.quote_number && <AcceptedQuoteLinks job={job} number={job.quote_number} />}
          {'paid_amount' in job && <JobPaymentLink job={job} />}
        </span>
      }
      actions={actions}
    />
  );
}

/** Links to the quote and to the accepted copy, which can still be downloaded after the quote is deleted. */
function AcceptedQuoteLinks({ job, number }: { job: Job; number: string }) {
  const text = `From quote ${number}`;
  return (
    <>
      {job.quote_id ? (
        <Link to="/quotes/$id" params={{ id: job.quote_id }} className={SUMMARY_LINK_CLASSES}>
          {text}
        </Link>
      ) : (
        <span>{text}</span>
      )}
      <a href={`/api/jobs/${job.id}/accepted-quote.pdf`} download={`${number}-accepted.pdf`} className={SUMMARY_LINK_CLASSES}>
        Download accepted quote
      </a>
    </>
  );
}

function LoadedJob({ job, isMissing, Timer, ScheduleButton, Comments, cancelBilledJob }: { job: Job; isMissing: boolean } & JobPageSlots) {
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const remove = useDeleteJob();
  useDocumentTitle(job.title);
  /** True if the job was deleted in another tab or by someone else while this page was open. */
  const isDeleted = isMissing && remove.isIdle;
  const creation = useUnsentJob(job.id);
  const isUnsent = creation !== undefined;
  const nextStep = !isDeleted && <NextStepButton job={job} isUnsent={isUnsent} wide={!isDesktop} />;
  return (
    <>
      <JobHeader
        job={job}
        actions={
          !isDeleted && (
            <>
              {isDesktop && nextStep}
              {!isUnsent && <ScheduleButton job={job} />}
              <JobActions job={job} isUnsent={isUnsent} remove={remove} cancelBilledJob={cancelBilledJob} />
            </>
          )
        }
      />
      {isDeleted && (
        <Banner tone="warn" className="mb-4">
          This job has been deleted. This is the last saved version.
        </Banner>
      )}
      {creation && <UnsentRecordBanner creation={creation} noun="job" />}
      <JobPaymentBanner job={job} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="contents xl:block xl:space-y-4">
          <JobFacts job={job} />
          {!isDesktop && nextStep}
          <JobItems job={job} />
          {!isUnsent && <JobHistory job={job} className="max-xl:order-last" />}
        </div>
        <div className="space-y-4 xl:sticky xl:top-[calc(var(--header-height)+1rem)]">
          <Timer job={job} />
          <Comments job={job} />
        </div>
      </div>
    </>
  );
}

/** The page's only primary button. If the job is billed by the hour, the timer panel shows this button instead. */
function NextStepButton({ job, isUnsent, wide }: { job: Job; isUnsent: boolean; wide: boolean }) {
  const [canWork, canManagePayments] = [useCan('jobs.work'), useCan('payments.manage')];
  const { complete, isPending } = useCompleteJob();
  if (canWork && isActiveStatus(job.status) && !hasBillingTimer(job)) {
    return (
      <Button tone="primary" fullWidth={wide} busy={isPending} onClick={() => complete(job)}>
        <Check aria-hidden="true" />
        Complete Job
      </Button>
    );
  }
  if (isUnsent || !canManagePayments || (job.status !== 'complete' && job.status !== 'invoiced')) return null;
  return (
    <LinkButton to="/jobs/$id/payment" params={{ id: job.id }} state={{ fromPage: true }} tone="primary" fullWidth={wide}>
      <CreditCard aria-hidden="true" />
      Payment
    </LinkButton>
  );
}

interface JobActionsProps {
  job: Job;
  /** True if the server doesn't have the job yet, so that only what can wait for the job is offered. */
  isUnsent: boolean;
  remove: ReturnType<typeof useDeleteJob>;
  cancelBilledJob: BilledJobCanceler;
}

function JobActions({ job, isUnsent, remove, cancelBilledJob }: JobActionsProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [canEdit, canWork] = [useCan('jobs.edit'), useCan('jobs.work')];
  const duplicate = useDuplicateAndOpen(job);
  const cancel = useCancelOrAsk(job, cancelBilledJob);
  const actions: MenuItem[] = canWork && !isUnsent ? [{ label: 'Duplicate', icon: Copy, onSelect: duplicate }] : [];
  // A paid job stays paid until a payment is reversed.
  if (canWork && job.status !== 'canceled' && job.status !== 'paid') actions.push({ label: 'Cancel job', icon: Ban, onSelect: cancel });
  if (!canEdit) return actions.length > 0 ? <MoreMenu items={actions} /> : null;
  const deleteAndLeave = async () => {
    await remove.mutateAsync(job);
    await navigate({ to: '/jobs', replace: true });
    evictJob(queryClient, job.id);
  };
  return (
    <>
      <LinkButton to="/jobs/$id/edit" params={{ id: job.id }} state={{ fromPage: true }} className="max-sm:px-3.5">
        <Pencil aria-hidden="true" />
        <span className="max-sm:sr-only">Edit</span>
      </LinkButton>
      {isUnsent ? (
        actions.length > 0 && <MoreMenu items={actions} />
      ) : (
        <DeleteJobMenu job={job} actions={actions} busy={remove.isPending} onDelete={deleteAndLeave} />
      )}
    </>
  );
}

/** Returns a function that cancels the job or, if it has an open invoice, offers to cancel both. */
function useCancelOrAsk(job: Job, cancelBilledJob: BilledJobCanceler) {
  const offerBoth = () => {
    if (cancelBilledJob) void cancelBilledJob({ jobId: job.id });
    else toast.error(`Failed to cancel job: ${BILLED_JOB_MESSAGE}`);
  };
  // People who may not manage payments don't know about the invoice, so the server decides.
  const { cancel, isPending } = useCancelJob(offerBoth);
  return () => {
    if (isPending) return;
    if (typeof job.billed_amount === 'string') offerBoth();
    else cancel(job);
  };
}

/** Opens the copy with its Schedule dialog, because a copy has no date yet. */
function useDuplicateAndOpen({ id }: Job) {
  const navigate = useNavigate();
  /** Created once per visit, so that a retry after a lost response doesn't create a second copy. */
  const [copyId] = useState(createId);
  const { mutate, isPending } = useDuplicateJob();
  return () => {
    if (isPending) return;
    const open = () => void navigate({ to: '/jobs/$id', params: { id: copyId }, state: { isNewCopy: true } });
    mutate({ id, new_id: copyId }, { onSuccess: open });
  };
}
