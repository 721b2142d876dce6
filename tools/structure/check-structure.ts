import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXCEPTIONS } from './exceptions.ts';
import { RULES, structureFindings } from './structure.ts';

const root = join(import.meta.dirname, '../..');
const SOURCES = /\.(ts|tsx|mjs)$/;
const GENERATED = /\.gen\.ts$/;

/** What git tracks or would track; a file that was deleted but not yet committed is not there to be read. */
const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => SOURCES.test(path) && !GENERATED.test(path) && existsSync(join(root, path)));

const found = structureFindings(
  paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  EXCEPTIONS,
);
for (const { path, line, rule, says } of found) console.error(`${path}:${line}  ${rule}\n    ${says}`);
console.log(`${RULES.length} rules over ${paths.length} files: ${found.length === 0 ? 'all kept' : `${found.length} broken`}`);
process.exitCode = found.length === 0 ? 0 : 1;
