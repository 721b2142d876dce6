import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files. Without results of an earlier run vitest starts with the largest files, and these would keep one worker busy at the end. */
const SLOW = [
  'crash/crash-rounds',
  'backup/commands',
  'embedded-postgres/src/first-start',
  'backup/take-backup',
  'backup/restore-backup',
  'embedded-postgres/src/upgrade',
  'auth/attempts',
  'test/hostile-input-1',
  'test/hostile-input-2',
  'features/jobs/jobs',
  'test/tenancy',
  'features/invoices/billing-once',
  'features/timer/time-sheet',
  'server/src/main',
  'runtime/start',
];

export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = SLOW.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
      return index === -1 ? SLOW.length : index;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, not an array's.
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
