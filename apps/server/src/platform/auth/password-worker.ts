import { hashSync, verifySync } from '@node-rs/argon2';
import { serveWorkerTasks } from '../workers/run-worker-tasks.ts';
import type { PasswordTask } from './password-hasher.ts';

/** Runs in a worker thread, which may block: its only work is the next password. */
serveWorkerTasks((task: PasswordTask) =>
  Promise.resolve(task.kind === 'hash' ? hashSync(task.password, task.cost) : verifySync(task.storedHash, task.password)),
);
