import type { Onboarding } from '@callout/contract/company';
import { findSession, mintNewCompany } from '../../platform/auth/session.sql.ts';
import type { Person } from '../../platform/db/actor.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { runTenantTransaction, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import type { PersonContext } from '../../platform/http/call-context.ts';
import { createCompanyWithOwner, saveOnboarding } from './company.sql.ts';

/** Creates a company with the person as its admin and, if given, the `profile`. Idempotent, even for concurrent calls. */
export async function startCompany(context: PersonContext, profile?: Onboarding): Promise<{ actor: Person; tenant: Tenant | null }> {
  const { actor, now, platform } = context;
  if (actor.member) return context;
  const { tenant, founder, member } = mintNewCompany(actor, now);
  try {
    const create = async (scope: TenantScope) => {
      await createCompanyWithOwner(scope, { ...member, userId: actor.userId, email: actor.email });
      if (profile) await saveOnboarding(scope, profile);
    };
    await runTenantTransaction(platform.pools.app, tenant, create, 'none');
    return { actor: founder, tenant };
  } catch (error) {
    if (!isUniqueViolation(error, 'staff_members_profile_id_key')) throw error;
    const session = context.sessionToken ? await findSession(platform.pools.system, context.sessionToken) : null;
    return session ? { actor: session.actor, tenant: session.getTenant(now) } : context;
  }
}
