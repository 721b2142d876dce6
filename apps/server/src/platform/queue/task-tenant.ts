import { mintTenant } from '../db/mint-tenant.ts';
import type { Tenant } from '../db/tenant-scope.ts';

/** The tenant of a queue task, taken from its payload. The system is the actor, so no author is recorded. */
export function tenantOfTask(task: string, companyId: string, now: string): Tenant {
  return mintTenant(companyId, { kind: 'system', task }, now);
}
