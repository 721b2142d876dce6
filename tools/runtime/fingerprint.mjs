import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Hashes file names and contents. @param {string} root @param {string[]} paths */
export function hashContents(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  return hash.digest('hex');
}

/** Hashes names, sizes and modification times, which is faster than reading the files. At worst, this causes an unnecessary build. */
export function hashListing(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const [file, { size, mtimeMs }] of listFiles(path)) hash.update(`${relative(root, file)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Returns true if the stamp matches. The stamp is written last, so that interrupted work is repeated. */
export function isStampCurrent(file, fingerprint) {
  try {
    return readFileSync(file, 'utf8') === fingerprint;
  } catch {
    return false;
  }
}

export function writeStamp(file, fingerprint) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, fingerprint);
}

function listFiles(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  // Skip *.gen.ts files, which the build itself writes. Otherwise, every build would look outdated.
  if (!found.isDirectory()) return path.endsWith('.gen.ts') ? [] : [[path, found]];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => listFiles(join(path, name)));
}
