import { randomInt } from 'node:crypto';
import { test as base, expect } from '@playwright/test';
import { watchPage } from './page-watch.ts';
import { product } from './running-product.ts';
import { keepInstallingWorker } from './worker.ts';

interface Options {
  /** Lines of the console that a test provokes on purpose. */
  expectedErrors: readonly RegExp[];
  /** Whether a page that no worker keeps loads the code of all others after five seconds, which takes as long as its own start. */
  prefetchesPages: boolean;
}

const someAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

/** Every browser test starts from this one: it fails on errors nobody sees. */
export const test = base.extend<Options & { watch: undefined }>({
  expectedErrors: [[], { option: true }],
  prefetchesPages: [false, { option: true }],
  context: async ({ context, prefetchesPages }, use) => {
    if (!prefetchesPages) await keepInstallingWorker(context);
    await use(context);
  },
  baseURL: async ({}, use) => use(product().url),
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': someAddress() }),
  watch: [
    async ({ context, expectedErrors }, use) => {
      const seen: string[][] = [];
      context.on('page', (page) => seen.push(watchPage(page, product().url, expectedErrors)));
      await use(undefined);
      expect(seen.flat(), 'errors that nobody sees').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
