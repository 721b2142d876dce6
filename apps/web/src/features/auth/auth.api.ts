import type { Credentials, NewPassword, ResetRequest } from '@callout/contract/auth';
import { formatWait } from '@callout/domain/time/wait';
import { api } from '../../lib/api.ts';
import { hasCode, retryAfter } from '../../lib/error-messages.ts';

export const signIn = (credentials: Credentials) => api.auth.signIn(credentials);
export const signUp = (credentials: Credentials) => api.auth.signUp(credentials);
export const requestPasswordReset = (request: ResetRequest) => api.auth.requestPasswordReset(request);
export const resetPassword = (change: NewPassword) => api.auth.resetPassword(change);
export const signOut = () => api.auth.signOut();

/** The text for a failed call: the specification's for its code, how long to wait, or `fallback`. */
export function authMessage(error: unknown, fallback: string): string {
  if (hasCode(error, 'INVALID_CREDENTIALS')) return 'Invalid email or password. Please try again.';
  if (hasCode(error, 'EMAIL_TAKEN')) return 'An account with this email already exists. Please sign in.';
  if (hasCode(error, 'TOO_MANY_ATTEMPTS')) return `Too many attempts. Please try again in ${formatWait(retryAfter(error))}.`;
  return fallback;
}
