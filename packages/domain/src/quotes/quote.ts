import { DAY_MS } from '../time/time-units.ts';
import { addDays } from '../time/zoned-time.ts';

export const QUOTE_STATUSES = ['draft', 'sent', 'accepted', 'rejected', 'expired'] as const;
export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

/** What a person may set by hand: the others come from an answer or from the calendar. */
export const SETTABLE_QUOTE_STATUSES = ['draft', 'sent'] as const satisfies readonly QuoteStatus[];
export type SettableQuoteStatus = (typeof SETTABLE_QUOTE_STATUSES)[number];

export const DEFAULT_SECTION_NAME = 'Items & Services';
export const MAX_SECTIONS = 50;
/** Of one quote. A job made from it can hold as many. */
export const MAX_QUOTE_LINES = 500;

export interface AnswerableQuote {
  readonly status: QuoteStatus;
  /** 'yyyy-MM-dd', the last day on which it can be accepted; null when it never expires. */
  readonly valid_until: string | null;
}

/** Waits for the customer's answer. */
const isOpen = (status: QuoteStatus) => status === 'draft' || status === 'sent';

/** Whether the last day has passed; `today` is the day ('yyyy-MM-dd') in the company's time zone. */
export function isPastValidUntil({ valid_until }: Pick<AnswerableQuote, 'valid_until'>, today: string): boolean {
  return valid_until !== null && valid_until < today;
}

/** The status a person sees: an open quote past its last day is expired, whatever is stored; an answer stays an answer. */
export function shownQuoteStatus(quote: AnswerableQuote, today: string): QuoteStatus {
  return isOpen(quote.status) && isPastValidUntil(quote, today) ? 'expired' : quote.status;
}

/** Whether it can be accepted or rejected, by the customer as by the company. */
export function isActionable(quote: AnswerableQuote, today: string): boolean {
  return isOpen(shownQuoteStatus(quote, today));
}

/** Whether sections hold anything that could be sent or accepted. */
export const hasItems = (sections: readonly { readonly items: readonly unknown[] }[]): boolean =>
  sections.some(({ items }) => items.length > 0);

/** The last day of a copy made today: as many days from today as the original had from the day it was created. */
export function copiedValidUntil(
  { created_on, valid_until }: { created_on: string; valid_until: string | null },
  today: string,
): string | null {
  if (valid_until === null || valid_until < created_on) return null;
  const days = Math.round((Date.parse(valid_until) - Date.parse(created_on)) / DAY_MS);
  return addDays(today, days);
}

const QUOTE_NUMBER_COUNT = 1_000_000;

/**
 * 'Q001234': the last 6 digits of the time in milliseconds. Those repeat every 1,000 seconds, so a company that has the number already
 * takes one of the next: `offset` counts them.
 */
export function quoteNumber(ms: number, offset = 0): string {
  return `Q${String((ms + offset) % QUOTE_NUMBER_COUNT).padStart(6, '0')}`;
}

export interface Section {
  readonly id: string;
  readonly always_required: boolean;
}

/** What is chosen when a quote is opened: what is required, and a single optional section, which there is no reason to leave out. */
export function initialSelection(sections: readonly Section[]): string[] {
  const [only, ...others] = sections;
  if (only && others.length === 0) return [only.id];
  return sections.filter(({ always_required }) => always_required).map(({ id }) => id);
}

export const NO_OPTION_SELECTED = 'Please select at least one option before accepting the quote';
export const UNKNOWN_OPTION = 'This option is not part of the quote';

/**
 * The sections that are accepted with this choice, in the quote's order: required ones always are. An error when the choice names a section
 * of another quote, or none of the optional ones.
 */
export function acceptedSections<Accepted extends Section>(
  sections: readonly Accepted[],
  chosenIds: readonly string[],
): { accepted: Accepted[] } | { error: string } {
  const chosen = new Set(chosenIds);
  if (chosenIds.some((id) => !sections.some((section) => section.id === id))) return { error: UNKNOWN_OPTION };
  const accepted = sections.filter(({ id, always_required }) => always_required || chosen.has(id));
  const optional = sections.filter(({ always_required }) => !always_required);
  const isAnyChosen = optional.length === 0 || optional.some(({ id }) => chosen.has(id));
  return isAnyChosen ? { accepted } : { error: NO_OPTION_SELECTED };
}
