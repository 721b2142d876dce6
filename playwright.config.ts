import { defineConfig } from '@playwright/test';
import { browserFlags, findBrowser } from './tools/browser/find-browser.ts';

const executablePath = await findBrowser();

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/support/product.ts',
  fullyParallel: true,
  forbidOnly: true,
  // The retry only records a trace: a flaky test still fails the run.
  retries: 1,
  failOnFlakyTests: true,
  // For two cores: while one test waits for a slow connection or a live update, another has work.
  workers: 3,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_REPORT'] ?? 'test-results/report.json' }]],
  use: {
    // No page of a test lives long enough for the optimizing compiler to pay off, nor draws enough to need a GPU process.
    launchOptions: { executablePath, args: [...browserFlags, '--js-flags=--no-opt', '--in-process-gpu'] },
    contextOptions: { reducedMotion: 'reduce' },
    // Far from UTC, so that a day computed in the wrong time zone fails a test.
    timezoneId: 'Pacific/Auckland',
    // A worker would answer in place of the network, which tests route and watch. What it does is tested in offline.spec.ts.
    serviceWorkers: 'block',
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
  projects: [
    // What proves the same on both runs where it fails more easily.
    { name: 'desk', grepInvert: /@phone-only/, use: { viewport: { width: 1440, height: 900 } } },
    // Only what differs on a phone is tagged; the states of a screen are component tests.
    {
      name: 'phone',
      grep: /@phone/,
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    },
  ],
});
