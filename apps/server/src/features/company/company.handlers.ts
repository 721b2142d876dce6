import type { Me, Onboarding, Profile } from '@callout/contract/company';
import { noWebAddress } from '@callout/contract/fields';
import { can, refusal } from '@callout/domain/roles/roles';
import { isSameRate } from '@callout/domain/tax/tax';
import { hasWebAddress } from '@callout/domain/validation/web-address';
import { isSystemAdmin } from '../../platform/auth/system-admin.ts';
import type { Person } from '../../platform/db/actor.ts';
import { changeAs, readAs, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure, invalidInput, unauthenticated } from '../../platform/errors/failures.ts';
import type { PersonContext } from '../../platform/http/call-context.ts';
import { calls, requireUser, tenantMutation } from '../../platform/http/calls.ts';
import { publish } from '../../platform/live/live.sql.ts';
import { publishChange } from '../../platform/live/live.ts';
import { mustConfirmEmail } from '../auth/confirm-own-email.ts';
import { removeImage } from '../files/receive-image.ts';
import { readPerson, readProfile, replaceLogo, saveMenuOrder, saveOnboarding, saveSettings, touchCompany } from './company.sql.ts';
import { startCompany } from './start-company.ts';

export const companyHandlers = {
  me: calls.company.me.handler(requireUser(({ context }) => me(context, context.actor, context.tenant))),

  saveMenuOrder: calls.company.saveMenuOrder.handler(
    requireUser(async ({ context, input }) => {
      const { actor, platform } = context;
      await saveMenuOrder(platform.pools.system, actor.userId, input.menu_order);
      if (actor.member) await publish(platform.pools.system, { company: actor.member.companyId, people: [actor.userId], topics: ['me'] });
      return me(context, actor, context.tenant);
    }),
  ),

  start: calls.company.start.handler(
    requireUser(async ({ context }) => {
      const { actor, tenant } = await startCompany(context);
      return me(context, actor, tenant);
    }),
  ),

  completeOnboarding: calls.company.completeOnboarding.handler(
    requireUser(async ({ input, context, errors }) => {
      const { actor, tenant } = await startCompany(context, input);
      // Their session ended while they waited for another of their own requests.
      if (!tenant) throw unauthenticated();
      if (!can(actor.member?.role, 'company.edit')) throw failure('FORBIDDEN', refusal('company.edit'));
      const profile = await changeAs(context.platform.pools.app, tenant, async (scope) => {
        const completed = await saveOnboarding(scope, input);
        const current = await readProfile(scope);
        // Made complete a moment ago, or a retry on a bad connection: the same request again is the same onboarding.
        if (!completed && !isSameRequest(current, input)) throw errors.ALREADY_DONE();
        await publishChange(scope, 'me');
        return current;
      });
      return describe(context, actor, profile);
    }),
  ),

  update: calls.company.update.handler(
    tenantMutation(async (scope, { input, context, errors }) => {
      const isNewName = input.company_name !== (await readProfile(scope))?.company_name;
      if (isNewName && hasWebAddress(input.company_name)) throw invalidInput({ company_name: noWebAddress('Company name') });
      const saved = await saveSettings(scope, input);
      const profile = await readProfile(scope);
      if (!saved && profile) throw errors.STALE_VERSION({ data: { current: profile } });
      await publishChange(scope, 'me');
      return describe(context, context.actor, profile);
    }),
  ),

  removeLogo: calls.company.removeLogo.handler(
    tenantMutation(async (scope, { context }) => {
      await removeImage(scope, await replaceLogo(scope, null));
      await publishChange(scope, 'me');
      return describe(context, context.actor, await readProfile(scope));
    }),
  ),
};

function isSameRequest(profile: Profile | null, { gst_percentage, name: _, ...input }: Onboarding): boolean {
  if (!profile?.gst_percentage || !isSameRate(profile.gst_percentage, gst_percentage)) return false;
  const stored: Record<string, unknown> = profile;
  return Object.entries(input).every(([field, value]) => stored[field] === value);
}

async function me(context: PersonContext, actor: Person, tenant: Tenant | null): Promise<Me> {
  const profile = tenant && (await readAs(context.platform.pools.app, tenant, comeIn));
  return describe(context, actor, profile);
}

async function comeIn(scope: TenantScope): Promise<Profile | null> {
  await touchCompany(scope);
  return readProfile(scope);
}

async function describe(context: PersonContext, actor: Person, profile: Profile | null): Promise<Me> {
  const { config, pools } = context.platform;
  const person = await readPerson(pools.system, actor.userId);
  return {
    user: {
      id: actor.userId,
      email: actor.email,
      name: person.name,
      staff_id: actor.member?.staffId ?? null,
      avatar_url: person.avatar_url,
      pending_email: person.pending_email,
    },
    profile,
    is_system_admin: await isSystemAdmin(pools.system, actor, config.adminEmail),
    must_confirm_email: mustConfirmEmail(actor, config),
    menu_order: person.menu_order,
  };
}
