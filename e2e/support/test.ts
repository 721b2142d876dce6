import { randomInt } from 'node:crypto';
import { test as base, expect } from '@playwright/test';
import { collectPageErrors } from './page-errors.ts';
import { getRunningServer } from './running-server.ts';
import { stallServiceWorkerInstall } from './service-worker.ts';

interface TestOptions {
  /** Patterns of errors that the test causes on purpose. */
  expectedErrors: readonly RegExp[];
  /** Whether pages without a service worker prefetch all other pages' code after five seconds. Off by default, because it is slow. */
  shouldPrefetchPages: boolean;
}

const createIpAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

/** The `test` function of all browser tests. A test also fails on errors that aren't visible on screen. */
export const test = base.extend<TestOptions & { errorCheck: undefined }>({
  expectedErrors: [[], { option: true }],
  shouldPrefetchPages: [false, { option: true }],
  context: async ({ context, shouldPrefetchPages }, use) => {
    if (!shouldPrefetchPages) await stallServiceWorkerInstall(context);
    await use(context);
  },
  baseURL: async ({}, use) => use(getRunningServer().url),
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': createIpAddress() }),
  errorCheck: [
    async ({ context, expectedErrors }, use) => {
      const errors: string[][] = [];
      context.on('page', (page) => errors.push(collectPageErrors(page, getRunningServer().url, expectedErrors)));
      await use(undefined);
      expect(errors.flat(), 'errors that are not visible on screen').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
