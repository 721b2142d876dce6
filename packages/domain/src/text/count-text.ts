/** Of a whole number: '1204' becomes '1,204'. */
export const groupThousands = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',');

/** '1,204'. Not by Intl: its first use on a page takes a phone a tenth of a second. */
export const formatCount = (count: number): string => groupThousands(String(count));

/** '1 job', '1,204 jobs'; `many` where an s does not make it: 'people'. */
export const countText = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`;
