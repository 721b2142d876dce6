import type { JobSort } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import { defineListFilter, type ListFilter, type ListParams } from '../../lib/list-filter.tsx';
import type { PillTone } from '../../ui/status-pill.tsx';

export type JobReference = 'staff_id' | 'category_id';
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
});
