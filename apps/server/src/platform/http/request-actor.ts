import { commonErrors } from '@callout/contract/errors';
import { Id } from '@callout/contract/fields';
import type { Capability } from '@callout/domain/roles/roles';
import type { FastifyRequest } from 'fastify';
import { type LiveSession, readSession } from '../auth/session.sql.ts';
import type { Tenant } from '../db/tenant-scope.ts';
import { failure, requireCapability, unauthenticated } from '../errors/failures.ts';
import type { Platform } from './platform.ts';

type SessionParts = Pick<Platform, 'pools' | 'sessionCookie'>;

/** For the few routes beside the contract (files, live): the same session, the same refusals. */
export async function requireSession(request: FastifyRequest, { pools, sessionCookie }: SessionParts): Promise<LiveSession> {
  const token = sessionCookie.read(request.headers.cookie);
  const session = token ? await readSession(pools.system, token) : null;
  if (!session || !isShownTo(shownTo(request), session)) throw unauthenticated();
  return session;
}

/** Whom the page was shown to that sends the request: the pages of a browser share one cookie, whoever signed in last. */
export function shownTo(request: FastifyRequest): string | undefined {
  const header = request.headers['x-callout-person'];
  return typeof header === 'string' ? header : undefined;
}

/** What one person sees and does must never be done in the name of another. */
export const isShownTo = (person: string | undefined, session: LiveSession | null) =>
  person === undefined || person === session?.actor.userId;

export async function requireTenant(
  request: FastifyRequest,
  platform: SessionParts & Pick<Platform, 'now'>,
  capability: Capability,
): Promise<Tenant> {
  const { actor, tenantAt } = await requireSession(request, platform);
  const tenant = tenantAt(platform.now().toISOString());
  requireCapability(actor.member?.role, capability);
  if (!tenant) throw failure('FORBIDDEN', commonErrors.FORBIDDEN.message);
  return tenant;
}

/** The id in a route's path; what is not an id is not found. */
export function pathId(request: FastifyRequest, missing: string): string {
  const parsed = Id.safeParse((request.params as { id?: unknown }).id);
  if (!parsed.success) throw failure('NOT_FOUND', missing);
  return parsed.data;
}
