import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from './support/accessible.ts';
import { failCall } from './support/failures.ts';
import { linkIn, mailTo } from './support/mailbox.ts';
import { call, confirmEmail, signIn, somebody, startCompany } from './support/people.ts';
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

test('a new email address counts once its mail was answered, by whoever asked for it', { tag: '@desk' }, async ({ page, browser }) => {
  const owner = await startCompany(page);
  const { email } = somebody();
  await page.goto('/settings?tab=profile');
  await expect(page.getByText(`You sign in with ${owner.email}.`)).toBeVisible();
  const recover = await failCall(page, '/me/email-change', { method: 'POST' });
  await requestEmail(page, email, owner.password);
  await expect(page.getByText('Failed to update email: An unexpected error occurred. Please try again later.')).toBeVisible();
  await recover();
  await requestEmail(page, email, 'not the password');
  await expect(page.getByText('Current password is incorrect')).toBeVisible();
  await expect(currentPassword(page, 'Update Email')).toBeFocused();
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
  await expectNoAxeFindings(other);
  await other.getByRole('link', { name: 'Sign in' }).click();
  await other.getByLabel('Email').fill(owner.email);
  await other.getByLabel('Password', { exact: true }).fill(owner.password);
  await button(other, 'Sign In').click();
  await expect(button(other, 'Confirm Email')).toBeVisible();

  const listens = other.waitForResponse(/\/api\/live\b/);
  await other.goto('/customers');
  await listens;
  await page.goto(link);
  await expectNoAxeFindings(page);
  await button(page, 'Confirm Email').click();
  await expect(page.getByText(`You now sign in with ${email}.`)).toBeVisible();
  await expect(other).toHaveURL(/\/auth/);
  await page.goto('/settings?tab=profile');
  await expect(page.getByText(`You sign in with ${email}.`)).toBeVisible();
  await expect(page.getByText(`Your email changes to ${email}`)).toBeHidden();
  await page.goto(link);
  await button(page, 'Confirm Email').click();
  await expect(page.getByText('This link was used before or has expired.')).toBeVisible();
  await expect(page.getByText(`You're signed in as ${email}.`)).toBeVisible();
});

test('a change of the email is undone through the mail to the old one, once', { tag: '@desk' }, async ({ page, browser }) => {
  const owner = await startCompany(page);
  await confirmEmail(page);
  const { email } = somebody();
  await call(page, 'POST', '/me/email-change', { email, current_password: owner.password });
  const { searchParams } = new URL(linkIn(await mailTo(email, /^Confirm/)), 'http://localhost');
  await call(page, 'POST', '/auth/confirm-email', { token: searchParams.get('token') });
  const listens = page.waitForResponse(/\/api\/live\b/);
  await page.goto('/customers');
  await listens;

  const link = linkIn(await mailTo(owner.email, /was changed/));
  expect(link).toMatch(/^\/undo-email-change\?token=/);
  const victim = await anotherBrowser(browser);
  await victim.goto(link);
  await victim.getByLabel('New password').fill('123456');
  await victim.getByLabel('Confirm password').fill('123456');
  await button(victim, 'Restore My Account').click();
  await expect(victim.getByText('This password is too common. Please choose another one.')).toBeVisible();
  await victim.getByLabel('New password').fill('mine again');
  await victim.getByLabel('Confirm password').fill('mine again');
  await button(victim, 'Restore My Account').click();
  await expect(victim.getByRole('heading', { name: 'Your account is back' })).toBeVisible();
  await expect(victim.getByText(`You sign in with ${owner.email} and your new password.`)).toBeVisible();
  await expectNoAxeFindings(victim);
  await expect(page).toHaveURL(/\/auth/);

  await victim.getByRole('link', { name: 'Sign in' }).click();
  await victim.getByLabel('Email').fill(owner.email);
  await victim.getByLabel('Password', { exact: true }).fill('mine again');
  await button(victim, 'Sign In').click();
  await expect(victim).toHaveURL(/\/dashboard$/);

  const later = await anotherBrowser(browser);
  await later.goto(link);
  await later.getByLabel('New password').fill('another password');
  await later.getByLabel('Confirm password').fill('another password');
  await button(later, 'Restore My Account').click();
  await expect(later.getByText('This link was used before or has expired.')).toBeVisible();
  await expect(button(later, 'Restore My Account')).toBeDisabled();
});

