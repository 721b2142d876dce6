import type { JobRow, JobSort } from '@callout/contract/jobs';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { formatDate, formatTime } from '@callout/domain/time/date-format';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { ListView } from '../../lib/query-view.tsx';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { UnsentNotice } from '../../lib/unsent-notice.tsx';
import { useToday } from '../../lib/use-today.ts';
import { classNames } from '../../ui/class-names.ts';
import {
  DataTable,
  type RowLinkProps,
  type TableColumn,
  type TableSorting,
  TWO_LINE_CELL_CLASSES,
  useHoverIntent,
} from '../../ui/data-table.tsx';
import { getSkeletonRowsProps } from '../customers/skeleton-rows.ts';
import { AssignedStaff, formatCategoryNames, JobStatusPill, NOT_SCHEDULED_LABEL } from './job-labels.tsx';
import { type JobFilter, toJobCriteria } from './job-list-filter.ts';
import { formatJobNumber, jobQueryOptions, NEW_JOB_NUMBER, useJobs } from './jobs.api.ts';

/** In a list of one day's jobs, shows the time instead of the date that all of them have. */
function BookingDate({ job: { booking_date: date }, isOneDay }: { job: JobRow; isOneDay: boolean }) {
  const zone = useDisplayTimeZone();
  if (!date) return NOT_SCHEDULED_LABEL;
  return isOneDay ? formatTime(date, zone) : formatDate(date, zone);
}

const isOneDayFilter = ({ booked, from, to }: JobFilter) =>
  booked === 'today' || booked === 'tomorrow' || (booked === 'custom' && from !== undefined && from === to);

const buildColumns = (isOneDay: boolean): readonly TableColumn<JobRow, JobSort>[] => [
  { label: 'Job', width: 'minmax(0, 3.5fr)', sort: 'title', cell: (job) => <JobTitle job={job} /> },
  {
    label: 'Customer',
    width: 'minmax(0, 3fr)',
    sort: 'customer',
    cell: ({ customer }) => <span className={TWO_LINE_CELL_CLASSES}>{formatCustomerName(customer)}</span>,
  },
  { label: 'Staff', width: 'minmax(0, 2.25fr)', sort: 'staff', cell: ({ staff }) => <AssignedStaff staff={staff} /> },
  {
    label: 'Category',
    width: 'minmax(0, 2.75fr)',
    sort: 'category',
    cell: ({ categories }) => (
      <span className="lg:line-clamp-2 lg:[overflow-wrap:anywhere] lg:whitespace-normal">{formatCategoryNames(categories)}</span>
    ),
  },
  {
    label: 'Booked for',
    width: '7.5rem',
    wideOnly: true,
    sort: 'booking_date',
    className: 'tabular-nums',
    cell: (job) => <BookingDate job={job} isOneDay={isOneDay} />,
  },
  { label: 'Status', width: '6.5rem', sort: 'status', cell: ({ status }) => <JobStatusPill status={status} /> },
];

const [DATE_COLUMNS, TIME_COLUMNS] = [buildColumns(false), buildColumns(true)];

interface JobsTableProps {
  filter: JobFilter;
  customerId?: string;
  sorting?: TableSorting<JobSort>;
  total?: number | undefined;
  empty: ReactNode;
  stickyTopClass?: string;
}

export function JobsTable({ filter, customerId, sorting, total, empty, stickyTopClass }: JobsTableProps) {
  const zone = useDisplayTimeZone();
  const criteria = toJobCriteria(filter, useToday(zone), zone);
  const isOneDay = isOneDayFilter(filter);
  const columns = isOneDay ? TIME_COLUMNS : DATE_COLUMNS;
  const list = useJobs(customerId === undefined ? criteria : { ...criteria, customer_id: customerId });
  return (
    <ListView list={list} loading={getSkeletonRowsProps(customerId)} empty={empty}>
      {(rows) => (
        <DataTable
          label="Jobs"
          rows={rows}
          columns={customerId === undefined ? columns : columns.filter(({ label }) => label !== 'Customer')}
          renderLink={(job, props) => <JobLink id={job.id} {...props} />}
          renderCard={(job) => <JobCard job={job} showCustomer={customerId === undefined} isOneDay={isOneDay} />}
          rowHeight={{ desktop: 56, phone: 84, narrowDesktop: 68 }}
          paging={list}
          pagingError={getReadErrorMessage(list.error)}
          total={total}
          isOutdated={list.isPlaceholderData}
          {...(sorting ? { sorting } : {})}
          {...(stickyTopClass ? { stickyTopClass } : {})}
        />
      )}
    </ListView>
  );
}

/** Prefetches the job on hover. Errors are ignored, because the job page requests the job again and reports them. */
function JobLink({ id, ...props }: RowLinkProps & { id: string }) {
  const queryClient = useQueryClient();
  const prefetchProps = useHoverIntent(() => void queryClient.query(jobQueryOptions(id)).catch(() => undefined));
  return <Link to="/jobs/$id" params={{ id }} {...prefetchProps} {...props} />;
}

function JobTitle({ job: { title, job_number: number }, detail = '' }: { job: JobRow; detail?: string }) {
  return (
    <span className="block min-w-0">
      <span data-name="" className={classNames('block truncate font-medium text-ink', TWO_LINE_CELL_CLASSES)}>
        {title}
      </span>
      <span className="flex items-center gap-x-3 text-sm text-ink-3">
        <span className="truncate tabular-nums">{`${formatJobNumber(number)}${detail}`}</span>
        {number === NEW_JOB_NUMBER && <UnsentNotice className="shrink-0" />}
      </span>
    </span>
  );
}

function JobCard({ job, showCustomer, isOneDay }: { job: JobRow; showCustomer: boolean; isOneDay: boolean }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span className="min-w-0 flex-1 basis-28">
        <JobTitle job={job} detail={showCustomer ? ` · ${formatCustomerName(job.customer)}` : ''} />
        <span className="block truncate text-sm text-ink-2">
          <AssignedStaff staff={job.staff} detail={` · ${formatCategoryNames(job.categories)}`} />
        </span>
      </span>
      <span className="flex shrink-0 flex-col items-end gap-x-3 gap-y-1.5 large-text:shrink large-text:flex-row large-text:flex-wrap large-text:items-center">
        <JobStatusPill status={job.status} />
        <span className="text-sm text-ink-2 tabular-nums">
          <BookingDate job={job} isOneDay={isOneDay} />
        </span>
      </span>
    </span>
  );
}
