import type { Role } from '@callout/domain/roles/roles';
import type { Config } from '../../config.ts';

/** The person behind a call, as the database knows them at this moment. */
export interface Actor {
  readonly userId: string;
  readonly email: string;
  readonly sessionId: string;
  readonly member: Member | null;
}

/** Their place in a company: none until they have one. */
export interface Member {
  readonly companyId: string;
  readonly staffId: string;
  readonly role: Role;
}

/** The one account that runs this server, named by its address in the configuration. */
export function isSystemAdmin({ email }: Actor, { adminEmail }: Config): boolean {
  return adminEmail !== undefined && email === adminEmail;
}
