import type { QuoteSort } from '@callout/contract/quotes';
import type { QuoteStatus } from '@callout/domain/quotes/quote';
import { defineListFilter, type ListParams } from '../../lib/list-filter.tsx';
import type { PillTone } from '../../ui/status-pill.tsx';

export type QuotesSearch = ListParams<QuoteSort, QuoteStatus>;

const STATUSES: readonly { value: QuoteStatus; label: string; tone: PillTone }[] = [
  { value: 'draft', label: 'Draft', tone: 'neutral' },
  { value: 'sent', label: 'Sent', tone: 'info' },
  { value: 'accepted', label: 'Accepted', tone: 'ok' },
  { value: 'rejected', label: 'Rejected', tone: 'danger' },
  { value: 'expired', label: 'Expired', tone: 'warn' },
];

/** The word and color of a status; one that this page does not know yet is gray. */
export function quoteStatusPill(status: string): { text: string; tone: PillTone } {
  const known = STATUSES.find(({ value }) => value === status);
  return known ? { text: known.label, tone: known.tone } : { text: status, tone: 'neutral' };
}

/** The contract has the same lists, but with it comes the weight of its schemas. */
export const quoteFilter = defineListFilter<QuoteSort, QuoteStatus>({
  what: 'quotes',
  placeholder: 'Search quotes...',
  sorts: [
    { value: 'created_at', label: 'Date created', isDate: true },
    { value: 'title', label: 'Quote title' },
    { value: 'total_amount', label: 'Total' },
    { value: 'valid_until', label: 'Valid Until' },
  ],
  statuses: STATUSES.map(({ value, label }) => ({ value, label })),
  allStatuses: 'All Status',
});
