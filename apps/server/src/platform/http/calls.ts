import type { CallMeta } from '@callout/contract/call';
import { contract } from '@callout/contract/contract';
import { commonErrors } from '@callout/contract/errors';
import { type Capability, ROLES_BY_CAPABILITY } from '@callout/domain/roles/roles';
import { type AnyProcedure, implement, os } from '@orpc/server';
import type { z } from 'zod';
import { type ActiveSession, findEndedMembership, findSession, renewSession, touchSession } from '../auth/session.sql.ts';
import { isSystemAdmin } from '../auth/system-admin.ts';
import type { Person } from '../db/actor.ts';
import { StoredAnswer } from '../db/commands.sql.ts';
import { type CommandLocks, runTenantQuery, runTenantSnapshot, runTenantTransaction, type TenantScope } from '../db/tenant-scope.ts';
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
  .middleware(async ({ context, next, procedure, path }, input) => {
    const { platform, sessionToken, redactor } = context;
    let actor: Person | null = null;
    try {
      const { access, rateLimit, isOpenWhenClosed, hasSecretAnswer }: CallMeta = procedure['~orpc'].meta;
      if (access === 'public' && !rateLimit) await enforcePublicCallLimit(platform.pools.system, context.ip, path.join('.'));
      const session = sessionToken ? await openSession(context, sessionToken) : null;
      actor = session?.actor ?? null;
      if (!session && sessionToken && access !== 'public') await rejectRemovedMember(platform, sessionToken);
      await authorize(access, actor, platform);
      if (session?.companyDeletesAt && !isOpenWhenClosed && isCapability(access)) throw createCompanyClosedFailure();
      const { key, madeAgoMs } = context.readCommandHeaders();
      const now = getCallTime(platform, session);
      const guarded = {
        actor,
        tenant: session?.getTenant(now, madeAgoMs) ?? null,
        command: key === null || hasSecretAnswer ? null : { key, call: path.join('.'), input, toAnswer: createAnswerParser(procedure) },
        companyDeletesAt: session?.companyDeletesAt?.toISOString() ?? null,
        now,
      };
      const result = await resolveStoredAnswer(next({ context: guarded }));
      return redactor ? { ...result, output: redactor.redactOutput(result.output, actor?.member?.role) } : result;
    } catch (error) {
      const failure = normalizeError(error, context.logFault);
      throw redactor ? redactor.redactFailure(failure, actor?.member?.role) : failure;
    }
  });

/** Every handler is built from this object, so none can bypass the guard. */
export const calls = implement(contract).$context<CallContext>().use(guardCall);

/** Returns what a call would answer, with the fields of its output only. Throws if the output is invalid, which then rolls the command back. */
const createAnswerParser =
  ({ '~orpc': { outputSchema } }: AnyProcedure) =>
  (result: unknown): unknown =>
    outputSchema ? (outputSchema as z.ZodType).parse(result) : result;

/** Resolves a repeated command with its first answer, which isn't validated again: a newer release may have added required fields since. */
async function resolveStoredAnswer<Result extends { readonly output: unknown }>(running: Result | PromiseLike<Result>): Promise<Result> {
  try {
    return await running;
  } catch (error) {
    if (!(error instanceof StoredAnswer)) throw error;
    // oRPC reads nothing else of the result.
    return { output: error.answer } as Result;
  }
}

async function openSession(context: CallContext, token: string): Promise<ActiveSession | null> {
  const { pools, sessionCookie } = context.platform;
  const session = await findSession(pools.system, token);
  if (!isExpectedUser(context.expectedUserId, session)) return null;
  if (session && (session.isRenewalDue || sessionCookie.isSignedBeforeRotation(context.cookieHeader)))
    context.setCookies([sessionCookie.buildSetCookie(token)]);
  // Not awaited, because the answer doesn't depend on it. The next call tries again if it fails.
  if (session?.isRenewalDue) renewSession(pools.system, session.actor.sessionId).catch(context.logFault);
  if (session?.isTouchDue) touchSession(pools.system, session.actor.sessionId, context).catch(context.logFault);
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

type RunInTenant = <Result>(context: MemberContext, work: (scope: TenantScope) => Promise<Result>) => Promise<Result>;

const createTenantHandler =
  (run: RunInTenant) =>
  <Options extends { context: GuardedContext }, Result>(work: TenantWork<Options, Result>) =>
  (options: Options): Promise<Result> => {
    const context = requireMember(options.context);
    return run(context, (scope) => work(scope, { ...options, context }));
  };

const createTenantMutation = (locks: CommandLocks) =>
  createTenantHandler(({ platform, tenant, command }, work) => runTenantTransaction(platform.pools.app, tenant, work, locks, command));

/** Wraps a handler that reads the caller's company data. */
export const tenantQuery = createTenantHandler(({ platform, tenant }, work) => runTenantQuery(platform.pools.app, tenant, work));

/** Like `tenantQuery`, but all statements see one snapshot, so that a list and its row count agree. */
export const tenantSnapshotQuery = createTenantHandler(({ platform, tenant }, work) => runTenantSnapshot(platform.pools.app, tenant, work));

/** Wraps a handler that changes the caller's company data in one transaction. With an idempotency key, a retry gets the first answer. */
export const tenantMutation = createTenantMutation('membership');

/** Like `tenantMutation`, but also locks the company's staff. */
export const staffLockingMutation = createTenantMutation('staff');

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
