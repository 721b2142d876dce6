import { countText } from '../text/count-text.ts';

/** How long to wait, in words: '42 seconds', '2 minutes', '3 hours'. Rounded up, so that it is never too early. */
export function formatWait(seconds: number | undefined): string {
  if (seconds === undefined || seconds <= 0) return 'a moment';
  if (seconds < 60) return countText(Math.ceil(seconds), 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 60 ? countText(minutes, 'minute') : countText(Math.ceil(minutes / 60), 'hour');
}
