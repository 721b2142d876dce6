import { formatDate, formatDateTime } from '@callout/domain/time/date-format';

/** On the clocks of the person who looks: the zone their browser is set to. */
const here = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const localDate = (instant: string) => formatDate(instant, here());
export const localDateTime = (instant: string) => formatDateTime(instant, here());
