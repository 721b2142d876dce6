import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReportKind } from './counts.ts';

export const root = join(import.meta.dirname, '../..');

export interface Step {
  readonly name: string;
  /** Arguments for Node; $REPORT stands for the file its report belongs into, here and in env. */
  readonly node: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly report?: ReportKind;
  /** The step without which this one makes no sense. */
  readonly after?: string;
}

/** The script behind a command of an installed package. */
function command(name: string, of = name): string {
  const folder = join(root, 'node_modules', of);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: string | Record<string, string> };
  const script = typeof bin === 'string' ? bin : bin[name];
  if (!script) throw new Error(`${of} has no command ${name}`);
  return join(folder, script);
}

/** Every part of the house that has a tsconfig.json of its own. */
function typedParts(): string[] {
  const parts = ['packages', 'apps'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));
  return [...parts, '.'].filter((part) => existsSync(join(root, part, 'tsconfig.json')));
}

function vitest(name: string, projects: readonly string[]): Step {
  const chosen = projects.map((project) => `--project=${project}`);
  const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=$REPORT'];
  return { name, node: [command('vitest'), 'run', ...chosen, ...reporters], report: 'vitest' };
}

/** The fast half: no database, no browser. */
export function checkSteps(): Step[] {
  const tsc = command('tsc', 'typescript');
  return [
    { name: 'structure', node: ['tools/structure/check-structure.ts'] },
    { name: 'format', node: [command('biome', '@biomejs/biome'), 'check', '--error-on-warnings', '.'] },
    { name: 'lint', node: [command('oxlint')] },
    ...typedParts().map((part) => ({ name: `types of ${part === '.' ? 'tools and e2e' : part}`, node: [tsc, '-p', part] })),
    { name: 'nothing unused', node: [command('knip')] },
    vitest('unit tests', ['unit', 'web']),
  ];
}

/** Everything. */
export function testSteps(): Step[] {
  return [
    ...checkSteps(),
    { name: 'build', node: ['tools/build.mjs'] },
    // With the pages in place: the server serves them, and its tests look at that.
    vitest('server tests', ['server']),
    { name: 'weight', node: ['tools/weight/check-weight.ts'], after: 'build' },
    {
      name: 'browser tests',
      node: [command('playwright', '@playwright/test'), 'test'],
      env: { PLAYWRIGHT_REPORT: '$REPORT' },
      report: 'playwright',
      after: 'build',
    },
  ];
}
