import type { QuoteSort } from '@callout/contract/quotes';
import type { QuoteStatus } from '@callout/domain/quotes/quote';
import { defineListFilter, type ListParams } from '../../lib/list-filter.ts';
import type { PillTone } from '../../ui/status-pill.tsx';
import { statusTone, statusWord } from './quote-status.ts';

export type QuotesSearch = ListParams<QuoteSort, QuoteStatus>;

const STATUSES = (['draft', 'sent', 'accepted', 'rejected', 'expired'] as const satisfies readonly QuoteStatus[]).map((value) => ({
  value,
  label: statusWord(value),
}));

/** The word and color of a status; one that this page does not know yet is gray. */
export function quoteStatusPill(status: string): { text: string; tone: PillTone } {
  return { text: STATUSES.find(({ value }) => value === status)?.label ?? status, tone: statusTone(status) };
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
  statuses: STATUSES,
  allStatuses: 'All Status',
});
