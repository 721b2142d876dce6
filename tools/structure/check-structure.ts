import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findMigrationViolations, MIGRATION_RULES } from './rules/migrations.ts';
import type { SourceFile } from './source-file.ts';
import { EXCEPTIONS, findViolations, RULES } from './structure.ts';

const root = join(import.meta.dirname, '../..');
const SOURCE_FILE = /\.(ts|tsx|mjs|sql)$/;
const GENERATED_FILE = /\.gen\.ts$/;

/** Skip files that were deleted but not committed, because git still lists them. */
const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => SOURCE_FILE.test(path) && !GENERATED_FILE.test(path) && existsSync(join(root, path)));

const files = paths.map((path): SourceFile => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const isMigration = ({ path }: SourceFile) => path.endsWith('.sql');
const releases = JSON.parse(readFileSync(join(root, 'releases.json'), 'utf8')) as { version: string }[];
const violations = [
  ...findViolations(
    files.filter((file) => !isMigration(file)),
    EXCEPTIONS,
  ),
  ...findMigrationViolations(
    files.filter(isMigration),
    releases.map(({ version }) => version),
  ),
];
for (const { path, line, rule, message } of violations) console.error(`${path}:${line}  ${rule}\n    ${message}`);
console.log(`${RULES.length + MIGRATION_RULES.length} rules, ${paths.length} files, ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
