import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Child<Question, Answer> {
  readonly pid: number;
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/** One of the benchmark's own processes, asked one question at a time. */
export function startChild<Question extends object, Answer>(file: string): Child<Question, Answer> {
  const child = fork(join(import.meta.dirname, file), { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    pid: child.pid ?? 0,
    async ask(question) {
      child.send(question);
      const ended = new AbortController();
      const end = once(child, 'exit', { signal: ended.signal }).then(() => {
        throw new Error(`${file} ended before it answered`);
      });
      try {
        const [answer] = (await Promise.race([once(child, 'message'), end])) as [Answer];
        return answer;
      } finally {
        end.catch(() => undefined);
        ended.abort();
      }
    },
    stop: () => stopProcess(child),
  };
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
