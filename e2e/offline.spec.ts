import { startCompany } from './support/people.ts';
import { expect, test } from './support/test.ts';

const CODE = /\/assets\/.*\.js$/;

test.use({ expectedErrors: [/ChunkLoadError/] });

test('a page whose code is not loaded yet opens once the browser is back online', async ({ page }) => {
  await startCompany(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.context().setOffline(true);
  await page.route(CODE, (route) => route.abort('internetdisconnected'));
  await page.getByRole('link', { name: 'Staff', exact: true }).click();
  await expect(page.getByText("You're offline, and this page hasn't been loaded yet.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await page.unroute(CODE);
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Staff' })).toBeVisible();
});

test('pages that were never opened work offline after a while', async ({ page }) => {
  await startCompany(page);
  await page.clock.install();
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const loaded = page.waitForResponse(/\/assets\/staff\.new-.*\.js$/);
  await page.clock.fastForward(10_000);
  await loaded;
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
