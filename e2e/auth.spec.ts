import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from './support/accessible.ts';
import { failCall } from './support/failures.ts';
import { linkIn, mailTo } from './support/mailbox.ts';
import { signUp, somebody, startCompany } from './support/people.ts';
import { expect, onlyLightOnPhones, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Sign In').click();
}

test('a new person creates an account, signs in and is asked for the company', async ({ page }) => {
  const { email, password } = somebody();
  await page.goto('/auth');
  await button(page, 'New here? Create an account').click();
  await expect(page).toHaveURL(/mode=create-account/);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(password);
  await button(page, 'Create Account').click();

  await expect(page.getByText('Account created! Please sign in.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page).toHaveURL(/\/onboarding$/);
});

test('what is wrong stands beside its field, and what was typed stays', async ({ page }) => {
  await page.goto('/auth?mode=create-account');
  await page.getByLabel('Email').fill('abc');
  await page.getByLabel('Password', { exact: true }).fill('12345');
  await page.getByLabel('Confirm password').fill('123456');
  await button(page, 'Create Account').click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue('abc');

  await page.getByLabel('Email').fill('a@b.co');
  await page.getByLabel('Password', { exact: true }).fill('1234567');
  await button(page, 'Create Account').click();
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await expect(page.getByLabel('Confirm password')).toHaveValue('123456');

  await page.getByLabel('Confirm password').fill('1234567');
  await button(page, 'Create Account').click();
  await expect(page.getByText('This password is too common. Please choose another one.')).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
});

test('a refused sign-in says why and keeps the address', { tag: '@desk' }, async ({ page, browser }) => {
  const { email } = await startCompany(await (await browser.newContext()).newPage());
  await page.goto('/auth');
  await fillSignIn(page, email, 'not the password');
  await expect(page.getByText('Invalid email or password. Please try again.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);

  const recover = await failCall(page, '/auth/sign-in');
  await button(page, 'Sign In').click();
  await expect(page.getByText('Failed to sign in')).toBeVisible();
  await recover();

  await failCall(page, '/auth/sign-in', { code: 'TOO_MANY_ATTEMPTS', data: { retry_after: 90 } });
  await button(page, 'Sign In').click();
  await expect(page.getByText('Too many attempts. Please try again in 2 minutes.')).toBeVisible();
});

test('a refused account says why', { tag: '@desk' }, async ({ page, browser }) => {
  const taken = await signUp(await (await browser.newContext()).newPage());
  await page.goto('/auth?mode=create-account');
  await page.getByLabel('Email').fill(taken.email);
  await page.getByLabel('Password', { exact: true }).fill('h7k2pq');
  await page.getByLabel('Confirm password').fill('h7k2pq');
  await button(page, 'Create Account').click();
  await expect(page.getByText('An account with this email already exists. Please sign in.')).toBeVisible();

  await failCall(page, '/auth/sign-up');
  await button(page, 'Create Account').click();
  await expect(page.getByText('Failed to create account')).toBeVisible();
});

test('a forgotten password is replaced through the mailed link, once', { tag: '@desk' }, async ({ page, browser }) => {
  const { email } = await startCompany(await (await browser.newContext()).newPage());
  await page.goto('/auth');
  await page.getByLabel('Email').fill(email);
  await button(page, 'Forgot your password?').click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await button(page, 'Send Reset Link').click();
  await expect(page.getByText('Password reset instructions sent to your email')).toBeVisible();

  const link = linkIn(await mailTo(email, /password/i));
  expect(link).toMatch(/^\/auth\?.*reset=true/);
  await page.goto(link);
  await page.getByLabel('New password').fill('12345');
  await button(page, 'Set New Password').click();
  await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible();
  await page.getByLabel('New password').fill('Password1');
  await page.getByLabel('Confirm password').fill('Password1');
  await button(page, 'Set New Password').click();
  await expect(page.getByText('This password is too common. Please choose another one.')).toBeVisible();
  await expect(page.getByLabel('New password')).toBeFocused();
  await page.getByLabel('New password').fill('a new password');
  await page.getByLabel('Confirm password').fill('a new password');
  await button(page, 'Set New Password').click();
  await expect(page.getByText('Password updated successfully')).toBeVisible();
  await mailTo(email, 'Your password for Callout was changed');
  await fillSignIn(page, email, 'a new password');
  await expect(page).toHaveURL(/\/dashboard$/);

  const later = await (await browser.newContext()).newPage();
  await later.goto(new URL(link, page.url()).href);
  await later.getByLabel('New password').fill('another password');
  await later.getByLabel('Confirm password').fill('another password');
  await button(later, 'Set New Password').click();
  await expect(later.getByText('This link was used before or has expired. Please request a new one.')).toBeVisible();
});

test('a mailed link that sets a password leads on to where it says, as that of the administrator does', { tag: '@desk' }, async ({
  page,
  browser,
}) => {
  const { email } = await startCompany(await (await browser.newContext()).newPage());
  await page.goto('/auth?mode=reset-password');
  await page.getByLabel('Email').fill(email);
  await button(page, 'Send Reset Link').click();
  await page.goto(`${linkIn(await mailTo(email, /password/i))}&next=/settings`);
  await page.getByLabel('New password').fill('a new password');
  await page.getByLabel('Confirm password').fill('a new password');
  await button(page, 'Set New Password').click();
  await fillSignIn(page, email, 'a new password');
  await expect(page).toHaveURL(/\/settings$/);
});

test('whoever is signed in does not see the sign-in page', { tag: '@desk' }, async ({ page }) => {
  await startCompany(page);
  await page.goto('/auth');
  await expect(page).toHaveURL(/\/dashboard$/);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every mode is accessible, ${colorScheme}`, onlyLightOnPhones(colorScheme), async ({ page }) => {
    // axe looks at every element, which takes a while on a busy machine.
    test.slow();
    await page.emulateMedia({ colorScheme });
    for (const address of [
      '/auth',
      '/auth?mode=create-account',
      '/auth?mode=reset-password',
      '/auth?reset=true&token=x',
      '/undo-email-change?token=x',
    ]) {
      await page.goto(address);
      await page.locator('button[type=submit]').click();
      await expect(page.locator('[aria-invalid=true]').first()).toBeFocused();
      await expectNoAxeFindings(page);
    }
  });
}
