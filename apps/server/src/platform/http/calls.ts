import type { CallMeta } from '@callout/contract/call';
import { contract } from '@callout/contract/contract';
import { commonErrors } from '@callout/contract/errors';
import { type Capability, ROLES_BY_CAPABILITY } from '@callout/domain/roles/roles';
import { implement, os } from '@orpc/server';
import { type ActiveSession, findEndedMembership, findSession, renewSession, touchSession } from '../auth/session.sql.ts';
import { isSystemAdmin } from '../auth/system-admin.ts';
import type { Person } from '../db/actor.ts';
import { runTenantQuery, runTenantSnapshot, runTenantTransaction, type TenantScope } from '../db/tenant-scope.ts';
import { createCompanyClosedFailure, createFailure, createUnauthenticatedFailure, requireCapability } from '../errors/failures.ts';
import { enforcePublicCallLimit } from '../limits/rate-limit.ts';
import type { CallContext, GuardedContext, MemberContext, PersonContext } from './call-context.ts';
import { normalizeError } from './error-response.ts';
import type { Platform } from './platform.ts';
import { getCallTime, isExpectedUser } from './request-session.ts';

/**
 * Every call passes through this guard, which authenticates and authorizes the caller before the input is validated and the handler runs.
 * Afterwards, the guard removes any fields from the response that the caller's role may not see.
 */
export const guardCall = os
  .$meta<CallMeta>({ access: 'signed-in' })
  .$context<CallContext>()
  .middleware(async ({ context, next, procedure, path }) => {
    const { platform, sessionToken, redactor } = context;
    let actor: Person | null = null;
    try {
      const { access, rateLimit, isOpenWhenClosed }: CallMeta = procedure['~orpc'].meta;
      if (access === 'public' && !rateLimit) await enforcePublicCallLimit(platform.pools.system, context.ip, path.join('.'));
      const session = sessionToken ? await openSession(context, sessionToken) : null;
      actor = session?.actor ?? null;
      if (!session && sessionToken && access !== 'public') await rejectRemovedMember(platform, sessionToken);
      await authorize(access, actor, platform);
      if (session?.companyDeletesAt && !isOpenWhenClosed && isCapability(access)) throw createCompanyClosedFailure();
      const now = getCallTime(platform, session);
      const companyDeletesAt = session?.companyDeletesAt?.toISOString() ?? null;
      const result = await next({ context: { actor, tenant: session?.getTenant(now) ?? null, companyDeletesAt, now } });
      return redactor ? { ...result, output: redactor.redactOutput(result.output, actor?.member?.role) } : result;
    } catch (error) {
      const failure = normalizeError(error, context.logFault);
      throw redactor ? redactor.redactFailure(failure, actor?.member?.role) : failure;
    }
  });

/** Every handler is built from this object, so none can bypass the guard. */
export const calls = implement(contract).$context<CallContext>().use(guardCall);

async function openSession(context: CallContext, token: string): Promise<ActiveSession | null> {
  const { pools, sessionCookie } = context.platform;
  const session = await findSession(pools.system, token);
  if (!isExpectedUser(context.expectedUserId, session)) return null;
  if (session?.isRenewalDue) await renewSession(pools.system, session.actor.sessionId);
  if (session && (session.isRenewalDue || sessionCookie.isSignedBeforeRotation(context.cookieHeader)))
    context.setCookies([sessionCookie.buildSetCookie(token)]);
  if (session?.isTouchDue) await touchSession(pools.system, session.actor.sessionId, context);
  return session;
}

/** Tells the pages of a removed member why their session has ended. No one else has the session's cookie. */
async function rejectRemovedMember({ pools }: Platform, token: string): Promise<void> {
  const removedFrom = await findEndedMembership(pools.system, token);
  if (removedFrom !== null) throw createUnauthenticatedFailure(removedFrom);
}

const isCapability = (access: CallMeta['access']): access is Capability => access in ROLES_BY_CAPABILITY;

async function authorize(access: CallMeta['access'], actor: Person | null, { pools, config }: Platform): Promise<void> {
  if (access === 'public') return;
  if (!actor) throw createUnauthenticatedFailure();
  if (access === 'signed-in') return;
  if (access === 'system-admin') {
    if (!(await isSystemAdmin(pools.system, actor, config.adminEmail))) throw createFailure('FORBIDDEN', commonErrors.FORBIDDEN.message);
    return;
  }
  requireCapability(actor.member?.role, access);
}

/** Wraps a handler that needs a signed-in person, with or without a company. */
export function requireUser<Options extends { context: GuardedContext }, Result>(
  work: (options: Options & { context: PersonContext }) => Promise<Result>,
): (options: Options) => Promise<Result> {
  return (options) => work({ ...options, context: requirePerson(options.context) });
}

type TenantWork<Options, Result> = (scope: TenantScope, options: Options & { context: MemberContext }) => Promise<Result>;

const createTenantHandler =
  (run: typeof runTenantQuery) =>
  <Options extends { context: GuardedContext }, Result>(work: TenantWork<Options, Result>) =>
  (options: Options): Promise<Result> => {
    const context = requireMember(options.context);
    return run(context.platform.pools.app, context.tenant, (scope) => work(scope, { ...options, context }));
  };

/** Wraps a handler that reads the caller's company data. */
export const tenantQuery = createTenantHandler(runTenantQuery);

/** Like `tenantQuery`, but all statements see one snapshot, so that a list and its row count agree. */
export const tenantSnapshotQuery = createTenantHandler(runTenantSnapshot);

/** Wraps a handler that changes the caller's company data in one transaction. */
export const tenantMutation = createTenantHandler(runTenantTransaction);

/** Like `tenantMutation`, but also locks the company's staff. */
export const staffLockingMutation = createTenantHandler((pool, tenant, work) => runTenantTransaction(pool, tenant, work, 'staff'));

function requirePerson(context: GuardedContext): PersonContext {
  if (!context.actor) throw createUnauthenticatedFailure();
  return { ...context, actor: context.actor };
}

/** Throws unless the caller belongs to a company. Opens no tenant scope, so the handler holds no connection during slow work. */
export function requireMember(context: GuardedContext): MemberContext {
  const person = requirePerson(context);
  if (!person.actor.member || !person.tenant) throw createFailure('FORBIDDEN', commonErrors.FORBIDDEN.message);
  return { ...person, member: person.actor.member, tenant: person.tenant };
}
