import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { call, openListening, signIn, startCompany } from './support/people.ts';
import { anotherBrowser } from './support/staff.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true });

async function addItems(page: Page, supplierId: string, count: number): Promise<void> {
  const pricing = { cost_price: '10', pricing_method: 'margin', margin_percentage: '30', tax_inclusive: true, is_service: false };
  for (let number = 101; number <= 100 + count; number += 5) {
    await Promise.all(
      [0, 1, 2, 3, 4].map((next) => {
        const name = `Fitting ${number + next}`;
        return call(page, 'POST', '/items', { id: randomUUID(), supplier_id: supplierId, name, sku: `F-${number + next}`, ...pricing });
      }),
    );
  }
}

test('a supplier and its items are added, found, priced, changed and deleted, live on a second screen', { tag: '@phone' }, async ({
  page,
  browser,
}) => {
  const owner = await startCompany(page);
  await page.goto('/items-services');
  await expect(page.getByText('No suppliers found')).toBeVisible();
  await expectAccessible(page);
  await link(page, 'Add Supplier').first().click();
  await page.getByLabel('Company name').fill('Harbour Pipes');
  await expectAccessible(page);
  await button(page, 'Add Supplier').click();
  await expect(page.getByText('Supplier added successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Harbour Pipes' })).toBeVisible();
  await expect(page.getByText('No items found')).toBeVisible();
  const supplierId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const colleague = await anotherBrowser(browser);
  await signIn(colleague, owner);
  await openListening(colleague, '/items-services');
  await expect(colleague.getByText('0 items')).toBeVisible();

  await link(page, 'Add Item').first().click();
  await expect(page).toHaveURL(/new=true/);
  await page.getByLabel('Name').fill('Copper pipe');
  await page.getByLabel('SKU').fill('CP-15');
  await page.getByLabel('Cost price').fill('100');
  await expect(page.getByRole('dialog').getByText('$142.86 (inc GST)')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Add Item' }).click();
  await expect(page.getByText('Item added successfully')).toBeVisible();
  await expect(page).not.toHaveURL(/new=true/);
  await expect(page.getByRole('list', { name: 'Items' }).getByText('$142.86 (inc GST)')).toBeVisible();
  await expect(colleague.getByText('1 item', { exact: true })).toBeVisible();

  await page.goto(`/items-services/suppliers/${supplierId}?new=true`);
  await page.getByLabel('Name').fill('Another pipe');
  await page.getByLabel('SKU').fill('cp-15');
  await page.getByRole('dialog').getByRole('button', { name: 'Add Item' }).click();
  await expect(page.getByText('An item with this SKU already exists')).toBeVisible();
  await expect(page.getByLabel('SKU')).toBeFocused();
  await page.getByLabel('SKU').fill('CP-22');
  await page.getByRole('dialog').getByRole('button', { name: 'Add Item' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();

  await addItems(page, supplierId, 120);
  await page.goto('/items-services?search=copper');
  const found = page.getByRole('list', { name: 'Items of Harbour Pipes' }).getByRole('link');
  await expect(found).toHaveCount(1);
  await found.click();
  await button(page, 'Save Changes').waitFor();
  await page.getByLabel('Fixed', { exact: true }).check();
  await page.getByLabel('Fixed price').fill('150');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Item updated successfully')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.goto('/items-services');
  await page.getByRole('button', { name: /Harbour Pipes/ }).click();
  const items = page.getByRole('list', { name: 'Items of Harbour Pipes' });
  await expect(items.getByText('$150.00 (inc GST)')).toBeVisible();
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(items.getByText('Fitting 220')).toBeVisible({ timeout: 500 });
  }).toPass();
  expect(await items.getByRole('link').count()).toBeLessThan(70);
  await items.getByRole('link', { name: /^Fitting 220/ }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Item' })).toBeVisible();
  await page.goBack();
  await expect(items.getByText('Fitting 220')).toBeInViewport();
  await page.getByRole('button', { name: /Harbour Pipes/ }).click();
  await expect(items).toBeHidden();
  await expect(page.getByRole('button', { name: /Harbour Pipes/ })).toBeInViewport();

  await link(page, 'Manage Harbour Pipes').click();
  await page.getByLabel('Search items').fill('copper');
  await expect(page).toHaveURL(/search=copper/);
  await button(page, 'Delete Copper pipe').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Item deleted successfully')).toBeVisible();
  await expect(page.getByText('Nothing matches “copper”.')).toBeVisible();

  await link(page, 'Edit').click();
  await page.getByLabel('Inactive').check();
  await expectAccessible(page);
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Supplier updated successfully')).toBeVisible();
  await expect(colleague.getByText('Inactive')).toBeVisible();
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Delete Supplier' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Supplier deleted successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/items-services$/);
  await expect(colleague.getByText('No suppliers found')).toBeVisible();
});
