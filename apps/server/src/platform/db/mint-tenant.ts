import type { Actor } from './actor.ts';
import type { Tenant } from './tenant-scope.ts';

/** Creates a tenant, the only way to access a company. The structure check lets only sign-in, public links and the queue import it. */
export function mintTenant(companyId: string, actor: Actor, now: string, madeAgoMs = 0): Tenant {
  const tenant: Omit<Tenant, symbol> = { companyId, actor, now, madeAgoMs };
  return tenant as Tenant;
}
