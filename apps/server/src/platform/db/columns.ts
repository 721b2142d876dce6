import { customType, numeric } from 'drizzle-orm/pg-core';

/** Exact text with 2 decimals. */
export const money = () => numeric({ precision: 12, scale: 2 });

/** A timestamp with milliseconds as ISO 8601 in UTC: the same text in rows, in the API and in cursors. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: isoOf,
  toDriver: (value) => value,
});

const [FULL_LENGTH, WHOLE_LENGTH] = ['2026-11-15 04:28:55.123+00', '2026-11-15 04:28:55+00'].map(({ length }) => length);

/** Connections speak UTC, so nearly every value only needs its separators put right; trailing zeros are left out by PostgreSQL. */
function isoOf(value: string): string {
  if (value.endsWith('+00')) {
    if (value.length === FULL_LENGTH) return `${value.slice(0, 10)}T${value.slice(11, 23)}Z`;
    if (value.length === WHOLE_LENGTH) return `${value.slice(0, 10)}T${value.slice(11, 19)}.000Z`;
  }
  return new Date(value).toISOString();
}
