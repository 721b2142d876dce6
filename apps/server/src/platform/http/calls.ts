import type { CallMeta } from '@callout/contract/call';
import { contract } from '@callout/contract/contract';
import { commonErrors } from '@callout/contract/errors';
import { can, refusal } from '@callout/domain/roles/roles';
import { implement } from '@orpc/server';
import type { Config } from '../../config.ts';
import { type Actor, isSystemAdmin } from '../auth/actor.ts';
import { readSession, renewSession } from '../auth/session.sql.ts';
import { changeAs, readAs, type TenantScope } from '../db/tenant-scope.ts';
import type { CallContext, GuardedContext, MemberContext, PersonContext } from './call-context.ts';
import { failure, toFailure } from './failures.ts';
import { limitPublicCall } from './rate-limit.ts';

/**
 * Every call passes here before its handler: who is it, may they, then the input is checked, then the handler runs.
 * Handlers are made from this, so none can be written without it.
 */
export const calls = implement(contract)
  .$context<CallContext>()
  .use(async ({ context, next, procedure, path }) => {
    try {
      const { access }: CallMeta = procedure['~orpc'].meta;
      if (access === 'public') await limitPublicCall(context, path.join('.'));
      const actor = context.sessionToken ? await actorOf(context, context.sessionToken) : null;
      authorise(access, actor, context.platform.config);
      return await next({ context: { actor, now: context.platform.now().toISOString() } });
    } catch (error) {
      throw toFailure(error, context.fault);
    }
  });

async function actorOf(context: CallContext, token: string): Promise<Actor | null> {
  const { pools, sessionCookie } = context.platform;
  const session = await readSession(pools.system, token);
  if (session?.renewDue) {
    await renewSession(pools.system, session.actor.sessionId);
    context.setCookies([sessionCookie.renewed(token)]);
  }
  return session?.actor ?? null;
}

function authorise(access: CallMeta['access'], actor: Actor | null, config: Config): void {
  if (access === 'public') return;
  if (!actor) throw unauthenticated();
  if (access === 'signed-in') return;
  if (access === 'system-admin') {
    if (!isSystemAdmin(actor, config)) throw failure('FORBIDDEN', commonErrors.FORBIDDEN.message);
    return;
  }
  if (!can(actor.member?.role, access)) throw failure('FORBIDDEN', refusal(access));
}

const unauthenticated = () => failure('UNAUTHENTICATED', commonErrors.UNAUTHENTICATED.message);

/** A handler of a signed-in person, with or without a company. */
export function asPerson<Options extends { context: GuardedContext }, Result>(
  work: (options: Options & { context: PersonContext }) => Promise<Result>,
): (options: Options) => Promise<Result> {
  return (options) => work({ ...options, context: personContext(options.context) });
}

/** A handler that reads its company's data. */
export function reading<Options extends { context: GuardedContext }, Result>(
  work: (scope: TenantScope, options: Options & { context: MemberContext }) => Promise<Result>,
): (options: Options) => Promise<Result> {
  return (options) => {
    const context = memberContext(options.context);
    return readAs(context.platform.pools.app, tenantOf(context), (scope) => work(scope, { ...options, context }));
  };
}

/** A handler that changes its company's data, in one transaction. */
export function changing<Options extends { context: GuardedContext }, Result>(
  work: (scope: TenantScope, options: Options & { context: MemberContext }) => Promise<Result>,
): (options: Options) => Promise<Result> {
  return (options) => {
    const context = memberContext(options.context);
    return changeAs(context.platform.pools.app, tenantOf(context), (scope) => work(scope, { ...options, context }));
  };
}

function personContext(context: GuardedContext): PersonContext {
  if (!context.actor) throw unauthenticated();
  return { ...context, actor: context.actor };
}

function memberContext(context: GuardedContext): MemberContext {
  const person = personContext(context);
  if (!person.actor.member) throw failure('FORBIDDEN', commonErrors.FORBIDDEN.message);
  return { ...person, member: person.actor.member };
}

const tenantOf = (context: MemberContext) => ({ companyId: context.member.companyId, actor: context.actor, now: context.now });
