import type { RecordEvent } from '@callout/contract/comments';
import { formatDuration } from '@callout/domain/durations/duration';
import { PAYMENT_METHOD_LABELS } from '@callout/domain/invoices/invoice';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatCivilDate, formatDate, formatDateTime, formatDay, formatTime } from '@callout/domain/time/date-format';
import { calculateElapsedSeconds, formatElapsedTime } from '@callout/domain/timer/elapsed-time';
import { getJobStatusPill } from './job-list-filter.ts';

interface EventFormatOptions {
  readonly zone: string;
  readonly currency: string | null | undefined;
}

/** Formats an event as the rest of a sentence that starts with a person's name, e.g. 'removed the booking'. */
export function formatJobEvent({ at, action, changes }: RecordEvent, options: EventFormatOptions): string {
  const formatters = createValueFormatters(at, options);
  const text = ACTION_FORMATTERS[action]?.(changes, formatters);
  if (text !== undefined) return text;
  const phrases = Object.entries(changes)
    .toSorted(([one], [other]) => getFieldRank(one) - getFieldRank(other))
    .map(([field, [before, after]]) => formatFieldChange(field, before, after, formatters));
  return phrases.length > 0 ? joinPhrases(phrases) : 'changed the job';
}

/** Fields to list first, in order of importance. The database stores changes unordered. */
const FIELD_ORDER = ['booking_date', 'status', 'assigned_to', 'title', 'duration'];

function getFieldRank(field: string): number {
  const index = FIELD_ORDER.indexOf(field);
  return index === -1 ? FIELD_ORDER.length : index;
}

type ValueFormatters = ReturnType<typeof createValueFormatters>;
type EventChanges = RecordEvent['changes'];

function createValueFormatters(at: string, { zone, currency }: EventFormatOptions) {
  return {
    formatInstant: (instant: string) =>
      isSameYear(formatDate(instant, zone), formatDate(at, zone))
        ? `${formatDay(instant, zone)}, ${formatTime(instant, zone)}`
        : formatDateTime(instant, zone),
    formatAmount: (amount: string) => formatMoney(amount, currency),
  };
}

const isSameYear = (one: string, other: string) => one.slice(-4) === other.slice(-4);

