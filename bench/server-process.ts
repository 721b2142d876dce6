import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { stopProcess } from './child-worker.ts';

export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  readonly logFile: string;
  stop(): Promise<void>;
}

export interface ServerProcessOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Folder for a CPU profile. If undefined, the server isn't profiled. */
  readonly profileDir?: string | undefined;
}

const MAIN_FILE = join(import.meta.dirname, '../apps/server/src/main.ts');
const READY_MESSAGE = /is ready at http:\/\/localhost:(\d+)/;

/** Starts the server with default settings. It logs to a file, as in production. */
export async function startServerProcess({ env, logFile, profileDir }: ServerProcessOptions): Promise<ServerProcess> {
  const profiling = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const log = openSync(logFile, 'a');
  const server = spawn(process.execPath, [...profiling, MAIN_FILE], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', log, 'ipc'],
  });
  closeSync(log);
  const port = await waitUntilReady(server, logFile);
  return { pid: server.pid ?? 0, port, logFile, stop: () => stopProcess(server) };
}

function waitUntilReady(server: ChildProcess, logFile: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const port = READY_MESSAGE.exec(output)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    server.once('exit', (code) => reject(new Error(`The server exited with ${code} before it was ready, see ${logFile}`)));
    server.once('error', reject);
  });
}
