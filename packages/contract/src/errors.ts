import { z } from 'zod';

/** Every error code with its HTTP status. */
export const ERROR_STATUS = {
  /** The input does not match its schema; data.fields has one message per invalid field. */
  INVALID_INPUT: 422,
  /** There is no session, or it has expired; data.removed_from is the company's name if it ended with the person's membership. */
  UNAUTHENTICATED: 401,
  /** The email address or password is wrong. */
  INVALID_CREDENTIALS: 401,
  /** The person is signed in, but their role does not allow this. */
  FORBIDDEN: 403,
  /** The company is about to be deleted, and until then only the deletion can be undone. */
  COMPANY_CLOSED: 403,
  /** The record does not exist or belongs to another company. Both get the same response, so that ids can't be probed. */
  NOT_FOUND: 404,
  /** The body is not valid JSON, or the call does not accept its content type. */
  UNREADABLE: 400,
  /** The record has changed since the caller read it; data.current is the stored record. */
  STALE_VERSION: 409,
  ID_TAKEN: 409,
  /** An account or staff member already has this email address. */
  EMAIL_TAKEN: 409,
  /** People must confirm their own email address before they can invite or email others. */
  EMAIL_UNCONFIRMED: 409,
  NAME_TAKEN: 409,
  /** Another item of this supplier already has this SKU. */
  SKU_TAKEN: 409,
  /** All job or quote numbers have been used. */
  NO_NUMBER_LEFT: 409,
  /** The person's timer is running on another job; data identifies that job. */
  TIMER_RUNNING: 409,
  /** The person has other time at the moment when the timer was started without a connection; data identifies it. */
  TIME_TAKEN: 409,
  /** The job is complete, invoiced, paid or canceled. */
  JOB_FINISHED: 409,
  /** Payments already cover the amount due for the job. */
  JOB_PAID: 409,
  /** The job has a fixed price: the call must say what its first items do to it, or the caller may not change the line that holds it. */
  FIXED_PRICE: 409,
  /** The job has an invoice or a payment. */
  JOB_BILLED: 409,
  /** An invoice was issued after the status change that someone wants to undo. */
  INVOICED_SINCE: 409,
  /** The job or invoice has changed since the caller read it. */
  INVOICE_CHANGED: 409,
  /** The invoice was replaced or canceled. */
  INVOICE_CLOSED: 409,
  NOTHING_TO_BILL: 409,
  /** The payment has already been reversed, or is itself a reversal. */
  PAYMENT_REVERSED: 409,
  /** The quote was answered or has expired; data has its status and job number. */
  QUOTE_CLOSED: 409,
  /** The quote has changed since the customer read it. */
  QUOTE_CHANGED: 409,
  /** A quote without items can't be sent or accepted. */
  QUOTE_EMPTY: 409,
  NO_EMAIL: 409,
  /** All time worked on this job has already been billed. */
  NOTHING_TO_ALLOCATE: 409,
  /** The company or job has reached its maximum number of records of this kind. */
  LIMIT_REACHED: 409,
  /** A company must keep at least one admin who can sign in. */
  LAST_ADMIN: 409,
  /** The current password, required for this change, is wrong. */
  WRONG_PASSWORD: 403,
  /** The text typed to confirm a deletion does not match. */
  NOT_CONFIRMED: 409,
  /** An action that is only possible once has already been performed. */
  ALREADY_DONE: 409,
  /** An emailed link has already been used or has expired. */
  LINK_EXPIRED: 410,
  TOO_LARGE: 413,
  /** The upload would exceed the company's storage quota. */
  QUOTA_EXCEEDED: 413,
  /** The server's disk is nearly full, so uploads are rejected. */
  DISK_FULL: 507,
  /** The file's content is not of an accepted type. */
  UNSUPPORTED_FILE: 415,
  /** Too many attempts; data.retry_after is the number of seconds to wait. */
  TOO_MANY_ATTEMPTS: 429,
  /** The database can't be reached right now, or others keep the server or the record busy. Nothing was changed. */
  UNAVAILABLE: 503,
  /** An unexpected error; data.reference is the request's id, under which the log has its details. */
  INTERNAL: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_STATUS, code);
}

export const InvalidFields = z.object({ fields: z.record(z.string(), z.string()) });
export type InvalidFields = z.infer<typeof InvalidFields>;

export const RetryAfter = z.object({
  /** Seconds. */
  retry_after: z.number(),
  /** True if a password reset helps instead of waiting. The message explains how. */
  offers_password_reset: z.boolean().optional(),
});
export type RetryAfter = z.infer<typeof RetryAfter>;

export const commonErrors = {
  INVALID_INPUT: { status: ERROR_STATUS.INVALID_INPUT, message: 'Please check the highlighted fields.', data: InvalidFields },
  UNAUTHENTICATED: {
    status: ERROR_STATUS.UNAUTHENTICATED,
    message: 'No authenticated user',
    data: z.object({ removed_from: z.string() }).optional(),
  },
  FORBIDDEN: { status: ERROR_STATUS.FORBIDDEN, message: 'You do not have permission to do this' },
  COMPANY_CLOSED: { status: ERROR_STATUS.COMPANY_CLOSED, message: 'This company is closed and will be deleted.' },
  TOO_MANY_ATTEMPTS: {
    status: ERROR_STATUS.TOO_MANY_ATTEMPTS,
    message: 'Too many attempts. Please wait a moment and try again.',
    data: RetryAfter,
  },
  TOO_LARGE: { status: ERROR_STATUS.TOO_LARGE, message: 'This request is too large.' },
  UNAVAILABLE: { status: ERROR_STATUS.UNAVAILABLE, message: 'The service is not available right now. Please try again in a moment.' },
} as const;

export const linkExpiredError = {
  LINK_EXPIRED: { status: ERROR_STATUS.LINK_EXPIRED, message: 'This link has already been used or has expired. Please request a new one.' },
} as const;

export const notFoundError = (message: string) => ({ NOT_FOUND: { status: ERROR_STATUS.NOT_FOUND, message } }) as const;

/** Builds the error for a limit on records. Records that are listed without pagination are limited in number. */
export const limitReachedError = (message: string) => ({ LIMIT_REACHED: { status: ERROR_STATUS.LIMIT_REACHED, message } }) as const;

const STALE_VERSION = { status: ERROR_STATUS.STALE_VERSION, message: 'Someone else has changed this record.' } as const;

/** Builds the error for an update based on an outdated version. `current` is the schema of the stored record. */
export const staleVersionError = <Current extends z.ZodType>(current: Current) =>
  ({ STALE_VERSION: { ...STALE_VERSION, data: z.object({ current }) } }) as const;

export const staleRecordError = { STALE_VERSION } as const;

/** Errors that every upload route may return. */
export const storageErrors = {
  QUOTA_EXCEEDED: {
    status: ERROR_STATUS.QUOTA_EXCEEDED,
    message: 'Your company has no file storage left. Please delete files you no longer need.',
  },
  DISK_FULL: {
    status: ERROR_STATUS.DISK_FULL,
    message: 'Files cannot be uploaded right now: the server is running out of disk space.',
  },
} as const;

/** The message of UNAVAILABLE if the store of files can't be reached. Everything else works. */
export const FILES_UNAVAILABLE_MESSAGE = 'Files are not available right now. Please try again in a moment.';

export const idTakenError = { ID_TAKEN: { status: ERROR_STATUS.ID_TAKEN, message: 'A record with this id already exists.' } } as const;
