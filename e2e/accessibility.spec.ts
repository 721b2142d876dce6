import { randomUUID } from 'node:crypto';
import type { Me } from '@callout/contract/company';
import type { Customer } from '@callout/contract/customers';
import type { Job } from '@callout/contract/jobs';
import type { Page } from '@playwright/test';
import { signInAsAdministrator } from './support/administrator.ts';
import { addCustomer, addItem, addSupplier, callApi, navigateInApp, signIn, signUp, signUpCompany } from './support/company-setup.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { createDeviceContext, inviteStaffMember, STAFF_PASSWORD, waitForInvitationLink } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function chooseDelete(page: Page): Promise<void> {
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
}

test.slow();

test('all pages for signed-out users are accessible', async ({ page, browser }) => {
  await page.goto('/auth');
  for (const [path, action] of [
    ['/auth', 'Sign In'],
    ['/auth?mode=create-account', 'Create Account'],
    ['/auth?mode=reset-password', 'Send Reset Link'],
    ['/undo-email-change?token=x', 'Restore My Account'],
  ] as const) {
    await navigateInApp(page, path);
    await button(page, action).click();
    await expect(page.locator('[aria-invalid=true]').first()).toBeFocused();
    await expectAccessible(page);
  }
  await navigateInApp(page, '/auth?reset=true&token=x');
  await expect(page.getByText('Request a new link')).toBeVisible();
  await expectAccessible(page);
  await navigateInApp(page, '/confirm-email?token=x');
  await expect(page.getByText('Sign in with your current email first.')).toBeVisible();
  await expectAccessible(page);
  await navigateInApp(page, '/invitation?token=gone');
  await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();
  await expectAccessible(page);

  const owner = await createDeviceContext(browser);
  await signUpCompany(owner);
  const { email } = await inviteStaffMember(owner);
  await navigateInApp(page, await waitForInvitationLink(email));
  await expect(page.getByRole('heading', { name: 'Join Harbour Plumbing' })).toBeVisible();
  await expectAccessible(page);
  await signUp(page, { email, password: STAFF_PASSWORD });
  await page.goto('/onboarding');
  await expect(page.getByText('A company invited you.')).toBeVisible();
  await button(page, 'Save and continue').click();
  await expect(page.getByLabel('Company name')).toBeFocused();
  await expectAccessible(page);
});

