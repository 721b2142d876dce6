import { type Me, onboardingDone, type Profile } from '@callout/contract/company';
import { noUrlMessage } from '@callout/contract/fields';
import { containsUrl } from '@callout/domain/validation/text-rules';
import { isSystemAdmin } from '../../platform/auth/system-admin.ts';
import type { Person } from '../../platform/db/actor.ts';
import { isSameRequest, updateFromVersion } from '../../platform/db/records.ts';
import { changeAs, readAs, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf, invalidInput, requireCapability, unauthenticated } from '../../platform/errors/failures.ts';
import type { PersonContext } from '../../platform/http/call-context.ts';
import { calls, requireUser, tenantMutation } from '../../platform/http/calls.ts';
import { publish } from '../../platform/live/live.sql.ts';
import { publishChange } from '../../platform/live/live.ts';
import { mailOutcome } from '../../platform/mail/send-mail.ts';
import { mustConfirmEmail } from '../auth/confirm-own-email.ts';
import { removeImage } from '../files/receive-image.ts';
import {
  companyRecord,
  dismissStartCard,
  findProfile,
  readPerson,
  replaceLogo,
  saveMenuOrder,
  saveOnboarding,
  touchCompany,
} from './company.sql.ts';
import { companies } from './company.table.ts';
import { startCompany } from './start-company.ts';

export const companyHandlers = {
  me: calls.company.me.handler(requireUser(({ context }) => me(context, context.actor, context.tenant))),

  saveMenuOrder: calls.company.saveMenuOrder.handler(
    requireUser(async ({ context, input }) => {
      await saveMenuOrder(context.platform.pools.system, context.actor.userId, input.menu_order);
      return publishMe(context);
    }),
  ),

  dismissStartCard: calls.company.dismissStartCard.handler(
    requireUser(async ({ context }) => {
      await dismissStartCard(context.platform.pools.system, context.actor.userId);
      return publishMe(context);
    }),
  ),

  start: calls.company.start.handler(
    requireUser(async ({ context }) => {
      const { actor, tenant } = await startCompany(context);
      return me(context, actor, tenant);
    }),
  ),

  completeOnboarding: calls.company.completeOnboarding.handler(
    requireUser(async ({ input, context }) => {
      const { actor, tenant } = await startCompany(context, input);
      // Their session ended while this waited for another of their requests.
      if (!tenant) throw unauthenticated();
      requireCapability(actor.member?.role, 'company.edit');
      const profile = await changeAs(context.platform.pools.app, tenant, async (scope) => {
        const completed = await saveOnboarding(scope, input);
        const current = await findProfile(scope);
        // They joined another company, which replaced this one and ended their session.
        if (!current) throw unauthenticated();
        const { name: _, ...requested } = input;
        if (!completed && !isSameRequest(companies, current, requested)) throw failureOf(onboardingDone);
        await publishChange(scope, 'me');
        return current;
      });
      return describe(context, actor, profile);
    }),
  ),

  update: calls.company.update.handler(
    tenantMutation(async (scope, { input: { version, ...settings }, context }) => {
      const before = await findProfile(scope);
      const isNewName = settings.company_name !== before?.company_name;
      if (isNewName && containsUrl(settings.company_name)) throw invalidInput({ company_name: noUrlMessage('Company name') });
      // From now on: with fewer days, too, nobody is reminded of what would have been due before.
      const isNewNumber = (days: 'quote_reminder_days' | 'invoice_reminder_days') =>
        settings[days] !== null && settings[days] !== before?.[days];
      const values = {
        ...settings,
        ...(isNewNumber('quote_reminder_days') && { quote_reminders_since: scope.now }),
        ...(isNewNumber('invoice_reminder_days') && { invoice_reminders_since: scope.now }),
      };
      const profile = await updateFromVersion(scope, companyRecord, { id: scope.companyId, version }, values);
      await publishChange(scope, 'me');
      return describe(context, context.actor, profile);
    }),
  ),

  removeLogo: calls.company.removeLogo.handler(
    tenantMutation(async (scope, { context }) => {
      await removeImage(scope, await replaceLogo(scope, null));
      await publishChange(scope, 'me');
      return describe(context, context.actor, await findProfile(scope));
    }),
  ),
};

/** After a change that only this person sees: their other pages follow. */
async function publishMe(context: PersonContext): Promise<Me> {
  const { actor, platform, tenant } = context;
  if (actor.member) await publish(platform.pools.system, { company: actor.member.companyId, people: [actor.userId], topics: ['me'] });
  return me(context, actor, tenant);
}

async function me(context: PersonContext, actor: Person, tenant: Tenant | null): Promise<Me> {
  const profile = tenant && (await readAs(context.platform.pools.app, tenant, visitCompany));
  return describe(context, actor, profile);
}

async function visitCompany(scope: TenantScope): Promise<Profile | null> {
  await touchCompany(scope);
  return findProfile(scope);
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
    sends_mail: mailOutcome(config) === 'queued',
    menu_order: person.menu_order,
    start_card_dismissed: person.start_card_dismissed,
  };
}
