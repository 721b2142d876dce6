import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

/**
 * Lists missing optional dependencies with binaries for this platform, as `name@version`. npm omits them if the lock file was
 * written on another platform (npm/cli#4828).
 */
export function listMissingNativePackages() {
  const installed = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8')).packages;
  const optionalPackages = Object.values(installed).flatMap((entry) => Object.entries(entry.optionalDependencies ?? {}));
  return optionalPackages
    .filter(([name]) => isForThisMachine(name) && !existsSync(join(root, 'node_modules', name)))
    .map(([name, version]) => `${name}@${version}`);
}

function isForThisMachine(name) {
  const platforms = process.platform === 'win32' ? ['win32', 'windows'] : [process.platform];
  const libc = process.platform === 'linux' ? (isMusl() ? '(-musl)?' : '(-gnu)?') : '(-msvc)?';
  return new RegExp(`(^|[-/@])(${platforms.join('|')})-${process.arch}${libc}$`).test(name);
}

function isMusl() {
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}
