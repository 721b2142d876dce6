import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReportKind } from './step-result.ts';

export const root = join(import.meta.dirname, '../..');

export interface Step {
  readonly name: string;
  /** Arguments for Node. In these and in `env`, $REPORT is replaced with the path of the report. */
  readonly node: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly report?: ReportKind;
  /** The step that must have passed before this one runs. */
  readonly after?: string;
}

/** Steps that run at the same time, to keep both cores busy. */
export type StepGroup = readonly Step[];

function readBinPath(name: string, packageName = name): string {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: string | Record<string, string> };
  const script = typeof bin === 'string' ? bin : bin[name];
  if (!script) throw new Error(`${packageName} has no command ${name}`);
  return join(folder, script);
}

function createVitestStep(name: string, projects: readonly string[]): Step {
  const projectFlags = projects.map((project) => `--project=${project}`);
  const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=$REPORT'];
  return { name, node: [readBinPath('vitest'), 'run', ...projectFlags, ...reporters], report: 'vitest' };
}

const createCheckSteps = (): StepGroup => [
  // The linter also checks types, because it loads them anyway. A high GOGC skips most garbage collection in this short run.
  { name: 'lint and types', node: [readBinPath('oxlint')], env: { GOGC: '300' } },
  { name: 'structure', node: ['tools/structure/check-structure.ts'] },
  { name: 'format', node: [readBinPath('biome', '@biomejs/biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'nothing unused', node: [readBinPath('knip')] },
];

const createUnitTestStep = (): Step => createVitestStep('unit tests', ['unit', 'web']);

/** Returns the fast steps, which need neither a database nor a browser. */
export function listCheckSteps(): StepGroup[] {
  return [createCheckSteps(), [createUnitTestStep()]];
}

export function listTestSteps(): StepGroup[] {
  return [
    [...createCheckSteps(), { name: 'build', node: ['tools/build.mjs'] }],
    [createUnitTestStep(), { name: 'weight', node: ['tools/weight/check-weight.ts'], after: 'build' }],
    // Run these after the build, because they also test how the server delivers the web app.
    [createVitestStep('server tests', ['server'])],
    [
      {
        name: 'browser tests',
        node: [readBinPath('playwright', '@playwright/test'), 'test'],
        env: { PLAYWRIGHT_REPORT: '$REPORT' },
        report: 'playwright',
        after: 'build',
      },
    ],
  ];
}
