import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { stopProcess } from './child-process.ts';

export interface RunningProduct {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

export interface ProductOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Where to write a CPU profile, if one is wanted. */
  readonly profileDir?: string | undefined;
}

const MAIN = join(import.meta.dirname, '../apps/server/src/main.ts');
const READY = /is ready at http:\/\/localhost:(\d+)/;

/** Starts the product with its default settings; its log goes to a file, as in production. */
export async function startProduct({ env, logFile, profileDir }: ProductOptions): Promise<RunningProduct> {
  const profiling = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const log = openSync(logFile, 'a');
  const product = spawn(process.execPath, [...profiling, MAIN], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', log, 'ipc'],
  });
  closeSync(log);
  const port = await waitUntilReady(product, logFile);
  return { pid: product.pid ?? 0, port, stop: () => stopProcess(product) };
}

function waitUntilReady(product: ChildProcess, logFile: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = '';
    product.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const port = READY.exec(printed)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    product.once('exit', (code) => reject(new Error(`The product exited with ${code} before it was ready, see ${logFile}`)));
    product.once('error', reject);
  });
}
