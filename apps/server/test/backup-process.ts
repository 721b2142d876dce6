import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly lines: readonly string[];
}

/** `npm run backup` and `npm run restore` as processes, with these settings and no other. */
export async function runCommand(
  name: 'backup' | 'restore',
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: { maxFileBlocks?: number; onStart?: (child: ChildProcess) => void } = {},
): Promise<CommandResult> {
  const program = join(import.meta.dirname, '../src/backup/commands.ts');
  // The shell sets how many blocks of 512 bytes a file may have, which is how a full disk feels to one process.
  const limit = `ulimit -f ${options.maxFileBlocks ?? 'unlimited'}; exec "$@"`;
  const child = spawn('/bin/sh', ['-c', limit, 'sh', process.execPath, program, name, ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  options.onStart?.(child);
  const ended = once(child, 'exit');
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, out, lines: errors.split('\n').filter(Boolean) };
}
