import type { Onboarding } from '@callout/contract/company';
import { newCompanyFor, readSession } from '../../platform/auth/session.sql.ts';
import type { Person } from '../../platform/db/actor.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { changeAs, type Tenant } from '../../platform/db/tenant-scope.ts';
import type { PersonContext } from '../../platform/http/call-context.ts';
import { createCompanyWithOwner, saveOnboarding } from './company.sql.ts';

/**
 * Makes the person's company, with its profile when that is known already, and makes them its admin. Asked twice, even at the same
 * moment, there is one company.
 */
export async function startCompany(context: PersonContext, profile?: Onboarding): Promise<{ actor: Person; tenant: Tenant | null }> {
  const { actor, now, platform } = context;
  if (actor.member) return context;
  const { tenant, founder, member } = newCompanyFor(actor, now);
  try {
    await changeAs(platform.pools.app, tenant, async (scope) => {
      await createCompanyWithOwner(scope, { ...member, userId: actor.userId, email: actor.email });
      if (profile) await saveOnboarding(scope, profile);
    });
    return { actor: founder, tenant };
  } catch (error) {
    if (!isUniqueViolation(error, 'staff_members_profile_id_key')) throw error;
    const session = context.sessionToken ? await readSession(platform.pools.system, context.sessionToken) : null;
    return session ? { actor: session.actor, tenant: session.tenantAt(now) } : context;
  }
}
