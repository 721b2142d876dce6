/** Adds thousands separators to a whole number: '1204' becomes '1,204'. */
export const groupThousands = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',');

/** Formats 1204 as '1,204'. Avoids Intl, because its first use on a page takes 100 ms on a phone. */
export const formatCount = (count: number): string => groupThousands(String(count));

/** Formats a count with its noun: '1 job', '1,204 jobs'. Pass `many` for irregular plurals such as 'people'. */
export const pluralize = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`;
