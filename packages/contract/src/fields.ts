import { isAmount, isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { formatCount } from '@callout/domain/text/count-text';
import { containsUrl, isEmail } from '@callout/domain/validation/text-rules';
import { z } from 'zod';

/** The building blocks of every schema: each trims, limits and reports errors in one sentence. */

/** For what has no sentence of its own, because no form sends it. */
z.config({
  localeError: ({ code, input }) => {
    if (input === undefined) return 'This is required';
    return code === 'invalid_value' ? 'Please choose one of the offered values' : 'This is not a valid value';
  },
});

// Lower case, as PostgreSQL returns it: ids also name files and are compared as text.
export const Id = z.uuid('This is not a valid id').toLowerCase();

/** The largest value of an integer column. */
export const MAX_INTEGER = 2_147_483_647;

export const Version = z.int().min(1).max(MAX_INTEGER);

/** An id in a response: created by us, so it is not validated again for every row. */
export const OutputId = z.string().meta({ format: 'uuid' });

/** In responses: a timestamp as ISO 8601 in UTC. */
export const Instant = z.string().meta({ format: 'date-time' });

/** In requests: an instant of a year that calendars reach, with its offset; passed on in UTC. */
export const inputInstant = (label: string) =>
  z.iso
    .datetime({ offset: true, error: `${label} is required` })
    .refine((date) => date >= '2000' && date < '2200', `${label} must be between 2000 and 2199`)
    .transform((date) => new Date(date).toISOString());

/** Half of a character, as a text cut by another program may end with, cannot be stored: it becomes the sign that stands for it. */
const limited = (label: string, max: number, clean = (text: string) => text) =>
  z
    .string(`${label} must be text`)
    .overwrite((text) => clean(text.toWellFormed()))
    .trim()
    .max(max, `${label} must be at most ${formatCount(max)} characters`);

const BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_BREAK_OR_TAB = /[^\P{Cc}\n\r\t]/u;
const unstorable = (label: string) => `${label} contains a character that cannot be stored`;

/**
 * They show nothing and turn the text around them, so that it reads as something else. Removed rather than refused: phone numbers copied
 * from an address book have them, and a record that was stored with one can still be saved.
 */
const DIRECTION = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Cells pasted from a spreadsheet are separated by tabs. */
const oneLine = (label: string, max: number) =>
  limited(label, max, (text) => text.replace(DIRECTION, '').replaceAll('\t', ' '))
    .refine((text) => !BREAK.test(text), `${label} must be on one line`)
    .refine((text) => !CONTROL.test(text), unstorable(label));

const lines = (label: string, max: number) => limited(label, max).refine((text) => !CONTROL_BUT_BREAK_OR_TAB.test(text), unstorable(label));

const required = (text: z.ZodString, label: string, message = `${label} is required`) => text.min(1, message);

/** Empty means absent: stored as null. */
const optional = (text: z.ZodString) => text.nullish().transform((typed) => typed || null);

export const requiredText = (label: string, max: number, message?: string) => required(oneLine(label, max), label, message);

export const optionalText = (label: string, max: number) => optional(oneLine(label, max));

export const requiredLines = (label: string, max: number) => required(lines(label, max), label);

export const optionalLines = (label: string, max: number) => optional(lines(label, max));

export const noUrlMessage = (label: string) => `${label} must not contain a web address. Put a space after each dot.`;

/** The name of a person or company. It appears in mails to strangers, where mail clients would turn a URL into a link. */
export const requiredName = (label: string, max: number) =>
  requiredText(label, max).refine((text) => !containsUrl(text), noUrlMessage(label));

export const optionalName = (label: string, max: number) =>
  optionalText(label, max).refine((text) => text === null || !containsUrl(text), noUrlMessage(label));

export const INVALID_EMAIL = 'Please enter a valid email address';

export const requiredEmail = (label: string) => requiredText(label, 254).refine((text) => text === '' || isEmail(text), INVALID_EMAIL);

export const optionalEmail = (label: string) => optionalText(label, 254).refine((text) => text === null || isEmail(text), INVALID_EMAIL);

const AMOUNT_LENGTH = 30;
const notAnAmount = (label: string) => `${label} must be 0 or more, with up to 2 decimal places`;
const tooLarge = (label: string) => `${label} must be at most ${MAX_AMOUNT_TEXT}`;

/** Money as exact text. */
export const requiredAmount = (label: string) =>
  requiredText(label, AMOUNT_LENGTH)
    .refine((text) => text === '' || isAmount(text), notAnAmount(label))
    .refine((text) => !isAmount(text) || isStorableAmount(text), tooLarge(label));

export const optionalAmount = (label: string) =>
  optionalText(label, AMOUNT_LENGTH)
    .refine((text) => text === null || isAmount(text), notAnAmount(label))
    .refine((text) => text === null || !isAmount(text) || isStorableAmount(text), tooLarge(label));

/** Exact text with at most three decimals that its rule accepts. */
const DECIMAL = /^\d{1,3}(\.\d{1,3})?$/;
const TOO_EXACT = /^\d{1,3}\.\d{4,}$/;
export const percentage = (label: string, isInRange: (percentage: string) => boolean, range: string) =>
  requiredText(label, 10)
    .refine((text) => !TOO_EXACT.test(text), 'Use at most 3 decimal places.')
    .refine((text) => text === '' || TOO_EXACT.test(text) || (DECIMAL.test(text) && isInRange(text)), `${label} must be a number ${range}`);

/** Where the next page starts; opaque to clients. Two sort keys of text, each 100 characters of 4 bytes, need 1,200. */
export const Cursor = z.string().max(2000);

export const SORT_ORDERS = ['asc', 'desc'] as const;
export const SortOrder = z.enum(SORT_ORDERS);
export type SortOrder = z.infer<typeof SortOrder>;

export const Search = z
  .string()
  .trim()
  .max(200, 'Please search for at most 200 characters')
  .refine((text) => !text.includes('\0'), 'This cannot be searched for');
