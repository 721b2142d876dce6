import { defineConfig } from '@playwright/test';
import { browserFlags, findBrowserPath } from './tools/browser/find-browser.ts';

const executablePath = await findBrowserPath();

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/support/global-setup.ts',
  fullyParallel: true,
  forbidOnly: true,
  // Retry only to record a trace. A flaky test still fails the run.
  retries: 1,
  failOnFlakyTests: true,
  // Run three workers on two cores, because tests often wait for a slow connection or a live update.
  workers: 3,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_REPORT'] ?? 'test-results/report.json' }]],
  use: {
    // Skip the optimizing compiler and the GPU process: test pages are too short-lived to benefit from either.
    launchOptions: { executablePath, args: [...browserFlags, '--js-flags=--no-opt', '--in-process-gpu'] },
    contextOptions: { reducedMotion: 'reduce' },
    // Use a time zone far from UTC, so that a date computed in the wrong zone fails a test.
    timezoneId: 'Pacific/Auckland',
    // Tests can't intercept requests that a service worker handles, so only offline.spec.ts allows one.
    serviceWorkers: 'block',
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
  projects: [
    // A test that would prove the same on desktop and phone runs in only one project: where it is more likely to fail.
    { name: 'desk', grepInvert: /@phone-only/, use: { viewport: { width: 1440, height: 900 } } },
    // Tag only tests that behave differently on a phone. Component tests cover the states of each screen.
    {
      name: 'phone',
      grep: /@phone/,
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    },
  ],
});
