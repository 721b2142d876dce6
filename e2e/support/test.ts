import { randomInt } from 'node:crypto';
import { test as base, expect } from '@playwright/test';
import { watchPage } from './page-watch.ts';
import { product } from './running-product.ts';

interface Options {
  /** Lines of the console that a test provokes on purpose. */
  expectedErrors: readonly RegExp[];
}

const someAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

/** Every browser test starts from this one: it fails on errors nobody sees. */
export const test = base.extend<Options & { watch: undefined }>({
  expectedErrors: [[], { option: true }],
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
