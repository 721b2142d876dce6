import type { EffectContext } from '../db/tenant-scope.ts';
import { queueWork } from './queue.sql.ts';

/** A piece of work done after the commit that asked for it, again and again until it succeeds. */
export interface Task<Payload> {
  readonly name: string;
  /** With a key, it replaces the same work that still waits. */
  later(context: EffectContext, payload: Payload, key?: string): Promise<void>;
}

export interface Attempt {
  readonly isLast: boolean;
  /** Aborted when the server stops and cannot wait any longer. */
  readonly signal: AbortSignal;
}

export function defineTask<Payload>(name: string): Task<Payload> {
  return { name, later: (context, payload, key) => queueWork(context, name, payload, key) };
}

/** What a worker does when it comes to a task. */
export interface TaskHandler {
  readonly name: string;
  run(payload: unknown, attempt: Attempt): Promise<void>;
}

/** A payload is what `later` of the same task put down, hence the cast. */
export function handleTask<Payload>(task: Task<Payload>, run: (payload: Payload, attempt: Attempt) => Promise<void>): TaskHandler {
  return { name: task.name, run: (payload, attempt) => run(payload as Payload, attempt) };
}

/** Work that comes round by the clock; missed while the server was down, it is done once when it is back. */
export interface ScheduledTask {
  readonly name: string;
  /** In UTC. Without an hour, every hour. */
  readonly at: { readonly hour?: number; readonly minute: number };
  run(signal: AbortSignal): Promise<void>;
}
