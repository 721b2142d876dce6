import type { CallMeta } from '@callout/contract/call';
import { contract } from '@callout/contract/contract';
import { commonErrors } from '@callout/contract/errors';
import { implement, os } from '@orpc/server';
import { type LiveSession, readSession, renewSession, touchSession } from '../auth/session.sql.ts';
import { isSystemAdmin } from '../auth/system-admin.ts';
import type { Person } from '../db/actor.ts';
import { changeAs, readAs, readSnapshotAs, type TenantScope } from '../db/tenant-scope.ts';
import { failure, requireCapability, unauthenticated } from '../errors/failures.ts';
import { limitPublicCall } from '../limits/rate-limit.ts';
import type { CallContext, GuardedContext, MemberContext, PersonContext } from './call-context.ts';
import { toFailure } from './error-reply.ts';
import type { Platform } from './platform.ts';
import { isShownTo } from './request-actor.ts';

/**
 * Every call passes through here: authenticate, authorize, validate the input, then run the handler. Afterwards,
 * fields that the caller's role may not see are removed from the response.
 */
export const guard = os
  .$meta<CallMeta>({ access: 'signed-in' })
  .$context<CallContext>()
  .middleware(async ({ context, next, procedure, path }) => {
    const { platform, sessionToken, visibility } = context;
    let actor: Person | null = null;
    try {
      const { access, limit }: CallMeta = procedure['~orpc'].meta;
      if (access === 'public' && !limit) await limitPublicCall(platform.pools.system, context.ip, path.join('.'));
      const session = sessionToken ? await openSession(context, sessionToken) : null;
      actor = session?.actor ?? null;
      await authorize(access, actor, platform);
      const now = platform.now().toISOString();
      const result = await next({ context: { actor, tenant: session?.tenantAt(now) ?? null, now } });
      return visibility ? { ...result, output: visibility.shapeOutput(result.output, actor?.member?.role) } : result;
    } catch (error) {
      const failed = toFailure(error, context.fault);
      throw visibility ? visibility.shapeFailure(failed, actor?.member?.role) : failed;
    }
  });

/** All handlers are built from this, so none can bypass the guard. */
export const calls = implement(contract).$context<CallContext>().use(guard);

async function openSession(context: CallContext, token: string): Promise<LiveSession | null> {
  const { pools, sessionCookie } = context.platform;
  const session = await readSession(pools.system, token);
  if (!isShownTo(context.shownTo, session)) return null;
  if (session?.renewDue) {
    await renewSession(pools.system, session.actor.sessionId);
    context.setCookies([sessionCookie.renewed(token)]);
  }
  if (session?.touchDue) await touchSession(pools.system, session.actor.sessionId, context);
  return session;
}

async function authorize(access: CallMeta['access'], actor: Person | null, { pools, config }: Platform): Promise<void> {
  if (access === 'public') return;
  if (!actor) throw unauthenticated();
  if (access === 'signed-in') return;
  if (access === 'system-admin') {
    if (!(await isSystemAdmin(pools.system, actor, config.adminEmail))) throw failure('FORBIDDEN', commonErrors.FORBIDDEN.message);
    return;
  }
  requireCapability(actor.member?.role, access);
}

/** A handler for a signed-in person, with or without a company. */
export function requireUser<Options extends { context: GuardedContext }, Result>(
  work: (options: Options & { context: PersonContext }) => Promise<Result>,
): (options: Options) => Promise<Result> {
  return (options) => work({ ...options, context: personContext(options.context) });
}

type TenantWork<Options, Result> = (scope: TenantScope, options: Options & { context: MemberContext }) => Promise<Result>;

const tenantHandler =
  (run: typeof readAs) =>
  <Options extends { context: GuardedContext }, Result>(work: TenantWork<Options, Result>) =>
  (options: Options): Promise<Result> => {
    const context = requireMember(options.context);
    return run(context.platform.pools.app, context.tenant, (scope) => work(scope, { ...options, context }));
  };

/** A handler that reads its company's data. */
export const tenantQuery = tenantHandler(readAs);

/** The same with several statements that must fit together, such as rows and their count. */
export const tenantSnapshotQuery = tenantHandler(readSnapshotAs);

/** A handler that changes its company's data, in one transaction. */
export const tenantMutation = tenantHandler(changeAs);

function personContext(context: GuardedContext): PersonContext {
  if (!context.actor) throw unauthenticated();
  return { ...context, actor: context.actor };
}

/** For a handler that opens its own scopes, because it also waits for something else. */
export function requireMember(context: GuardedContext): MemberContext {
  const person = personContext(context);
  if (!person.actor.member || !person.tenant) throw failure('FORBIDDEN', commonErrors.FORBIDDEN.message);
  return { ...person, member: person.actor.member, tenant: person.tenant };
}
