import type { Page } from '@playwright/test';
import { addItem, addSupplier, navigateInApp, openLivePage, signIn, signUpCompany } from './support/company-setup.ts';
import { createDevicePage } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true });

test('suppliers and items can be added, searched, edited and deleted, and changes appear live on a second device', async ({
  page,
  browser,
}) => {
  const owner = await signUpCompany(page);
  const colleague = await createDevicePage(browser);
  await signIn(colleague, owner);
  await openLivePage(colleague, '/items-services');
  await page.goto('/items-services');
  await link(page, 'Add Supplier').first().click();
  await page.getByLabel('Company name').fill('Harbour Pipes');
  await button(page, 'Add Supplier').click();
  await expect(colleague.getByText('0 items')).toBeVisible();

  await link(page, 'Add Item').first().click();
  await page.getByLabel('Name').fill('Copper pipe');
  await page.getByLabel('SKU').fill('CP-15');
  await page.getByLabel('Cost price').fill('100');
  await page.getByRole('dialog').getByRole('button', { name: 'Add Item' }).click();
  await expect(page.getByRole('list', { name: 'Items' }).getByText('$142.86 (inc GST)')).toBeVisible();
  await expect(colleague.getByText('1 item', { exact: true })).toBeVisible();

  await navigateInApp(page, '/items-services?search=copper');
  await page.getByRole('list', { name: 'Items from Harbour Pipes' }).getByRole('link').click();
  await page.getByLabel('Fixed', { exact: true }).check();
  await page.getByLabel('Fixed price').fill('150');
  await button(page, 'Save Changes').click();
  await expect(page.getByRole('list', { name: 'Items' }).getByText('$150.00 (inc GST)')).toBeVisible();
  await button(page, 'Delete Copper pipe').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(colleague.getByText('0 items')).toBeVisible();

  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Delete Supplier' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/items-services$/);
  await expect(colleague.getByText('No suppliers found')).toBeVisible();
});

test('a long price list is virtualized, and going back restores the scroll position', async ({ page }) => {
  await signUpCompany(page);
  const { id } = await addSupplier(page);
  const numbers = Array.from({ length: 120 }, (_, index) => 101 + index);
  while (numbers.length > 0) {
    const batch = numbers.splice(0, 10);
    await Promise.all(batch.map((number) => addItem(page, id, { name: `Fitting ${number}`, sku: `F-${number}` })));
  }
  await page.goto('/items-services');
  const supplier = page.getByRole('button', { name: /Harbour Pipes/ });
  await supplier.click();
  const items = page.getByRole('list', { name: 'Items from Harbour Pipes' });
  const scrollToLastItem = async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    return items.getByText('Fitting 220').isVisible();
  };
  await expect.poll(scrollToLastItem, { intervals: [100] }).toBe(true);
  expect(await items.getByRole('link').count()).toBeLessThan(70);
  await items.getByRole('link', { name: /^Fitting 220/ }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Item' })).toBeVisible();
  await page.goBack();
  await expect(items.getByText('Fitting 220')).toBeInViewport();
  await supplier.click();
  await expect(items).toBeHidden();
  await expect(supplier).toBeInViewport();
});
