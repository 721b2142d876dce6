import type { EffectPlace } from '../db/effect-place.ts';
import type { Platform } from '../platform.ts';
import { queueWork } from './queue.sql.ts';

/** A piece of work done after the commit that asked for it, again and again until it succeeds. */
export interface Task<Payload = unknown> {
  readonly name: string;
  run(payload: Payload, platform: Platform, attempt: Attempt): Promise<void>;
  /** With a key, it takes the place of the same work that still waits. */
  later(place: EffectPlace, payload: Payload, key?: string): Promise<void>;
}

export interface Attempt {
  readonly isLast: boolean;
}

export function defineTask<Payload>(name: string, run: Task<Payload>['run']): Task<Payload> {
  return { name, run, later: (place, payload, key) => queueWork(place, name, payload, key) };
}
