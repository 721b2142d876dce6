import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReportKind } from './counts.ts';

export const root = join(import.meta.dirname, '../..');

export interface Step {
  readonly name: string;
  /** Arguments for Node; $REPORT is replaced with the path of the report, here and in env. */
  readonly node: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly report?: ReportKind;
  /** A step that must pass before this one runs. */
  readonly after?: string;
}

/** Steps that run side by side: what one leaves of two cores, another uses. */
export type StepGroup = readonly Step[];

/** The script behind a command of an installed package. */
function binOf(name: string, packageName = name): string {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: string | Record<string, string> };
  const script = typeof bin === 'string' ? bin : bin[name];
  if (!script) throw new Error(`${packageName} has no command ${name}`);
  return join(folder, script);
}

function vitest(name: string, projects: readonly string[]): Step {
  const projectFlags = projects.map((project) => `--project=${project}`);
  const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=$REPORT'];
  return { name, node: [binOf('vitest'), 'run', ...projectFlags, ...reporters], report: 'vitest' };
}

const checks = (): StepGroup => [
  // The linter has the types of every file at hand, and checks them as well: the compiler would read all files once more.
  // It ends before its garbage is worth collecting often.
  { name: 'lint and types', node: [binOf('oxlint')], env: { GOGC: '300' } },
  { name: 'structure', node: ['tools/structure/check-structure.ts'] },
  { name: 'format', node: [binOf('biome', '@biomejs/biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'nothing unused', node: [binOf('knip')] },
];

const unitTests = (): Step => vitest('unit tests', ['unit', 'web']);

/** The fast steps: no database, no browser. */
export function checkSteps(): StepGroup[] {
  return [checks(), [unitTests()]];
}

export function testSteps(): StepGroup[] {
  return [
    [...checks(), { name: 'build', node: ['tools/build.mjs'] }],
    [unitTests(), { name: 'weight', node: ['tools/weight/check-weight.ts'], after: 'build' }],
    // After the build: these tests also check how the server serves the pages.
    [vitest('server tests', ['server'])],
    [
      {
        name: 'browser tests',
        node: [binOf('playwright', '@playwright/test'), 'test'],
        env: { PLAYWRIGHT_REPORT: '$REPORT' },
        report: 'playwright',
        after: 'build',
      },
    ],
  ];
}
