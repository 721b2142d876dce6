import { goOffline } from './support/failures.ts';
import { startCompany } from './support/people.ts';
import { expect, test } from './support/test.ts';

const CODE = /\/assets\/.*\.js$/;

test.use({ expectedErrors: [/ChunkLoadError/] });

test('a page whose code is not loaded yet opens once the browser is back online', { tag: '@desk' }, async ({ page }) => {
  await startCompany(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const goOnline = await goOffline(page);
  await page.route(CODE, (route) => route.abort('internetdisconnected'));
  await page.getByRole('link', { name: 'Staff' }).click();
  await expect(page.getByText("You're offline, and this page hasn't been loaded yet.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await page.unroute(CODE);
  await goOnline();
  await expect(page.getByRole('heading', { level: 1, name: 'Staff' })).toBeVisible();
});

test('pages that were never opened work offline after a while', { tag: '@desk' }, async ({ page }) => {
  await startCompany(page);
  await page.clock.install();
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const loaded = page.waitForResponse(/\/assets\/staff\.new-.*\.js$/);
  await page.clock.fastForward(10_000);
  await loaded;
});
