import { commonErrors } from '@callout/contract/errors';
import { type Capability, can, refusal } from '@callout/domain/roles/roles';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../auth/actor.ts';
import { readSession } from '../auth/session.sql.ts';
import type { Tenant } from '../db/tenant-scope.ts';
import type { Platform } from '../platform.ts';
import { failure } from './failures.ts';

/** For the few routes beside the contract (files, live): the same session, the same refusals. */
export async function requireActor(request: FastifyRequest, platform: Platform): Promise<Actor> {
  const token = platform.sessionCookie.read(request.headers.cookie);
  const session = token ? await readSession(platform.pools.system, token) : null;
  if (!session) throw failure('UNAUTHENTICATED', commonErrors.UNAUTHENTICATED.message);
  return session.actor;
}

export async function requireTenant(request: FastifyRequest, platform: Platform, capability: Capability): Promise<Tenant> {
  const actor = await requireActor(request, platform);
  if (!actor.member || !can(actor.member.role, capability)) throw failure('FORBIDDEN', refusal(capability));
  return { companyId: actor.member.companyId, actor, now: platform.now().toISOString() };
}
