/** Adds thousands separators to a whole number: '1204' becomes '1,204'. */
export const groupThousands = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',');

/** Formats 1204 as '1,204'. Avoids Intl, because its first use on a page takes 100 ms on a phone. */
export const formatCount = (count: number): string => groupThousands(String(count));

/** Counts of records stop here, because counting all of a large company's takes longer than listing them. One more means 'or more'. */
export const MAX_COUNT = 1000;

/** Sums that need the rows themselves, as with a search, are given for at most this many rows. */
export const MAX_SUMMED_ROWS = 10_000;

/** Formats a count that may have stopped: '1,000+'. */
export const formatCappedCount = (count: number): string => (isCapped(count) ? `${formatCount(MAX_COUNT)}+` : formatCount(count));

export const isCapped = (count: number): boolean => count > MAX_COUNT;

/** Changes a count, unless it stopped: how many there are is then unknown. */
export const addToCount = (count: number, change: number): number => (isCapped(count) ? count : count + change);

/** Formats a count with its noun: '1 job', '1,204 jobs'. Pass `many` for irregular plurals such as 'people'. */
export const pluralize = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`;
