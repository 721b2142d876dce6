import type { JobGroup, JobSort } from '@callout/contract/jobs';
import { BOOKING_FILTERS, type BookingFilter, getBookingCriteria } from '@callout/domain/jobs/booking-filter';
import type { JobStatus } from '@callout/domain/jobs/job';
import { getRollingPeriodRange, getStartOfDay, type RollingPeriod } from '@callout/domain/time/zoned-time';
import { defineListFilter, type ListFilter, type ListSearchParams } from '../../lib/list-filter.ts';
import type { Choice } from '../../ui/select-field.tsx';
import type { PillTone } from '../../ui/status-pill.tsx';

export type JobFilterParam = 'staff_id' | 'category_id' | 'group' | 'created' | 'booked' | 'from' | 'to';
export type JobSearchParams = ListSearchParams<JobSort, JobStatus, JobFilterParam>;
export type JobFilter = ListFilter<JobSort, JobStatus, JobFilterParam>;

const JOB_STATUSES: readonly { value: JobStatus; label: string; tone: PillTone }[] = [
  { value: 'pending', label: 'Pending', tone: 'warn' },
  { value: 'contacted', label: 'Contacted', tone: 'info' },
  { value: 'booked', label: 'Booked', tone: 'violet' },
  { value: 'complete', label: 'Complete', tone: 'ok' },
  { value: 'invoiced', label: 'Invoiced', tone: 'info' },
  { value: 'paid', label: 'Paid', tone: 'accent' },
  { value: 'canceled', label: 'Canceled', tone: 'danger' },
];

export const JOB_STATUS_CHOICES = JOB_STATUSES.map(({ value, label }) => ({ value, label }));

/** Returns the label and color of a status. A status that only a newer server knows is gray. */
export function getJobStatusPill(status: string): { text: string; tone: PillTone } {
  const known = JOB_STATUSES.find(({ value }) => value === status);
  return known ? { text: known.label, tone: known.tone } : { text: status, tone: 'neutral' };
}

const JOB_GROUPS: readonly JobGroup[] = ['active', 'not-canceled', 'uninvoiced'];
const GROUP_LABELS: Record<JobGroup, string> = { active: 'Active', 'not-canceled': 'Not canceled', uninvoiced: 'Done, not invoiced' };

const CREATED_PERIODS: readonly Exclude<RollingPeriod, 'lifetime'>[] = ['day', 'week', 'month'];
const CREATED_PERIOD_LABELS = { day: 'Created today', week: 'Created in the last 7 days', month: 'Created in the last 30 days' };

const BOOKING_LABELS: Readonly<Record<BookingFilter, string>> = {
  today: 'Today',
  tomorrow: 'Tomorrow',
  'this-week': 'This week',
  'next-7-days': 'Next 7 days',
  overdue: 'Overdue',
  none: 'Without a date',
  custom: 'Custom dates',
};

export const BOOKING_CHOICES: readonly Choice[] = BOOKING_FILTERS.map((value) => ({ value, label: BOOKING_LABELS[value] }));

/** Repeats lists from the contract, because importing them would add the contract's schemas to the bundle. */
export const jobListFilter = defineListFilter<JobSort, JobStatus, JobFilterParam>({
  pluralNoun: 'jobs',
  placeholder: 'Search jobs...',
  sorts: [
    { value: 'created_at', label: 'Date created', isDate: true },
    { value: 'booking_date', label: 'Booking date', isWideOnly: true },
    { value: 'title', label: 'Job' },
    { value: 'customer', label: 'Customer' },
    { value: 'staff', label: 'Staff' },
    { value: 'category', label: 'Category' },
    { value: 'status', label: 'Status' },
  ],
  statuses: JOB_STATUS_CHOICES,
  allStatusesLabel: 'All Status',
  references: [
    { name: 'staff_id', label: 'Staff Member', all: 'All Staff' },
    { name: 'category_id', label: 'Category', all: 'All Categories' },
    { name: 'booked', label: 'Booking date', all: 'All Dates', isFullWidthOnPhone: true },
  ],
  dateRange: { reference: 'booked', value: 'custom', from: 'from', to: 'to' },
  linkFilters: [
    { name: 'group', labels: GROUP_LABELS },
    { name: 'created', labels: CREATED_PERIOD_LABELS },
  ],
});

/** Converts the filter to the server's criteria. `today` is the date in the zone, so relative dates keep their bounds all day. */
export function toJobCriteria<Filter extends Partial<JobFilter>>(
  { group: groupParam, created, booked, from, to, ...filter }: Filter,
  today: string,
  zone: string,
) {
  const group = JOB_GROUPS.find((name) => name === groupParam);
  const period = CREATED_PERIODS.find((name) => name === created);
  const range = period ? getRollingPeriodRange(period, getStartOfDay(today, zone), zone) : null;
  const booking = BOOKING_FILTERS.find((name) => name === booked);
  return {
    ...filter,
    ...(group && { group }),
    ...(range && { created_from: range.from, created_to: range.to }),
    ...(booking && getBookingCriteria(booking, { from, to }, today, zone)),
  };
}

/** Compares filters as the list would apply them. */
export function isSameJobFilter(a: JobSearchParams, b: JobSearchParams): boolean {
  const [first, second] = [a, b].map((params) =>
    Object.entries(jobListFilter.fromParams(params)).toSorted(([left], [right]) => left.localeCompare(right)),
  );
  return JSON.stringify(first) === JSON.stringify(second);
}
