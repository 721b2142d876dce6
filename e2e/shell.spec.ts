import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from './support/accessible.ts';
import { failCall, goOffline } from './support/failures.ts';
import { addCustomer, startCompany } from './support/people.ts';
import { expect, test } from './support/test.ts';

const MENU = ['Dashboard', 'To Do', 'Job Board', 'Calendar', 'Jobs', 'Quotes', 'Customers', 'Items & Services', 'Staff', 'Settings'];
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' });
const showMenu = (page: Page) => page.getByRole('button', { name: /^(Show menu|More)$/ });

test('the menu has its ten entries, open beside the page on a desk and over it on a phone', async ({ page, isMobile }) => {
  await startCompany(page);
  await page.goto('/');
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('banner').getByText('Harbour Plumbing')).toBeVisible();
  if (isMobile) await showMenu(page).click();
  await expect(menu(page).getByRole('link')).toHaveText(MENU);
  expect(await page.getByRole('complementary', { name: 'Sidebar' }).boundingBox()).toMatchObject({ width: 256 });

  await menu(page).getByRole('link', { name: 'Customers' }).click();
  await expect(page.getByRole('heading', { name: 'Customers', exact: true })).toBeVisible();
  await expect(showMenu(page)).toBeVisible({ visible: isMobile });
  await expect(page.getByRole('button', { name: 'Back' })).toBeHidden();
});

test('every menu entry leads to a page that works or says honestly that it does not yet', async ({ page, isMobile }) => {
  test.slow();
  await startCompany(page);
  await page.goto('/dashboard');
  for (const name of MENU) {
    if (isMobile) await showMenu(page).click();
    await menu(page).getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(/Callout/);
    if (name === 'Dashboard' || name === 'Quotes') await expectNoAxeFindings(page);
  }
});

test('Back goes one step back, and without a step to one level up', async ({ page }) => {
  await startCompany(page);
  const { id } = await addCustomer(page);
  await page.goto(`/customers/${id}`);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL(/\/customers$/);
  await page.getByRole('link', { name: /^Mere Tamihana/ }).click();
  await page.getByRole('link', { name: 'New Job' }).first().click();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL(new RegExp(`/customers/${id}$`));
});

test('a signed-out visitor signs in and arrives where they wanted to go', { tag: '@desk' }, async ({ page, browser }) => {
  const { email, password } = await startCompany(await (await browser.newContext()).newPage());
  await page.goto('/customers?search=anna');
  await expect(page).toHaveURL(/\/auth/);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(/\/customers\?search=anna$/);
  await expect(page.getByRole('searchbox', { name: 'Search customers' })).toHaveValue('anna');
});

test('signing out ends the session everywhere and leaves nothing behind', async ({ page, context, isMobile }) => {
  await startCompany(page);
  await page.goto('/customers');
  const other = await context.newPage();
  await other.goto(new URL('/dashboard', page.url()).href);
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  if (isMobile) await showMenu(page).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(other).toHaveURL(/\/auth$/);
  const left = () => page.evaluate(() => Object.keys(localStorage).filter((key) => /navigation|timer|session|token/.test(key)));
  await expect.poll(left).toEqual([]);
  await page.goto('/customers');
  await expect(page).toHaveURL(/\/auth/);
});

test('an ended session says so once and keeps the way back', { tag: '@desk' }, async ({ page, context }) => {
  await startCompany(page);
  await page.goto('/customers');
  await expect(page.getByText('No customers found')).toBeVisible();
  await context.clearCookies();
  // By key, because the page may have noticed before we get to its search.
  await page.keyboard.type('/anna');
  await expect(page.getByText('Your session has expired. Please sign in again.')).toHaveCount(1);
  await expect(page).toHaveURL(/\/auth\?next=/);
});

test.describe('without a profile to read', () => {
  test.use({ expectedErrors: [/A failure on purpose/] });

  test('the page offers to try again', { tag: '@desk' }, async ({ page }) => {
    await startCompany(page);
    const recover = await failCall(page, '/me', { code: 'FORBIDDEN' });
    await page.goto('/customers');
    await expect(page.getByText('Unable to load profile. Please check your connection and try again.')).toBeVisible();
    await recover();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('No customers found')).toBeVisible();
  });
});

test('without a connection a banner says so until it is back', async ({ page }) => {
  await startCompany(page);
  await page.goto('/customers');
  await expect(page.getByText('No customers found')).toBeVisible();
  const goOnline = await goOffline(page);
  await expect(page.getByText("You're offline.")).toBeVisible();
  await expectNoAxeFindings(page);
  await goOnline();
  await expect(page.getByText("You're offline.")).toBeHidden();
});

test('an address without a page says so inside the shell', { tag: '@desk' }, async ({ page }) => {
  await startCompany(page);
  await page.goto('/no-such-page');
  await expect(page.getByText('There is no page at this address')).toBeVisible();
  await expectNoAxeFindings(page);
});

test('the chosen theme is kept', async ({ page, isMobile }) => {
  await startCompany(page);
  await page.goto('/dashboard');
  if (isMobile) await showMenu(page).click();
  await page.getByText('Dark', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-color-scheme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-color-scheme', 'dark');
});

test('the palette finds a customer from the keyboard', { tag: '@desk' }, async ({ page }) => {
  await startCompany(page);
  const { id } = await addCustomer(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The shortcuts come after the first paint.
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.type('tamihana');
  await page.getByRole('option', { name: /Mere Tamihana/ }).click();
  await expect(page).toHaveURL(new RegExp(`/customers/${id}$`));
});

test('eight tabs of one browser all open, and all hear what changes', { tag: '@desk' }, async ({ page, context }) => {
  await startCompany(page);
  await page.goto('/customers');
  const tabs = [page];
  for (let count = 1; count < 8; count += 1) {
    const tab = await context.newPage();
    await tab.goto(page.url());
    await expect(tab.getByText('No customers found')).toBeVisible();
    tabs.push(tab);
  }
  const { name } = await addCustomer(page);
  for (const tab of tabs) await expect(tab.getByText(name)).toBeVisible();
});
