import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Of the contents of a few files. @param {string} root @param {string[]} paths */
export function fingerprintOfContents(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  return hash.digest('hex');
}

/** Of names, sizes and times of files and whole folders: quick, and wrong only towards doing the work once too often. */
export function fingerprintOfListing(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const [file, { size, mtimeMs }] of filesBelow(path)) hash.update(`${relative(root, file)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** A stamp is written last, so work that was interrupted is done again. */
export function stampSays(file, fingerprint) {
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

function filesBelow(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  // Generated while building: it would make every build look out of date.
  if (!found.isDirectory()) return path.endsWith('.gen.ts') ? [] : [[path, found]];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesBelow(join(path, name)));
}
