import type { RecordEvent } from '@callout/contract/comments';
import { durationText } from '@callout/domain/durations/duration';
import { PAYMENT_METHOD_WORDS } from '@callout/domain/invoices/invoice';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatCivilDate, formatDate, formatDateTime, formatDay, formatTime } from '@callout/domain/time/date-format';
import { elapsedText } from '@callout/domain/timer/elapsed-time';
import { statusPill } from './job-filter.ts';

/** How values are shown. */
interface Reader {
  readonly zone: string;
  readonly currency: string | null | undefined;
}

/** What somebody did, as the rest of a sentence that starts with their name. */
export function eventText({ at, action, changes }: RecordEvent, reader: Reader): string {
  const show = valuesFor(at, reader);
  const text = ACTIONS[action]?.(changes, show);
  if (text !== undefined) return text;
  const phrases = Object.entries(changes)
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
    .map(([field, [before, after]]) => phraseOf(field, before, after, show));
  return phrases.length > 0 ? listed(phrases) : 'changed the job';
}

/** What matters most is said first; the database keeps no order. */
const FIRST_FIELDS = ['booking_date', 'status', 'assigned_to', 'title', 'duration'];

function rankOf(field: string): number {
  const index = FIRST_FIELDS.indexOf(field);
  return index === -1 ? FIRST_FIELDS.length : index;
}

type Show = ReturnType<typeof valuesFor>;
type Changes = RecordEvent['changes'];

function valuesFor(at: string, { zone, currency }: Reader) {
  return {
    moment: (instant: string) =>
      isSameYear(formatDate(instant, zone), formatDate(at, zone))
        ? `${formatDay(instant, zone)}, ${formatTime(instant, zone)}`
        : formatDateTime(instant, zone),
    money: (amount: string) => formatMoney(amount, currency),
  };
}

const isSameYear = (one: string, other: string) => one.slice(-4) === other.slice(-4);

const ACTIONS: Readonly<Record<string, ((changes: Changes, show: Show) => string) | undefined>> = {
  created: ({ booking_date, assigned_to }, { moment }) => {
    const [date, name] = [booking_date?.[1], assigned_to?.[1]];
    return `created the job${date ? ` for ${moment(date)}` : ''}${name ? `, assigned to ${name}` : ''}`;
  },
  timer_started: () => 'started the timer',
  timer_paused: ({ timer_of }) => (timer_of?.[1] ? `paused the timer of ${timer_of[1]}` : 'paused the timer'),
  time_allocated: ({ seconds, item_added }) =>
    `billed ${seconds?.[1] ? elapsedText(Number(seconds[1])) : 'the time'} as ${item_added?.[1] ?? 'an item'}`,
  invoiced: ({ invoice_number: number, total_amount: total }, { money }) => {
    const of = total?.[1] ? ` of ${money(total[1])}` : '';
    return `issued ${number?.[1] ?? 'the invoice'}${of}${number?.[0] ? `, which replaces ${number[0]}` : ''}`;
  },
  'invoice-mailed': ({ invoice_number: number, recipient }) => `sent ${number?.[1] ?? 'the invoice'}${toRecipient(recipient?.[1])}`,
  reminded: ({ invoice_number: number, recipient }) => `sent a reminder of ${number?.[1] ?? 'the invoice'}${toRecipient(recipient?.[1])}`,
  'mail-failed': ({ invoice_number: number, recipient, problem }) =>
    `couldn't deliver ${number?.[1] ?? 'the invoice'}${toRecipient(recipient?.[1])}${problem?.[1] ? `: ${problem[1]}` : ''}`,
  credited: ({ credit_note: note, reason }) =>
    `canceled ${note?.[0] ?? 'the invoice'} with ${note?.[1] ?? 'a credit note'}${reason?.[1] ? `: ${reason[1]}` : ''}`,
  payment_recorded: ({ amount, paid_on, method }, { money }) => {
    const day = paid_on?.[1] ? `, paid on ${formatCivilDate(paid_on[1])}` : '';
    return `recorded a payment of ${amount?.[1] ? money(amount[1]) : 'an unknown amount'}${by(method?.[1])}${day}`;
  },
  payment_reversed: ({ amount, paid_on }, { money }) =>
    `reversed the payment${amount?.[0] ? ` of ${money(amount[0])}` : ''}${paid_on?.[0] ? ` of ${formatCivilDate(paid_on[0])}` : ''}`,
};

const toRecipient = (recipient: string | null | undefined) => (recipient ? ` to ${recipient}` : '');

/** Of a method that this page knows. */
function by(method: string | null | undefined): string {
  const word = Object.entries(PAYMENT_METHOD_WORDS).find(([key]) => key === method)?.[1];
  return word && method !== 'other' ? ` (${word})` : '';
}

function phraseOf(field: string, before: string | null, after: string | null, show: Show): string {
  const phrase = PHRASES[field];
  if (phrase) return phrase(before, after, show);
  const format = VALUES[field];
  const name = field.replaceAll('_', ' ');
  // What this page does not know yet may hold anything: only its name is shown.
  return format ? changed(name, before && format(before, show), after && format(after, show)) : `changed the ${name}`;
}

type Phrase = (before: string | null, after: string | null, show: Show) => string;

/** Fields that people have their own words for. */
const PHRASES: Readonly<Record<string, Phrase | undefined>> = {
  title: (before, after) => `renamed it from “${before}” to “${after}”`,
  booking_date: (before, after, { moment }) => {
    if (!after) return 'removed the booking';
    return before ? `moved the booking from ${moment(before)} to ${moment(after)}` : `booked it for ${moment(after)}`;
  },
  assigned_to: (before, after) => {
    if (!after) return `unassigned ${before}`;
    return before ? `reassigned it from ${before} to ${after}` : `assigned it to ${after}`;
  },
  item_added: (_before, after) => `added ${after}`,
  item_removed: (before) => `removed ${before}`,
  item_quantity: (before, after) => quantityText(before, after) ?? `changed ${before} to ${after}`,
  ended_at: (before, after, { moment }) =>
    `corrected the end of work${before ? ` from ${moment(before)}` : ''}${after ? ` to ${moment(after)}` : ''}`,
};

const LINE = /^(\S+) × (.+)$/s;

/** '1 × Tap' and '3 × Tap': 'changed the quantity of Tap from 1 to 3'. */
function quantityText(before: string | null, after: string | null): string | undefined {
  const [, from, name] = LINE.exec(before ?? '') ?? [];
  const [, to, newName] = LINE.exec(after ?? '') ?? [];
  return name !== undefined && name === newName ? `changed the quantity of ${name} from ${from} to ${to}` : undefined;
}

/** Fields whose values are shown, and how. */
const VALUES: Readonly<Record<string, ((value: string, show: Show) => string) | undefined>> = {
  status: (status) => statusPill(status).text,
  duration: (hours) => durationText(hours),
  categories: (names) => names,
  address: (address) => address.replaceAll(/\s*\n\s*/g, ', '),
  job_type: (type) => (type === 'hourly' ? 'Hourly' : 'Fixed'),
  fixed_amount: (amount, { money }) => money(amount),
  hourly_rate: (amount, { money }) => money(amount),
};

function changed(name: string, before: string | null, after: string | null): string {
  if (!after) return `removed the ${name}${before ? ` ${before}` : ''}`;
  return before ? `changed the ${name} from ${before} to ${after}` : `set the ${name} to ${after}`;
}

const listed = (phrases: readonly string[]) => [phrases.slice(0, -1).join(', '), phrases.at(-1)].filter(Boolean).join(' and ');
