export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** Exactly 24 hours; a calendar day on which clocks change is shorter or longer. */
export const DAY_MS = 24 * HOUR_MS;
