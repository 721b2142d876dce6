import type { CalendarJob, CalendarTask } from '@callout/contract/calendar';
import type { ContractOutputs } from '@callout/contract/contract';
import { DEFAULT_EVENT_HOURS } from '@callout/domain/calendar/calendar-event';
import { customerLabel } from '@callout/domain/customers/customer';
import { bookingText } from '@callout/domain/jobs/booking-text';
import { isActive } from '@callout/domain/jobs/job';
import { countText } from '@callout/domain/text/count-text';
import { addDays, startOfDay } from '@callout/domain/time/zoned-time';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarCheck, CalendarDays, Navigation, Phone } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
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

/** My day in order, for the phone in the van: where, whom to call, and what else there is to do. */
export function TodaysJobs({ staffId, day, query }: TodaysJobsProps) {
  return (
    <Section title="Today" aside={query.data && bookedText(query.data)} className="min-w-0">
      <QueryView
        query={query}
        skeleton={<SkeletonRows label="Loading your jobs of today" count={3} className="h-26" />}
        isEmpty={(bookings) => inOrder(bookings).length === 0}
        empty={<NothingBooked staffId={staffId} />}
      >
        {(bookings) => (
          <ol aria-label="My day" className="divide-y">
            {inOrder(bookings).map(({ id, job, task }) => (
              <Fragment key={id}>
                {job && <TodaysJob job={job} day={day} />}
                {task && <TodaysTask task={task} day={day} />}
              </Fragment>
            ))}
          </ol>
        )}
      </QueryView>
    </Section>
  );
}

type Bookings = ContractOutputs['calendar']['events'];

const jobsOf = ({ jobs }: Bookings) => jobs.filter(({ status }) => status !== 'canceled');
const tasksOf = ({ tasks }: Bookings) => tasks.filter(({ status }) => status === 'active');

function bookedText(bookings: Bookings): string {
  const counts = [countText(jobsOf(bookings).length, 'job'), countText(tasksOf(bookings).length, 'task')];
  return counts.filter((text) => !text.startsWith('0 ')).join(', ');
}

function inOrder(bookings: Bookings): readonly { id: string; start: string; job?: CalendarJob; task?: CalendarTask }[] {
  const jobs = jobsOf(bookings).map((job) => ({ id: job.id, start: job.booking_date, job }));
  const tasks = tasksOf(bookings).map((task) => ({ id: task.id, start: task.calendar_date, task }));
  return [...jobs, ...tasks].toSorted((one, other) => one.start.localeCompare(other.start) || one.id.localeCompare(other.id));
}

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

interface RowProps {
  start: string;
  hours: string | null;
  day: Today;
  /** Beside the time. */
  pills: ReactNode;
  isOpen?: boolean;
  /** Below, or at the end of the row. */
  actions?: ReactNode;
  children: ReactNode;
}

function Row({ start, hours, day: { today, zone }, pills, isOpen = true, actions, children }: RowProps) {
  const { day, time } = bookingText(start, hours ?? DEFAULT_EVENT_HOURS, today, zone);
  return (
    <li className={classes('px-4 py-3 lg:px-5 xl:flex xl:items-center xl:gap-5', !isOpen && 'bg-sunken/50')}>
      <div className="min-w-0 flex-1 sm:grid sm:grid-cols-[10.5rem_minmax(0,1fr)] sm:gap-x-4">
        <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-base font-medium text-ink-2 tabular-nums sm:block">
          {day === 'Today' ? time : `${day}, ${time}`}
          <span className="flex flex-wrap gap-1.5 sm:mt-1">{pills}</span>
        </p>
        <div className="min-w-0">{children}</div>
      </div>
      {actions}
    </li>
  );
}

const TITLE = '-my-1 block py-1 text-lg font-medium [overflow-wrap:anywhere] hover:underline';

function TodaysJob({ job, day }: { job: CalendarJob; day: Today }) {
  const { id, title, status, address, customer } = job;
  const isOpen = isActive(status);
  return (
    <Row
      start={job.booking_date}
      hours={job.duration}
      day={day}
      isOpen={isOpen}
      pills={
        <>
          {job.timer_status === 'started' && <StatusPill tone="info" text="In progress" />}
          <JobStatusPill status={status} />
        </>
      }
      actions={isOpen && <Reach job={job} />}
    >
      <Link to="/jobs/$id" params={{ id }} className={classes(TITLE, !isOpen && 'text-ink-2')}>
        {title}
      </Link>
      <p className="text-base text-ink-2 [overflow-wrap:anywhere]">{customerLabel(customer)}</p>
      {address && <p className="text-base text-ink-2 [overflow-wrap:anywhere]">{address}</p>}
    </Row>
  );
}

function TodaysTask({ task: { id, title, calendar_date: start, calendar_duration: hours }, day }: { task: CalendarTask; day: Today }) {
  return (
    <Row start={start} hours={hours} day={day} pills={<StatusPill tone="neutral" text="Task" />}>
      <Link to="/todo" search={{ task: id }} className={TITLE}>
        {title}
      </Link>
    </Row>
  );
}

/** Within the thumb's reach, one press each. */
function Reach({ job: { address, customer, title } }: { job: CalendarJob }) {
  const directions = address && directionsLink(address);
  const call = customer && phoneLink(customer.phone);
  if (!directions && !call) return null;
  return (
    <div className="mt-3 grid shrink-0 grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-2 xl:mt-0 xl:flex">
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
