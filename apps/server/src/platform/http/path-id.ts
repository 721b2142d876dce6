import { Id } from '@callout/contract/fields';
import type { FastifyRequest } from 'fastify';
import { failure } from '../errors/failures.ts';

/** The id in a route's address; what is no id names nothing. */
export function pathId(request: FastifyRequest, missing: string): string {
  const parsed = Id.safeParse((request.params as { id?: unknown }).id);
  if (!parsed.success) throw failure('NOT_FOUND', missing);
  return parsed.data;
}
