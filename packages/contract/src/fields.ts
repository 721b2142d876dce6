import { isDecimalAmount, isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { formatCount } from '@callout/domain/text/count-format';
import { containsUrl, isEmail } from '@callout/domain/validation/text-rules';
import { z } from 'zod';

/** Field schemas that all other schemas are built from. Each trims its text, limits its length and reports errors as one sentence. */

/** Fallback messages for values that no form can send, so that fields don't need their own message for them. */
z.config({
  localeError: ({ code, input }) => {
    if (input === undefined) return 'This is required';
    return code === 'invalid_value' ? 'Please choose one of the listed options' : 'This value is not valid';
  },
});

// Converted to lowercase, like the ids that PostgreSQL returns, because ids are compared as text and used as file names.
export const Id = z.uuid('This is not a valid id').toLowerCase();

/** The largest value a PostgreSQL integer column can hold. */
export const MAX_INTEGER = 2_147_483_647;

export const RecordVersion = z.int().min(1).max(MAX_INTEGER);

/** An id in a response. Ids are validated when they are stored, so they aren't validated again for every row. */
export const OutputId = z.string().meta({ format: 'uuid' });

/** A timestamp in a response: ISO 8601, in UTC. */
export const Instant = z.string().meta({ format: 'date-time' });

/** A timestamp in a request: years 2000 to 2199, any UTC offset, converted to UTC. */
export const inputInstant = (label: string, message = `${label} is required`) =>
  z.iso
    .datetime({ offset: true, error: message })
    .refine((date) => date >= '2000' && date < '2200', `${label} must be between 2000 and 2199`)
    .transform((date) => new Date(date).toISOString());

const INVALID_DATE_MESSAGE = 'Please enter a date';

/** A date that a list filters by: 'yyyy-MM-dd', years 2000 to 2199. */
export const FilterDate = z.iso
  .date(INVALID_DATE_MESSAGE)
  .refine((date) => date >= '2000-01-01' && date < '2200-01-01', INVALID_DATE_MESSAGE);

/** Replaces unpaired surrogates, such as half of a cut-off emoji, with U+FFFD, because PostgreSQL can't store them. */
const boundedText = (label: string, max: number, clean = (text: string) => text) =>
  z
    .string(`${label} must be text`)
    .overwrite((text) => clean(text.toWellFormed()))
    .trim()
    .max(max, `${label} must be at most ${formatCount(max)} characters`);

const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
const CONTROL_CHARACTER = /\p{Cc}/u;
const CONTROL_EXCEPT_NEWLINE_OR_TAB = /[^\P{Cc}\n\r\t]/u;
const notStorableMessage = (label: string) => `${label} contains a character that cannot be stored`;

/**
 * Invisible marks that change the text direction and can be used to disguise a name. They are removed rather than rejected, because phone
 * numbers copied from an address book contain them, and records already stored with one must stay editable.
 */
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Replaces tabs with spaces, because cells pasted from a spreadsheet are separated by tabs. */
const singleLineText = (label: string, max: number) =>
  boundedText(label, max, (text) => text.replace(DIRECTION_MARKS, '').replaceAll('\t', ' '))
    .refine((text) => !LINE_BREAK.test(text), `${label} must be on one line`)
    .refine((text) => !CONTROL_CHARACTER.test(text), notStorableMessage(label));

const longText = (label: string, max: number) =>
  boundedText(label, max).refine((text) => !CONTROL_EXCEPT_NEWLINE_OR_TAB.test(text), notStorableMessage(label));

const toRequired = (text: z.ZodString, label: string, message = `${label} is required`) => text.min(1, message);

/** Converts empty text to null. */
const toOptional = (text: z.ZodString) => text.nullish().transform((typed) => typed || null);

export const requiredText = (label: string, max: number, message?: string) => toRequired(singleLineText(label, max), label, message);

export const optionalText = (label: string, max: number) => toOptional(singleLineText(label, max));

export const requiredLongText = (label: string, max: number) => toRequired(longText(label, max), label);

export const optionalLongText = (label: string, max: number) => toOptional(longText(label, max));

export const urlNotAllowedMessage = (label: string) => `${label} must not contain a web address. Put a space after each dot.`;

/** A person's or company's name. URLs are rejected, because emails to strangers contain the name and mail clients would link it. */
export const requiredName = (label: string, max: number) =>
  requiredText(label, max).refine((text) => !containsUrl(text), urlNotAllowedMessage(label));

export const optionalName = (label: string, max: number) =>
  optionalText(label, max).refine((text) => text === null || !containsUrl(text), urlNotAllowedMessage(label));

export const INVALID_EMAIL_MESSAGE = 'Please enter a valid email address';

export const requiredEmail = (label: string) =>
  requiredText(label, 254).refine((text) => text === '' || isEmail(text), INVALID_EMAIL_MESSAGE);

export const optionalEmail = (label: string) =>
  optionalText(label, 254).refine((text) => text === null || isEmail(text), INVALID_EMAIL_MESSAGE);

const MAX_AMOUNT_LENGTH = 30;
const invalidAmountMessage = (label: string) => `${label} must be 0 or more, with up to 2 decimal places`;
const amountTooLargeMessage = (label: string) => `${label} must be at most ${MAX_AMOUNT_TEXT}`;

/** An amount of money as a decimal string, such as '45.50'. */
export const requiredAmount = (label: string) =>
  requiredText(label, MAX_AMOUNT_LENGTH)
    .refine((text) => text === '' || isDecimalAmount(text), invalidAmountMessage(label))
    .refine((text) => !isDecimalAmount(text) || isStorableAmount(text), amountTooLargeMessage(label));

export const optionalAmount = (label: string) =>
  optionalText(label, MAX_AMOUNT_LENGTH)
    .refine((text) => text === null || isDecimalAmount(text), invalidAmountMessage(label))
    .refine((text) => text === null || !isDecimalAmount(text) || isStorableAmount(text), amountTooLargeMessage(label));

const PERCENTAGE_PATTERN = /^\d{1,3}(\.\d{1,3})?$/;
const TOO_MANY_DECIMALS = /^\d{1,3}\.\d{4,}$/;
/** A percentage as a decimal string with at most three decimal places; `isInRange` checks its bounds. */
export const requiredPercentage = (label: string, isInRange: (percentage: string) => boolean, range: string) =>
  requiredText(label, 10)
    .refine((text) => !TOO_MANY_DECIMALS.test(text), 'Use at most 3 decimal places.')
    .refine(
      (text) => text === '' || TOO_MANY_DECIMALS.test(text) || (PERCENTAGE_PATTERN.test(text) && isInRange(text)),
      `${label} must be a number ${range}`,
    );

/** Marks where the next page starts; opaque to clients. Two sort keys of 100 four-byte characters take 1,200 characters together. */
export const Cursor = z.string().max(2000);

export const SORT_ORDERS = ['asc', 'desc'] as const;
export const SortOrder = z.enum(SORT_ORDERS);
export type SortOrder = z.infer<typeof SortOrder>;

export const SearchTerm = z
  .string()
  .trim()
  .max(200, 'Search must be at most 200 characters')
  .refine((text) => !text.includes('\0'), 'Search contains an invalid character');
