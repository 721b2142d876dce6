import type { Me } from '@callout/contract/company';
import type { Page } from '@playwright/test';
import { callApi, openLivePage, signIn, signUp, signUpCompany } from './support/company-setup.ts';
import { createDeviceContext } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label).and(page.locator('input, textarea, select'));
const tabs = (page: Page) => page.getByRole('tablist', { name: 'Settings' }).getByRole('tab');

const SETTINGS = {
  'Company Name': 'Harbour Plumbing & Gas',
  'Company Email': 'office@example.com',
  Phone: '+64 9 555 0199',
  Address: '12 Wharf Street, Auckland',
  'GST/VAT number': '111-222-333',
  'GST percentage': '12.5',
  'Default hourly rate': '95.50',
  'Bank name': 'Kiwibank',
  'Account number': '38-9000-0123456-00',
  'PayPal email': 'pay@example.com',
};

const ONE_PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const toPngFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });

test('company settings are saved and persist after a reload', async ({ page }) => {
  await signUp(page);
  await callApi(page, 'POST', '/company');
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Company Settings' })).toBeVisible();
  await expect(page.getByText('Free Plan')).toBeVisible();
  await expect(page.getByText('Company Profile Not Set Up')).toBeVisible();
  await expect(tabs(page)).toHaveText(['General', 'Categories', 'Menu Order', 'Profile']);
  await expect(field(page, 'GST percentage')).toHaveValue('15');
  await expect(field(page, 'Timezone').locator('option')).toHaveCount(14);
  await expect(field(page, 'Currency').locator('option')).toHaveText([/^NZD/, /^USD/, /^AUD/, /^EUR/, /^GBP/]);
  await expect(field(page, 'Currency')).toHaveValue('NZD');
  await expect(field(page, 'Timezone')).toHaveValue('Pacific/Auckland');

  for (const [label, text] of Object.entries(SETTINGS)) await field(page, label).fill(text);
  await field(page, 'Timezone').selectOption('Australia/Sydney');
  await field(page, 'Currency').selectOption('AUD');
  await field(page, 'Add fees').check();
  await expect(field(page, 'Fee percentage')).toHaveValue('2.9');
  await field(page, 'Fee percentage').press('ArrowUp');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Settings updated successfully')).toBeVisible();
  await expect(page.getByText('Company Profile Not Set Up')).toBeHidden();
  await expect(page.getByRole('banner').getByText('Harbour Plumbing & Gas')).toBeVisible();

  await page.reload();
  for (const [label, text] of Object.entries(SETTINGS)) await expect(field(page, label)).toHaveValue(text);
  await expect(field(page, 'Timezone')).toHaveValue('Australia/Sydney');
  await expect(field(page, 'Currency')).toHaveValue('AUD');
  await expect(field(page, 'Add fees')).toBeChecked();
  await expect(field(page, 'Fee percentage')).toHaveValue('3');
  expect(JSON.parse((await page.evaluate(() => localStorage.getItem('callout-timezone'))) ?? '')).toEqual({
    state: { companyZone: 'Australia/Sydney', ownZone: null },
    version: 1,
  });
});

test('a logo must be an image, can be uploaded without losing unsaved input, and can be removed', async ({ page }) => {
  await signUpCompany(page);
  await page.goto('/settings');
  const input = page.locator('input[type=file]');
  await field(page, 'Bank name').fill('Kiwibank');
  await input.setInputFiles(toPngFile('disguised.png', Buffer.from('%PDF-1.7 in disguise')));
  await expect(page.getByRole('main').getByText('Please select an image file')).toBeVisible();
  await expect(page.getByText('Failed to upload logo')).toBeVisible();
  await input.setInputFiles(toPngFile('logo.png', ONE_PIXEL_PNG));
  await expect(page.getByText('Logo uploaded successfully')).toBeVisible();
  await expect(page.getByAltText('Logo')).toHaveJSProperty('complete', true);
  await expect(field(page, 'Bank name')).toHaveValue('Kiwibank');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Settings updated successfully')).toBeVisible();
  await page.reload();
  await expect(page.getByAltText('Logo')).toBeVisible();
  await button(page, 'Remove').click();
  await expect(page.getByText('Logo removed')).toBeVisible();
  await expect(page.getByAltText('Logo')).toBeHidden();
});

