import { z } from 'zod';

/** The closed list of error codes. The page turns codes into texts in one place. */
export const errorStatus = {
  /** The input does not match its schema; data.fields has one message per invalid field. */
  INVALID_INPUT: 422,
  /** There is no session, or it has ended. */
  UNAUTHENTICATED: 401,
  /** Wrong email or password at sign-in. */
  INVALID_CREDENTIALS: 401,
  /** The person is known, but their role does not allow this. */
  FORBIDDEN: 403,
  /** The record does not exist or belongs to another company; the response is the same. */
  NOT_FOUND: 404,
  /** The body is not JSON or not of a type this call accepts. */
  UNREADABLE: 400,
  /** Someone else has changed this record; data.current is what they saved. */
  STALE_VERSION: 409,
  /** Another record already has this id. */
  ID_TAKEN: 409,
  /** An account or staff member already has this email. */
  EMAIL_TAKEN: 409,
  /** People must confirm their own email before they invite others. */
  EMAIL_UNCONFIRMED: 409,
  /** Another record of this kind already has this name. */
  NAME_TAKEN: 409,
  /** Another item of this supplier already has this SKU. */
  SKU_TAKEN: 409,
  /** Every number of this month has been given out. */
  NO_NUMBER_LEFT: 409,
  /** The person's timer runs on another job; data names it. */
  TIMER_RUNNING: 409,
  /** The job is complete, invoiced, paid or canceled. */
  JOB_FINISHED: 409,
  /** Payments cover what is due for the job. */
  JOB_PAID: 409,
  /** The job has an invoice or a payment. */
  JOB_BILLED: 409,
  /** The job or the invoice was changed since it was read. */
  INVOICE_CHANGED: 409,
  /** The invoice was replaced or canceled. */
  INVOICE_CLOSED: 409,
  /** There is nothing to bill. */
  NOTHING_TO_BILL: 409,
  /** The payment was reversed before, or is itself a reversal. */
  PAYMENT_REVERSED: 409,
  /** The quote was answered or has expired; data says which, and names its job. */
  QUOTE_CLOSED: 409,
  /** The quote was changed since the customer read it. */
  QUOTE_CHANGED: 409,
  /** Nothing can be sent or accepted without an item. */
  QUOTE_EMPTY: 409,
  /** The customer has no email. */
  NO_EMAIL: 409,
  /** All time worked on this job is billed already. */
  NOTHING_TO_ALLOCATE: 409,
  /** The company or job has as many records of this kind as it can have. */
  LIMIT_REACHED: 409,
  /** A company keeps at least one admin who can sign in. */
  LAST_ADMIN: 409,
  /** The current password, required for this change, is wrong. */
  WRONG_PASSWORD: 403,
  /** The text typed to confirm does not match. */
  NOT_CONFIRMED: 409,
  /** A one-time action was already done with different content. */
  ALREADY_DONE: 409,
  /** A mailed link was used or has expired. */
  LINK_EXPIRED: 410,
  /** The body or file is larger than allowed. */
  TOO_LARGE: 413,
  /** The company's storage quota would be exceeded. */
  QUOTA_EXCEEDED: 413,
  /** The server's disk is nearly full, so uploads are refused. */
  DISK_FULL: 507,
  /** The content of a file is not of an accepted type. */
  UNSUPPORTED_FILE: 415,
  /** Too many attempts; data.retry_after says in how many seconds to try again. */
  TOO_MANY_ATTEMPTS: 429,
  /** The database is not reachable right now. */
  UNAVAILABLE: 503,
  /** An internal error, logged under the request id. */
  INTERNAL: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorStatus, code);
}

export const InvalidFields = z.object({ fields: z.record(z.string(), z.string()) });
export type InvalidFields = z.infer<typeof InvalidFields>;

export const RetryAfter = z.object({ retry_after: z.number() });

/** Errors that any call may return. */
export const commonErrors = {
  INVALID_INPUT: { status: errorStatus.INVALID_INPUT, message: 'Please check the highlighted fields.', data: InvalidFields },
  UNAUTHENTICATED: { status: errorStatus.UNAUTHENTICATED, message: 'No authenticated user' },
  FORBIDDEN: { status: errorStatus.FORBIDDEN, message: 'You do not have permission to do this' },
  TOO_MANY_ATTEMPTS: {
    status: errorStatus.TOO_MANY_ATTEMPTS,
    message: 'Too many attempts. Please wait a moment and try again.',
    data: RetryAfter,
  },
  TOO_LARGE: { status: errorStatus.TOO_LARGE, message: 'That is larger than this call accepts.' },
  UNAVAILABLE: { status: errorStatus.UNAVAILABLE, message: 'The service is not available right now. Please try again in a moment.' },
} as const;

export const linkExpired = {
  LINK_EXPIRED: { status: errorStatus.LINK_EXPIRED, message: 'This link was used before or has expired. Please request a new one.' },
} as const;

export const notFound = (message: string) => ({ NOT_FOUND: { status: errorStatus.NOT_FOUND, message } }) as const;

/** For records that are listed whole, without pages. */
export const limitReached = (message: string) => ({ LIMIT_REACHED: { status: errorStatus.LIMIT_REACHED, message } }) as const;

const STALE_VERSION = { status: errorStatus.STALE_VERSION, message: 'Someone else has changed this record.' } as const;

/** For updates that carry the version they are based on: `current` is the record as it is now. */
export const staleVersion = <Current extends z.ZodType>(current: Current) =>
  ({ STALE_VERSION: { ...STALE_VERSION, data: z.object({ current }) } }) as const;

export const staleRecord = { STALE_VERSION } as const;

/** For upload routes. */
export const storageErrors = {
  QUOTA_EXCEEDED: {
    status: errorStatus.QUOTA_EXCEEDED,
    message: 'Your company has no file storage left. Please delete files you no longer need.',
  },
  DISK_FULL: {
    status: errorStatus.DISK_FULL,
    message: 'Files cannot be uploaded right now: the server is running out of disk space.',
  },
} as const;

export const idTaken = { ID_TAKEN: { status: errorStatus.ID_TAKEN, message: 'A record with this id already exists.' } } as const;
