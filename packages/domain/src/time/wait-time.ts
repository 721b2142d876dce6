import { pluralize } from '../text/count-format.ts';

/** Formats a wait as '42 seconds', '2 minutes' or '3 hours'. Rounds up, so that a retry after the displayed time is never too early. */
export function formatWaitTime(seconds: number | undefined): string {
  if (seconds === undefined || seconds <= 0) return 'a moment';
  if (seconds < 60) return pluralize(Math.ceil(seconds), 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 60 ? pluralize(minutes, 'minute') : pluralize(Math.ceil(minutes / 60), 'hour');
}
