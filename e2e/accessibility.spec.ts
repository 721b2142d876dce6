import { randomUUID } from 'node:crypto';
import type { Me } from '@callout/contract/company';
import type { Customer } from '@callout/contract/customers';
import type { Job } from '@callout/contract/jobs';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { signInAsAdministrator } from './support/administrator.ts';
import { addCustomer, addItem, addSupplier, call, signUp, startCompany } from './support/people.ts';
import { anotherBrowser, invitationLink, invite, PASSWORD } from './support/staff.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function chooseDelete(page: Page): Promise<void> {
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
}

test.slow();

test('every page of people who are not signed in is accessible', async ({ page, browser }) => {
  for (const path of ['/auth', '/auth?mode=create-account', '/auth?mode=reset-password', '/undo-email-change?token=x']) {
    await page.goto(path);
    await page.locator('button[type=submit]').click();
    await expect(page.locator('[aria-invalid=true]').first()).toBeFocused();
    await expectAccessible(page);
  }
  await page.goto('/auth?reset=true&token=x');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Request a new link')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/confirm-email?token=x');
  await expect(page.getByText('Sign in with your current email first.')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/invitation?token=gone');
  await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();
  await expectAccessible(page);

  const owner = await anotherBrowser(browser);
  await startCompany(owner);
  const { email } = await invite(owner);
  await page.goto(await invitationLink(email));
  await expect(page.getByRole('heading', { name: 'Join Harbour Plumbing' })).toBeVisible();
  await expectAccessible(page);
  await signUp(page, { email, password: PASSWORD });
  await page.goto('/onboarding');
  await expect(page.getByText('A company invited you.')).toBeVisible();
  await button(page, 'Save and continue').click();
  await expect(page.getByLabel('Company name')).toBeFocused();
  await expectAccessible(page);
});

