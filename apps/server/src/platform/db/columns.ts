import { customType, numeric } from 'drizzle-orm/pg-core';

/** An amount with two decimals, read and written as a string so that it stays exact. */
export const money = () => numeric({ precision: 12, scale: 2 });

/** A sum of amounts, which can have more digits than one amount. */
export const moneySum = () => numeric({ precision: 20, scale: 2 });

/** A timestamp with milliseconds, represented as an ISO 8601 string in UTC both in rows and in the API. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: toIsoInstant,
  toDriver: (value) => value,
});

const [LENGTH_WITH_MS, LENGTH_WITHOUT_MS] = ['2026-11-15 04:28:55.123+00', '2026-11-15 04:28:55+00'].map(({ length }) => length);

/** Converts a UTC timestamp from PostgreSQL's format to ISO 8601, restoring the trailing zeros that PostgreSQL omits. */
function toIsoInstant(value: string): string {
  if (value.endsWith('+00')) {
    if (value.length === LENGTH_WITH_MS) return `${value.slice(0, 10)}T${value.slice(11, 23)}Z`;
    if (value.length === LENGTH_WITHOUT_MS) return `${value.slice(0, 10)}T${value.slice(11, 19)}.000Z`;
  }
  return new Date(value).toISOString();
}