const ACTION_FORMATTERS: Readonly<Record<string, ((changes: EventChanges, formatters: ValueFormatters) => string) | undefined>> = {
  created: ({ booking_date, assigned_to, copied_from, quote }, { formatInstant }) => {
    // The customer may have accepted the quote online, so "created the job" would name the customer as its author.
    if (quote?.[1]) return `accepted quote ${quote[1]}, which created the job`;
    const [date, name] = [booking_date?.[1], assigned_to?.[1]];
    return `created the job${copied_from?.[1] ? ` as a copy of #${copied_from[1]}` : ''}${date ? ` for ${formatInstant(date)}` : ''}${name ? `, assigned to ${name}` : ''}`;
  },
  copied: ({ copied_to }) => `copied the job${copied_to?.[1] ? ` to #${copied_to[1]}` : ''}`,
  timer_started: () => 'started the timer',
  timer_paused: ({ timer_of, billed_until }, { formatInstant }) => {
    if (timer_of?.[1]) return `paused ${timer_of[1]}'s timer`;
    const [pausedAt, billedUntil] = billed_until ?? [];
    if (!pausedAt || !billedUntil) return 'paused the timer';
    const [paused, billed] = [formatInstant(pausedAt), formatInstant(billedUntil)];
    return paused === billed ? 'paused the timer' : `paused the timer at ${paused}, but time until ${billed} was already allocated`;
  },
  time_added: (changes, { formatInstant }) => `added ${formatWork(changes, formatInstant)}`,
  time_removed: (changes, { formatInstant }) => `deleted ${formatWork(changes, formatInstant)}`,
  time_changed: ({ started_at, ended_at, time_of }, { formatInstant }) => {
    const formatMove = (name: string, [from, to]: readonly (string | null)[] = []) =>
      from && to ? [`${name} from ${formatInstant(from)} to ${formatInstant(to)}`] : [];
    const moves = [...formatMove('start', started_at), ...formatMove('end', ended_at)];
    return `changed ${time_of?.[1] ? `${time_of[1]}'s time` : 'time added by hand'}: ${joinPhrases(moves)}`;
  },
  time_allocated: ({ seconds, item_added }) =>
    `added ${item_added?.[1] ?? 'an item'} for ${seconds?.[1] ? `${formatElapsedTime(Number(seconds[1]))} of ` : ''}tracked time`,
  invoiced: ({ invoice_number: number, total_amount: total }, { formatAmount }) => {
    const amount = total?.[1] ? ` for ${formatAmount(total[1])}` : '';
    return `issued ${number?.[1] ?? 'the invoice'}${amount}${number?.[0] ? `, replacing ${number[0]}` : ''}`;
  },
  'invoice-mailed': ({ invoice_number: number, recipient }) => `sent ${number?.[1] ?? 'the invoice'}${formatRecipient(recipient?.[1])}`,
  'invoice-handed-over': ({ invoice_number: number }) => `handed over ${number?.[1] ?? 'the invoice'}`,
  'hand-over-undone': ({ invoice_number: number }) => `took back that ${number?.[1] ?? 'the invoice'} was handed over`,
  reminded: ({ invoice_number: number, recipient }) =>
    `sent a reminder for ${number?.[1] ?? 'the invoice'}${formatRecipient(recipient?.[1])}`,
  'mail-failed': ({ invoice_number: number, recipient, problem }) =>
    `couldn't deliver ${number?.[1] ?? 'the invoice'}${formatRecipient(recipient?.[1])}${problem?.[1] ? `: ${problem[1]}` : ''}`,
  credited: ({ credit_note: note, reason }) =>
    `canceled ${note?.[0] ?? 'the invoice'} with ${note?.[1] ?? 'a credit note'}${reason?.[1] ? `: ${reason[1]}` : ''}`,
  comment_edited: ({ comment }) => formatCommentEdit(comment?.[0], comment?.[1]),
  comment_deleted: ({ comment, files, author }) => {
    const parts = [comment?.[0] && `“${comment[0]}”`, files?.[0] && `with the files ${files[0]}`].filter(Boolean).join(' ');
    return `deleted ${author?.[0] ? `${author[0]}'s` : 'a'} comment${parts && `: ${parts}`}`;
  },
  payment_recorded: ({ amount, fee, paid_on, method }, { formatAmount }) => {
    const onTop = fee?.[1] ? `, plus a fee of ${formatAmount(fee[1])}` : '';
    const day = paid_on?.[1] ? `, paid on ${formatCivilDate(paid_on[1])}` : '';
    return `recorded a payment of ${amount?.[1] ? formatAmount(amount[1]) : 'an unknown amount'}${formatPaymentMethod(method?.[1])}${onTop}${day}`;
  },
  payment_reversed: ({ amount, paid_on }, { formatAmount }) =>
    `reversed the payment${amount?.[0] ? ` of ${formatAmount(amount[0])}` : ''}${paid_on?.[0] ? ` from ${formatCivilDate(paid_on[0])}` : ''}`,
};

/** Formats '1h of work by Sam, starting Apr 6, 8:00 AM'. */
function formatWork({ period, time_of }: EventChanges, formatInstant: ValueFormatters['formatInstant']): string {
  const [start, end] = period ?? [];
  const worked =
    start && end ? `${formatElapsedTime(calculateElapsedSeconds([{ started_at: start, ended_at: end }], end))} of work` : 'work';
  return `${worked}${time_of?.[1] ? ` by ${time_of[1]}` : ''}${start ? `, starting ${formatInstant(start)}` : ''}`;
}

function formatCommentEdit(before: string | null | undefined, after: string | null | undefined): string {
  if (!before) return `added text to a comment: “${after}”`;
  return after ? `changed a comment from “${before}” to “${after}”` : `removed a comment's text: “${before}”`;
}

const formatRecipient = (recipient: string | null | undefined) => (recipient ? ` to ${recipient}` : '');

/** Returns an empty string for "other" and for methods that this version of the app doesn't know. */
function formatPaymentMethod(method: string | null | undefined): string {
  const label = Object.entries(PAYMENT_METHOD_LABELS).find(([key]) => key === method)?.[1];
  return label && method !== 'other' ? ` (${label})` : '';
}

function formatFieldChange(field: string, before: string | null, after: string | null, formatters: ValueFormatters): string {
  const phrase = FIELD_CHANGE_FORMATTERS[field];
  if (phrase) return phrase(before, after, formatters);
  const format = VALUE_FORMATTERS[field];
  const name = field.replaceAll('_', ' ');
  // An unknown field may hold any kind of value, so show only the field's name.
  return format ? formatValueChange(name, before && format(before, formatters), after && format(after, formatters)) : `changed the ${name}`;
}

