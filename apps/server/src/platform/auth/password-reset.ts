import { defineTask } from '../queue/task.ts';

/** Looked up after the answer was given, so that the answer takes as long for an unknown address as for a known one. */
export const sendPasswordReset = defineTask<{ email: string }>('send-password-reset', ({ email }, platform) =>
  platform.accounts.requestPasswordReset(email),
);

export function resetUrl(appUrl: string, token: string): string {
  return `${appUrl}/auth?reset=true&token=${encodeURIComponent(token)}`;
}
