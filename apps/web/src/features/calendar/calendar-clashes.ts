import type { Clash } from '@callout/contract/calendar';
import { formatTime } from '@callout/domain/time/date-format';

/** '9:00 – 10:30 AM', '11:30 AM – 1:00 PM': the half of the day twice only when it differs. */
export function timesText(start: string, end: string, zone: string): string {
  const [from, to] = [formatTime(start, zone), formatTime(end, zone)];
  return `${from.slice(-2) === to.slice(-2) ? from.slice(0, -3) : from} – ${to}`;
}

/** '30 min', '1 h', '1 h 30 min'. */
export function minutesText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
}

/** Said when a clash is made: with whom, what, when and for how long. */
export function clashText(clash: Clash, count: number, zone: string): string {
  const { staff_name, title, job_number, starts_at, ends_at, overlap_minutes } = clash;
  const what = job_number === null ? title : `${title} (#${job_number})`;
  const more = count > 1 ? `, and ${count - 1} more` : '';
  return `${staff_name} is already busy with ${what}, ${timesText(starts_at, ends_at, zone)}: overlaps by ${minutesText(overlap_minutes)}${more}.`;
}
