import type { Credentials, NewPassword, PasswordResetRequest } from '@callout/contract/auth';
import type { RetryAfter } from '@callout/contract/errors';
import { formatWaitTime } from '@callout/domain/time/wait-time';
import { api } from '../../lib/api.ts';
import { getErrorMessage, getRetryAfterSeconds, hasErrorCode, isServerUnreachable } from '../../lib/error-messages.ts';

export const signIn = (credentials: Credentials) => api.auth.signIn(credentials);
export const signUp = (credentials: Credentials) => api.auth.signUp(credentials);
export const requestPasswordReset = (request: PasswordResetRequest) => api.auth.requestPasswordReset(request);
export const checkResetLink = (token: string, signal: AbortSignal) => api.auth.viewResetLink({ token }, { signal });
export const resetPassword = (change: NewPassword) => api.auth.resetPassword(change);
export const signOut = () => api.auth.signOut();

/** Returns the specification's text for known error codes, the connection error if the server is unreachable, or else `fallback`. */
export function formatAuthError(error: unknown, fallback: string): string {
  if (hasErrorCode(error, 'INVALID_CREDENTIALS')) return 'Invalid email or password. Please try again.';
  if (hasErrorCode(error, 'EMAIL_TAKEN')) return 'An account with this email already exists. Please sign in.';
  if (hasErrorCode(error, 'TOO_MANY_ATTEMPTS')) {
    // The server's own text says what to do instead of waiting.
    if ((error.data as RetryAfter | undefined)?.offers_password_reset) return error.message;
    return `Too many attempts. Please try again in ${formatWaitTime(getRetryAfterSeconds(error))}.`;
  }
  if (isServerUnreachable(error)) return getErrorMessage(error);
  return fallback;
}
