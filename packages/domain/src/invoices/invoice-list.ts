import { addDays } from '../time/zoned-time.ts';

/** Filters of the invoice list. Without a filter, all invoices are listed. 'unsent' lists those that their customers don't have yet. */
export const INVOICE_FILTERS = ['unpaid', 'overdue', 'paid', 'unsent'] as const;
export type InvoiceFilter = (typeof INVOICE_FILTERS)[number];

/** Sorting by 'late_after' in ascending order lists the oldest unpaid invoices first, then the unsent ones, and all others last. */
export const INVOICE_SORTS = ['late_after', 'invoice_number', 'customer', 'total_amount'] as const;
export type InvoiceSort = (typeof INVOICE_SORTS)[number];

/** Aging buckets of unpaid invoices. `maxDaysLate` is inclusive. */
export const DEBT_AGES = [
  { key: 'current', maxDaysLate: 0 },
  { key: 'days_30', maxDaysLate: 30 },
  { key: 'days_60', maxDaysLate: 60 },
  { key: 'days_90', maxDaysLate: 90 },
  { key: 'older', maxDaysLate: null },
] as const;
export type DebtAge = (typeof DEBT_AGES)[number]['key'];

export const DEBT_AGE_LABELS: Record<DebtAge, string> = {
  current: 'Not due yet',
  days_30: '1–30 days late',
  days_60: '31–60 days late',
  days_90: '61–90 days late',
  older: 'Over 90 days late',
};

export function getDebtAge(daysLate: number): DebtAge {
  return DEBT_AGES.find(({ maxDaysLate }) => maxDaysLate === null || daysLate <= maxDaysLate)?.key ?? 'older';
}

/** Returns the first and last `late_after` date of an aging bucket, both inclusive; null where the bucket is open-ended. */
export function getDebtAgeRange(age: DebtAge, today: string): { readonly from: string | null; readonly to: string | null } {
  const index = DEBT_AGES.findIndex(({ key }) => key === age);
  const [previousMax, max] = [DEBT_AGES[index - 1]?.maxDaysLate ?? null, DEBT_AGES[index]?.maxDaysLate ?? null];
  return { from: max === null ? null : addDays(today, -max), to: previousMax === null ? null : addDays(today, -previousMax - 1) };
}
