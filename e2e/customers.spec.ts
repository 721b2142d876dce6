import type { Page } from '@playwright/test';
import { addCustomer, navigateInApp, openLivePage, signIn, signUpCompany } from './support/company-setup.ts';
import { dropResponses } from './support/network-conditions.ts';
import { createDevicePage } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, name: string) => page.getByRole('list', { name: 'Customers' }).getByRole('link', { name: new RegExp(`^${name}`) });

async function fillCustomer(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
}

const LINDQVIST = { Name: 'Runa Lindqvist', Email: 'runa@example.com', Phone: '021 555 123', 'Street address': '4 Harbour View Road' };

async function chooseDelete(page: Page): Promise<void> {
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
}

test('a customer can be added, searched, edited and deleted', { tag: '@phone-only' }, async ({ page }) => {
  await signUpCompany(page);
  await page.goto('/customers');
  await expect(page.getByText('No customers found')).toBeVisible();
  await page.getByRole('link', { name: 'Add New Customer' }).click();
  await fillCustomer(page, LINDQVIST);
  await button(page, 'Add Customer').click();
  await expect(page.getByText('Customer added successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Runa Lindqvist' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Call', exact: true })).toHaveAttribute('href', 'tel:021555123');

  await addCustomer(page, { name: 'Zoë Ward', address: '9 Mill Lane' });
  await navigateInApp(page, '/customers');
  await expect(page.getByText('2 customers')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search customers' }).fill('harbour view');
  await expect(page).toHaveURL(/search=harbour/);
  await expect(page.getByText('1 of 2 customers')).toBeVisible();
  await row(page, 'Runa Lindqvist').click();

  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Phone', { exact: true }).fill('021 555 999');
  await page.getByLabel('Status').selectOption('Inactive');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Customer updated successfully')).toBeVisible();
  await expect(page).not.toHaveURL(/edit/);
  await page.reload();
  await button(page, 'Details').click();
  await expect(page.getByRole('link', { name: '021 555 999' })).toHaveAttribute('href', 'tel:021555999');

  await chooseDelete(page);
  await expect(page.getByText('Are you sure you want to delete this customer? This action cannot be undone.')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Customer deleted successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/customers$/);
  await expect(row(page, 'Zoë Ward')).toBeVisible();
  await expect(row(page, 'Runa Lindqvist')).toBeHidden();
});

test('after a lost response the page sends the customer again, which adds it only once', async ({ page }) => {
  await signUpCompany(page);
  await page.goto('/customers/new');
  await fillCustomer(page, LINDQVIST);
  const restore = await dropResponses(page, /\/api\/customers$/);
  const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/customers'));
  await button(page, 'Add Customer').dblclick();
  await lost;
  await restore();
  await expect(page.getByRole('heading', { level: 1, name: LINDQVIST.Name })).toBeVisible();
  await expect(page.getByText('This customer has not been sent yet.')).toBeHidden();
  await page.goto('/customers');
  await expect(page.getByText('1 customer', { exact: true })).toBeVisible();
});

test('unsaved form input survives an expired session', async ({ page, context }) => {
  const { email, password } = await signUpCompany(page);
  // Block background requests. Otherwise, one of them could notice the expired session before the button is clicked.
  await page.route(/\/api\/(live|notifications|customers\/duplicates)\b/, () => undefined);
  await page.goto('/customers/new');
  await fillCustomer(page, LINDQVIST);
  await context.clearCookies();
  await button(page, 'Add Customer').click();
  await expect(page.getByText('Your session has expired. Please sign in again.')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Sign In').click();
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible();
  await button(page, 'Add Customer').click();
  await expect(page.getByRole('heading', { name: 'Runa Lindqvist' })).toBeVisible();
});

test('a colleague’s edit of a customer appears live, and saving asks before overwriting it', async ({ page, browser }) => {
  const owner = await signUpCompany(page);
  const { id } = await addCustomer(page);
  const colleague = await createDevicePage(browser);
  await signIn(colleague, owner);
  await openLivePage(page, `/customers/${id}?edit=true`);
  await openLivePage(colleague, `/customers/${id}?edit=true`);

  await page.getByLabel('Phone', { exact: true }).fill('09 555 0001');
  await button(page, 'Save Changes').click();
  await expect(colleague.getByLabel('Phone', { exact: true })).toHaveValue('09 555 0001');
  await page.getByRole('link', { name: 'Edit' }).click();

  await colleague.getByLabel('Name', { exact: true }).fill('Mere Rangi');
  await page.getByLabel('Name', { exact: true }).fill('Mere T. Tamihana');
  await page.getByLabel('Notes').fill('Key under the mat');
  await button(page, 'Save Changes').click();
  await expect(colleague.getByText("There's a newer version of this customer. Your changes are still here.")).toBeVisible();
  await expect(colleague.getByLabel('Name', { exact: true })).toHaveValue('Mere Rangi');

  await button(colleague, 'Save Changes').click();
  await expect(colleague.getByRole('heading', { name: "There's a newer version of this customer." })).toBeVisible();
  await expect(colleague.getByText('Theirs: Mere T. Tamihana')).toBeVisible();
  await expect(colleague.getByText('Yours: Mere Rangi')).toBeVisible();
  await button(colleague, 'Keep my changes').click();
  await expect(colleague.getByText('Customer updated successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Mere Rangi' })).toBeVisible();
  await expect(page.getByText('Key under the mat')).toBeVisible();
});

test('a long customer list is virtualized, and going back returns to the same row', { tag: '@phone-only' }, async ({ page }) => {
  await signUpCompany(page);
  for (let number = 101; number <= 180; number += 4) {
    await Promise.all([0, 1, 2, 3].map((next) => addCustomer(page, { name: `Customer ${number + next}` })));
  }
  await page.goto('/customers');
  await expect(page.getByText('80 customers')).toBeVisible();
  const scrollToLastRow = async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    return row(page, 'Customer 180').isVisible();
  };
  await expect.poll(scrollToLastRow, { intervals: [100] }).toBe(true);
  expect(await page.locator('a[data-row]').count()).toBeLessThan(70);
  await row(page, 'Customer 180').click();
  await expect(page.getByRole('heading', { name: 'Customer 180' })).toBeVisible();
  await page.goBack();
  await expect(row(page, 'Customer 180')).toBeInViewport();
});
