import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Child<Question, Answer> {
  readonly pid: number;
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a process of the benchmark; it answers one question at a time. */
export function startChild<Question extends object, Answer>(file: string): Child<Question, Answer> {
  const child = fork(join(import.meta.dirname, file), { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    pid: child.pid ?? 0,
    async ask(question) {
      child.send(question);
      const exited = new AbortController();
      const end = once(child, 'exit', { signal: exited.signal }).then(() => {
        throw new Error(`${file} exited before it answered`);
      });
      try {
        const [answer] = (await Promise.race([once(child, 'message'), end])) as [Answer];
        return answer;
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

/** Runs in the child process: answers each question of the parent and exits with it. */
export function answerParent(answer: (question: never) => Promise<unknown>): void {
  process.on('message', (question) => {
    void answer(question as never).then((reply) => process.send?.(reply));
  });
  process.on('disconnect', () => process.exit());
}
