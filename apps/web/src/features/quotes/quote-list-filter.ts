import type { QuoteSort } from '@callout/contract/quotes';
import type { QuoteStatus } from '@callout/domain/quotes/quote';
import { defineListFilter, type ListSearchParams } from '../../lib/list-filter.ts';
import type { PillTone } from '../../ui/status-pill.tsx';
import { formatQuoteStatus, getQuoteStatusTone } from './quote-status.ts';

export type QuoteSearchParams = ListSearchParams<QuoteSort, QuoteStatus>;

const STATUS_OPTIONS = (['draft', 'sent', 'accepted', 'rejected', 'expired'] as const satisfies readonly QuoteStatus[]).map((value) => ({
  value,
  label: formatQuoteStatus(value),
}));

export function getQuoteStatusPill(status: string): { text: string; tone: PillTone } {
  return { text: STATUS_OPTIONS.find(({ value }) => value === status)?.label ?? status, tone: getQuoteStatusTone(status) };
}

/** Repeats lists from the contract, because importing them would add the contract's schemas to the bundle. */
export const quoteListFilter = defineListFilter<QuoteSort, QuoteStatus>({
  pluralNoun: 'quotes',
  placeholder: 'Search quotes...',
  sorts: [
    { value: 'created_at', label: 'Date created', isDate: true },
    { value: 'title', label: 'Quote title' },
    { value: 'total_amount', label: 'Total' },
    { value: 'valid_until', label: 'Valid Until' },
  ],
  statuses: STATUS_OPTIONS,
  allStatusesLabel: 'All Status',
});
