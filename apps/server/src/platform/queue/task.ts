import { mintTenant } from '../db/mint-tenant.ts';
import type { EffectContext, Tenant } from '../db/tenant-scope.ts';
import { queueManyWorks, queueWork } from './queue.sql.ts';

/** Background work that runs after the commit that queued it and is retried until it succeeds. */
export interface Task<Payload> {
  readonly name: string;
  /** With a key, it replaces queued work with the same key. */
  later(context: EffectContext, payload: Payload, key?: string): Promise<void>;
  laterForEach(context: EffectContext, payloads: readonly Payload[]): Promise<void>;
}

export interface Attempt {
  readonly isLast: boolean;
  /** Aborted when the server shuts down and can wait no longer. */
  readonly signal: AbortSignal;
}

export function defineTask<Payload>(name: string): Task<Payload> {
  return {
    name,
    later: (context, payload, key) => queueWork(context, name, payload, key),
    laterForEach: (context, payloads) => queueManyWorks(context, name, payloads),
  };
}

/** The function that runs a task. */
export interface TaskHandler {
  readonly name: string;
  run(payload: unknown, attempt: Attempt): Promise<void>;
}

/** The cast is safe because `later` of the same task wrote the payload. */
export function handleTask<Payload>(task: Task<Payload>, run: (payload: Payload, attempt: Attempt) => Promise<void>): TaskHandler {
  return { name: task.name, run: (payload, attempt) => run(payload as Payload, attempt) };
}

/** Scheduled work. A run missed while the server was down is made up once. */
export interface ScheduledTask {
  readonly name: string;
  /** In UTC. Without an hour, every hour. */
  readonly at: { readonly hour?: number; readonly minute: number };
  run(signal: AbortSignal): Promise<void>;
}

/** The tenant of a queue task, taken from its payload. The system is the actor, so no author is recorded. */
export function tenantOfTask(task: string, companyId: string, now: string): Tenant {
  return mintTenant(companyId, { kind: 'system', task }, now);
}
