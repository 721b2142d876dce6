import { mintTenant } from '../db/mint-tenant.ts';
import type { EffectContext, Tenant } from '../db/tenant-scope.ts';
import { queueTask, queueTasks } from './queue.sql.ts';

/** Background work that runs after the transaction that queued it has committed, and is retried until it succeeds. */
export interface Task<Payload> {
  readonly name: string;
  /** Queues the task. With a key, replaces the queued task that has the same key. */
  queue(context: EffectContext, payload: Payload, key?: string): Promise<void>;
  queueEach(context: EffectContext, payloads: readonly Payload[]): Promise<void>;
}

export interface TaskAttempt {
  readonly isLast: boolean;
  /** Aborted when the server shuts down and can't wait for the task any longer. */
  readonly signal: AbortSignal;
}

export function defineTask<Payload>(name: string): Task<Payload> {
  return {
    name,
    queue: (context, payload, key) => queueTask(context, name, payload, key),
    queueEach: (context, payloads) => queueTasks(context, name, payloads),
  };
}

/** A task's name and the function that runs it. */
export interface TaskHandler {
  readonly name: string;
  run(payload: unknown, attempt: TaskAttempt): Promise<void>;
}

/** Creates a task's handler. Casting the payload is safe, because the same task's `queue` wrote it. */
export function createTaskHandler<Payload>(
  task: Task<Payload>,
  run: (payload: Payload, attempt: TaskAttempt) => Promise<void>,
): TaskHandler {
  return { name: task.name, run: (payload, attempt) => run(payload as Payload, attempt) };
}

/** A task that runs on a schedule. If runs were missed while the server was down, it runs once after the restart. */
export interface ScheduledTask {
  readonly name: string;
  /** The time of day in UTC. Without an hour, the task runs every hour. */
  readonly schedule: { readonly hour?: number; readonly minute: number };
  run(signal: AbortSignal): Promise<void>;
}

/** Mints the tenant for a queue task. The actor is the system, so no author is recorded. */
export function mintTaskTenant(task: string, companyId: string, now: string): Tenant {
  return mintTenant(companyId, { kind: 'system', task }, now);
}
