import { defineConfig } from '@playwright/test';
import { browserFlags, findBrowser } from './tools/browser/find-browser.ts';

const executablePath = await findBrowser();

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/support/product.ts',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_REPORT'] ?? 'test-results/report.json' }]],
  use: {
    launchOptions: { executablePath, args: [...browserFlags] },
    contextOptions: { reducedMotion: 'reduce' },
    // Far from UTC on purpose: a day computed in the wrong zone shows.
    timezoneId: 'Pacific/Auckland',
    // A trace costs a tenth of the run: `npx playwright test --trace retain-on-failure` where one is needed.
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'desk', use: { viewport: { width: 1440, height: 900 } } },
    // A keyboard is a desk matter.
    {
      name: 'phone',
      grepInvert: /@desk/,
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    },
  ],
});