type FieldChangeFormatter = (before: string | null, after: string | null, formatters: ValueFormatters) => string;

/** Fields that need their own wording instead of "changed the … from … to …". */
const FIELD_CHANGE_FORMATTERS: Readonly<Record<string, FieldChangeFormatter | undefined>> = {
  title: (before, after) => `renamed it from “${before}” to “${after}”`,
  booking_date: (before, after, { formatInstant }) => {
    if (!after) return 'removed the booking';
    return before ? `moved the booking from ${formatInstant(before)} to ${formatInstant(after)}` : `booked it for ${formatInstant(after)}`;
  },
  assigned_to: (before, after) => {
    if (!after) return `unassigned ${before}`;
    return before ? `reassigned it from ${before} to ${after}` : `assigned it to ${after}`;
  },
  customer: (before, after) => (after ? `set the customer to ${after}` : `deleted the customer ${before}`),
  categories: (before, after) => formatValueChange(!after && !before?.includes(',') ? 'category' : 'categories', before, after),
  hourly_rate_confirmed: (_before, after) => (after ? "chose the job's own hourly rate" : "chose the assigned person's hourly rate"),
  item_added: (_before, after) => `added ${after}`,
  item_removed: (before) => `removed ${before}`,
  item_changed: (before, after, formatters) => formatDiscountChange(before, after, formatters) ?? `changed ${before} to ${after}`,
  item_quantity: (before, after) => formatQuantityChange(before, after) ?? `changed ${before} to ${after}`,
  ended_at: (before, after, { formatInstant }) =>
    `corrected the end time${before ? ` from ${formatInstant(before)}` : ''}${after ? ` to ${formatInstant(after)}` : ''}`,
};

const QUANTITY_PATTERN = /^(\S+) × (.+)$/s;

/** Formats '1 × Tap' and '3 × Tap' as 'changed the quantity of Tap from 1 to 3'. */
function formatQuantityChange(before: string | null, after: string | null): string | undefined {
  const [, from, name] = QUANTITY_PATTERN.exec(before ?? '') ?? [];
  const [, to, newName] = QUANTITY_PATTERN.exec(after ?? '') ?? [];
  return name !== undefined && name === newName ? `changed the quantity of ${name} from ${from} to ${to}` : undefined;
}

const PRICED_LINE_PATTERN = /^(?<line>\S+ × (?<name>.+) at \S+?)(?: \(Discount(?: (?<percent>\S+)%)?: -(?<amount>[\d.,]+)\))?$/s;

/** Formats a change of nothing but the discount as 'gave Tap a 10% discount ($2.53)'. */
function formatDiscountChange(before: string | null, after: string | null, { formatAmount }: ValueFormatters): string | undefined {
  const [old, changed] = [before, after].map((line) => PRICED_LINE_PATTERN.exec(line ?? '')?.groups);
  if (!old || !changed || old['line'] !== changed['line']) return undefined;
  const { name, percent, amount } = changed;
  if (!amount) return old['amount'] ? `removed the discount on ${name}` : undefined;
  const money = formatAmount(amount.replaceAll(',', ''));
  if (old['amount']) return `changed the discount on ${name} to ${percent ? `${percent}% (${money})` : money}`;
  return percent ? `gave ${name} a ${percent}% discount (${money})` : `gave ${name} a discount of ${money}`;
}

const VALUE_FORMATTERS: Readonly<Record<string, ((value: string, formatters: ValueFormatters) => string) | undefined>> = {
  status: (status) => getJobStatusPill(status).text,
  duration: (hours) => formatDuration(hours),
  address: (address) => address.replaceAll(/\s*\n\s*/g, ', '),
  job_type: (type) => (type === 'hourly' ? 'Hourly' : 'Fixed'),
  fixed_amount: (amount, { formatAmount }) => formatAmount(amount),
  hourly_rate: (amount, { formatAmount }) => formatAmount(amount),
};

function formatValueChange(name: string, before: string | null, after: string | null): string {
  if (!after) return `removed the ${name}${before ? ` ${before}` : ''}`;
  return before ? `changed the ${name} from ${before} to ${after}` : `set the ${name} to ${after}`;
}

const joinPhrases = (phrases: readonly string[]) => [phrases.slice(0, -1).join(', '), phrases.at(-1)].filter(Boolean).join(' and ');
