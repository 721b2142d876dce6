import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MAX_MADE_AGO_MS } from '../db/made-at.ts';
import { createInvalidInputFailure } from '../errors/failures.ts';

/** The key and the age of a change, from the request's headers. */
export interface CommandHeaders {
  /** Lets a request be sent again without being applied twice. */
  readonly key: string | null;
  /**
   * How long ago the person pressed the button. The device subtracts one reading of its clock from another, so a clock that is wrong by a day
   * doesn't matter.
   */
  readonly madeAgoMs: number;
}

const Key = z.uuid().toLowerCase();
const MILLISECONDS_PATTERN = /^-?\d{1,15}$/;

/** Throws INVALID_INPUT if a header is malformed. */
export function readCommandHeaders({ headers }: FastifyRequest): CommandHeaders {
  const { 'idempotency-key': key, 'x-callout-made-ago': madeAgo = '0' } = headers;
  const parsed = Key.safeParse(key);
  if (key !== undefined && !parsed.success) throw createInvalidInputFailure({ 'Idempotency-Key': 'The Idempotency-Key must be a UUID' });
  if (typeof madeAgo !== 'string' || !MILLISECONDS_PATTERN.test(madeAgo))
    throw createInvalidInputFailure({ 'X-Callout-Made-Ago': 'X-Callout-Made-Ago must be a whole number of milliseconds' });
  return { key: parsed.data ?? null, madeAgoMs: Math.min(Math.max(Number(madeAgo), 0), MAX_MADE_AGO_MS) };
}
