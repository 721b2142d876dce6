import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root, say } from './project.mjs';

const BEING_WRITTEN_MS = 5000;

/** Two starts in one checkout at once must not install or build over each other. @param {string} what @param {() => Promise<void>} work */
export async function oneAtATime(what, work) {
  const file = join(root, '.cache', `${what}.lock`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  let told = false;
  while (!take(file)) {
    if (!told) say(`Another start is busy with the same (${what}); waiting for it.`);
    told = true;
    await pause(200);
  }
  const letGo = () => rmSync(file, { force: true });
  process.once('exit', letGo);
  try {
    await work();
  } finally {
    process.off('exit', letGo);
    letGo();
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isLeftBehind(file)) rmSync(file, { force: true });
    return false;
  }
}

function isLeftBehind(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid === 0) return Date.now() - statSync(file).mtimeMs > BEING_WRITTEN_MS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
