import { createHash, randomUUID } from 'node:crypto';
import type { Me } from '@callout/contract/company';
import type { Job } from '@callout/contract/jobs';
import { DAY_MS } from '@callout/domain/time/time-units';
import type { Page } from '@playwright/test';
import { addCustomer, addItem, addSupplier, callApi, navigateInApp, signIn, signUpCompany } from './support/company-setup.ts';
import { startProxy } from './support/proxy.ts';
import { getRunningServer } from './support/running-server.ts';
import { SAMPLE_PNG } from './support/sample-png.ts';
import { expect, test } from './support/test.ts';

const SCRIPT_URL = /\/assets\/.*\.js$/;

test.use({ expectedErrors: [/ChunkLoadError/], shouldPrefetchPages: true });

test('a page that could not load its code offline opens once the browser is back online', async ({ page }) => {
  await signUpCompany(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.context().setOffline(true);
  await page.route(SCRIPT_URL, (route) => route.abort('internetdisconnected'));
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Staff' }).click();
  await expect(page.getByText("You're offline, and this page hasn't been loaded yet.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await page.unroute(SCRIPT_URL);
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Staff' })).toBeVisible();
});

test('pages that were never opened are prefetched for offline use even without a service worker', async ({ page }) => {
  await signUpCompany(page);
  await page.clock.install();
  let isLoaded = false;
  page.on('response', (response) => {
    isLoaded ||= /\/assets\/staff\.new-.*\.js$/.test(response.url());
  });
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(isLoaded).toBe(false);
  await pollWhileTimePasses(page, () => isLoaded, true);
});

test('the prompt about unsaved changes works offline, and Keep editing keeps the input', async ({ page }) => {
  await signUpCompany(page);
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

/** Polls while advancing the clock repeatedly, because a page postpones its background work as long as requests are pending. */
const pollWhileTimePasses = (page: Page, read: () => unknown, expected: unknown) =>
  expect
    .poll(async () => {
      await page.clock.fastForward(10_000);
      return read();
    })
    .toEqual(expected);

/** Returns the keys of all queries cached in IndexedDB. */
const listCachedQueryKeys = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open('callout-offline');
        // Abort instead of creating the database. The app could not use it, because its object store would be missing.
        opening.addEventListener('upgradeneeded', () => opening.transaction?.abort());
        opening.addEventListener('error', () => resolve([]));
        opening.addEventListener('success', () => {
          const keys = opening.result.transaction('queries').objectStore('queries').getAllKeys();
          keys.addEventListener('success', () => resolve(keys.result.map(String)));
          opening.result.close();
        });
      }),
  );

/** Returns the content of every file in Cache Storage, keyed by path. Assets have empty content. */
const readCachedFiles = (page: Page) =>
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

test('the service worker contains the hash of its own build’s start page', async ({ request }) => {
  const startPage = await (await request.get('/index.html')).body();
  const worker = await (await request.get('/sw.js')).text();
  expect(worker).toContain(`sha256-${createHash('sha256').update(startPage).digest('base64')}`);
});

test.describe('with a service worker', () => {
  // The proxy listens on another port, so its requests look like requests to another host.
  test.use({ serviceWorkers: 'allow', expectedErrors: [/request to another host: http:\/\/localhost:/] });

  test('cached pages and typed input survive an outage, an update waits for a click, and the end of a session clears all data', async ({
    page,
    context,
  }) => {
    const proxy = await startProxy();
    const credentials = await signUpCompany(page);
    const customer = await addCustomer(page, { name: 'Mere Tamihana' });
    const offlineChip = page.getByRole('link', { name: /^(Offline since|Waiting)/ });
    const row = page.getByRole('link', { name: 'Mere Tamihana' });
    await page.clock.install();
    await page.goto(`${proxy.url}/customers`);
    await row.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Mere Tamihana' })).toBeVisible();
    await pollWhileTimePasses(page, () => page.evaluate(() => navigator.serviceWorker.controller !== null), true);
    const queryKey = JSON.stringify(['customers', 'detail', customer.id]);
    await pollWhileTimePasses(page, () => listCachedQueryKeys(page), expect.arrayContaining([queryKey]));

    await test.step('open cached pages while the server is stopped', async () => {
      await proxy.stop();
      await page.goto(`${proxy.url}/customers`);
      await expect(row).toBeVisible();
      await expect(offlineChip).toBeVisible();
      await row.click();
      await expect(page.getByRole('heading', { level: 1, name: 'Mere Tamihana' })).toBeVisible();
      await page.reload();
      await expect(page.getByText('12 Wharf Street, Auckland').first()).toBeVisible();
    });

    await test.step('keep typed input through a reload, and what was saved through another one', async () => {
      await page.goto(`${proxy.url}/customers/new`);
      const fields = { Name: 'Tane Rangi', Phone: '021 555 0102', Email: 'tane@example.com', 'Street address': '3 Quay Street' };
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
      await page.reload();
      for (const [label, text] of Object.entries(fields)) await expect(page.getByLabel(label, { exact: true })).toHaveValue(text);
      await page.getByRole('button', { name: 'Add Customer' }).click();
      await expect(page.getByText('This customer has not been sent yet.')).toBeVisible();
      await page.reload();
      await expect(page.getByRole('heading', { level: 1, name: 'Tane Rangi' })).toBeVisible();
    });

    await test.step('reload data when the server is back', async () => {
      await page.goto(`${proxy.url}/customers`);
      await expect(offlineChip).toBeVisible();
      await addCustomer(page, { name: 'Aroha Ngata' });
      await proxy.start();
      await expect(page.getByRole('link', { name: 'Aroha Ngata' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Tane Rangi' })).toHaveCount(1);
      await expect(offlineChip).toBeHidden();
    });

    await test.step('open cached pages while the browser is offline', async () => {
      await context.setOffline(true);
      await page.reload();
      await expect(row).toBeVisible();
      await expect(offlineChip).toBeVisible();
      await context.setOffline(false);
      await expect(offlineChip).toBeHidden();
    });

    await test.step('clear cached data when the session has expired', async () => {
      await context.clearCookies();
      await page.reload();
      await expect(page).toHaveURL(/\/auth/);
      await expect.poll(() => listCachedQueryKeys(page)).toEqual([]);
      await signIn(page, credentials);
      await page.goto(`${proxy.url}/customers`);
      await expect(row).toBeVisible();
      await pollWhileTimePasses(page, () => listCachedQueryKeys(page), expect.arrayContaining([expect.any(String)]));
    });

    await test.step('offer a new version and load it after a click', async () => {
      const offer = page.getByText('A new version is ready.');
      proxy.deployNewerBuild();
      // Advance the clock by an hour, because the app checks for updates once an hour.
      await page.clock.fastForward(60 * 60 * 1000);
      await expect(offer).toBeVisible();
      const reloaded = page.waitForEvent('load');
      await page.getByRole('button', { name: 'Reload' }).click();
      await reloaded;
      await expect(row).toBeVisible();
      await expect(offer).toBeHidden();
    });

    await test.step('clear all data after signing out', async () => {
      await page.getByRole('button', { name: 'Sign Out' }).click();
      await expect(page).toHaveURL(/\/auth$/);
      await expect.poll(() => listCachedQueryKeys(page)).toEqual([]);
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
      const files = await readCachedFiles(page);
      expect(files['/newest-build']).toContain('/assets/');
      expect(
        Object.keys(files).filter((path) => !/^\/(assets\/.*|index\.html|start\.js|icon\.svg|last-build|newest-build)$/.test(path)),
      ).toEqual([]);
      expect(files['/index.html']).not.toContain('id="me"');
      await proxy.stop();
    });
  });

  test('a job of tomorrow that was never opened, its photo and the price list open in a new visit without a connection', async ({
    page,
    context,
  }) => {
    await signUpCompany(page);
    const customer = await addCustomer(page, { name: 'Mere Tamihana' });
    await addItem(page, (await addSupplier(page)).id, { name: 'Basin tap', sku: 'BT-1' });
    const { user } = await callApi<Me>(page, 'GET', '/me');
    const job = await callApi<Job>(page, 'POST', '/jobs', {
      id: randomUUID(),
      customer_id: customer.id,
      title: 'Leaking hot water cylinder',
      description: 'In the hallway cupboard.',
      staff_id: user.staff_id,
      category_ids: [],
      booking_date: new Date(Date.now() + DAY_MS).toISOString(),
      duration: '2',
    });
    const photoId = randomUUID();
    await page.request.put(`${getRunningServer().url}/api/files/${photoId}`, {
      headers: { origin: getRunningServer().url },
      multipart: { file: { name: 'base.png', mimeType: 'image/png', buffer: SAMPLE_PNG } },
    });
    await callApi(page, 'POST', '/comments', { id: randomUUID(), job_id: job.id, content: 'Base has rusted through', file_ids: [photoId] });

    await page.clock.install();
    await page.goto('/dashboard');
    await pollWhileTimePasses(page, () => page.evaluate(() => navigator.serviceWorker.controller !== null), true);
    const queryKey = JSON.stringify(['comments', 'job', job.id]);
    await pollWhileTimePasses(page, () => listCachedQueryKeys(page), expect.arrayContaining([queryKey, JSON.stringify(['day-pack'])]));
    await pollWhileTimePasses(
      page,
      async () => Object.keys(await readCachedFiles(page)),
      expect.arrayContaining([`/api/files/${photoId}/thumbnail`]),
    );

    await context.setOffline(true);
    await page.goto(`/jobs/${job.id}`);
    await expect(page.getByRole('heading', { level: 1, name: job.title })).toBeVisible();
    const comment = page.getByRole('listitem').filter({ hasText: 'Base has rusted through' });
    const thumbnail = comment.getByRole('button', { name: 'Open base.png' }).locator('img');
    await thumbnail.scrollIntoViewIfNeeded();
    await expect.poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await navigateInApp(page, `/jobs/${job.id}/items/add`);
    await page.getByRole('searchbox', { name: 'Search items' }).fill('tap');
    await expect(page.getByRole('button', { name: /Basin tap/ })).toBeVisible();
    await context.setOffline(false);
  });
});
