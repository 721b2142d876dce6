import { DAY_MS } from '../time/time-units.ts';
import { addDays } from '../time/zoned-time.ts';

export const QUOTE_STATUSES = ['draft', 'sent', 'accepted', 'rejected', 'expired'] as const;
export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

/** Statuses that people can set. All others follow from the customer's answer or the expiry date. */
export const SETTABLE_QUOTE_STATUSES = ['draft', 'sent'] as const satisfies readonly QuoteStatus[];
export type SettableQuoteStatus = (typeof SETTABLE_QUOTE_STATUSES)[number];

export const DEFAULT_SECTION_NAME = 'Items & Services';
export const MAX_QUOTE_SECTIONS = 50;
/** Maximum number of line items in a quote, and in the job created from it. */
export const MAX_QUOTE_LINES = 500;

export interface QuoteValidity {
  readonly status: QuoteStatus;
  /** Last day ('yyyy-MM-dd') on which the quote can be accepted; null if it never expires. */
  readonly valid_until: string | null;
}

/** Returns true while the quote has no answer from the customer. */
const isOpenStatus = (status: QuoteStatus) => status === 'draft' || status === 'sent';

/** Returns true if the last valid day has passed. `today` is 'yyyy-MM-dd' in the company's time zone. */
export function isPastValidUntil({ valid_until }: Pick<QuoteValidity, 'valid_until'>, today: string): boolean {
  return valid_until !== null && valid_until < today;
}

/** Returns 'expired' for an open quote past its last valid day, whatever status is stored. Answered quotes keep their status. */
export function getQuoteDisplayStatus(quote: QuoteValidity, today: string): QuoteStatus {
  return isOpenStatus(quote.status) && isPastValidUntil(quote, today) ? 'expired' : quote.status;
}

/** Returns true if the customer or the company can still accept or reject the quote. */
export function isQuoteAnswerable(quote: QuoteValidity, today: string): boolean {
  return isOpenStatus(getQuoteDisplayStatus(quote, today));
}

/** Returns false for a quote without items, which can't be sent or accepted. */
export const hasQuoteItems = (sections: readonly { readonly items: readonly unknown[] }[]): boolean =>
  sections.some(({ items }) => items.length > 0);

/** Returns the last valid day of a copy made today. The copy is valid for as many days as the original was when it was created. */
export function calculateCopyValidUntil(
  { created_on, valid_until }: { created_on: string; valid_until: string | null },
  today: string,
): string | null {
  if (valid_until === null || valid_until < created_on) return null;
  const days = Math.round((Date.parse(valid_until) - Date.parse(created_on)) / DAY_MS);
  return addDays(today, days);
}

const QUOTE_NUMBER_COUNT = 1_000_000;

/** Formats the last 6 digits of `ms` as 'Q001234'. They repeat every 1,000 seconds, so callers retry a collision with a higher `offset`. */
export function formatQuoteNumber(ms: number, offset = 0): string {
  return `Q${String((ms + offset) % QUOTE_NUMBER_COUNT).padStart(6, '0')}`;
}

export interface SelectableSection {
  readonly id: string;
  readonly always_required: boolean;
}

/** Preselects the required sections, or a quote's only section, so that customers can accept the quote with one click. */
export function getInitialSelection(sections: readonly SelectableSection[]): string[] {
  const [only, ...others] = sections;
  if (only && others.length === 0) return [only.id];
  return sections.filter(({ always_required }) => always_required).map(({ id }) => id);
}

export const NO_OPTION_SELECTED_ERROR = 'Please select at least one option before accepting the quote';
export const UNKNOWN_OPTION_ERROR = 'This option is not part of the quote';

/** Returns the required and selected sections. Returns an error for an unknown section, or if there are options but none is selected. */
export function resolveAcceptedSections<Accepted extends SelectableSection>(
  sections: readonly Accepted[],
  selectedIds: readonly string[],
): { accepted: Accepted[] } | { error: string } {
  const selected = new Set(selectedIds);
  if (selectedIds.some((id) => !sections.some((section) => section.id === id))) return { error: UNKNOWN_OPTION_ERROR };
  const accepted = sections.filter(({ id, always_required }) => always_required || selected.has(id));
  const optional = sections.filter(({ always_required }) => !always_required);
  const hasSelection = optional.length === 0 || optional.some(({ id }) => selected.has(id));
  return hasSelection ? { accepted } : { error: NO_OPTION_SELECTED_ERROR };
}
