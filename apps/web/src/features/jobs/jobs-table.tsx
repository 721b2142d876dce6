import type { JobRow, JobSort } from '@callout/contract/jobs';
import { customerLabel } from '@callout/domain/customers/customer';
import { formatDate } from '@callout/domain/time/date-format';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { ListView } from '../../lib/query-view.tsx';
import { useShownTimeZone } from '../../lib/time-zone.ts';
import { classes } from '../../ui/classes.ts';
import { type Column, DataTable, type RowLink, type Sorting, TWO_LINES, useIntent } from '../../ui/data-table.tsx';
import { loadingRows } from '../customers/loading-rows.ts';
import { type JobFilter, jobCriteria } from './job-filter.ts';
import { AssignedTo, categoryNames, JobStatusPill, NOT_SCHEDULED } from './job-labels.tsx';
import { jobOptions, jobsListOptions } from './jobs.api.ts';

/** Its day, in the zone that bookings are shown in. */
function BookedFor({ job: { booking_date: date } }: { job: JobRow }) {
  const zone = useShownTimeZone();
  return date ? formatDate(date, zone) : NOT_SCHEDULED;
}

const COLUMNS: readonly Column<JobRow, JobSort>[] = [
  { label: 'Job', width: 'minmax(0, 4fr)', sort: 'title', cell: (job) => <JobTitle job={job} /> },
  {
    label: 'Customer',
    width: 'minmax(0, 3fr)',
    sort: 'customer',
    cell: ({ customer }) => <span className={TWO_LINES}>{customerLabel(customer)}</span>,
  },
  { label: 'Staff', width: 'minmax(0, 2.25fr)', sort: 'staff', cell: ({ staff }) => <AssignedTo staff={staff} /> },
  {
    label: 'Category',
    width: 'minmax(0, 2.25fr)',
    sort: 'category',
    cell: ({ categories }) => <span className={TWO_LINES}>{categoryNames(categories)}</span>,
  },
  { label: 'Booked for', width: '7.5rem', wideOnly: true, className: 'tabular-nums', cell: (job) => <BookedFor job={job} /> },
  { label: 'Status', width: '6.5rem', sort: 'status', cell: ({ status }) => <JobStatusPill status={status} /> },
];

interface JobsTableProps {
  filter: JobFilter;
  /** Only this customer's. */
  customerId?: string;
  sorting?: Sorting<JobSort>;
  total?: number | undefined;
  empty: ReactNode;
  headTop?: string;
}

export function JobsTable({ filter, customerId, sorting, total, empty, headTop }: JobsTableProps) {
  const asked = jobCriteria(filter, useShownTimeZone());
  const list = useInfiniteQuery(jobsListOptions(customerId === undefined ? asked : { ...asked, customer_id: customerId }));
  return (
    <ListView list={list} loading={loadingRows(customerId)} empty={empty}>
      {(rows) => (
        <DataTable
          label="Jobs"
          rows={rows}
          columns={customerId === undefined ? COLUMNS : COLUMNS.filter(({ label }) => label !== 'Customer')}
          renderLink={(job, props) => <JobLink id={job.id} {...props} />}
          renderCard={(job) => <JobCard job={job} showCustomer={customerId === undefined} />}
          rowHeight={{ desk: 56, phone: 84, narrowDesk: 68 }}
          paging={list}
          pagingError={centralMessage(list.error)}
          total={total}
          isOld={list.isPlaceholderData}
          {...(sorting ? { sorting } : {})}
          {...(headTop ? { headTop } : {})}
        />
      )}
    </ListView>
  );
}

/** Reads the job ahead while the pointer rests on the row. A guess: when it fails, the page itself asks again and says so. */
function JobLink({ id, ...props }: RowLink & { id: string }) {
  const queryClient = useQueryClient();
  const readAhead = useIntent(() => void queryClient.query(jobOptions(id)).catch(() => undefined));
  return <Link to="/jobs/$id" params={{ id }} {...readAhead} {...props} />;
}

/** `detail` follows the number. */
function JobTitle({ job: { title, job_number: number }, detail = '' }: { job: JobRow; detail?: string }) {
  return (
    <span className="block min-w-0">
      <span data-name="" className={classes('block truncate font-medium text-ink', TWO_LINES)}>
        {title}
      </span>
      <span className="block truncate text-sm text-ink-3 tabular-nums">{`#${number}${detail}`}</span>
    </span>
  );
}

function JobCard({ job, showCustomer }: { job: JobRow; showCustomer: boolean }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span className="min-w-0 flex-1 basis-28">
        <JobTitle job={job} detail={showCustomer ? ` · ${customerLabel(job.customer)}` : ''} />
        <span className="block truncate text-sm text-ink-2">
          <AssignedTo staff={job.staff} detail={` · ${categoryNames(job.categories)}`} />
        </span>
      </span>
      <span className="flex shrink-0 flex-col items-end gap-x-3 gap-y-1.5 large-text:shrink large-text:flex-row large-text:flex-wrap large-text:items-center">
        <JobStatusPill status={job.status} />
        <span className="text-sm text-ink-2 tabular-nums">
          <BookedFor job={job} />
        </span>
      </span>
    </span>
  );
}
