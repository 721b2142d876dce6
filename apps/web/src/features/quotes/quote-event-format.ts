import type { RecordEvent } from '@callout/contract/comments';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { getQuoteStatusPill } from './quote-list-filter.ts';

type FieldChanges = RecordEvent['changes'];

/** Formats an event as the rest of a sentence that starts with a person's name, e.g. 'changed the title'. */
export function formatQuoteEvent({ action, changes }: RecordEvent, currency: string | null | undefined): string {
  const text = ACTION_FORMATTERS[action]?.(changes);
  if (text !== undefined) return text;
  const phrases = Object.entries(changes).map(([field, [before, after]]) => formatFieldChange(field, before, after, currency));
  return phrases.length > 0 ? joinPhrases([...new Set(phrases)]) : 'changed the quote';
}

const ACTION_FORMATTERS: Readonly<Record<string, ((changes: FieldChanges) => string) | undefined>> = {
  created: ({ copied_from }) => (copied_from?.[1] ? `copied the quote from ${copied_from[1]}` : 'created the quote'),
  sent: ({ recipient }) => (recipient?.[1] ? `sent the quote to ${recipient[1]}` : 'sent the quote'),
  accepted: ({ job_number }) => (job_number?.[1] ? `accepted the quote, which created job #${job_number[1]}` : 'accepted the quote'),
  rejected: () => 'rejected the quote',
  reminded: ({ recipient }) => (recipient?.[1] ? `sent a reminder to ${recipient[1]}` : 'sent a reminder'),
  'mail-failed': ({ recipient, problem }) =>
    `couldn't deliver the email${recipient?.[1] ? ` to ${recipient[1]}` : ''}${problem?.[1] ? `: ${problem[1]}` : ''}`,
};

const VALUE_FORMATTERS: Readonly<Record<string, ((value: string, currency: string | null | undefined) => string) | undefined>> = {
  status: (status) => getQuoteStatusPill(status).text,
  customer: (name) => name,
  valid_until: (day) => formatCivilDate(day),
  total_amount: (amount, currency) => formatMoney(amount, currency),
  deposit: (terms, currency) => (terms.endsWith('%') ? terms : formatMoney(terms, currency)),
};

const FIELD_LABELS: Readonly<Record<string, string | undefined>> = { valid_until: 'expiry date', total_amount: 'total' };

function formatFieldChange(field: string, before: string | null, after: string | null, currency: string | null | undefined): string {
  if (field === 'title') return `renamed it from “${before}” to “${after}”`;
  const name = FIELD_LABELS[field] ?? field.replaceAll('_', ' ');
  const format = VALUE_FORMATTERS[field];
  // A field added by a newer server has no formatter, so only its name is displayed.
  if (!format) return `changed the ${name}`;
  if (!after) return before && field === 'customer' ? `deleted the customer ${before}` : `removed the ${name}`;
  const newValue = format(after, currency);
  return before ? `changed the ${name} from ${format(before, currency)} to ${newValue}` : `set the ${name} to ${newValue}`;
}

const joinPhrases = (phrases: readonly string[]) => [phrases.slice(0, -1).join(', '), phrases.at(-1)].filter(Boolean).join(' and ');
