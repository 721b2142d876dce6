import type { Job } from '@callout/contract/jobs';
import { customerLabel } from '@callout/domain/customers/customer';
import { durationText } from '@callout/domain/durations/duration';
import { isActive, isTimed } from '@callout/domain/jobs/job';
import { formatHourlyRate, formatMoney } from '@callout/domain/money/money-text';
import { formatDateTime } from '@callout/domain/time/date-format';
import { listedTimeZone } from '@callout/domain/time/time-zones';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  Banknote,
  CalendarClock,
  Check,
  CreditCard,
  type LucideIcon,
  MapPin,
  Navigation,
  Pencil,
  Phone,
  Tag,
  UserRound,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { ContactLink, directionsLink, phoneLink } from '../../lib/contact-links.tsx';
import { hasCode } from '../../lib/error-messages.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { bookingTimeZone } from '../../lib/time-zone.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { AnchorButton, LinkButton, planned } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { useCan, useProfile } from '../company/company.api.ts';
import { JobHistory } from './job-history.tsx';
import { JobItems } from './job-items.tsx';
import { AssignedTo, categoryNames, JobNotFound, JobStatusPill, NOT_SCHEDULED } from './job-labels.tsx';
import { jobOptions, useCompleteJob } from './jobs.api.ts';

/** What other features show on a job's page. */
interface JobPageParts {
  timer: (job: Job) => ReactNode;
  comments: (job: Job) => ReactNode;
}

export function JobPage({ id, ...parts }: { id: string } & JobPageParts) {
  const query = useQuery(jobOptions(id));
  return (
    <QueryView query={query} inCard skeleton={<SkeletonRecord label="Loading..." fields={6} />} notFound={<JobNotFound />}>
      {(job) => <LoadedJob job={job} gone={hasCode(query.error, 'NOT_FOUND')} {...parts} />}
    </QueryView>
  );
}

/** `gone`: deleted elsewhere while it is open here. */
function LoadedJob({ job, gone, timer, comments }: { job: Job; gone: boolean } & JobPageParts) {
  useDocumentTitle(job.title);
  return (
    <>
      <PageHeader
        title={job.title}
        aside={<JobStatusPill status={job.status} />}
        subtitle={<span className="tabular-nums">#{job.job_number}</span>}
        actions={!gone && <JobActions job={job} />}
      />
      {gone && (
        <Banner tone="warn" className="mb-4">
          This job has been deleted. You see the last version of it.
        </Banner>
      )}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="contents xl:block xl:space-y-4">
          <JobFacts job={job} />
          <JobItems job={job} />
          <JobHistory job={job} className="max-xl:order-last" />
        </div>
        <div className="space-y-4 xl:sticky xl:top-[calc(var(--header-height)+1rem)]">
          {timer(job)}
          {comments(job)}
        </div>
      </div>
    </>
  );
}

function JobActions({ job }: { job: Job }) {
  const [mayEdit, mayPay] = [useCan('jobs.edit'), useCan('payments.manage')];
  const complete = useCompleteJob();
  return (
    <>
      {isActive(job.status) && !isTimed(job) && (
        <Button tone="primary" busy={complete.isPending} onClick={() => complete.mutate(job.id)}>
          <Check aria-hidden="true" />
          Complete Job
        </Button>
      )}
      {mayPay && (job.status === 'complete' || job.status === 'invoiced') && (
        <LinkButton to={planned(`/jobs/${job.id}/payment`)} tone="primary">
          <CreditCard aria-hidden="true" />
          Payment
        </LinkButton>
      )}
      {mayEdit && (
        <LinkButton to="/jobs/$id/edit" params={{ id: job.id }} state={{ fromPage: true }}>
          <Pencil aria-hidden="true" />
          Edit
        </LinkButton>
      )}
    </>
  );
}

const FACTS = 'grid gap-x-5 gap-y-4 p-4 sm:grid-cols-2 lg:grid-cols-3 lg:p-5';

/** Read on the way: where, when, whom to call; then the rest. */
function JobFacts({ job }: { job: Job }) {
  const { customer, address } = job;
  const currency = useProfile()?.currency;
  const zone = bookingTimeZone();
  const directions = address && directionsLink(address);
  const call = customer && phoneLink(customer.phone);
  const rate =
    job.job_type === 'hourly'
      ? formatHourlyRate(job.timer.hourly_rate, currency)
      : job.fixed_amount && formatMoney(job.fixed_amount, currency);
  return (
    <Card>
      <dl className={FACTS}>
        <Fact icon={MapPin} label="Where">
          {address ? <span className="whitespace-pre-line">{address}</span> : 'No address'}
        </Fact>
        <Fact
          icon={CalendarClock}
          label="When"
          detail={`${job.duration ? `${durationText(job.duration)} · ` : ''}${listedTimeZone(zone)?.label ?? zone} time`}
        >
          {job.booking_date ? formatDateTime(job.booking_date, zone) : NOT_SCHEDULED}
        </Fact>
        <Fact icon={UserRound} label="Customer" detail={customer && <CustomerContact customer={customer} />}>
          {customer ? (
            <Link to="/customers/$id" params={{ id: customer.id }} className="text-accent-ink hover:underline">
              {customerLabel(customer)}
            </Link>
          ) : (
            customerLabel(null)
          )}
        </Fact>
      </dl>
      {(directions || call) && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-2 px-4 pb-4 sm:flex lg:px-5">
          {directions && (
            <AnchorButton href={directions} target="_blank" rel="noopener noreferrer">
              <Navigation aria-hidden="true" />
              Get Directions
            </AnchorButton>
          )}
          {customer && call && (
            <AnchorButton href={call}>
              <Phone aria-hidden="true" />
              <span className="truncate">Call {customer.name}</span>
            </AnchorButton>
          )}
        </div>
      )}
      <dl className={classes(FACTS, 'border-t')}>
        <Fact icon={Users} label="Staff">
          <AssignedTo staff={job.staff} />
        </Fact>
        <Fact icon={Tag} label="Categories">
          {categoryNames(job.categories)}
        </Fact>
        {rate && (
          <Fact icon={Banknote} label={job.job_type === 'hourly' ? 'Hourly rate' : 'Fixed amount'}>
            {rate}
          </Fact>
        )}
      </dl>
      <p className="border-t p-4 text-base whitespace-pre-line text-ink-2 [overflow-wrap:anywhere] lg:px-5">{job.description}</p>
    </Card>
  );
}

function CustomerContact({ customer }: { customer: NonNullable<Job['customer']> }) {
  return (
    <>
      {customer.company_name && <span className="block">{customer.name}</span>}
      <span className="flex flex-wrap gap-x-3">
        <ContactLink kind="phone" text={customer.phone} />
        <ContactLink kind="email" text={customer.email} />
      </span>
    </>
  );
}

interface FactProps {
  icon: LucideIcon;
  label: string;
  detail?: ReactNode;
  children: ReactNode;
}

function Fact({ icon: Icon, label, detail, children }: FactProps) {
  return (
    <div className="flex min-w-0 gap-3">
      <Icon aria-hidden="true" className="mt-1 size-5 shrink-0 text-ink-3" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <dt className="text-sm text-ink-3">{label}</dt>
        <dd>
          <span className="block text-lg font-medium lg:text-base">{children}</span>
          {detail && <span className="block text-base text-ink-2 lg:text-sm">{detail}</span>}
        </dd>
      </div>
    </div>
  );
}
