import type { Role } from '@callout/domain/roles/roles';
import type { Config } from '../../config.ts';

/** The person behind a call, as the database knows them at this moment. */
export interface Actor {
  readonly userId: string;
  readonly email: string;
  /** They have opened a link that was mailed to it. */
  readonly emailVerified: boolean;
  readonly sessionId: string;
  readonly member: Member | null;
}

/** Their place in a company: none until they have one. */
export interface Member {
  readonly companyId: string;
  readonly staffId: string;
  readonly role: Role;
}

export function isAdminAddress(email: string, { adminEmail }: Config): boolean {
  return adminEmail !== undefined && email.toLowerCase() === adminEmail;
}

/** The one account that runs this server: its address is in the configuration, and whoever has it has shown that it is theirs. */
export function isSystemAdmin({ email, emailVerified }: Actor, config: Config): boolean {
  return emailVerified && isAdminAddress(email, config);
}
