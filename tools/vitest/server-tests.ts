import { globSync, readFileSync } from 'node:fs';
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
