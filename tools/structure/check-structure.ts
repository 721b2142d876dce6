import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXCEPTIONS, findViolations, RULES } from './structure.ts';

const root = join(import.meta.dirname, '../..');
const SOURCE_FILE = /\.(ts|tsx|mjs)$/;
const GENERATED_FILE = /\.gen\.ts$/;

/** Skip files that were deleted but not committed, because git still lists them. */
const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => SOURCE_FILE.test(path) && !GENERATED_FILE.test(path) && existsSync(join(root, path)));

const violations = findViolations(
  paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  EXCEPTIONS,
);
for (const { path, line, rule, message } of violations) console.error(`${path}:${line}  ${rule}\n    ${message}`);
console.log(`${RULES.length} rules, ${paths.length} files, ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
