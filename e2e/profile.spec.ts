import type { Page } from '@playwright/test';
import { linkIn, mailTo } from './support/mailbox.ts';
import { call, confirmEmail, follow, openListening, signIn, somebody, startCompany } from './support/people.ts';
import { anotherBrowser } from './support/staff.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Two forms of the tab ask for it: the one with this button. */
const currentPassword = (page: Page, submit: string) => page.locator('form', { has: button(page, submit) }).getByLabel('Current password');

async function requestEmail(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('New email').fill(email);
  await currentPassword(page, 'Update Email').fill(password);
  await button(page, 'Update Email').click();
}

test('a new email takes effect when whoever asked for it opens the mailed link, once', async ({ page, browser }) => {
  const owner = await startCompany(page);
  const { email } = somebody();
  await page.goto('/settings?tab=profile');
  await expect(page.getByText(`You sign in with ${owner.email}.`)).toBeVisible();
  await requestEmail(page, email, owner.password);
  await expect(page.getByText('Email update request sent. Please check your inbox.')).toBeVisible();
  await expect(page.getByText(`Your email changes to ${email} when you open the link we sent there.`)).toBeVisible();
  await page.reload();
  await expect(page.getByText(`Your email changes to ${email} when you open the link we sent there.`)).toBeVisible();
  await expect(page.getByText(`You sign in with ${owner.email}.`)).toBeVisible();

  const link = linkIn(await mailTo(email, /Confirm your email/));
  const other = await anotherBrowser(browser);
  await other.goto(link);
  await expect(other.getByText('Sign in with your current email first.')).toBeVisible();
  await other.getByRole('link', { name: 'Sign in' }).click();
  await other.getByLabel('Email').fill(owner.email);
  await other.getByLabel('Password', { exact: true }).fill(owner.password);
  await button(other, 'Sign In').click();
  await expect(button(other, 'Confirm Email')).toBeVisible();

  await openListening(other, '/customers');
  await follow(page, link);
  await button(page, 'Confirm Email').click();
  await expect(page.getByText(`You now sign in with ${email}.`)).toBeVisible();
  await expect(other).toHaveURL(/\/auth/);
  await follow(page, '/settings?tab=profile');
  await expect(page.getByText(`You sign in with ${email}.`)).toBeVisible();
  await expect(page.getByText(`Your email changes to ${email}`)).toBeHidden();
  await page.goto(link);
  await button(page, 'Confirm Email').click();
  await expect(page.getByText('This link was used before or has expired.')).toBeVisible();
  await expect(page.getByText(`You're signed in as ${email}.`)).toBeVisible();
});

test('a change of the email is undone through the mail to the old one', async ({ page, browser }) => {
  const owner = await startCompany(page);
  await confirmEmail(page);
  const { email } = somebody();
  await call(page, 'POST', '/me/email-change', { email, current_password: owner.password });
  const { searchParams } = new URL(linkIn(await mailTo(email, /^Confirm/)), 'http://localhost');
  await call(page, 'POST', '/auth/confirm-email', { token: searchParams.get('token') });
  await openListening(page, '/customers');

  const link = linkIn(await mailTo(owner.email, /was changed/));
  expect(link).toMatch(/^\/undo-email-change\?token=/);
  const victim = await anotherBrowser(browser);
  await victim.goto(link);
  await victim.getByLabel('New password').fill('mine again');
  await victim.getByLabel('Confirm password').fill('mine again');
  await button(victim, 'Restore My Account').click();
  await expect(victim.getByRole('heading', { name: 'Your account is back' })).toBeVisible();
  await expect(victim.getByText(`You sign in with ${owner.email} and your new password.`)).toBeVisible();
  await expect(page).toHaveURL(/\/auth/);

  await victim.getByRole('link', { name: 'Sign in' }).click();
  await victim.getByLabel('Email').fill(owner.email);
  await victim.getByLabel('Password', { exact: true }).fill('mine again');
  await button(victim, 'Sign In').click();
  await expect(victim).toHaveURL(/\/dashboard$/);
});

test('signing out a device and changing the password end the sessions of other devices, and their open pages notice', async ({
  page,
  browser,
}) => {
  const owner = await startCompany(page);
  const [other, third] = [await anotherBrowser(browser), await anotherBrowser(browser)];
  for (const device of [other, third]) {
    await signIn(device, owner);
    await openListening(device, '/customers');
  }
  await page.goto('/settings?tab=profile');
  const devices = page.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem');
  await expect(devices).toHaveCount(3);
  await expect(devices.first()).toContainText('Active now');
  await expect(devices.nth(1)).toContainText(/ on \w+/);
  await expect(devices.nth(1)).toContainText(/10\.\d+\.\d+\.\d+ · Last active less than a minute ago/);
  // The last to sign in was active last, so it comes second.
  await devices.nth(1).getByRole('button').click();
  await expect(devices).toHaveCount(2);
  await expect(third).toHaveURL(/\/auth/);
  await expect(other).toHaveURL(/\/customers/);

  await currentPassword(page, 'Change Password').fill(owner.password);
  await page.getByLabel('New password', { exact: true }).fill('another horse');
  await page.getByLabel('Confirm new password').fill('another horse');
  await button(page, 'Change Password').click();
  await expect(page.getByText('Password updated successfully')).toBeVisible();
  await mailTo(owner.email, 'Your password for Callout was changed');
  await expect(other).toHaveURL(/\/auth/);
  await page.reload();
  await expect(devices).toHaveCount(1);
  await signIn(other, { ...owner, password: 'another horse' });
});
