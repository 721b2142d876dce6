import type { JobGroup, JobSort } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import { type Period, periodRange } from '@callout/domain/time/zoned-time';
import { defineListFilter, type ListFilter, type ListParams } from '../../lib/list-filter.ts';
import type { PillTone } from '../../ui/status-pill.tsx';

export type JobReference = 'staff_id' | 'category_id' | 'group' | 'created';
export type JobsSearch = ListParams<JobSort, JobStatus, JobReference>;
export type JobFilter = ListFilter<JobSort, JobStatus, JobReference>;

const STATUSES: readonly { value: JobStatus; label: string; tone: PillTone }[] = [
  { value: 'pending', label: 'Pending', tone: 'warn' },
  { value: 'contacted', label: 'Contacted', tone: 'info' },
  { value: 'booked', label: 'Booked', tone: 'violet' },
  { value: 'complete', label: 'Complete', tone: 'ok' },
  { value: 'invoiced', label: 'Invoiced', tone: 'info' },
  { value: 'paid', label: 'Paid', tone: 'accent' },
  { value: 'canceled', label: 'Canceled', tone: 'danger' },
];

export const STATUS_CHOICES = STATUSES.map(({ value, label }) => ({ value, label }));

/** The word and color of a status; one that this page does not know yet is gray. */
export function statusPill(status: string): { text: string; tone: PillTone } {
  const known = STATUSES.find(({ value }) => value === status);
  return known ? { text: known.label, tone: known.tone } : { text: status, tone: 'neutral' };
}

const JOB_GROUPS: readonly JobGroup[] = ['active', 'not-canceled', 'uninvoiced'];
const GROUP_WORDS: Record<JobGroup, string> = { active: 'Active', 'not-canceled': 'Not canceled', uninvoiced: 'Complete, not invoiced' };

const CREATED_PERIODS: readonly Exclude<Period, 'lifetime'>[] = ['day', 'week', 'month'];
const CREATED_WORDS = { day: 'Created today', week: 'Created in the last 7 days', month: 'Created in the last 30 days' };

/** The contract has the same lists, but with it comes the weight of its schemas. */
export const jobFilter = defineListFilter<JobSort, JobStatus, JobReference>({
  what: 'jobs',
  placeholder: 'Search jobs...',
  sorts: [
    { value: 'created_at', label: 'Date created', isDate: true },
    { value: 'title', label: 'Job' },
    { value: 'customer', label: 'Customer' },
    { value: 'staff', label: 'Staff' },
    { value: 'category', label: 'Category' },
    { value: 'status', label: 'Status' },
  ],
  statuses: STATUS_CHOICES,
  allStatuses: 'All Status',
  references: [
    { name: 'staff_id', label: 'Staff Member', all: 'All Staff' },
    { name: 'category_id', label: 'Category', all: 'All Categories' },
  ],
  linked: [
    { name: 'group', words: GROUP_WORDS },
    { name: 'created', words: CREATED_WORDS },
  ],
});

/** What the server is asked for: the period as its two instants, which are the same all day. */
export function jobCriteria<Filter extends Partial<JobFilter>>({ group: asked, created, ...filter }: Filter, zone: string) {
  const group = JOB_GROUPS.find((name) => name === asked);
  const period = CREATED_PERIODS.find((name) => name === created);
  const range = period ? periodRange(period, new Date().toISOString(), zone) : null;
  return { ...filter, ...(group && { group }), ...(range && { created_from: range.from, created_to: range.to }) };
}
