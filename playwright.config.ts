import { defineConfig } from '@playwright/test';
import { browserFlags, findBrowserPath } from './tools/browser/find-browser.ts';

const executablePath = await findBrowserPath();

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/support/global-setup.ts',
  fullyParallel: true,
  forbidOnly: true,
  // The retry only records a trace: a flaky test still fails the run.
  retries: 1,
  failOnFlakyTests: true,
  // Three workers keep two cores busy, because tests often wait for a slow connection or a live update.
  workers: 3,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_REPORT'] ?? 'test-results/report.json' }]],
  use: {
    // Test pages are too short-lived to benefit from the optimizing compiler and too simple to need a GPU process.
    launchOptions: { executablePath, args: [...browserFlags, '--js-flags=--no-opt', '--in-process-gpu'] },
    contextOptions: { reducedMotion: 'reduce' },
    // A zone far from UTC, so that a date computed in the wrong time zone fails a test.
    timezoneId: 'Pacific/Auckland',
    // A service worker would hide requests that tests intercept. Only offline.spec.ts enables it.
    serviceWorkers: 'block',
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
  projects: [
    // A test that proves the same thing in both projects runs only where it is more likely to fail.
    { name: 'desk', grepInvert: /@phone-only/, use: { viewport: { width: 1440, height: 900 } } },
    // Only tests that behave differently on a phone are tagged. Component tests cover the states of each screen.
    {
      name: 'phone',
      grep: /@phone/,
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    },
  ],
});
