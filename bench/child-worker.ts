import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface ChildWorker<Request, Response> {
  readonly pid: number;
  request(message: Request): Promise<Response>;
  stop(): Promise<void>;
}

type WorkerReply = { readonly response: unknown } | { readonly failure: string };

/** Starts a child process of the benchmark. It handles one request at a time. */
export function startWorker<Request extends object, Response>(file: string): ChildWorker<Request, Response> {
  const child = fork(join(import.meta.dirname, file), { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    pid: child.pid ?? 0,
    async request(message) {
      child.send(message);
      const exited = new AbortController();
      const end = once(child, 'exit', { signal: exited.signal }).then(() => {
        throw new Error(`${file} exited before it responded`);
      });
      try {
        const [reply] = (await Promise.race([once(child, 'message'), end])) as [WorkerReply];
        if ('failure' in reply) throw new Error(reply.failure);
        return reply.response as Response;
      } finally {
        end.catch(() => undefined);
        exited.abort();
      }
    },
    stop: () => stopProcess(child),
  };
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Call this in the child process. Responds to each message from the parent, even after a failure, and exits when the parent does. */
export function handleParentMessages(handle: (message: never) => Promise<unknown>): void {
  const reply = (message: WorkerReply) => void process.send?.(message);
  process.on('message', (message) => {
    void handle(message as never).then(
      (response) => reply({ response }),
      (error: unknown) => reply({ failure: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}
