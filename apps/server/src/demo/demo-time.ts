import { HOUR_MS } from '@callout/domain/time/time-units';

/** Unlike that of domain, with numbers: nothing of the demo firm has to be exact. */
export const hoursLater = (instant: string, hours: number) => new Date(Date.parse(instant) + hours * HOUR_MS).toISOString();
