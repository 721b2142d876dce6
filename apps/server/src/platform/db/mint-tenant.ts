import type { Actor } from './actor.ts';
import type { Tenant } from './tenant-scope.ts';

/** The only way to grant access to a company. The structure check allows only sign-in, public links and the queue to import it. */
export function mintTenant(companyId: string, actor: Actor, now: string): Tenant {
  const tenant: Omit<Tenant, symbol> = { companyId, actor, now };
  return tenant as Tenant;
}
