import type { RecordEvent } from '@callout/contract/comments';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { quoteStatusPill } from './quote-filter.ts';

type Changes = RecordEvent['changes'];

/** What somebody did with a quote, as the rest of a sentence that starts with their name. */
export function quoteEventText({ action, changes }: RecordEvent, currency: string | null | undefined): string {
  const text = ACTIONS[action]?.(changes);
  if (text !== undefined) return text;
  const phrases = Object.entries(changes).map(([field, [before, after]]) => phraseOf(field, before, after, currency));
  return phrases.length > 0 ? listed([...new Set(phrases)]) : 'changed the quote';
}

const ACTIONS: Readonly<Record<string, ((changes: Changes) => string) | undefined>> = {
  created: ({ copied_from }) => (copied_from?.[1] ? `copied the quote from ${copied_from[1]}` : 'created the quote'),
  sent: ({ recipient }) => (recipient?.[1] ? `sent the quote to ${recipient[1]}` : 'sent the quote'),
  accepted: ({ job_number }) => (job_number?.[1] ? `accepted the quote, which created job #${job_number[1]}` : 'accepted the quote'),
  rejected: () => 'rejected the quote',
  reminded: ({ recipient }) => (recipient?.[1] ? `sent a reminder to ${recipient[1]}` : 'sent a reminder'),
  'mail-failed': ({ recipient, problem }) =>
    `couldn't deliver the email${recipient?.[1] ? ` to ${recipient[1]}` : ''}${problem?.[1] ? `: ${problem[1]}` : ''}`,
};

/** Fields whose values are shown, and how. */
const VALUES: Readonly<Record<string, ((value: string, currency: string | null | undefined) => string) | undefined>> = {
  status: (status) => quoteStatusPill(status).text,
  valid_until: (day) => formatCivilDate(day),
  total_amount: (amount, currency) => formatMoney(amount, currency),
  deposit: (terms, currency) => (terms.endsWith('%') ? terms : formatMoney(terms, currency)),
};

const NAMES: Readonly<Record<string, string | undefined>> = { valid_until: 'end date', total_amount: 'total' };

function phraseOf(field: string, before: string | null, after: string | null, currency: string | null | undefined): string {
  if (field === 'title') return `renamed it from “${before}” to “${after}”`;
  const name = NAMES[field] ?? field.replaceAll('_', ' ');
  const format = VALUES[field];
  // What this page does not know yet may hold anything: only its name is shown.
  if (!format) return `changed the ${name}`;
  if (!after) return `removed the ${name}`;
  const shown = format(after, currency);
  return before ? `changed the ${name} from ${format(before, currency)} to ${shown}` : `set the ${name} to ${shown}`;
}

const listed = (phrases: readonly string[]) => [phrases.slice(0, -1).join(', '), phrases.at(-1)].filter(Boolean).join(' and ');
