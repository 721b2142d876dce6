import { customType } from 'drizzle-orm/pg-core';

/** A moment, to the millisecond, as ISO 8601 in UTC: the same text in rows, on the wire and in cursors. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
  toDriver: (value) => value,
});
