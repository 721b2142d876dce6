import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { signInAsAdministrator } from './support/administrator.ts';
import { mailsTo, mailTo } from './support/mailbox.ts';
import { addCustomer, call, openListening, signUp, somebody, startCompany } from './support/people.ts';
import { anotherBrowser, anotherDevice } from './support/staff.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const company = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

test('the administrator sees every company with its numbers and deletes one, and its people are out', async ({ page, browser }) => {
  const owner = await anotherBrowser(browser);
  const name = `Firm ${randomUUID().slice(0, 8)}`;
  const credentials = await startCompany(owner, { company_name: name });
  await addCustomer(owner);
  await addCustomer(owner);
  await openListening(owner, '/customers');
  const starter = await anotherDevice(browser);
  const { email } = await signUp(starter);
  await call(starter, 'POST', '/company');

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

test('the outbox shows what became of a mail and sends it again, unless its link was a secret', async ({ page, browser }) => {
  const mover = await anotherDevice(browser);
  const { email, password } = await signUp(mover);
  const { email: newEmail } = somebody();
  await call(mover, 'PUT', '/me/password', { current_password: password, new_password: 'another horse' });
  await mailTo(email, /was changed/);
  await call(mover, 'POST', '/me/email-change', { email: newEmail, current_password: 'another horse' });
  await mailTo(newEmail, /^Confirm/);

  await signInAsAdministrator(page);
  await page.goto('/admin');
  await page.getByRole('tab', { name: 'Outbox' }).click();
  const mails = page.getByRole('list', { name: 'Emails' }).getByRole('listitem');
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
