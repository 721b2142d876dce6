import { hasCode, retryAfter } from '../../lib/error-messages.ts';

/** What a failed attempt says: the spec's text for its code, how long to wait, or else `fallback`. */
export function authFailure(error: unknown, fallback: string): string {
  if (hasCode(error, 'INVALID_CREDENTIALS')) return 'Invalid email or password. Please try again.';
  if (hasCode(error, 'EMAIL_TAKEN')) return 'An account with this email already exists. Please sign in.';
  if (hasCode(error, 'TOO_MANY_ATTEMPTS')) return `Too many attempts. Please try again in ${waitingTime(retryAfter(error))}.`;
  return fallback;
}

function waitingTime(seconds: number | undefined): string {
  if (seconds === undefined || seconds <= 0) return 'a moment';
  if (seconds < 60) return seconds <= 1 ? '1 second' : `${Math.ceil(seconds)} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
