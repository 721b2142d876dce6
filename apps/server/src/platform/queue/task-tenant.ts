import { mintTenant } from '../db/mint-tenant.ts';
import type { Tenant } from '../db/tenant-scope.ts';

/** Lets work of the queue into the company that its payload names: no person did it, so none is named as its author. */
export function tenantOfTask(task: string, companyId: string, now: string): Tenant {
  return mintTenant(companyId, { kind: 'system', task }, now);
}
