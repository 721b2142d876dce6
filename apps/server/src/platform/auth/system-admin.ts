import type { Person } from '../db/actor.ts';

/** The one account that runs this server: its email is in the configuration, and whoever has it has shown that it is theirs. */
export function isSystemAdmin({ email, emailVerified }: Person, adminEmail: string | undefined): boolean {
  return emailVerified && isAdminEmail(email, adminEmail);
}

export function isAdminEmail(email: string, adminEmail: string | undefined): boolean {
  return adminEmail !== undefined && email.toLowerCase() === adminEmail;
}
