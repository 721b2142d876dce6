import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from './support/accessible.ts';
import { failCall } from './support/failures.ts';
import { addCustomer, signIn, startCompany } from './support/people.ts';
import { expect, onlyLightOnPhones, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, name: string) => page.getByRole('list', { name: 'Customers' }).getByRole('link', { name: new RegExp(`^${name}`) });
const rowNames = (page: Page) => page.getByRole('list', { name: 'Customers' }).locator('[data-name]');

async function fillCustomer(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
}

const LINDQVIST = { Name: 'Runa Lindqvist', Email: 'runa@example.com', Phone: '021 555 123', 'Street address': '4 Harbour View Road' };

/** Deleting is behind the menu of rare actions. */
async function chooseDelete(page: Page): Promise<void> {
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
}

test('a customer is added, found, changed and deleted', async ({ page, isMobile }) => {
  await startCompany(page);
  await page.goto('/customers');
  await expect(page.getByText('No customers found')).toBeVisible();
  await page.getByRole('link', { name: 'Add New Customer' }).click();
  await fillCustomer(page, LINDQVIST);
  await button(page, 'Add Customer').click();
  await expect(page.getByText('Customer added successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Runa Lindqvist' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Call', exact: true })).toHaveAttribute('href', 'tel:021555123');

  await addCustomer(page, { name: 'Zoë Ward', address: '9 Mill Lane' });
  await page.goto('/customers');
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
  if (isMobile) await button(page, 'Details').click();
  await expect(page.getByRole('link', { name: '021 555 999' })).toHaveAttribute('href', 'tel:021555999');

  await chooseDelete(page);
  await expect(page.getByText('Are you sure you want to delete this customer? This action cannot be undone.')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Customer deleted successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/customers$/);
  await expect(row(page, 'Zoë Ward')).toBeVisible();
  await expect(row(page, 'Runa Lindqvist')).toBeHidden();
});

test('filters and sort live in the address, so that a link shows what its sender saw', async ({ page }) => {
  await startCompany(page);
  await addCustomer(page, { name: 'Bea', type: 'company', company_name: 'Anchor Cafe' });
  await addCustomer(page, { name: 'Ada', type: 'company', company_name: 'Bluebird Bakery' });
  await addCustomer(page, { name: 'Cleo' });
  await page.goto('/customers');
  await expect(rowNames(page)).toHaveText(['Ada', 'Bea', 'Cleo']);

  await page.getByRole('button', { name: /^Filters/ }).click();
  await page.getByLabel('Sort by').selectOption('Company name');
  await expect(rowNames(page)).toHaveText(['Bea', 'Ada', 'Cleo']);
  await page.getByLabel('Order').selectOption('Descending');
  await expect(page).toHaveURL(/sort=company_name&order=desc/);
  await page.reload();
  await expect(rowNames(page)).toHaveText(['Ada', 'Bea', 'Cleo']);

  await page.getByLabel('Status').selectOption('Inactive');
  await expect(page.getByText('There are no inactive customers.')).toBeVisible();
  await button(page, 'Clear search and filter').click();
  await expect(rowNames(page)).toHaveCount(3);
});

test('a wrong form says so beside each field, and company fields belong to companies only', async ({ page }) => {
  await startCompany(page);
  await page.goto('/customers/new');
  await button(page, 'Add Customer').click();
  for (const label of ['Name', 'Email', 'Phone', 'Street address']) await expect(page.getByText(`${label} is required`)).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();

  await page.getByLabel('Company', { exact: true }).check();
  await fillCustomer(page, { ...LINDQVIST, Email: 'abc' });
  await page.getByLabel('Contact name').fill('Pia');
  await button(page, 'Add Customer').click();
  await expect(page.getByText('Company name is required')).toBeVisible();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();

  await page.getByLabel('Individual').check();
  await page.getByLabel('Company', { exact: true }).check();
  await expect(page.getByLabel('Contact name')).toHaveValue('Pia');
  await page.getByLabel('Individual').check();
  await page.getByLabel('Email', { exact: true }).fill('runa@example.com');
  await button(page, 'Add Customer').click();
  await expect(page.getByText('Customer added successfully')).toBeVisible();
  await expect(page).not.toHaveURL(/\/new$/);
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Company', { exact: true }).check();
  await expect(page.getByLabel('Contact name')).toHaveValue('');
});

test('a failure keeps everything typed, and trying again makes one customer', { tag: '@desk' }, async ({ page }) => {
  await startCompany(page);
  await page.goto('/customers/new');
  await fillCustomer(page, LINDQVIST);
  const recover = await failCall(page, '/customers', { method: 'POST' });
  await button(page, 'Add Customer').click();
  await expect(page.getByText('Failed to add customer: An unexpected error occurred. Please try again later.')).toBeVisible();
  await recover();

  const restore = await dropAnswer(page, /\/api\/customers$/);
  await button(page, 'Add Customer').click();
  await expect(page.getByText(/^Failed to add customer: Unable to connect to the server/)).toBeVisible();
  await restore();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Runa Lindqvist');
  await button(page, 'Add Customer').dblclick();
  await expect(page.getByText('Customer added successfully')).toBeVisible();
  await page.goto('/customers');
  await expect(page.getByText('1 customer', { exact: true })).toBeVisible();
});

test('a session that ends while somebody types takes nothing with it', { tag: '@desk' }, async ({ page, context }) => {
  const { email, password } = await startCompany(page);
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

/** The server hears the call, but its answer is lost on the way. */
async function dropAnswer(page: Page, address: RegExp): Promise<() => Promise<void>> {
  await page.route(address, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    await route.fetch();
    return route.abort('connectionreset');
  });
  return () => page.unroute(address);
}

test('a refused change or deletion says why, and nothing is gone', { tag: '@desk' }, async ({ page }) => {
  await startCompany(page);
  const { id } = await addCustomer(page);
  await page.goto(`/customers/${id}?edit=true`);
  const recover = await failCall(page, '/customers/*', { method: 'PUT' });
  await page.getByLabel('Name', { exact: true }).fill('Mere Rangi');
  await button(page, 'Save Changes').click();
  await expect(page.getByText(/^Failed to update customer: /)).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Mere Rangi');
  await recover();
  await page.getByLabel('Name', { exact: true }).fill('Mere Tamihana');

  await page.getByLabel('Notes').fill('Key under the mat');
  const restore = await dropAnswer(page, /\/api\/customers\/[^/]+$/);
  await button(page, 'Save Changes').click();
  await expect(page.getByText(/^Failed to update customer: Unable to connect/)).toBeVisible();
  await restore();
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Customer updated successfully')).toBeVisible();

  await failCall(page, '/customers/*', { method: 'DELETE' });
  await chooseDelete(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(/^Failed to delete customer: /)).toBeVisible();
  await page.goto('/customers');
  await expect(row(page, 'Mere Tamihana')).toBeVisible();
});

test('leaving with something typed asks first', async ({ page }) => {
  await startCompany(page);
  await page.goto('/customers/new');
  await page.getByLabel('Name', { exact: true }).fill('Runa');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await button(page, 'Keep editing').click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Runa');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await button(page, 'Leave').click();
  await expect(page).toHaveURL(/\/customers$/);
});

test('two people at one customer see each other, and neither overwrites the other unasked', { tag: '@desk' }, async ({ page, browser }) => {
  const owner = await startCompany(page);
  const { id } = await addCustomer(page);
  const colleague = await (await browser.newContext()).newPage();
  await signIn(colleague, owner);
  await page.goto(`/customers/${id}?edit=true`);
  const listens = colleague.waitForResponse(/\/api\/live\b/);
  await colleague.goto(new URL(`/customers/${id}?edit=true`, page.url()).href);
  await listens;

  await page.getByLabel('Phone', { exact: true }).fill('09 555 0001');
  await button(page, 'Save Changes').click();
  await expect(colleague.getByLabel('Phone', { exact: true })).toHaveValue('09 555 0001');
  await page.getByRole('link', { name: 'Edit' }).click();

  await colleague.getByLabel('Name', { exact: true }).fill('Mere Rangi');
  await page.getByLabel('Name', { exact: true }).fill('Mere T. Tamihana');
  await page.getByLabel('Notes').fill('Key under the mat');
  await button(page, 'Save Changes').click();
  await expect(colleague.getByText('Someone else has changed this customer. Your changes are still here.')).toBeVisible();
  await expect(colleague.getByLabel('Name', { exact: true })).toHaveValue('Mere Rangi');

  await button(colleague, 'Save Changes').click();
  await expect(colleague.getByRole('heading', { name: 'Someone else has changed this customer.' })).toBeVisible();
  await expect(colleague.getByText('Theirs: Mere T. Tamihana')).toBeVisible();
  await expect(colleague.getByText('Yours: Mere Rangi')).toBeVisible();
  await expectNoAxeFindings(colleague);
  await button(colleague, 'Keep my changes').click();
  await expect(colleague.getByText('Customer updated successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Mere Rangi' })).toBeVisible();
  await expect(page.getByText('Key under the mat')).toBeVisible();
});

test('a list that cannot be read says why and offers to try again', { tag: '@desk' }, async ({ page }) => {
  await startCompany(page);
  await addCustomer(page);
  const recover = await failCall(page, '/customers', { code: 'FORBIDDEN' });
  await page.goto('/customers');
  await expect(page.getByText('A failure on purpose')).toBeVisible();
  await recover();
  await button(page, 'Retry').click();
  await expect(row(page, 'Mere Tamihana')).toBeVisible();
});

test('text that looks like markup is shown as it was typed', { tag: '@desk' }, async ({ page }) => {
  await startCompany(page);
  const { id } = await addCustomer(page, { name: '<img src=x onerror=alert(1)>', notes: '<script>alert(2)</script>' });
  await page.goto('/customers');
  await expect(page.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
  await page.goto(`/customers/${id}`);
  await expect(page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' })).toBeVisible();
});

test('many customers scroll smoothly, and coming back leads to where one was', async ({ page }) => {
  await startCompany(page);
  for (let number = 101; number <= 180; number += 1) await addCustomer(page, { name: `Customer ${number}` });
  await page.goto('/customers');
  await expect(page.getByText('80 customers')).toBeVisible();
  await row(page, 'Customer 101').focus();
  await page.keyboard.press('ArrowDown');
  await expect(row(page, 'Customer 102')).toBeFocused();

  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(row(page, 'Customer 180')).toBeVisible({ timeout: 500 });
  }).toPass();
  expect(await page.locator('a[data-row]').count()).toBeLessThan(70);
  await row(page, 'Customer 180').click();
  await expect(page.getByRole('heading', { name: 'Customer 180' })).toBeVisible();
  await page.goBack();
  await expect(row(page, 'Customer 180')).toBeInViewport();
});

test('the tabs of a customer are tabs on a desk and accordions on a phone', async ({ page, isMobile }) => {
  await startCompany(page);
  const { id } = await addCustomer(page);
  await page.goto(`/customers/${id}`);
  const head = (name: string) => page.getByRole(isMobile ? 'button' : 'tab', { name, exact: true });
  for (const [name, empty] of [
    ['Quotes', 'No quotes found'],
    ['Jobs', 'No jobs found'],
    ['Attachments', 'No attachments found'],
  ] as const) {
    await head(name).click();
    await expect(page.getByText(empty)).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`tab=${name.toLowerCase()}`));
  }
  await head('Quotes').click();
  await expect(page.getByRole('link', { name: 'New Quote' })).toHaveAttribute('href', `/quotes/new?customer=${id}`);
  await expect(page.getByRole('link', { name: 'New Job' }).first()).toHaveAttribute('href', `/jobs/new?customer=${id}`);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen of customers is accessible, ${colorScheme}`, onlyLightOnPhones(colorScheme), async ({ page }) => {
    // axe looks at every element, which takes a while on a busy machine.
    test.slow();
    await page.emulateMedia({ colorScheme });
    await startCompany(page);
    await page.goto('/customers');
    await expect(page.getByText('No customers found')).toBeVisible();
    await expectNoAxeFindings(page);
    const { id } = await addCustomer(page, { type: 'company', company_name: 'Anchor Cafe' });
    await page.goto('/customers');
    await page.getByRole('button', { name: /^Filters/ }).click();
    await expect(row(page, 'Mere Tamihana')).toBeVisible();
    await expectNoAxeFindings(page);
    await page.goto('/customers/new');
    await button(page, 'Add Customer').click();
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
    await expectNoAxeFindings(page);
    await page.goto(`/customers/${id}`);
    await expect(page.getByRole('heading', { name: 'Anchor Cafe' })).toBeVisible();
    await expectNoAxeFindings(page);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Mere Rangi');
    await expectNoAxeFindings(page);
    await chooseDelete(page);
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectNoAxeFindings(page);
  });
}
