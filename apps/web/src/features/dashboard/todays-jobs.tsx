import type { CalendarJob, CalendarTask } from '@callout/contract/calendar';
import type { ContractOutputs } from '@callout/contract/contract';
import { DEFAULT_EVENT_HOURS } from '@callout/domain/calendar/calendar-event';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { formatBooking } from '@callout/domain/jobs/booking-format';
import { isActiveStatus } from '@callout/domain/jobs/job';
import { pluralize } from '@callout/domain/text/count-format';
import { addDays, getStartOfDay } from '@callout/domain/time/zoned-time';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarCheck, CalendarDays, Navigation, Phone } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { buildDirectionsUrl, buildPhoneUrl } from '../../lib/contact-urls.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AnchorButton, LinkButton } from '../../ui/link-button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { JobStatusPill } from '../jobs/job-labels.tsx';
import { dashboardCountsQueryOptions, staffBookingsQueryOptions, type TodayInZone } from './dashboard.api.ts';
import { DashboardSection } from './dashboard-section.tsx';

/** Reads today's bookings. Disabled for a system administrator without a company, who has no `staffId`. */
export function useTodaysBookings(staffId: string | null, { today, zone }: TodayInZone) {
  const options = staffBookingsQueryOptions(staffId ?? '', getStartOfDay(today, zone), getStartOfDay(addDays(today, 1), zone));
  return useQuery({ ...options, enabled: staffId !== null });
}

interface TodaysJobsProps {
  staffId: string;
  day: TodayInZone;
  query: ReturnType<typeof useTodaysBookings>;
}

/** Lists the user's jobs and tasks for today by start time, with directions and phone numbers. */
export function TodaysJobs({ staffId, day, query }: TodaysJobsProps) {
  return (
    <DashboardSection title="Today" subtitle={query.data && formatBookingCounts(query.data)} className="min-w-0">
      <QueryView
        query={query}
        skeleton={<SkeletonRows label="Loading today's jobs" count={3} className="h-26" />}
        isEmpty={(bookings) => sortBookings(bookings).length === 0}
        empty={<NothingBooked staffId={staffId} />}
      >
        {(bookings) => (
          <ol aria-label="My day" className="divide-y">
            {sortBookings(bookings).map(({ id, job, task }) => (
              <Fragment key={id}>
                {job && <TodaysJob job={job} day={day} />}
                {task && <TodaysTask task={task} day={day} />}
              </Fragment>
            ))}
          </ol>
        )}
      </QueryView>
    </DashboardSection>
  );
}

type TodaysBookings = ContractOutputs['calendar']['events'];

const getUncanceledJobs = ({ jobs }: TodaysBookings) => jobs.filter(({ status }) => status !== 'canceled');
const getActiveTasks = ({ tasks }: TodaysBookings) => tasks.filter(({ status }) => status === 'active');

function formatBookingCounts(bookings: TodaysBookings): string {
  const counts = [pluralize(getUncanceledJobs(bookings).length, 'job'), pluralize(getActiveTasks(bookings).length, 'task')];
  return counts.filter((text) => !text.startsWith('0 ')).join(', ');
}

function sortBookings(bookings: TodaysBookings): readonly { id: string; start: string; job?: CalendarJob; task?: CalendarTask }[] {
  const jobs = getUncanceledJobs(bookings).map((job) => ({ id: job.id, start: job.booking_date, job }));
  const tasks = getActiveTasks(bookings).map((task) => ({ id: task.id, start: task.calendar_date, task }));
  return [...jobs, ...tasks].toSorted((one, other) => one.start.localeCompare(other.start) || one.id.localeCompare(other.id));
}

/** Links to the user's active jobs, some of which may have no date. If the company has none, links to the form for a new job. */
function NothingBooked({ staffId }: { staffId: string }) {
  const hasNoActiveJobs = useQuery(dashboardCountsQueryOptions).data?.active_jobs === 0;
  return (
    <EmptyState
      icon={CalendarCheck}
      message="Nothing booked today"
      action={
        <>
          {hasNoActiveJobs ? (
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

interface BookingRowProps {
  start: string;
  hours: string | null;
  day: TodayInZone;
  pills: ReactNode;
  isOpen?: boolean;
  /** Controls below the content or, on a wide screen, at the end of the row. */
  actions?: ReactNode;
  children: ReactNode;
}

function BookingRow({ start, hours, day: { today, zone }, pills, isOpen = true, actions, children }: BookingRowProps) {
  const { day, time } = formatBooking(start, hours ?? DEFAULT_EVENT_HOURS, today, zone);
  return (
    <li className={classNames('px-4 py-3 lg:px-5 xl:flex xl:items-center xl:gap-5', !isOpen && 'bg-sunken/50')}>
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

const TITLE_CLASSES = '-my-1 block py-1 text-lg font-medium [overflow-wrap:anywhere] hover:underline';

function TodaysJob({ job, day }: { job: CalendarJob; day: TodayInZone }) {
  const { id, title, status, address, customer } = job;
  const isOpen = isActiveStatus(status);
  return (
    <BookingRow
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
      actions={isOpen && <ContactActions job={job} />}
    >
      <Link to="/jobs/$id" params={{ id }} className={classNames(TITLE_CLASSES, !isOpen && 'text-ink-2')}>
        {title}
      </Link>
      <p className="text-base text-ink-2 [overflow-wrap:anywhere]">{formatCustomerName(customer)}</p>
      {address && <p className="text-base text-ink-2 [overflow-wrap:anywhere]">{address}</p>}
    </BookingRow>
  );
}

function TodaysTask({
  task: { id, title, calendar_date: start, calendar_duration: hours },
  day,
}: {
  task: CalendarTask;
  day: TodayInZone;
}) {
  return (
    <BookingRow start={start} hours={hours} day={day} pills={<StatusPill tone="neutral" text="Task" />}>
      <Link to="/todo" search={{ task: id }} className={TITLE_CLASSES}>
        {title}
      </Link>
    </BookingRow>
  );
}

function ContactActions({ job: { address, customer, title } }: { job: CalendarJob }) {
  const directions = address && buildDirectionsUrl(address);
  const call = customer && buildPhoneUrl(customer.phone);
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
