import type { Actor } from './actor.ts';
import type { Tenant } from './tenant-scope.ts';

/**
 * The only place that grants access to a company. The structure check lists the few files that may import it: sign-in, public
 * links and the queue.
 */
export function mintTenant(companyId: string, actor: Actor, now: string): Tenant {
  const tenant: Omit<Tenant, symbol> = { companyId, actor, now };
  return tenant as Tenant;
}
