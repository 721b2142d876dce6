import type { Me } from '@callout/contract/company';
import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from './support/accessible.ts';
import { dropCall, failCall } from './support/failures.ts';
import { linkIn, mailTo } from './support/mailbox.ts';
import { call, confirmEmail, signUp, startCompany } from './support/people.ts';
import { anotherBrowser, invite, PASSWORD } from './support/staff.ts';
import { expect, onlyLightOnPhones, test } from './support/test.ts';

async function fillProfile(page: Page): Promise<void> {
  await page.getByLabel('Company name').fill('Harbour Plumbing');
  await page.getByLabel('Phone').fill('+64 9 555 0100');
  await page.getByLabel('GST/VAT number').fill('123-456-789');
  await page.getByLabel('PayPal email').fill('accounts@example.com');
}

const save = (page: Page) => page.getByRole('button', { name: 'Save and continue' });

test('a new owner completes the profile and starts working', async ({ page }) => {
  await signUp(page);
  await page.goto('/customers');
  await expect(page).toHaveURL(/\/onboarding$/);
  await expect(page.getByRole('heading', { name: 'Complete Your Profile' })).toBeVisible();
  await expect(page.getByLabel('GST percentage')).toHaveValue('15');
  await expect(page.getByLabel('Currency')).toHaveValue('USD');
  expect(await page.getByLabel('Currency').locator('option').allTextContents()).toEqual([
    'USD ($)',
    'EUR (€)',
    'GBP (£)',
    'AUD ($)',
    'NZD ($)',
  ]);

  // Looking at the form makes no company yet.
  expect((await call<Me>(page, 'GET', '/me')).profile).toBeNull();

  await fillProfile(page);
  await page.getByLabel('Your name').fill('Mia Tane');
  await save(page).click();
  await expect(page.getByText('Profile saved successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('banner').getByText('Harbour Plumbing')).toBeVisible();
  const { user, profile } = await call<Me>(page, 'GET', '/me');
  expect([user.name, profile?.role, profile?.onboarding_completed]).toEqual(['Mia Tane', 'admin', true]);

  await page.goto('/onboarding');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('every field is required, and the percentage lies between 0 and 100', async ({ page }) => {
  await signUp(page);
  await page.goto('/onboarding');
  await page.getByLabel('GST percentage').fill('101');
  await save(page).click();
  for (const label of ['Company name', 'Phone', 'GST/VAT number', 'PayPal email']) {
    await expect(page.getByText(`${label} is required`)).toBeVisible();
  }
  await expect(page.getByText('GST percentage must be a number from 0 to 100')).toBeVisible();
  await expect(page.getByLabel('Company name')).toBeFocused();
});

test('a profile that cannot be made or saved says so and keeps what was typed', { tag: '@desk' }, async ({ page }) => {
  await signUp(page);
  await page.goto('/onboarding');
  await fillProfile(page);
  const recover = await failCall(page, '/company/onboarding');
  await save(page).click();
  await expect(page.getByText('Error creating profile')).toBeVisible();
  await recover();
  const restore = await dropCall(page, '/company/onboarding');
  await save(page).click();
  await expect(page.getByText('An unexpected error occurred')).toBeVisible();
  await restore();

  await expect(page.getByLabel('Company name')).toHaveValue('Harbour Plumbing');
  await save(page).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('a company that was started before is completed', { tag: '@desk' }, async ({ page }) => {
  await signUp(page);
  await call(page, 'POST', '/company');
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: 'Setup Company Profile' })).toBeVisible();
  await page.goto('/onboarding');
  await fillProfile(page);
  const recover = await failCall(page, '/company/onboarding');
  await save(page).click();
  await expect(page.getByText('Error saving profile')).toBeVisible();
  await recover();
  await save(page).click();
  await expect(page.getByRole('banner').getByText('Harbour Plumbing')).toBeVisible();
});

test('who is invited and signed up by themselves confirms their email first, without being told by whom, and then joins', {
  tag: '@desk',
}, async ({ page, browser }) => {
  await startCompany(page);
  const { email } = await invite(page);
  const guest = await anotherBrowser(browser);
  await signUp(guest, { email, password: PASSWORD });
  await guest.goto('/onboarding');
  await expect(guest.getByText('A company invited you. Confirm your email address to join it.')).toBeVisible();
  await expect(guest.getByText('Harbour Plumbing')).toBeHidden();
  await expectNoAxeFindings(guest);
  await guest.getByRole('button', { name: 'Send confirmation email' }).click();
  await expect(guest.getByText(`We sent a link to ${email}.`)).toBeVisible();
  await guest.goto(linkIn(await mailTo(email, /^Confirm your email address/)));
  await guest.getByRole('button', { name: 'Confirm Email' }).click();
  await expect(guest.getByRole('heading', { name: 'Your email is confirmed' })).toBeVisible();
  await guest.goto('/onboarding');
  await expect(guest.getByRole('button', { name: 'Join Harbour Plumbing' })).toBeVisible();
});

test('who has confirmed their email joins the company that invited them with one click', { tag: '@desk' }, async ({ page, browser }) => {
  await startCompany(page);
  const { email } = await invite(page);
  const guest = await anotherBrowser(browser);
  await signUp(guest, { email, password: PASSWORD });
  await confirmEmail(guest);
  await guest.goto('/onboarding');
  await expect(guest.getByText('Harbour Plumbing invited you.')).toBeVisible();
  await guest.getByRole('button', { name: 'Join Harbour Plumbing' }).click();
  await expect(guest).toHaveURL(/\/dashboard$/);
  await expect(guest.getByRole('banner').getByText('Harbour Plumbing')).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the form is accessible, ${colorScheme}`, onlyLightOnPhones(colorScheme), async ({ page }) => {
    // axe looks at every element, which takes a while on a busy machine.
    test.slow();
    await page.emulateMedia({ colorScheme });
    await signUp(page);
    await page.goto('/onboarding');
    await save(page).click();
    await expect(page.getByLabel('Company name')).toBeFocused();
    await expectNoAxeFindings(page);
  });
}
