import type { CalendarJob } from '@callout/contract/calendar';
import { customerLabel } from '@callout/domain/customers/customer';
import { bookingText } from '@callout/domain/jobs/booking-text';
import { isActive } from '@callout/domain/jobs/job';
import { addDays, startOfDay } from '@callout/domain/time/zoned-time';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarCheck, CalendarDays, Navigation, Phone } from 'lucide-react';
import { directionsLink, phoneLink } from '../../lib/contact-urls.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AnchorButton, LinkButton } from '../../ui/link-button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { JobStatusPill } from '../jobs/job-labels.tsx';
import { bookingsOptions, countsOptions, type Today } from './dashboard.api.ts';
import { Section } from './section.tsx';

/** Nobody has none: a person without a place in the company's staff. */
export function useTodaysBookings(staffId: string | null, { today, zone }: Today) {
  const options = bookingsOptions(staffId ?? '', startOfDay(today, zone), startOfDay(addDays(today, 1), zone));
  return useQuery({ ...options, enabled: staffId !== null });
}

interface TodaysJobsProps {
  staffId: string;
  day: Today;
  query: ReturnType<typeof useTodaysBookings>;
}

/** My jobs of the day in order, for the phone in the van: where, whom to call. */
export function TodaysJobs({ staffId, day, query }: TodaysJobsProps) {
  const jobs = query.data && jobsOfDay(query.data.jobs);
  return (
    <Section title="Today" aside={jobs && jobs.length > 0 && `${jobs.length} ${jobs.length === 1 ? 'job' : 'jobs'}`} className="min-w-0">
      <QueryView
        query={query}
        skeleton={<SkeletonRows label="Loading your jobs of today" count={3} className="h-26" />}
        isEmpty={({ jobs: found }) => jobsOfDay(found).length === 0}
        empty={<NothingBooked staffId={staffId} />}
      >
        {({ jobs: found }) => (
          <ol aria-label="My jobs today" className="divide-y">
            {jobsOfDay(found).map((job) => (
              <TodaysJob key={job.id} job={job} day={day} />
            ))}
          </ol>
        )}
      </QueryView>
    </Section>
  );
}

const jobsOfDay = (jobs: readonly CalendarJob[]) =>
  jobs
    .filter(({ status }) => status !== 'canceled')
    .toSorted((one, other) => one.booking_date.localeCompare(other.booking_date) || one.id.localeCompare(other.id));

/** Where there is work, it may be mine without a date; where there is none, it is entered. */
function NothingBooked({ staffId }: { staffId: string }) {
  const isIdle = useQuery(countsOptions).data?.active_jobs === 0;
  return (
    <EmptyState
      icon={CalendarCheck}
      sentence="Nothing booked today"
      action={
        <>
          {isIdle ? (
            <LinkButton to="/jobs/new">Book a job</LinkButton>
          ) : (
            <LinkButton to="/jobs" search={{ group: 'active', staff_id: staffId }}>
              My active jobs
            </LinkButton>
          )}
          <LinkButton to={'/calendar'}>
            <CalendarDays aria-hidden="true" />
            Calendar
          </LinkButton>
        </>
      }
    />
  );
}

function TodaysJob({ job, day: { today, zone } }: { job: CalendarJob; day: Today }) {
  const { id, title, status, address, customer } = job;
  const { day, time } = bookingText(job.booking_date, job.duration ?? '1', today, zone);
  const isOpen = isActive(status);
  return (
    <li className={classes('px-4 py-3 lg:flex lg:items-center lg:gap-5 lg:px-5', !isOpen && 'bg-sunken/50')}>
      <div className="min-w-0 flex-1 sm:grid sm:grid-cols-[10.5rem_minmax(0,1fr)] sm:gap-x-4">
        <p className="flex items-center justify-between gap-3 text-base font-medium text-ink-2 tabular-nums sm:block">
          {day === 'Today' ? time : `${day}, ${time}`}
          <span className="flex flex-wrap justify-end gap-1.5 sm:mt-1 sm:justify-start">
            {job.timer_status === 'started' && <StatusPill tone="info" text="In progress" />}
            <JobStatusPill status={status} />
          </span>
        </p>
        <div className="min-w-0">
          <Link
            to="/jobs/$id"
            params={{ id }}
            className={classes('-my-1 block py-1 text-lg font-medium [overflow-wrap:anywhere] hover:underline', !isOpen && 'text-ink-2')}
          >
            {title}
          </Link>
          <p className="text-base text-ink-2 [overflow-wrap:anywhere]">{customerLabel(customer)}</p>
          {address && <p className="text-base text-ink-2 [overflow-wrap:anywhere]">{address}</p>}
        </div>
      </div>
      {isOpen && <Reach job={job} />}
    </li>
  );
}

/** Within the thumb's reach, one press each. */
function Reach({ job: { address, customer, title } }: { job: CalendarJob }) {
  const directions = address && directionsLink(address);
  const call = customer && phoneLink(customer.phone);
  if (!directions && !call) return null;
  return (
    <div className="mt-3 grid shrink-0 grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-2 lg:mt-0 lg:flex">
      {call && (
        <AnchorButton href={call} tone="tinted" aria-label={`Call ${customer.name}`} className="min-h-12 px-3 lg:min-h-9">
          <Phone aria-hidden="true" />
          Call
        </AnchorButton>
      )}
      {directions && (
        <AnchorButton
          href={directions}
          target="_blank"
          rel="noopener noreferrer"
          tone="tinted"
          aria-label={`Directions to ${title}`}
          className="min-h-12 px-3 lg:min-h-9"
        >
          <Navigation aria-hidden="true" />
          Directions
        </AnchorButton>
      )}
    </div>
  );
}