async function scanCustomers(page: Page): Promise<Customer> {
  await page.goto('/customers');
  await expect(page.getByText('No customers found')).toBeVisible();
  await expectAccessible(page);
  const customer = await addCustomer(page, { type: 'company', company_name: 'Anchor Cafe' });
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expect(page.getByRole('link', { name: /^Mere Tamihana/ })).toBeVisible();
  await expectAccessible(page);
  await navigateInApp(page, '/customers/new');
  await button(page, 'Add Customer').click();
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await expectAccessible(page);

  await navigateInApp(page, `/customers/${customer.id}`);
  await expect(page.getByRole('heading', { name: 'Anchor Cafe' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Mere Rangi');
  await callApi<Customer>(page, 'PUT', `/customers/${customer.id}`, { ...customer, type: 'company', name: 'Mere Kahu' });
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Theirs: Mere Kahu')).toBeVisible();
  await expectAccessible(page);
  await chooseDelete(page);
  await expectAccessible(page, 'dialog');
  await button(page, 'Cancel').click();
  return customer;
}

async function scanPriceLists(page: Page): Promise<void> {
  const { id } = await addSupplier(page);
  await addItem(page, id, { name: 'Copper pipe', sku: 'CP-15' });
  await navigateInApp(page, '/items-services?search=copper');
  await expect(page.getByRole('list', { name: 'Items from Harbour Pipes' })).toBeVisible();
  await expectAccessible(page);
  await navigateInApp(page, `/items-services/suppliers/${id}?new=true`);
  await page.getByLabel('SKU').fill('cp-15');
  await page.getByRole('dialog').getByRole('button', { name: 'Add Item' }).click();
  await expect(page.getByText('Name is required')).toBeVisible();
  await expectAccessible(page);
  await navigateInApp(page, `/items-services/suppliers/${id}?edit=true`);
  await expect(page.getByLabel('Inactive')).toBeVisible();
  await expectAccessible(page);
}

/** Scans the job list and the time sheet while a timer is running. */
async function scanJobs(page: Page, { id: customer_id }: Customer): Promise<void> {
  const { user } = await callApi<Me>(page, 'GET', '/me');
  const { id: job_id } = await callApi<Job>(page, 'POST', '/jobs', {
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
  await callApi(page, 'POST', '/time-entries', { id: randomUUID(), job_id, pause_others: true });
  await navigateInApp(page, '/jobs');
  await expect(page.getByRole('link', { name: /^New kitchen tap/ })).toBeVisible();
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expectAccessible(page);
  await navigateInApp(page, '/time-sheet');
  await page
    .getByRole('button', { name: /timer is running/ })
    .first()
    .click();
  await expect(button(page, 'Close')).toBeVisible();
  await expectAccessible(page);
}

test('customers, price lists, the job list and the time sheet are accessible', async ({ page }) => {
  await signUpCompany(page);
  const customer = await scanCustomers(page);
  await scanPriceLists(page);
  await scanJobs(page, customer);
});

async function scanStaff(page: Page): Promise<void> {
  await page.goto('/staff/new');
  await expect(page.getByText('Please confirm your email address before you invite people.')).toBeVisible();
  await button(page, 'Send Invitation').click();
  await expect(page.getByLabel('Full Name')).toBeFocused();
  await expectAccessible(page);
  const { id } = await inviteStaffMember(page);
  await navigateInApp(page, '/staff');
  await expect(page.getByText('Tama Rewi').first()).toBeVisible();
  await expectAccessible(page);
  await navigateInApp(page, `/staff/${id}`);
  await expect(page.getByRole('radio', { name: 'Teal' })).toBeVisible();
  await expectAccessible(page);
  await chooseDelete(page);
  await expectAccessible(page, 'dialog');
  await button(page, 'Cancel').click();
}

async function scanNotifications(page: Page): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Notifications/ })
    .click();
  await expect(page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem')).toHaveCount(5);
  await expectAccessible(page, 'dialog');
  await page.keyboard.press('Escape');
}

/** Mocks one notification of each type, so that the scan covers all colors. */
async function mockNotifications(page: Page): Promise<void> {
  const rows = ['success', 'info', 'warning', 'error', 'other'].map((type) => ({
    id: type,
    message: `A message of type ${type}`,
    type,
    read: false,
    created_at: new Date(0),
    data: {},
  }));
  await page.route(/\/api\/notifications$/, (route) => route.fulfill({ json: { rows, unread: 120 } }));
}

async function scanSettings(page: Page): Promise<void> {
  await navigateInApp(page, '/settings');
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
}

test('staff pages, notifications and all settings tabs are accessible', async ({ page, browser }) => {
  const owner = await signUpCompany(page);
  await signIn(await createDeviceContext(browser), owner);
  await mockNotifications(page);
  await scanStaff(page);
  await scanNotifications(page);
  await scanSettings(page);
});

test('every menu item opens its page, and the app shell is accessible', async ({ page }) => {
  await signUpCompany(page);
  await page.goto('/dashboard');
  const links = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');
  await expect(links).toHaveCount(10);
  const names = await links.allTextContents();
  for (const name of names) {
    await links.filter({ hasText: name }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(/Callout/);
    if (name === 'Dashboard') await expectAccessible(page, 'page and menu');
    if (name !== 'Quotes') continue;
    // Until the page has loaded, the heading above is that of the page before.
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expectAccessible(page);
  }
  await navigateInApp(page, '/no-such-page');
  await expect(page.getByText('Page not found')).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByRole('link', { name: /^Offline since/ })).toBeVisible();
  await expectAccessible(page);
  await page.context().setOffline(false);
});

/** Hides companies that other tests created, which would slow down the scan. */
async function hideOtherCompanies(page: Page, name: string): Promise<void> {
  await page.route(/\/api\/admin\/companies\b/, async (route) => {
    const response = await route.fetch();
    const list = (await response.json()) as { rows: readonly { label: string }[] };
    await route.fulfill({ response, json: { ...list, rows: list.rows.filter(({ label }) => label === name) } });
  });
}

test('all system administration pages are accessible', async ({ page, browser }) => {
  await signUpCompany(await createDeviceContext(browser), { company_name: 'Accessible Plumbing' });
  await hideOtherCompanies(page, 'Accessible Plumbing');
  await signInAsAdministrator(page);
  await page.goto('/admin');
  await expect(page.getByText('Active').first()).toBeVisible();
  await expectAccessible(page, 'page and menu');
  await button(page, 'Delete Accessible Plumbing').click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, 'dialog');
  await button(page, 'Cancel').click();
  await navigateInApp(page, '/admin?tab=outbox&search=administrator');
  await expect(page.getByRole('list', { name: 'Emails' }).getByRole('listitem').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Queue' }).click();
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