test('an edit of the settings on another device is announced live, and saving asks before overwriting it', async ({ page, browser }) => {
  const owner = await signUpCompany(page);
  const other = await createDeviceContext(browser);
  await signIn(other, owner);
  await openLivePage(page, '/settings');
  await field(page, 'Bank name').fill('Kiwibank');
  const { profile } = await callApi<Me>(other, 'GET', '/me');
  await callApi(other, 'PUT', '/company', { ...profile, paypal_fee_percentage: '2.9', bank_name: 'Westpac', phone: '09 555 0001' });
  await expect(page.getByText("There's a newer version of the settings. Your changes are still here.")).toBeVisible();
  await expect(field(page, 'Bank name')).toHaveValue('Kiwibank');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Theirs: Westpac')).toBeVisible();
  await button(page, 'Keep my changes').click();
  await expect(page.getByText('Settings updated successfully')).toBeVisible();
  await expect(field(page, 'Phone')).toHaveValue('09 555 0001');
  expect((await callApi<Me>(other, 'GET', '/me')).profile).toMatchObject({ bank_name: 'Kiwibank', phone: '09 555 0001' });
});

test('categories can be added and deleted, and other tabs update live', async ({ page, context }) => {
  await signUpCompany(page);
  const otherTab = await context.newPage();
  for (const tab of [page, otherTab]) {
    await tab.goto('/settings?tab=categories');
    await expect(tab.getByText('No categories found')).toBeVisible();
  }
  const rows = (tab: Page) => tab.getByRole('list', { name: 'Categories' }).getByRole('listitem');
  const name = page.getByLabel('Category name');
  await name.fill(' Hot water ');
  await name.press('Enter');
  await expect(rows(page)).toHaveText([/^Hot water/]);
  await name.fill('Drains');
  await button(page, 'Add Category').click();
  await expect(rows(page)).toHaveText([/^Drains/, /^Hot water/]);
  await expect(rows(otherTab)).toHaveText([/^Drains/, /^Hot water/]);
  await button(page, 'Delete Drains').click();
  await button(page, 'Delete').click();
  await expect(page.getByText('Category deleted successfully')).toBeVisible();
  await expect(rows(page)).toHaveText([/^Hot water/]);
  await expect(rows(otherTab)).toHaveText([/^Hot water/]);
});

const menuOrderRows = (page: Page) => page.getByRole('list', { name: 'Menu order' }).getByRole('listitem');
const menuLinks = (page: Page) => page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');

test('the menu can be reordered with mouse and keyboard, and the order persists after signing out', async ({ page }) => {
  const owner = await signUpCompany(page);
  await page.goto('/settings?tab=menu-order');
  await expect(menuOrderRows(page)).toHaveCount(10);
  await expect(button(page, 'Move Dashboard')).toBeVisible();
  const box = await menuOrderRows(page).filter({ hasText: 'Dashboard' }).boundingBox();
  if (!box) throw new Error('The row is not visible');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const dragged = page.locator('[data-dnd-dragging]');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 7);
  await expect(dragged).toHaveCount(0);
  await page.mouse.up();
  await expect(menuOrderRows(page).first()).toContainText('Dashboard');

  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 9);
  await expect(dragged).toHaveCount(1);
  await page.mouse.move(x, y + box.height * 2, { steps: 10 });
  await page.mouse.up();
  await expect(page.getByText('Menu order updated')).toBeVisible();
  await expect(menuLinks(page).first()).toHaveText('To Do');
  await expect(menuLinks(page).nth(2)).toHaveText('Dashboard');

  await button(page, 'Move Settings').focus();
  await page.keyboard.press('Space');
  await expect(dragged).toHaveCount(1);
  await page.keyboard.press('ArrowUp');
  // The menu updates before the order is saved, so wait for the response before reloading.
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/me/menu-order') && response.ok());
  await page.keyboard.press('Space');
  await expect(menuLinks(page).nth(8)).toHaveText('Settings');
  await saved;
  await page.reload();
  await expect(menuLinks(page).nth(8)).toHaveText('Settings');

  await button(page, 'Sign Out').click();
  await expect(page).toHaveURL(/\/auth/);
  await signIn(page, owner);
  await page.goto('/settings?tab=menu-order');
  await expect(menuLinks(page).first()).toHaveText('To Do');
  await button(page, 'Reset to Default').click();
  await expect(page.getByText('Menu order reset to default')).toBeVisible();
  await expect(menuLinks(page).first()).toHaveText('Dashboard');
});
