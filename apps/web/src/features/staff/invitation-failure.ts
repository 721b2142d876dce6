import { CallError, hasCode, isSignedOut, messageOf, UNEXPECTED } from '../../lib/error-messages.ts';

/** What stands behind 'Failed to add staff member: ' when an invitation could not be sent. */
export function invitationFailure(error: unknown): string {
  if (isSignedOut(error)) return 'No access token available';
  if (hasCode(error, 'FORBIDDEN')) return 'You do not have permission to add staff members';
  if (error instanceof CallError && error.code === 'UNREADABLE_ANSWER') return `Server error: ${error.status}`;
  const message = messageOf(error);
  return message === UNEXPECTED ? 'An unexpected error occurred. Please try again.' : message;
}
