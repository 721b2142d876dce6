import { globSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DATABASE_FOLDERS = /^(apps\/server\/(test|src\/platform\/db)|packages\/embedded-postgres)\//;
const DATABASE_IMPORTS = /from '(?:\.\.\/)+test\//;

/** The tests of the server and the packages, separated by whether they need PostgreSQL. */
export function serverTests(root: string): { pure: string[]; onDatabase: string[] } {
  const all = globSync(['apps/server/{src,test}/**/*.test.ts', 'packages/*/src/**/*.test.ts'], { cwd: root }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  const onDatabase = all.filter((path) => DATABASE_FOLDERS.test(path) || DATABASE_IMPORTS.test(readFileSync(join(root, path), 'utf8')));
  return { pure: all.filter((path) => !onDatabase.includes(path)), onDatabase };
}

const MEMORY = '/dev/shm';
const MIN_MEMORY_BYTES = 4 * 1024 ** 3;

/** In memory where there is plenty: a database is a thousand files, and no test depends on the disk. */
export function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MIN_MEMORY_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
