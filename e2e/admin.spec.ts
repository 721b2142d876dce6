import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from './support/accessible.ts';
import { signInAsAdministrator } from './support/administrator.ts';
import { dropCall, goOffline } from './support/failures.ts';
import { mailsTo, mailTo } from './support/mailbox.ts';
import { addCustomer, call, signUp, somebody, startCompany } from './support/people.ts';
import { anotherBrowser } from './support/staff.ts';
import { expect, onlyLightOnPhones, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const company = (page: Page, name: string) =>
  page.getByRole('row', { name: new RegExp(name) }).or(page.getByRole('listitem').filter({ hasText: name }));
const someName = () => `Firm ${randomUUID().slice(0, 8)}`;

test('everybody but the administrator is led to the dashboard', async ({ page, isMobile }) => {
  await startCompany(page);
  await page.goto('/admin');
  await expect(page).toHaveURL(/\/dashboard$/);
  if (isMobile) await button(page, 'More').click();
  await expect(page.getByRole('link', { name: 'Settings' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Admin', exact: true })).toBeHidden();
});

test('the administrator sees every company with its numbers, also without one of their own', async ({ page, browser }) => {
  const owner = await anotherBrowser(browser);
  const name = someName();
  await startCompany(owner, { company_name: name });
  await addCustomer(owner);
  await addCustomer(owner);
  const starter = await anotherBrowser(browser);
  const { email } = await signUp(starter);
  await call(starter, 'POST', '/company');

  await signInAsAdministrator(page);
  await page.goto('/admin');
  await expect(page.getByRole('heading', { level: 1, name: 'System Administration' })).toBeVisible();
  await expect(page.getByText('System Admin', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Registered Companies' })).toBeVisible();
  await expect(company(page, name)).toContainText('Active');
  await expect(company(page, name)).toContainText(/1(?: staff · )?0(?: jobs · )?2/);
  await expect(company(page, email)).toContainText('Onboarding');
});

test('a company is deleted only when its name is typed, and its people are out', { tag: '@desk' }, async ({ page, browser }) => {
  const owner = await anotherBrowser(browser);
  const name = someName();
  const credentials = await startCompany(owner, { company_name: name });
  await owner.goto('/customers');
  await expect(owner.getByText('No customers found')).toBeVisible();

  await signInAsAdministrator(page);
  await page.goto('/admin');
  await button(page, `Delete ${name}`).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('This action cannot be undone.');
  await expectNoAxeFindings(page);
  await dialog.getByLabel(`Type ${name} to confirm`).fill('Firm');
  await dialog.getByRole('button', { name: 'Delete Company' }).click();
  await expect(dialog.getByText("That doesn't match the company name.")).toBeVisible();
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await dialog.getByRole('button', { name: 'Delete Company' }).click();
  await expect(page.getByText('Company and all associated data deleted successfully')).toBeVisible();
  await expect(company(page, name)).toHaveCount(0);

  await expect(owner).toHaveURL(/\/auth/);
  await owner.getByLabel('Email').fill(credentials.email);
  await owner.getByLabel('Password', { exact: true }).fill(credentials.password);
  await button(owner, 'Sign In').click();
  await expect(owner.getByText('Invalid email or password. Please try again.')).toBeVisible();
});

test('the outbox shows what became of a mail and sends it again, unless its link was a secret', { tag: '@desk' }, async ({
  page,
  browser,
}) => {
  const mover = await anotherBrowser(browser);
  const { email, password } = await signUp(mover);
  const { email: newEmail } = somebody();
  await call(mover, 'PUT', '/me/password', { current_password: password, new_password: 'another horse' });
  await mailTo(email, /was changed/);
  await call(mover, 'POST', '/me/email-change', { email: newEmail, current_password: 'another horse' });
  await mailTo(newEmail, /^Confirm/);

  await signInAsAdministrator(page);
  await page.goto('/admin');
  await page.getByRole('tab', { name: 'Outbox' }).click();
  const mails = page.getByRole('list', { name: 'Mails' }).getByRole('listitem');
  const secret = mails.filter({ hasText: newEmail });
  await expect(secret).toContainText('Sent');
  await secret.getByRole('link').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText("Its link has been deleted, so it can't be sent again. Request a new one instead.");
  await expect(dialog.getByRole('button', { name: 'Send again' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close' }).click();
  const mail = mails.filter({ hasText: email }).filter({ hasText: 'was changed' });
  await expect(mail).toContainText('Sent');
  await page.getByLabel('Status').selectOption('Failed');
  await expect(page).toHaveURL(/status=failed/);
  await expect(mail).toHaveCount(0);
  await page.getByLabel('Status').selectOption('Sent');
  await mail.getByRole('link').click();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText(`Email to ${email} queued`)).toBeVisible();
  const arrived = () => mailsTo(email).filter(({ subject }) => subject.includes('was changed'));
  await expect.poll(() => arrived().length, { timeout: 15_000 }).toBe(2);
  await expect(dialog).toContainText('2 attempts');
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('tab', { name: 'Queue' }).click();
  await expect(page.getByText(/^Queue healthy/)).toBeVisible();
  await expect(page.getByText('Set up', { exact: true })).toBeVisible();
});

test('the list is read afresh every 30 seconds', { tag: '@desk' }, async ({ page }) => {
  await signInAsAdministrator(page);
  await page.clock.install();
  await page.goto('/admin');
  await expect(page.getByRole('table')).toBeVisible();
  const again = page.waitForRequest(/\/api\/admin\/companies/);
  await page.clock.fastForward(30_000);
  await again;
});

test('without a connection there is a screen that says so, and without a server a sentence', { tag: '@desk' }, async ({ page }) => {
  await signInAsAdministrator(page);
  const recover = await dropCall(page, '/admin/companies');
  await page.goto('/admin');
  await expect(page.getByText('Unable to connect to the server. Please try again later.')).toBeVisible({ timeout: 30_000 });
  await recover();
  await button(page, 'Retry').click();
  await expect(page.getByText('Unable to connect to the server.')).toBeHidden();

  const goOnline = await goOffline(page);
  await expect(page.getByText('No Internet Connection', { exact: true })).toBeVisible();
  await expect(page.getByText('No internet connection available. Please check your connection and try again.')).toBeVisible();
  await expectNoAxeFindings(page);
  await goOnline();
  await expect(page.getByRole('heading', { name: 'Registered Companies' })).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen of the administration is accessible, ${colorScheme}`, onlyLightOnPhones(colorScheme), async ({ page, browser }) => {
    test.slow();
    await startCompany(await anotherBrowser(browser));
    await page.emulateMedia({ colorScheme });
    await signInAsAdministrator(page);
    await page.goto('/admin');
    await expect(page.getByText('Active').first()).toBeVisible();
    await expectNoAxeFindings(page);
    await page.goto('/admin?tab=outbox');
    await expect(page.getByLabel('Status')).toBeVisible();
    await expectNoAxeFindings(page);
    await page.goto('/admin?tab=queue');
    await expect(page.getByText(/^Queue healthy/)).toBeVisible();
    await expectNoAxeFindings(page);
    await page.getByRole('tab', { name: 'Profile' }).click();
    await expect(page.getByRole('list', { name: 'Signed-in devices' })).toContainText('This device');
    await expectNoAxeFindings(page);
  });
}
