import { HOUR_MS } from '@callout/domain/time/time-units';

/** Adds hours given as a number. The domain package's version takes an exact decimal string, which the demo doesn't need. */
export const addHours = (instant: string, hours: number) => new Date(Date.parse(instant) + hours * HOUR_MS).toISOString();
