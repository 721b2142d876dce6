import type { Page } from '@playwright/test';
import { callApi, confirmEmail, createCredentials, navigateInApp, openLivePage, signIn, signUpCompany } from './support/company-setup.ts';
import { getMailLink, waitForMail } from './support/mailbox.ts';
import { createDevicePage } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Returns the current password field of the form with the `submit` button, because two forms on this tab have such a field. */
const getCurrentPasswordField = (page: Page, submit: string) =>
  page.locator('form', { has: button(page, submit) }).getByLabel('Current password');

async function requestEmailChange(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('New email').fill(email);
  await getCurrentPasswordField(page, 'Update Email').fill(password);
  await button(page, 'Update Email').click();
}

test('an email change takes effect when the user confirms it through the emailed link, which works only once', async ({
  page,
  browser,
}) => {
  const owner = await signUpCompany(page);
  const { email } = createCredentials();
  await page.goto('/settings?tab=profile');
  await expect(page.getByText(`You sign in with ${owner.email}.`)).toBeVisible();
  await requestEmailChange(page, email, owner.password);
  await expect(page.getByText('Email update request sent. Please check your inbox.')).toBeVisible();
  await expect(page.getByText(`Open the link we sent to ${email} to confirm your new email.`)).toBeVisible();
  await page.reload();
  await expect(page.getByText(`Open the link we sent to ${email} to confirm your new email.`)).toBeVisible();
  await expect(page.getByText(`You sign in with ${owner.email}.`)).toBeVisible();

  const link = getMailLink(await waitForMail(email, /Confirm your email/));
  const other = await createDevicePage(browser);
  await other.goto(link);
  await expect(other.getByText('Sign in with your current email first.')).toBeVisible();
  await other.getByRole('link', { name: 'Sign in' }).click();
  await other.getByLabel('Email').fill(owner.email);
  await other.getByLabel('Password', { exact: true }).fill(owner.password);
  await button(other, 'Sign In').click();
  await expect(button(other, 'Confirm Email')).toBeVisible();

  await openLivePage(other, '/customers');
  await navigateInApp(page, link);
  await button(page, 'Confirm Email').click();
  await expect(page.getByText(`You now sign in with ${email}.`)).toBeVisible();
  await expect(other).toHaveURL(/\/auth/);
  await navigateInApp(page, '/settings?tab=profile');
  await expect(page.getByText(`You sign in with ${email}.`)).toBeVisible();
  await expect(page.getByText(`Open the link we sent to ${email}`)).toBeHidden();
  await page.goto(link);
  await button(page, 'Confirm Email').click();
  await expect(page.getByText('This link has already been used or has expired.')).toBeVisible();
  await expect(page.getByText(`You're signed in as ${email}.`)).toBeVisible();
});

test('an email change can be undone through the link sent to the old email address', async ({ page, browser }) => {
  const owner = await signUpCompany(page);
  await confirmEmail(page);
  const { email } = createCredentials();
  await callApi(page, 'POST', '/me/email-change', { email, current_password: owner.password });
  const { searchParams } = new URL(getMailLink(await waitForMail(email, /^Confirm/)), 'http://localhost');
  await callApi(page, 'POST', '/auth/confirm-email', { token: searchParams.get('token') });
  await openLivePage(page, '/customers');

  const link = getMailLink(await waitForMail(owner.email, /was changed/));
  expect(link).toMatch(/^\/undo-email-change\?token=/);
  const victim = await createDevicePage(browser);
  await victim.goto(link);
  await victim.getByLabel('New password').fill('mine again');
  await victim.getByLabel('Confirm password').fill('mine again');
  await button(victim, 'Restore My Account').click();
  await expect(victim.getByRole('heading', { name: 'Your account is restored' })).toBeVisible();
  await expect(victim.getByText(`Sign in with ${owner.email} and your new password.`)).toBeVisible();
  await expect(page).toHaveURL(/\/auth/);

  await victim.getByRole('link', { name: 'Sign in' }).click();
  await victim.getByLabel('Email').fill(owner.email);
  await victim.getByLabel('Password', { exact: true }).fill('mine again');
  await button(victim, 'Sign In').click();
  await expect(victim).toHaveURL(/\/dashboard$/);
});

test('signing out another device or changing the password signs out pages that are open on other devices', async ({ page, browser }) => {
  const owner = await signUpCompany(page);
  const [other, third] = [await createDevicePage(browser), await createDevicePage(browser)];
  for (const device of [other, third]) {
    await signIn(device, owner);
    await openLivePage(device, '/customers');
  }
  await page.goto('/settings?tab=profile');
  const devices = page.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem');
  await expect(devices).toHaveCount(3);
  await expect(devices.first()).toContainText('Active now');
  await expect(devices.nth(1)).toContainText(/ on \w+/);
  await expect(devices.nth(1)).toContainText(/10\.\d+\.\d+\.\d+ · Last active less than a minute ago/);
  // Sign out the second device in the list: the one that signed in last, because the list starts with this device.
  await devices.nth(1).getByRole('button').click();
  await expect(devices).toHaveCount(2);
  await expect(third).toHaveURL(/\/auth/);
  await expect(other).toHaveURL(/\/customers/);

  await getCurrentPasswordField(page, 'Change Password').fill(owner.password);
  await page.getByLabel('New password', { exact: true }).fill('another horse');
  await page.getByLabel('Confirm new password').fill('another horse');
  await button(page, 'Change Password').click();
  await expect(page.getByText('Password updated successfully')).toBeVisible();
  await waitForMail(owner.email, 'Your Callout password was changed');
  await expect(other).toHaveURL(/\/auth/);
  await page.reload();
  await expect(devices).toHaveCount(1);
  await signIn(other, { ...owner, password: 'another horse' });
});
