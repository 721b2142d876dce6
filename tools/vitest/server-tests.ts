import { globSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DATABASE_FOLDERS = /^(apps\/server\/(test|src\/platform\/db)|packages\/embedded-postgres|tools\/field)\//;
/** The simulation of a day without signal runs the server, so it runs with the server's tests. */
export const FIELD_TESTS = 'tools/field/**/*.test.ts';
const DATABASE_IMPORTS = /from '(?:\.\.\/)+test\//;

/** Lists the test files of the server and the packages, split by whether they need PostgreSQL. */
export function listServerTests(root: string): { pure: string[]; onDatabase: string[] } {
  const all = globSync(['apps/server/{src,test}/**/*.test.ts', 'packages/*/src/**/*.test.ts', FIELD_TESTS], { cwd: root }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  const onDatabase = all.filter((path) => DATABASE_FOLDERS.test(path) || DATABASE_IMPORTS.test(readFileSync(join(root, path), 'utf8')));
  return { pure: all.filter((path) => !onDatabase.includes(path)), onDatabase };
}

const MEMORY_FOLDER = '/dev/shm';
const MIN_MEMORY_BYTES = 4 * 1024 ** 3;

/** Returns a folder in memory if there is enough space, because each test database has about a thousand files that needn't be on disk. */
export function chooseTempFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MIN_MEMORY_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}
