import type { Page } from '@playwright/test';
import { addCustomer, signUpCompany } from './support/company-setup.ts';
import { expect, test } from './support/test.ts';

const MENU = ['Dashboard', 'To Do', 'Job Board', 'Calendar', 'Jobs', 'Quotes', 'Customers', 'Items & Services', 'Staff', 'Settings'];
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' });
const showMenu = (page: Page) => page.getByRole('button', { name: /^(Show menu|More)$/ });

test('the menu shows ten items beside the page on desktop and over the page on a phone', { tag: '@phone' }, async ({ page, isMobile }) => {
  await signUpCompany(page);
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
  const bottomBar = page.getByRole('navigation', { name: 'Quick menu' });
  await expect(bottomBar).toBeVisible({ visible: isMobile });
  if (isMobile) {
    await expect(menu(page)).not.toBeInViewport();
    await bottomBar.getByRole('button', { name: 'More' }).click();
    await expect(menu(page)).toBeInViewport();
  }
});

test('Back closes a menu, dialog or sheet on a page opened by its URL, and then leaves the page', { tag: '@phone' }, async ({ page }) => {
  await signUpCompany(page);
  const { id } = await addCustomer(page);
  await page.goto(`/customers/${id}`);
  const openMenu = async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
  };
  await openMenu();
  await page.goBack();
  await expect(page.getByRole('menu')).toBeHidden();
  await openMenu();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(page).toHaveURL(`/customers/${id}`);
  // A dialog that was closed by its button leaves no extra step behind.
  await openMenu();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL('about:blank');

  await page.goto('/todo?add=true');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL('/todo');
});

test('signing out in one tab signs out all other tabs and clears local storage', { tag: '@phone-only' }, async ({ page, context }) => {
  await signUpCompany(page);
  await page.goto('/customers');
  const other = await context.newPage();
  await other.goto(new URL('/dashboard', page.url()).href);
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  await showMenu(page).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(other).toHaveURL(/\/auth$/);
  const listSessionKeys = () => page.evaluate(() => Object.keys(localStorage).filter((key) => /navigation|timer|session|token/.test(key)));
  await expect.poll(listSessionKeys).toEqual([]);
  await page.goto('/customers');
  await expect(page).toHaveURL(/\/auth/);
});

test('the selected theme persists after a reload', async ({ page }) => {
  await signUpCompany(page);
  await page.goto('/dashboard');
  await page.getByText('Dark', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-color-scheme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-color-scheme', 'dark');
});

test('eight tabs in one browser all load and get live updates', async ({ page, context }) => {
  await signUpCompany(page);
  // Open more tabs than the six HTTP/1.1 connections that browsers allow per host.
  const others = await Promise.all(Array.from({ length: 7 }, () => context.newPage()));
  const tabs = [page, ...others];
  await Promise.all(tabs.map((tab) => tab.goto('/customers')));
  await Promise.all(tabs.map((tab) => expect(tab.getByText('No customers found')).toBeVisible()));
  const { name } = await addCustomer(page);
  await Promise.all(tabs.map((tab) => expect(tab.getByText(name)).toBeVisible()));
});