test('signed-in devices are listed and signed out, and their open pages notice', async ({ page, browser }) => {
  const owner = await startCompany(page);
  const [other, third] = [await anotherBrowser(browser), await anotherBrowser(browser)];
  for (const device of [other, third]) {
    await signIn(device, owner);
    const listens = device.waitForResponse(/\/api\/live\b/);
    await device.goto('/customers');
    await listens;
  }
  await page.goto('/settings?tab=profile');
  const list = page.getByRole('list', { name: 'Signed-in devices' });
  const devices = list.getByRole('listitem');
  await expect(devices).toHaveCount(3);
  await expect(devices.first()).toContainText('This device');
  await expect(devices.first()).toContainText('Active now');
  await expect(devices.first().getByRole('button')).toHaveCount(0);
  await expect(devices.nth(1)).toContainText(/ on \w+/);
  await expect(devices.nth(1)).toContainText(/10\.\d+\.\d+\.\d+ · Last active less than a minute ago/);
  await expectNoAxeFindings(page);

  // The last to sign in was active last, so it stands second.
  const recover = await failCall(page, '/me/sessions/*', { method: 'DELETE' });
  await devices.nth(1).getByRole('button').click();
  await expect(page.getByText('Failed to sign out the device: An unexpected error occurred. Please try again later.')).toBeVisible();
  await expect(devices).toHaveCount(3);
  await recover();
  await devices.nth(1).getByRole('button').click();
  await expect(devices).toHaveCount(2);
  await expect(list).toBeFocused();
  await expect(third).toHaveURL(/\/auth/);
  await expect(other).toHaveURL(/\/customers/);

  await button(page, 'Sign out all other devices').click();
  await expect(page.getByRole('alertdialog')).toContainText('You stay signed in here.');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByText('All other devices signed out')).toBeVisible();
  await expect(devices).toHaveCount(1);
  await expect(button(page, 'Sign out all other devices')).toBeHidden();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(page.locator(':focus')).toHaveCount(1);
  await expect(other).toHaveURL(/\/auth/);
});

test('text of twice the size stays on the screen of a phone', { tag: '@desk' }, async ({ page, browser }) => {
  const owner = await startCompany(page);
  await signIn(await anotherBrowser(browser), owner);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/settings?tab=profile');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  const box = await button(page, 'Sign out all other devices').boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390 - 16);
});

test('a new password needs the current one, and ends every other session', { tag: '@desk' }, async ({ page, browser }) => {
  const owner = await startCompany(page);
  const other = await anotherBrowser(browser);
  await signIn(other, owner);
  const listens = other.waitForResponse(/\/api\/live\b/);
  await other.goto('/customers');
  await listens;
  await page.goto('/settings?tab=profile');
  const change = async (current: string, next: string, confirm: string) => {
    await currentPassword(page, 'Change Password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill(next);
    await page.getByLabel('Confirm new password').fill(confirm);
    await button(page, 'Change Password').click();
  };
  await change(owner.password, '12345', '12345');
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
  await change(owner.password, 'qwerty123', 'qwerty123');
  await expect(page.getByText('This password is too common. Please choose another one.')).toBeVisible();
  await change(owner.password, 'another horse', 'another house');
  await expect(page.getByText('New passwords do not match')).toBeVisible();
  await change('not the password', 'another horse', 'another horse');
  await expect(page.getByText('Current password is incorrect')).toBeVisible();
  const recover = await failCall(page, '/me/password', { method: 'PUT' });
  await change(owner.password, 'another horse', 'another horse');
  await expect(page.getByText(/^Failed to update password: /)).toBeVisible();
  await recover();
  await button(page, 'Change Password').click();
  await expect(page.getByText('Password updated successfully')).toBeVisible();
  await mailTo(owner.email, 'Your password for Callout was changed');
  await expect(other).toHaveURL(/\/auth/);
  await page.reload();
  await expect(button(page, 'Change Password')).toBeVisible();
  await signIn(other, { ...owner, password: 'another horse' });
});
