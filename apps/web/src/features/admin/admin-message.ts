import { CallError, centralMessage, isNetworkFailure } from '../../lib/error-messages.ts';

export const NO_INTERNET = 'No internet connection available. Please check your connection and try again.';
export const SERVER_DOWN = 'Unable to connect to the server. Please try again later.';

/** The administration has words of its own for a line that is down and for a server that is. */
export function adminMessage(error: unknown, online: boolean): string {
  if (!online) return NO_INTERNET;
  const inBetween = error instanceof CallError && error.code === 'UNREADABLE_ANSWER' && error.status >= 500;
  return isNetworkFailure(error) || inBetween ? SERVER_DOWN : centralMessage(error);
}
