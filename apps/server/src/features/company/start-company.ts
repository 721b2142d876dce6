import { randomUUID } from 'node:crypto';
import type { Actor } from '../../platform/auth/actor.ts';
import { readSession } from '../../platform/auth/session.sql.ts';
import { changeAs } from '../../platform/db/tenant-scope.ts';
import { isUniqueViolation } from '../../platform/db/violations.ts';
import type { PersonContext } from '../../platform/http/call-context.ts';
import { foundCompany } from './company.sql.ts';

/** Makes the person's company and makes them its admin. Asked twice, even at the same moment, there is one company. */
export async function startCompany(context: PersonContext): Promise<Actor> {
  const { actor, now, platform } = context;
  if (actor.member) return actor;
  const member = { companyId: randomUUID(), staffId: randomUUID(), role: 'admin' as const };
  const founded: Actor = { ...actor, member };
  try {
    await changeAs(platform.pools.app, { companyId: member.companyId, actor: founded, now }, (scope) =>
      foundCompany(scope, { ...member, userId: actor.userId, email: actor.email }),
    );
    return founded;
  } catch (error) {
    if (!isUniqueViolation(error, 'staff_members_profile_id_key')) throw error;
    const session = context.sessionToken ? await readSession(platform.pools.system, context.sessionToken) : null;
    return session?.actor ?? actor;
  }
}
