import { commonErrors } from '@callout/contract/errors';
import { Id } from '@callout/contract/fields';
import type { Capability } from '@callout/domain/roles/roles';
import type { FastifyRequest } from 'fastify';
import { type ActiveSession, findSession } from '../auth/session.sql.ts';
import type { Tenant } from '../db/tenant-scope.ts';
import { createCompanyClosedFailure, createFailure, createUnauthenticatedFailure, requireCapability } from '../errors/failures.ts';
import type { Platform } from './platform.ts';

type SessionServices = Pick<Platform, 'pools' | 'sessionCookie'>;

/** Requires a session on routes outside the contract, such as files and live updates. Fails in the same way as a call. */
export async function requireSession(request: FastifyRequest, { pools, sessionCookie }: SessionServices): Promise<ActiveSession> {
  const token = sessionCookie.readToken(request.headers.cookie);
  const session = token ? await findSession(pools.system, token) : null;
  if (!session || !isExpectedUser(getExpectedUserId(request), session)) throw createUnauthenticatedFailure();
  return session;
}

/** Returns the id of the user that the page was rendered for. All tabs share one cookie, so another tab may have switched accounts. */
export function getExpectedUserId(request: FastifyRequest): string | undefined {
  const header = request.headers['x-callout-person'];
  return typeof header === 'string' ? header : undefined;
}

/** Returns false if the page was rendered for another user, because a page must never act as someone else. */
export const isExpectedUser = (userId: string | undefined, session: ActiveSession | null) =>
  userId === undefined || userId === session?.actor.userId;

/**
 * Returns the time of a call. A signed-in call uses the database's clock, which all processes share: a timer may be started by one process
 * and stopped by another with a different clock.
 */
export const getCallTime = ({ callClock, now }: Pick<Platform, 'now' | 'callClock'>, session: ActiveSession | null) =>
  (callClock?.() ?? session?.readAt ?? now()).toISOString();

export async function requireTenant(
  request: FastifyRequest,
  platform: SessionServices & Pick<Platform, 'now' | 'callClock'>,
  capability: Capability,
): Promise<Tenant> {
  const session = await requireSession(request, platform);
  const { actor, companyDeletesAt, getTenant } = session;
  const tenant = getTenant(getCallTime(platform, session));
  requireCapability(actor.member?.role, capability);
  if (companyDeletesAt) throw createCompanyClosedFailure();
  if (!tenant) throw createFailure('FORBIDDEN', commonErrors.FORBIDDEN.message);
  return tenant;
}

/** Returns the id in the route's path. A malformed id fails as NOT_FOUND, like an unknown one. */
export function requirePathId(request: FastifyRequest, notFoundMessage: string): string {
  const parsed = Id.safeParse((request.params as { id?: unknown }).id);
  if (!parsed.success) throw createFailure('NOT_FOUND', notFoundMessage);
  return parsed.data;
}
