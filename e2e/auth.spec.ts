import type { Me } from '@callout/contract/company';
import type { Page } from '@playwright/test';
import { callApi, createCredentials, navigateInApp, signUpCompany } from './support/company-setup.ts';
import { getMailLink, waitForMail } from './support/mailbox.ts';
import { createDeviceContext } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a new owner can sign up, sign in and complete onboarding, and then sees the dashboard', { tag: '@phone-only' }, async ({ page }) => {
  const { email, password } = createCredentials();
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
  await expect(page.getByRole('heading', { name: 'Complete Your Profile' })).toBeVisible();
  await expect(page.getByLabel('GST percentage')).toHaveValue('15');
  await expect(page.getByLabel('Currency')).toHaveValue('USD');
  const currencies = await page.getByLabel('Currency').locator('option').allTextContents();
  expect(currencies).toEqual(['USD ($)', 'EUR (€)', 'GBP (£)', 'AUD ($)', 'NZD ($)']);
  // Opening the form must not create a company.
  expect((await callApi<Me>(page, 'GET', '/me')).profile).toBeNull();
  await page.getByLabel('Company name').fill('Harbour Plumbing');
  await page.getByLabel('Your name').fill('Mia Tane');
  await page.getByLabel('Phone').fill('+64 9 555 0100');
  await page.getByLabel('GST/VAT number').fill('123-456-789');
  await page.getByLabel('PayPal email').fill('accounts@example.com');
  await button(page, 'Save and continue').click();
  await expect(page.getByText('Profile saved successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('banner').getByText('Harbour Plumbing')).toBeVisible();
  const { user, profile } = await callApi<Me>(page, 'GET', '/me');
  expect([user.name, profile?.role, profile?.onboarding_completed]).toEqual(['Mia Tane', 'admin', true]);
  await navigateInApp(page, '/onboarding');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('a forgotten password can be reset through an emailed link that works only once', async ({ page, browser }) => {
  const { email } = await signUpCompany(await createDeviceContext(browser));
  await page.goto('/auth?mode=reset-password');
  await page.getByLabel('Email').fill(email);
  await button(page, 'Send Reset Link').click();
  await expect(page.getByText('Password reset instructions sent to your email')).toBeVisible();
  const link = getMailLink(await waitForMail(email, /password/i));
  expect(link).toMatch(/^\/auth\?.*reset=true/);

  await page.goto(link);
  await page.getByLabel('New password').fill('a new password');
  await page.getByLabel('Confirm password').fill('a new password');
  await button(page, 'Set New Password').click();
  await expect(page.getByText('Password updated successfully')).toBeVisible();
  await waitForMail(email, 'Your Callout password was changed');
  await navigateInApp(page, link);
  await expect(page.getByText('This link has already been used or has expired. Please request a new one.')).toBeVisible();
  await button(page, 'Back to sign in').click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a new password');
  await button(page, 'Sign In').click();
  await expect(page).toHaveURL(/\/dashboard$/);
});
