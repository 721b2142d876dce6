import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { print, root } from './project.mjs';

const EMPTY_LOCK_TIMEOUT_MS = 5000;

/** Prevents two processes in one checkout from installing or building at once. @param {string} name @param {() => Promise<void>} work */
export async function withLock(name, work) {
  const file = join(root, '.cache', `${name}.lock`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  let hasPrinted = false;
  while (!acquire(file)) {
    if (!hasPrinted) print(`Waiting for another process to finish (${name})...`);
    hasPrinted = true;
    await sleep(200);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function acquire(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isStale(file)) rmSync(file, { force: true });
    return false;
  }
}

function isStale(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid === 0) return Date.now() - statSync(file).mtimeMs > EMPTY_LOCK_TIMEOUT_MS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
