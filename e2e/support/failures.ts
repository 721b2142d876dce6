import { type ErrorCode, errorStatus } from '@callout/contract/errors';
import type { Page } from '@playwright/test';
import { ON_PURPOSE } from './page-watch.ts';

interface Failing {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly code?: ErrorCode;
  readonly data?: object;
}

const addressOf = (path: string) => new RegExp(`/api${path.replaceAll('*', '[^/?]+')}(\\?.*)?$`);

/** Answers a call (`/customers`, `/customers/*`) with an error until the returned function is called. */
export async function failCall(page: Page, path: string, { method, code = 'INTERNAL', data }: Failing = {}): Promise<() => Promise<void>> {
  const address = addressOf(path);
  const status = errorStatus[code];
  await page.route(address, (route) => {
    if (method && route.request().method() !== method) return route.fallback();
    const json = { defined: true, code, status, message: 'A failure on purpose', ...(data && { data }) };
    return route.fulfill({ status, json, headers: { [ON_PURPOSE]: '1' } });
  });
  return () => page.unroute(address);
}

/** The connection breaks in the middle of a call, as in a lift. */
export async function dropCall(page: Page, path: string): Promise<() => Promise<void>> {
  const address = addressOf(path);
  await page.route(address, (route) => route.abort('connectionreset'));
  return () => page.unroute(address);
}

/** A slow line: the call reaches the server only when the returned function is called. */
export async function holdCall(page: Page, path: string, method: Failing['method']): Promise<() => Promise<void>> {
  const address = addressOf(path);
  const held = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (route.request().method() === method) await held.promise;
    await route.fallback();
  });
  return async () => {
    held.resolve();
    await page.unroute(address);
  };
}

export async function goOffline(page: Page): Promise<() => Promise<void>> {
  await page.context().setOffline(true);
  return () => page.context().setOffline(false);
}
