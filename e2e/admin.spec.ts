import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { signInAsAdministrator } from './support/administrator.ts';
import { addCustomer, callApi, createCredentials, openLivePage, signUp, signUpCompany } from './support/company-setup.ts';
import { listMailsTo, waitForMail } from './support/mailbox.ts';
import { createDeviceContext, createDevicePage } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const company = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

test('the system administrator can list companies and delete one, which signs out its users', async ({ page, browser }) => {
  const owner = await createDevicePage(browser);
  const name = `Firm ${randomUUID().slice(0, 8)}`;
  const credentials = await signUpCompany(owner, { company_name: name });
  await addCustomer(owner);
  await addCustomer(owner);
  await openLivePage(owner, '/customers');
  const onboardingClient = await createDeviceContext(browser);
  const { email } = await signUp(onboardingClient);
  await callApi(onboardingClient, 'POST', '/company');

  await signInAsAdministrator(page);
  await page.goto('/admin');
  await expect(page.getByRole('heading', { level: 1, name: 'System Administration' })).toBeVisible();
  await expect(page.getByText('System Admin', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Registered Companies' })).toBeVisible();
  await expect(company(page, name)).toContainText('Active');
  await expect(company(page, name)).toContainText(/102/);
  await expect(company(page, email)).toContainText('Onboarding');

  await button(page, `Delete ${name}`).click();
  await page.getByLabel(`Type ${name} to confirm`).fill(name);
  await button(page, 'Delete Company').click();
  await expect(page.getByText('Company and all associated data deleted successfully')).toBeVisible();
  await expect(company(page, name)).toHaveCount(0);
  await expect(owner).toHaveURL(/\/auth/);
  await owner.getByLabel('Email').fill(credentials.email);
  await owner.getByLabel('Password', { exact: true }).fill(credentials.password);
  await button(owner, 'Sign In').click();
  await expect(owner.getByText('Invalid email or password. Please try again.').first()).toBeVisible();
});

test('the outbox shows each email’s status and can resend an email unless it contains a secret link', async ({ page, browser }) => {
  const member = await createDeviceContext(browser);
  const { email, password } = await signUp(member);
  const { email: newEmail } = createCredentials();
  await callApi(member, 'PUT', '/me/password', { current_password: password, new_password: 'another horse' });
  await waitForMail(email, /was changed/);
  await callApi(member, 'POST', '/me/email-change', { email: newEmail, current_password: 'another horse' });
  await waitForMail(newEmail, /^Confirm/);

  await signInAsAdministrator(page);
  await page.goto('/admin');
  await page.getByRole('tab', { name: 'Outbox' }).click();
  const mails = page.getByRole('list', { name: 'Emails' }).getByRole('listitem');
  const secretMail = mails.filter({ hasText: newEmail });
  await expect(secretMail).toContainText('Sent');
  await secretMail.getByRole('link').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText("This email's text has been deleted, so you can't resend it. Send a new one instead.");
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
  const listDelivered = () => listMailsTo(email).filter(({ subject }) => subject.includes('was changed'));
  await expect.poll(() => listDelivered().length, { timeout: 15_000 }).toBe(2);
  await expect(dialog).toContainText('2 attempts');
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('tab', { name: 'Queue' }).click();
  await expect(page.getByText(/^Queue healthy/)).toBeVisible();
  await expect(page.getByText('Set up', { exact: true })).toBeVisible();
});
