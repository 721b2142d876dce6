import { defineConfig } from 'vitest/config';
import { serverTests, temporaryFolder } from './tools/vitest/server-tests.ts';
import { SlowFilesFirst } from './tools/vitest/slow-files-first.ts';

const { pure, onDatabase } = serverTests(import.meta.dirname);
const setupFiles = ['tools/vitest/console-errors-fail.ts'];

export default defineConfig({
  test: {
    // For two cores: while one worker waits for a timer or the database, another has work.
    maxWorkers: 3,
    // A test that is slow on a busy machine has not failed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tools/**/*.test.ts', 'bench/**/*.test.ts', ...pure],
          setupFiles,
          // Pure functions leave nothing behind: a process for each file took as long as the tests.
          isolate: false,
        },
      },
      {
        test: {
          name: 'web',
          include: ['apps/web/{src,test}/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // A saved file is a click on a link, which would lead the window away from the application.
          environmentOptions: {
            happyDOM: { settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } } },
          },
          setupFiles: [...setupFiles, 'apps/web/test/web-setup.ts'],
          // A new window and the whole application anew for each file took more than a third of the time.
          isolate: false,
        },
      },
      {
        test: {
          name: 'server',
          include: onDatabase.length > 0 ? onDatabase : ['apps/server/test/**/*.test.ts'],
          globalSetup: 'apps/server/test/database-setup.ts',
          setupFiles: [...setupFiles, 'apps/server/test/server-setup.ts'],
          // Loading the whole server anew for each file took a fifth of the time.
          isolate: false,
          env: { TMPDIR: temporaryFolder() },
          expect: { poll: { interval: 10 } },
        },
      },
    ],
  },
});
