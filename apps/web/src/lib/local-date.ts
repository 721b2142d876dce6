import { formatDate, formatDateTime } from '@callout/domain/time/date-format';
import { browserTimeZone } from './time-zone.ts';

/** In the time zone of the person's browser. */
export const localDate = (instant: string) => formatDate(instant, browserTimeZone());
export const localDateTime = (instant: string) => formatDateTime(instant, browserTimeZone());
