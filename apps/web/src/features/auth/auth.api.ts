import type { Credentials, NewPassword, ResetRequest } from '@callout/contract/auth';
import { formatWait } from '@callout/domain/time/wait';
import { api } from '../../lib/api.ts';
import { hasCode, isUnreachable, messageOf, retryAfter } from '../../lib/error-messages.ts';
import { toast } from '../../ui/toast.ts';

export const signIn = (credentials: Credentials) => api.auth.signIn(credentials);
export const signUp = (credentials: Credentials) => api.auth.signUp(credentials);
export const requestPasswordReset = (request: ResetRequest) => api.auth.requestPasswordReset(request);
export const viewResetLink = (token: string, signal: AbortSignal) => api.auth.viewResetLink({ token }, { signal });
export const resetPassword = (change: NewPassword) => api.auth.resetPassword(change);
export const signOut = () => api.auth.signOut();

/** One at a time, since there is one form at a time. */
const FAILURE = 'auth-failure';

/** For forms, which show the returned text beside what was typed: it is a message of the page as well. */
export function reportAuthFailure(error: unknown, fallback: string): string {
  const text = authMessage(error, fallback);
  toast.error(text, { id: FAILURE });
  return text;
}

export const clearAuthFailure = () => toast.dismiss(FAILURE);

/** The text for a failed call: the specification's for its code, how long to wait, that the server cannot be reached, or `fallback`. */
export function authMessage(error: unknown, fallback: string): string {
  if (hasCode(error, 'INVALID_CREDENTIALS')) return 'Invalid email or password. Please try again.';
  if (hasCode(error, 'EMAIL_TAKEN')) return 'An account with this email already exists. Please sign in.';
  if (hasCode(error, 'TOO_MANY_ATTEMPTS')) return `Too many attempts. Please try again in ${formatWait(retryAfter(error))}.`;
  if (isUnreachable(error)) return messageOf(error);
  return fallback;
}
