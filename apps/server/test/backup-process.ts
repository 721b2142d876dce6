import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { COMPILE_CACHE_ENV } from './crash/server-process.ts';

export interface BackupCommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly errorLines: readonly string[];
}

/** Runs `npm run backup`, `npm run restore` or `npm run files:move` in a child process that gets only the given environment variables. */
export async function runBackupCommand(
  name: 'backup' | 'restore' | 'files-move',
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: { maxFileBlocks?: number; onStart?: (child: ChildProcess) => void } = {},
): Promise<BackupCommandResult> {
  const scriptPath = join(import.meta.dirname, '../src/backup/commands.ts');
  // Limits the size of any file the process writes, in blocks of 512 bytes. The process fails as if the disk were full.
  const limit = `ulimit -f ${options.maxFileBlocks ?? 'unlimited'}; exec "$@"`;
  const child = spawn('/bin/sh', ['-c', limit, 'sh', process.execPath, scriptPath, name, ...args], {
    env: { PATH: process.env['PATH'], ...COMPILE_CACHE_ENV, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  options.onStart?.(child);
  const ended = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, stdout, errorLines: stderr.split('\n').filter(Boolean) };
}
