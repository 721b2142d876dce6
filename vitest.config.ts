import { defineConfig } from 'vitest/config';
import { chooseTempFolder, FIELD_TESTS, listServerTests } from './tools/vitest/server-tests.ts';
import { SlowFilesFirstSequencer } from './tools/vitest/slow-files-first.ts';

const { pure, onDatabase } = listServerTests(import.meta.dirname);
const setupFiles = ['tools/vitest/fail-on-console-error.ts'];

export default defineConfig({
  test: {
    // Run three workers on two cores, because they often wait for a timer or the database.
    maxWorkers: 3,
    // Allow enough time for a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: SlowFilesFirstSequencer },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tools/**/*.test.ts', 'bench/**/*.test.ts', ...pure],
          exclude: [FIELD_TESTS],
          setupFiles,
          // Share a process, because pure functions leave no state behind and a process per file took as long as the tests.
          isolate: false,
        },
      },
      {
        test: {
          name: 'web',
          include: ['apps/web/{src,test}/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // Disable navigation, because downloading a file clicks a link, which would navigate the window away from the app.
          environmentOptions: {
            happyDOM: { settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } } },
          },
          setupFiles: [...setupFiles, 'apps/web/test/web-setup.ts'],
          // Share the app and its window: reloading them for each file took more than a third of the time.
          isolate: false,
        },
      },
      {
        test: {
          name: 'server',
          include: onDatabase.length > 0 ? onDatabase : ['apps/server/test/**/*.test.ts'],
          globalSetup: 'apps/server/test/database-setup.ts',
          setupFiles: [...setupFiles, 'apps/server/test/server-setup.ts'],
          // Share the server's modules: reloading them for each file took a fifth of the time.
          isolate: false,
          env: { TMPDIR: chooseTempFolder() },
          expect: { poll: { interval: 10 } },
        },
      },
    ],
  },
});
