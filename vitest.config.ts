import { defineConfig } from 'vitest/config';
import { chooseTempFolder, listServerTests } from './tools/vitest/server-tests.ts';
import { SlowFilesFirst } from './tools/vitest/slow-files-first.ts';

const { pure, onDatabase } = listServerTests(import.meta.dirname);
const setupFiles = ['tools/vitest/fail-on-console-error.ts'];

export default defineConfig({
  test: {
    // One more than two cores, because workers often wait for a timer or the database.
    maxWorkers: 3,
    // Generous, so that tests don't fail on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tools/**/*.test.ts', 'bench/**/*.test.ts', ...pure],
          setupFiles,
          // Pure functions leave no state behind, and a process per file took as long as the tests.
          isolate: false,
        },
      },
      {
        test: {
          name: 'web',
          include: ['apps/web/{src,test}/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // Downloading a file clicks a link, which would navigate the window away from the app.
          environmentOptions: {
            happyDOM: { settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } } },
          },
          setupFiles: [...setupFiles, 'apps/web/test/web-setup.ts'],
          // Reloading the app and its window for each file took more than a third of the time.
          isolate: false,
        },
      },
      {
        test: {
          name: 'server',
          include: onDatabase.length > 0 ? onDatabase : ['apps/server/test/**/*.test.ts'],
          globalSetup: 'apps/server/test/database-setup.ts',
          setupFiles: [...setupFiles, 'apps/server/test/server-setup.ts'],
          // Reloading the server for each file took a fifth of the time.
          isolate: false,
          env: { TMPDIR: chooseTempFolder() },
          expect: { poll: { interval: 10 } },
        },
      },
    ],
  },
});
