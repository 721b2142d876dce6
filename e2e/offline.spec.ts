import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { openDoorway } from './support/doorway.ts';
import { addCustomer, signIn, startCompany } from './support/people.ts';
import { expect, test } from './support/test.ts';

const CODE = /\/assets\/.*\.js$/;

test.use({ expectedErrors: [/ChunkLoadError/], prefetchesPages: true });

test('a page whose code is not loaded yet opens once the browser is back online', async ({ page }) => {
  await startCompany(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.context().setOffline(true);
  await page.route(CODE, (route) => route.abort('internetdisconnected'));
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Staff' }).click();
  await expect(page.getByText("You're offline, and this page hasn't been loaded yet.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await page.unroute(CODE);
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Staff' })).toBeVisible();
});

test('pages that were never opened work offline after a while, also where no worker can keep them', async ({ page }) => {
  await startCompany(page);
  await page.clock.install();
  let isLoaded = false;
  page.on('response', (response) => {
    isLoaded ||= /\/assets\/staff\.new-.*\.js$/.test(response.url());
  });
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(isLoaded).toBe(false);
  await afterAWhile(page, () => isLoaded, true);
});

test('the question about unsaved changes also comes offline, and staying keeps them', async ({ page }) => {
  await startCompany(page);
  await page.goto('/settings');
  const dialog = page.waitForResponse(/dialog-frame/);
  await page.getByLabel('Address').fill('12 Wharf Street');
  await dialog;
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page.getByRole('alertdialog', { name: 'Leave without saving?' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('Address')).toHaveValue('12 Wharf Street');
});

/** A page that still reads something waits once more. */
const afterAWhile = (page: Page, look: () => unknown, expected: unknown) =>
  expect
    .poll(async () => {
      await page.clock.fastForward(10_000);
      return look();
    })
    .toEqual(expected);

/** The keys of what was read and is kept in the browser. */
const keptQueries = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open('callout-offline');
        // A database that is not there is not made here: the application could not use it.
        opening.addEventListener('upgradeneeded', () => opening.transaction?.abort());
        opening.addEventListener('error', () => resolve([]));
        opening.addEventListener('success', () => {
          const keys = opening.result.transaction('queries').objectStore('queries').getAllKeys();
          keys.addEventListener('success', () => resolve(keys.result.map(String)));
          opening.result.close();
        });
      }),
  );

/** Everything the worker has kept, by path. */
const keptFiles = (page: Page) =>
  page.evaluate(async () => {
    const files: Record<string, string> = {};
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const url = new URL(request.url);
        files[url.pathname] = url.pathname.startsWith('/assets/') ? '' : ((await (await cache.match(request))?.text()) ?? '');
      }
    }
    return files;
  });

const OFFLINE = "You're offline. You can keep viewing what's loaded; saving works again once you're back online.";

test('a worker keeps no start page but that of its own build', async ({ request }) => {
  const startPage = await (await request.get('/index.html')).body();
  const worker = await (await request.get('/sw.js')).text();
  expect(worker).toContain(`sha256-${createHash('sha256').update(startPage).digest('base64')}`);
});

test.describe('with a worker', () => {
  // The doorway is the same host by another port, and the connection is cut on purpose.
  test.use({ serviceWorkers: 'allow', expectedErrors: [/request to another host: http:\/\/localhost:/] });

  test('what was loaded opens without the server, what is typed stays, a new version waits for a click, and the end of a session leaves nothing', async ({
    page,
    context,
  }) => {
    const doorway = await openDoorway();
    const credentials = await startCompany(page);
    const customer = await addCustomer(page, { name: 'Mere Tamihana' });
    const banner = page.getByText(OFFLINE);
    const row = page.getByRole('link', { name: 'Mere Tamihana' });
    await page.clock.install();
    await page.goto(`${doorway.url}/customers`);
    await row.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Mere Tamihana' })).toBeVisible();
    await afterAWhile(page, () => page.evaluate(() => navigator.serviceWorker.controller !== null), true);
    const read = JSON.stringify(['customers', 'detail', customer.id]);
    await afterAWhile(page, () => keptQueries(page), expect.arrayContaining([read]));

    await test.step('the server is stopped', async () => {
      await doorway.close();
      await page.goto(`${doorway.url}/customers`);
      await expect(row).toBeVisible();
      await expect(banner).toBeVisible();
      await row.click();
      await expect(page.getByRole('heading', { level: 1, name: 'Mere Tamihana' })).toBeVisible();
      await page.reload();
      await expect(page.getByText('12 Wharf Street, Auckland').first()).toBeVisible();
    });

    await test.step('what needs the server says so, and what was typed stays through a reload', async () => {
      await page.goto(`${doorway.url}/customers/new`);
      const fields = { Name: 'Tane Rangi', Phone: '021 555 0102', Email: 'tane@example.com', 'Street address': '3 Quay Street' };
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
      await page.getByRole('button', { name: 'Add Customer' }).click();
      await expect(page.getByText('Unable to connect to the server.').first()).toBeVisible();
      for (const [label, text] of Object.entries(fields)) await expect(page.getByLabel(label, { exact: true })).toHaveValue(text);
      await page.reload();
      for (const [label, text] of Object.entries(fields)) await expect(page.getByLabel(label, { exact: true })).toHaveValue(text);
    });

    await test.step('the server is back', async () => {
      await page.goto(`${doorway.url}/customers`);
      await expect(banner).toBeVisible();
      await addCustomer(page, { name: 'Aroha Ngata' });
      await doorway.open();
      await expect(page.getByRole('link', { name: 'Aroha Ngata' })).toBeVisible();
      await expect(banner).toBeHidden();
    });

    await test.step('the browser is offline', async () => {
      await context.setOffline(true);
      await page.reload();
      await expect(row).toBeVisible();
      await expect(banner).toBeVisible();
      await context.setOffline(false);
      await expect(banner).toBeHidden();
    });

    await test.step('a session that has ended leaves nothing', async () => {
      await context.clearCookies();
      await page.reload();
      await expect(page).toHaveURL(/\/auth/);
      await expect.poll(() => keptQueries(page)).toEqual([]);
      await signIn(page, credentials);
      await page.goto(`${doorway.url}/customers`);
      await expect(row).toBeVisible();
      await afterAWhile(page, () => keptQueries(page), expect.arrayContaining([expect.any(String)]));
    });

    await test.step('a new version', async () => {
      const offer = page.getByText('A new version is ready.');
      doorway.publishNewerBuild();
      // Asked for once an hour.
      await page.clock.fastForward(60 * 60 * 1000);
      await expect(offer).toBeVisible();
      await page.getByRole('button', { name: 'Reload' }).click();
      await page.waitForEvent('load');
      await expect(row).toBeVisible();
      await expect(offer).toBeHidden();
    });

    await test.step('signing out', async () => {
      await page.getByRole('button', { name: 'Sign Out' }).click();
      await expect(page).toHaveURL(/\/auth$/);
      await expect.poll(() => keptQueries(page)).toEqual([]);
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
      const files = await keptFiles(page);
      expect(files['/newest-build']).toContain('/assets/');
      expect(
        Object.keys(files).filter((path) => !/^\/(assets\/.*|index\.html|start\.js|icon\.svg|last-build|newest-build)$/.test(path)),
      ).toEqual([]);
      expect(files['/index.html']).not.toContain('id="me"');
      await doorway.close();
    });
  });
});