test('every screen of customers is accessible', async ({ page }) => {
  await startCompany(page);
  await page.goto('/customers');
  await expect(page.getByText('No customers found')).toBeVisible();
  await expectAccessible(page);
  const customer = await addCustomer(page, { type: 'company', company_name: 'Anchor Cafe' });
  await page.goto('/customers');
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expect(page.getByRole('link', { name: /^Mere Tamihana/ })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/customers/new');
  await button(page, 'Add Customer').click();
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await expectAccessible(page);

  await page.goto(`/customers/${customer.id}`);
  await expect(page.getByRole('heading', { name: 'Anchor Cafe' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Mere Rangi');
  await expectAccessible(page);
  await call<Customer>(page, 'PUT', `/customers/${customer.id}`, { ...customer, type: 'company', name: 'Mere Kahu' });
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Theirs: Mere Kahu')).toBeVisible();
  await expectAccessible(page);
  await chooseDelete(page);
  await expectAccessible(page);
});

test('every screen of price lists is accessible', async ({ page }) => {
  await startCompany(page);
  const { id } = await addSupplier(page);
  await addItem(page, id, { name: 'Copper pipe', sku: 'CP-15' });
  await page.goto('/items-services?search=copper');
  await expect(page.getByRole('list', { name: 'Items of Harbour Pipes' })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/items-services/suppliers/${id}?new=true`);
  await page.getByLabel('SKU').fill('cp-15');
  await page.getByRole('dialog').getByRole('button', { name: 'Add Item' }).click();
  await expect(page.getByText('Name is required')).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/items-services/suppliers/${id}?edit=true`);
  await expect(page.getByLabel('Inactive')).toBeVisible();
  await expectAccessible(page);
});

test('the list of jobs and the time sheet are accessible while a timer runs', async ({ page }) => {
  await startCompany(page);
  const { user } = await call<Me>(page, 'GET', '/me');
  const { id: customer_id } = await addCustomer(page);
  const { id: job_id } = await call<Job>(page, 'POST', '/jobs', {
    id: randomUUID(),
    customer_id,
    title: 'New kitchen tap',
    description: 'The old one drips.',
    category_ids: [],
    staff_id: user.staff_id,
    booking_date: '2030-02-03T08:00:00Z',
    duration: '2',
    job_type: 'hourly',
    fixed_amount: null,
    hourly_rate: '85',
    address: null,
  });
  await call(page, 'POST', '/time-entries', { id: randomUUID(), job_id, pause_others: true });
  await page.goto('/jobs');
  await expect(page.getByRole('link', { name: /^New kitchen tap/ })).toBeVisible();
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expectAccessible(page);
  await page.goto('/time-sheet');
  await page
    .getByRole('button', { name: /timer is running/ })
    .first()
    .click();
  await expect(button(page, 'Close')).toBeVisible();
  await expectAccessible(page);
});

test('every screen of staff and the notifications are accessible', async ({ page }) => {
  await startCompany(page);
  await page.goto('/staff/new');
  await expect(page.getByText('Please confirm your email address before you invite people.')).toBeVisible();
  await button(page, 'Send Invitation').click();
  await expect(page.getByLabel('Full Name')).toBeFocused();
  await expectAccessible(page);
  const { id } = await invite(page);
  await page.goto('/staff');
  await expect(page.getByText('Tama Rewi').first()).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/staff/${id}`);
  await expect(page.getByRole('radio', { name: 'Teal' })).toBeVisible();
  await expectAccessible(page);
  await chooseDelete(page);
  await expectAccessible(page);

  const types = ['success', 'info', 'warning', 'error', 'other'];
  const rows = types.map((type) => ({
    id: type,
    message: `A message of type ${type}`,
    type,
    read: false,
    created_at: new Date(0),
    data: {},
  }));
  await page.route(/\/api\/notifications$/, (route) => route.fulfill({ json: { rows, unread: 120 } }));
  await page.goto('/todo');
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Notifications/ })
    .click();
  await expect(page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem')).toHaveCount(types.length);
  await expectAccessible(page);
});

test('every tab of the settings is accessible', async ({ page, browser }) => {
  const owner = await startCompany(page);
  await call(await anotherBrowser(browser), 'POST', '/auth/sign-in', owner);
  await page.goto('/settings');
  const tab = (name: string) => page.getByRole('tab', { name });
  await page.getByRole('checkbox', { name: /^Add fees/ }).check();
  await page.getByLabel('Fee percentage').fill('100');
  await button(page, 'Save Changes').click();
  await expect(page.getByLabel('Fee percentage')).toBeFocused();
  await expectAccessible(page);
  await tab('Categories').click();
  await page.getByLabel('Category name').fill('Drains');
  await page.getByLabel('Category name').press('Enter');
  await button(page, 'Delete Drains').click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Cancel').click();
  await tab('Menu Order').click();
  await expect(button(page, 'Move Dashboard')).toBeVisible();
  await expectAccessible(page);
  await tab('Profile').click();
  await expect(page.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);
});

test('every menu entry leads to a page, and the shell is accessible', async ({ page }) => {
  await startCompany(page);
  await page.goto('/dashboard');
  const links = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');
  await expect(links).toHaveCount(10);
  const names = await links.allTextContents();
  for (const name of names) {
    await links.filter({ hasText: name }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(/Callout/);
    if (name === 'Dashboard' || name === 'Quotes') await expectAccessible(page);
  }
  await page.goto('/no-such-page');
  await expect(page.getByText('Page not found')).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText("You're offline.")).toBeVisible();
  await expectAccessible(page);
  await page.context().setOffline(false);
});

test('every screen of the administration is accessible', async ({ page, browser }) => {
  await startCompany(await anotherBrowser(browser), { company_name: 'Accessible Plumbing' });
  await signInAsAdministrator(page);
  await page.goto('/admin');
  await expect(page.getByText('Active').first()).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Delete Accessible Plumbing').click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/admin?tab=outbox');
  await expect(page.getByLabel('Status')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/admin?tab=queue');
  await expect(page.getByText(/^Queue healthy/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Profile' }).click();
  await expect(page.getByRole('list', { name: 'Signed-in devices' })).toContainText('This device');
  await expectAccessible(page);
  await page.context().setOffline(true);
  await expect(page.getByText('No Internet Connection', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.context().setOffline(false);
});
