import { HOUR_MS } from '@callout/domain/time/time-units';

/** Takes a number of hours, unlike the exact decimal version in the domain package, because demo times needn't be exact. */
export const addHours = (instant: string, hours: number) => new Date(Date.parse(instant) + hours * HOUR_MS).toISOString();
