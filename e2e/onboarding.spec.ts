import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from './support/accessible.ts';
import { dropCall, failCall } from './support/failures.ts';
import { signUp } from './support/people.ts';
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

  await fillProfile(page);
  await save(page).click();
  await expect(page.getByText('Profile saved successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('banner').getByText('Harbour Plumbing')).toBeVisible();

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
  const recover = await failCall(page, '/company');
  await page.goto('/onboarding');
  await expect(page.getByText('Error creating profile')).toBeVisible();
  await recover();

  await fillProfile(page);
  const again = await failCall(page, '/company/onboarding');
  await save(page).click();
  await expect(page.getByText('Error saving profile')).toBeVisible();
  await again();
  const restore = await dropCall(page, '/company/onboarding');
  await save(page).click();
  await expect(page.getByText('An unexpected error occurred')).toBeVisible();
  await restore();

  await expect(page.getByLabel('Company name')).toHaveValue('Harbour Plumbing');
  await save(page).click();
  await expect(page).toHaveURL(/\/dashboard$/);
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
