import { alreadyOnboardedError, CURRENCY_FIXED_MESSAGE, type Me, type Profile } from '@callout/contract/company';
import { urlNotAllowedMessage } from '@callout/contract/fields';
import { containsUrl } from '@callout/domain/validation/text-rules';
import { isSystemAdmin } from '../../platform/auth/system-admin.ts';
import type { Person } from '../../platform/db/actor.ts';
import { isSameRequest, updateRecordAtVersion } from '../../platform/db/records.ts';
import { runTenantQuery, runTenantTransaction, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure, createUnauthenticatedFailure, requireCapability, toFailure } from '../../platform/errors/failures.ts';
import type { PersonContext } from '../../platform/http/call-context.ts';
import { calls, requireUser, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishNotice } from '../../platform/live/live.sql.ts';
import { publishChange } from '../../platform/live/live.ts';
import { getMailOutcome } from '../../platform/mail/send-mail.ts';
import { mustConfirmEmail } from '../auth/confirm-email.ts';
import { removeImage } from '../files/receive-image.ts';
import {
  companyRecordType,
  dismissStartCard,
  findProfile,
  hasSentDocuments,
  markCompanyActive,
  readIssuer,
  readUserDetails,
  replaceLogoUrl,
  saveMenuOrder,
  saveOnboarding,
} from './company.sql.ts';
import { companies } from './company.table.ts';
import { startCompany } from './start-company.ts';

export const companyHandlers = {
  me: calls.company.me.handler(requireUser(({ context }) => readMe(context, context.actor, context.tenant))),

  saveMenuOrder: calls.company.saveMenuOrder.handler(
    requireUser(async ({ context, input }) => {
      await saveMenuOrder(context.platform.pools.system, context.actor.userId, input.menu_order);
      return publishAndReadMe(context);
    }),
  ),

  dismissStartCard: calls.company.dismissStartCard.handler(
    requireUser(async ({ context }) => {
      await dismissStartCard(context.platform.pools.system, context.actor.userId);
      return publishAndReadMe(context);
    }),
  ),

  start: calls.company.start.handler(
    requireUser(async ({ context }) => {
      const { actor, tenant } = await startCompany(context);
      return readMe(context, actor, tenant);
    }),
  ),

  completeOnboarding: calls.company.completeOnboarding.handler(
    requireUser(async ({ input, context }) => {
      const { actor, tenant } = await startCompany(context, input);
      // The session ended while this call waited for another call by the same person.
      if (!tenant) throw createUnauthenticatedFailure();
      requireCapability(actor.member?.role, 'company.edit');
      const profile = await runTenantTransaction(context.platform.pools.app, tenant, async (scope) => {
        const completed = await saveOnboarding(scope, input);
        const current = await findProfile(scope);
        // The person has since joined another company, which deleted this company and ended the session.
        if (!current) throw createUnauthenticatedFailure();
        const { name: _, ...requested } = input;
        if (!completed && !isSameRequest(companies, current, requested)) throw toFailure(alreadyOnboardedError);
        await publishChange(scope, 'me');
        return current;
      });
      return buildMe(context, actor, profile);
    }),
  ),

  update: calls.company.update.handler(
    tenantMutation(async (scope, { input: { version, ...settings }, context }) => {
      const before = await findProfile(scope);
      const isNewName = settings.company_name !== before?.company_name;
      if (isNewName && containsUrl(settings.company_name))
        throw createInvalidInputFailure({ company_name: urlNotAllowedMessage('Company name') });
      // A new number of days restarts the reminders. Otherwise, a lower number would trigger reminders for older documents.
      const hasNewDays = (days: 'quote_reminder_days' | 'invoice_reminder_days') =>
        settings[days] !== null && settings[days] !== before?.[days];
      const values = {
        ...settings,
        ...(hasNewDays('quote_reminder_days') && { quote_reminders_since: scope.now }),
        ...(hasNewDays('invoice_reminder_days') && { invoice_reminders_since: scope.now }),
      };
      const profile = await updateRecordAtVersion(scope, companyRecordType, { id: scope.companyId, version }, values);
      // Checked after the update: it has waited for documents that were being sent, and its trigger for those being created.
      if (before?.currency && settings.currency !== before.currency && (await hasSentDocuments(scope)))
        throw createInvalidInputFailure({ currency: CURRENCY_FIXED_MESSAGE });
      await publishChange(scope, 'me', ...listAffectedTopics(before, profile));
      return buildMe(context, context.actor, profile);
    }),
  ),

  currency: calls.company.currency.handler(
    tenantQuery(async (scope) => ({ is_final: (await readIssuer(scope)).currency !== null && (await hasSentDocuments(scope)) })),
  ),

  removeLogo: calls.company.removeLogo.handler(
    tenantMutation(async (scope, { context }) => {
      await removeImage(scope, await replaceLogoUrl(scope, null));
      await publishChange(scope, 'me');
      return buildMe(context, context.actor, await findProfile(scope));
    }),
  ),
};

/** Publishes the change to the person's own open pages only, and returns the new state. */
async function publishAndReadMe(context: PersonContext): Promise<Me> {
  const { actor, platform, tenant } = context;
  if (actor.member) await publishNotice(platform.pools.system, { company: actor.member.companyId, people: [actor.userId], topics: ['me'] });
  return readMe(context, actor, tenant);
}

async function readMe(context: PersonContext, actor: Person, tenant: Tenant | null): Promise<Me> {
  const profile = tenant && (await runTenantQuery(context.platform.pools.app, tenant, markActiveAndFindProfile));
  return buildMe(context, actor, profile);
}

async function markActiveAndFindProfile(scope: TenantScope): Promise<Profile | null> {
  await markCompanyActive(scope);
  return findProfile(scope);
}

async function buildMe(context: PersonContext, actor: Person, profile: Profile | null): Promise<Me> {
  const { config, pools } = context.platform;
  const details = await readUserDetails(pools.system, actor.userId);
  return {
    user: {
      id: actor.userId,
      email: actor.email,
      name: details.name,
      staff_id: actor.member?.staffId ?? null,
      avatar_url: details.avatar_url,
      hex_code: details.hex_code,
      pending_email: details.pending_email,
    },
    profile,
    company_deletes_at: context.companyDeletesAt,
    is_system_admin: await isSystemAdmin(pools.system, actor, config.adminEmail),
    must_confirm_email: mustConfirmEmail(actor, config),
    sends_mail: getMailOutcome(config) === 'queued',
    menu_order: details.menu_order,
    start_card_dismissed: details.start_card_dismissed,
  };
}

/** Lists the topics of pages that show amounts or due dates which the server calculates from the company's settings. */
function listAffectedTopics(before: Profile | null, after: Profile): string[] {
  const isChanged = (...settings: readonly (keyof Profile)[]) => settings.some((setting) => before?.[setting] !== after[setting]);
  return [
    ...(isChanged('gst_percentage', 'default_hourly_rate', 'currency') ? ['jobs', 'quotes', 'timer'] : []),
    ...(isChanged('timezone', 'payment_terms_days', 'currency', 'add_paypal_fees', 'paypal_fee_percentage') ? ['invoices'] : []),
  ];
}
