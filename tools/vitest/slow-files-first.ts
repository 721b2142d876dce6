import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files to run first. Vitest would sort them by size on the first run, and one worker would still run them at the end. */
const SLOW_FILES = [
  'crash/crash-rounds',
  'upgrade/upgrade',
  'backup/commands',
  'embedded-postgres/src/first-start',
  'backup/take-backup',
  'backup/restore-backup',
  'embedded-postgres/src/upgrade',
  'auth/account-limits',
  'test/hostile-input-even-calls',
  'test/hostile-input-odd-calls',
  'features/jobs/jobs',
  'test/tenancy',
  'features/invoices/billing-concurrency',
  'features/timer/time-sheet',
  'server/src/main',
  'runtime/start',
];

export class SlowFilesFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = SLOW_FILES.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
      return index === -1 ? SLOW_FILES.length : index;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- this sorts the sequencer's files, not an array.
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
