import { randomUUID } from 'node:crypto';
import type { Member, Person } from '../db/actor.ts';
import { mintTenant } from '../db/mint-tenant.ts';
import type { Tenant } from '../db/tenant-scope.ts';

export interface NewCompany {
  readonly tenant: Tenant;
  readonly founder: Person;
  readonly member: Member;
}

/** Lets somebody into a company that is not there yet: under an id that nobody else can have. */
export function newCompanyFor(person: Person, now: string): NewCompany {
  const member: Member = { companyId: randomUUID(), staffId: randomUUID(), role: 'admin' };
  const founder: Person = { ...person, member };
  return { tenant: mintTenant(member.companyId, founder, now), founder, member };
}
