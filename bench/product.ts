import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { stopProcess } from './child-process.ts';

export interface RunningProduct {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

export interface ProductPlace {
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Where to leave a CPU profile, if one is wanted. */
  readonly profileDir?: string | undefined;
}

const MAIN = join(import.meta.dirname, '../apps/server/src/main.ts');
const READY = /is ready at http:\/\/localhost:(\d+)/;

/** The product as it is started for people, with its default settings; its log goes to a file, as under a supervisor. */
export async function startProduct({ environment, logFile, profileDir }: ProductPlace): Promise<RunningProduct> {
  const profiling = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const log = openSync(logFile, 'a');
  const product = spawn(process.execPath, [...profiling, MAIN], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', log, 'ipc'],
  });
  closeSync(log);
  const port = await ready(product, logFile);
  return { pid: product.pid ?? 0, port, stop: () => stopProcess(product) };
}

function ready(product: ChildProcess, logFile: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = '';
    product.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const port = READY.exec(printed)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    product.once('exit', (code) => reject(new Error(`The product ended with ${code} at its start, see ${logFile}`)));
    product.once('error', reject);
  });
}
