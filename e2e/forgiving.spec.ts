import type { Page } from '@playwright/test';
import { goOffline } from './support/failures.ts';
import { addCustomer, call, startCompany } from './support/people.ts';
import { invite } from './support/staff.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const addCategory = (page: Page, name: string) => call(page, 'POST', '/categories', { id: crypto.randomUUID(), name });

test('a link with a parameter that means nothing opens its page all the same', { tag: '@desk' }, async ({ page }) => {
  await page.goto('/auth?mode=sideways');
  await expect(page.getByRole('heading', { name: 'Sign in to Callout' })).toBeVisible();
  await startCompany(page);
  await addCustomer(page);
  await page.goto('/customers?status=sleeping&sort=weight&order=sideways');
  await expect(page.getByRole('link', { name: /^Mere Tamihana/ })).toBeVisible();
});

test('a double press deletes once, and the keyboard goes on at the row beside it', async ({ page }) => {
  await startCompany(page);
  for (const name of ['Boilers', 'Drains', 'Gas']) await addCategory(page, name);
  const deletions: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deletions.push(request.url());
  });
  await page.goto('/settings?tab=categories');
  await button(page, 'Delete Drains').press('Enter');
  await button(page, 'Delete').dblclick();
  await expect(page.getByText('Category deleted successfully')).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Categories' }).getByRole('listitem')).toHaveText(['Boilers', 'Gas']);
  await expect(button(page, 'Delete Gas')).toBeFocused();
  expect(deletions).toHaveLength(1);
});

test('a comma typed for the decimal point is understood', async ({ page }) => {
  await startCompany(page);
  await page.goto('/settings');
  await page.getByLabel('Default hourly rate').fill('');
  await page.getByLabel('Default hourly rate').pressSequentially('95,50');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Settings updated successfully')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Default hourly rate')).toHaveValue('95.50');
});

test('without a line the question about what is unsaved still comes, and staying keeps it', { tag: '@desk' }, async ({ page }) => {
  await startCompany(page);
  await page.goto('/settings');
  const question = page.waitForResponse(/dialog-frame/);
  await page.getByLabel('Address').fill('12 Wharf Street');
  await question;
  await goOffline(page);
  await button(page, 'Back').click();
  await expect(page.getByRole('alertdialog', { name: 'Leave without saving?' })).toBeVisible();
  await button(page, 'Keep editing').click();
  await expect(page.getByLabel('Address')).toHaveValue('12 Wharf Street');
});

test('on a narrow screen the opened tab is in view and a long name or address widens nothing', async ({ page }) => {
  await startCompany(page);
  const { id } = await invite(page, { name: 'N'.repeat(60), email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example.com` });
  await call(page, 'DELETE', `/staff/${id}/invitation`);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/settings?tab=profile');
  await expect(page.getByRole('tab', { name: 'Profile' })).toBeInViewport({ ratio: 1 });
  await page.goto(`/staff/${id}`);
  await expect(button(page, 'Send invitation')).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
