import type { Me, Onboarding, Profile } from '@callout/contract/company';
import { isSameRate } from '@callout/domain/tax/tax';
import { type Actor, isSystemAdmin } from '../../platform/auth/actor.ts';
import { readAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { removeImage } from '../../platform/files/images.ts';
import type { PersonContext } from '../../platform/http/call-context.ts';
import { asPerson, calls, changing } from '../../platform/http/calls.ts';
import { sendNotice } from '../../platform/live/live.sql.ts';
import { tellChanged } from '../../platform/live/live.ts';
import { readPerson, readProfile, replaceLogo, saveMenuOrder, saveOnboarding, saveSettings, touchCompany } from './company.sql.ts';
import { startCompany } from './start-company.ts';

export const companyHandlers = {
  me: calls.company.me.handler(asPerson(({ context }) => me(context, context.actor))),

  saveMenuOrder: calls.company.saveMenuOrder.handler(
    asPerson(async ({ context, input }) => {
      const { actor, platform } = context;
      await saveMenuOrder(platform.pools.system, actor.userId, input.menu_order);
      if (actor.member)
        await sendNotice(platform.pools.system, { company: actor.member.companyId, people: [actor.userId], topics: ['me'] });
      return me(context, actor);
    }),
  ),

  start: calls.company.start.handler(asPerson(async ({ context }) => me(context, await startCompany(context)))),

  completeOnboarding: calls.company.completeOnboarding.handler(
    changing(async (scope, { input, context, errors }) => {
      const completed = await saveOnboarding(scope, input);
      const profile = await readProfile(scope);
      // A retry on a bad line: the same request again is the same onboarding.
      if (!completed && !saysTheSame(profile, input)) throw errors.ALREADY_DONE();
      await tellChanged(scope, 'me');
      return describe(context, context.actor, profile);
    }),
  ),

  update: calls.company.update.handler(
    changing(async (scope, { input, context, errors }) => {
      const saved = await saveSettings(scope, input);
      const profile = await readProfile(scope);
      if (!saved && profile) throw errors.STALE_VERSION({ data: { current: profile } });
      await tellChanged(scope, 'me');
      return describe(context, context.actor, profile);
    }),
  ),

  removeLogo: calls.company.removeLogo.handler(
    changing(async (scope, { context }) => {
      await removeImage(scope, await replaceLogo(scope, null));
      await tellChanged(scope, 'me');
      return describe(context, context.actor, await readProfile(scope));
    }),
  ),
};

function saysTheSame(profile: Profile | null, { gst_percentage, ...input }: Onboarding): boolean {
  if (!profile?.gst_percentage || !isSameRate(profile.gst_percentage, gst_percentage)) return false;
  const stored: Record<string, unknown> = profile;
  return Object.entries(input).every(([field, value]) => stored[field] === value);
}

async function me(context: PersonContext, actor: Actor): Promise<Me> {
  const { member } = actor;
  const profile = member && (await readAs(context.platform.pools.app, { companyId: member.companyId, actor, now: context.now }, comeIn));
  return describe(context, actor, profile);
}

async function comeIn(scope: TenantScope): Promise<Profile | null> {
  await touchCompany(scope);
  return readProfile(scope);
}

async function describe(context: PersonContext, actor: Actor, profile: Profile | null): Promise<Me> {
  const { config, pools } = context.platform;
  const person = await readPerson(pools.system, actor.userId);
  return {
    user: {
      id: actor.userId,
      email: actor.email,
      name: person.name,
      staff_id: actor.member?.staffId ?? null,
      avatar_url: person.avatar_url,
    },
    profile,
    is_system_admin: isSystemAdmin(actor, config),
    menu_order: person.menu_order,
  };
}
