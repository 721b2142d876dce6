import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { COMPILE_CACHE } from './crash/product-process.ts';

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly lines: readonly string[];
}

/** `npm run backup` and `npm run restore` as processes, with only these settings. */
export async function runCommand(
  name: 'backup' | 'restore',
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: { maxFileBlocks?: number; onStart?: (child: ChildProcess) => void } = {},
): Promise<CommandResult> {
  const program = join(import.meta.dirname, '../src/backup/commands.ts');
  // Limits file sizes in blocks of 512 bytes, which looks like a full disk to the process.
  const limit = `ulimit -f ${options.maxFileBlocks ?? 'unlimited'}; exec "$@"`;
  const child = spawn('/bin/sh', ['-c', limit, 'sh', process.execPath, program, name, ...args], {
    env: { PATH: process.env['PATH'], ...COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  options.onStart?.(child);
  const ended = once(child, 'exit');
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, out, lines: errors.split('\n').filter(Boolean) };
}
