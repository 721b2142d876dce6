import { randomUUID } from 'node:crypto';
import type { Member, Person } from '../db/actor.ts';
import { mintTenant } from '../db/mint-tenant.ts';
import type { Tenant } from '../db/tenant-scope.ts';

export interface NewCompany {
  readonly tenant: Tenant;
  readonly founder: Person;
  readonly member: Member;
}

/** Creates the tenant for a company that does not exist yet, under a new id. */
export function newCompanyFor(person: Person, now: string): NewCompany {
  const member: Member = { companyId: randomUUID(), staffId: randomUUID(), role: 'admin' };
  const founder: Person = { ...person, member };
  return { tenant: mintTenant(member.companyId, founder, now), founder, member };
}
