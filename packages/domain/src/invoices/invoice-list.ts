import { addDays } from '../time/zoned-time.ts';

/** What a list of invoices can show; without one, all of them. */
export const INVOICE_FILTERS = ['unpaid', 'overdue', 'paid'] as const;
export type InvoiceFilter = (typeof INVOICE_FILTERS)[number];

/** 'late_after' ascending is 'oldest unpaid first': unpaid ones before all others. */
export const INVOICE_SORTS = ['late_after', 'invoice_number', 'customer', 'total_amount'] as const;
export type InvoiceSort = (typeof INVOICE_SORTS)[number];

/** How old a debt is; `upTo` is the last day of lateness that belongs to it. */
export const DEBT_AGES = [
  { key: 'current', upTo: 0 },
  { key: 'days_30', upTo: 30 },
  { key: 'days_60', upTo: 60 },
  { key: 'days_90', upTo: 90 },
  { key: 'older', upTo: null },
] as const;
export type DebtAge = (typeof DEBT_AGES)[number]['key'];

export const DEBT_AGE_WORDS: Record<DebtAge, string> = {
  current: 'Not due yet',
  days_30: '1–30 days late',
  days_60: '31–60 days late',
  days_90: '61–90 days late',
  older: 'Over 90 days late',
};

export function debtAge(days: number): DebtAge {
  return DEBT_AGES.find(({ upTo }) => upTo === null || days <= upTo)?.key ?? 'older';
}

/** The first and the last `late_after` of debts of this age, both included; null where there is no such end. */
export function debtAgeDays(age: DebtAge, today: string): { readonly from: string | null; readonly to: string | null } {
  const index = DEBT_AGES.findIndex(({ key }) => key === age);
  const [younger, own] = [DEBT_AGES[index - 1]?.upTo ?? null, DEBT_AGES[index]?.upTo ?? null];
  return { from: own === null ? null : addDays(today, -own), to: younger === null ? null : addDays(today, -younger - 1) };
}
