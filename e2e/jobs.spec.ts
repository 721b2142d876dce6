import { randomUUID } from 'node:crypto';
import type { Me } from '@callout/contract/company';
import type { Job } from '@callout/contract/jobs';
import type { Page } from '@playwright/test';
import { addCustomer, addItem, addSupplier, callApi, navigateInApp, signUpCompany } from './support/company-setup.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a job can be created, searched, edited, completed and deleted', async ({ page }) => {
  await signUpCompany(page);
  await addCustomer(page, { name: 'Runa Lindqvist', phone: '021 555 123', address: '4 Harbour View Road, Westmere, Auckland 1022' });
  await page.goto('/jobs');
  await expect(page.getByText('No jobs found')).toBeVisible();
  await page.getByRole('link', { name: 'Add New Job' }).click();

  await expect(button(page, 'Create Job')).toBeDisabled();
  await page.getByRole('searchbox', { name: 'Search customers' }).fill('555 123');
  await page.getByRole('button', { name: /^Runa Lindqvist/ }).click();
  await expect(page.getByText(/Westmere/)).toBeVisible();
  // A long address must be truncated and not widen the form.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width);
  await page.getByLabel('Title', { exact: true }).fill('Leaking hot water cylinder');
  await page.getByLabel('Description', { exact: true }).fill('In the hallway cupboard.');
  await page.getByLabel('Assigned staff').selectOption({ index: 1 });
  await page.getByLabel('Booking date').fill('2030-02-03');
  await page.getByLabel('Booking time').fill('09:15');
  await expect(page.getByLabel('Booked', { exact: true })).toBeChecked();
  await page.getByLabel('Duration', { exact: true }).fill('2.5');
  await page.getByLabel(/^Fixed amount/).fill('250');
  await button(page, 'Create Job').click();
  await expect(page.getByText('Job created successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Leaking hot water cylinder' })).toBeVisible();
  await expect(page.getByText(/9:15 AM – 11:45 AM/)).toBeVisible();
  await expect(page.getByText(/Feb 3, 2030/).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Get Directions' })).toHaveAttribute(
    'href',
    /destination=4%20Harbour%20View%20Road%2C%20Westmere/,
  );

  await navigateInApp(page, '/jobs');
  await page.getByRole('searchbox', { name: 'Search jobs' }).fill('hallway');
  await expect(page).toHaveURL(/search=hallway/);
  await button(page, 'Views').click();
  await page.getByRole('menuitem', { name: 'Save current filters…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('In the hallway');
  await button(page, 'Save View').click();
  await button(page, 'Views: In the hallway').click();
  await page.getByRole('menuitem', { name: 'All jobs' }).click();
  await expect(page).toHaveURL(/\/jobs$/);
  await page.reload();
  await button(page, 'Views').click();
  await page.getByRole('menuitem', { name: 'In the hallway' }).click();
  await expect(page).toHaveURL(/search=hallway/);
  await page.getByRole('link', { name: /^Leaking hot water cylinder/ }).click();
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByLabel('Booking time')).toHaveValue('09:15');
  await expectAccessible(page);
  await page.getByLabel('Title', { exact: true }).fill('New hot water cylinder');
  await page.getByLabel('Duration unit').selectOption('Days');
  await page.getByLabel('Duration', { exact: true }).fill('2');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Job updated successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'New hot water cylinder' })).toBeVisible();
  await expect(page.getByText(/2 days/).first()).toBeVisible();

  await button(page, 'Complete Job').click();
  await expect(page.getByText('Job marked as complete')).toBeVisible();
  await expect(page.getByText('Complete', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Payment' })).toBeVisible();

  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByLabel('Complete', { exact: true })).toBeChecked();
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Job deleted successfully')).toBeVisible();
  await expect(page.getByText('No jobs found')).toBeVisible();
});

/** Adds a job that costs 500.00, and a price list with one item of 100.00 excluding GST. */
async function addJobAndItem(page: Page): Promise<Job> {
  const { user } = await callApi<Me>(page, 'GET', '/me');
  const supplier = await addSupplier(page);
  await addItem(page, supplier.id, { name: 'Kitchen mixer tap', sku: 'KM-1' });
  const customer = await addCustomer(page);
  return callApi<Job>(page, 'POST', '/jobs', {
    id: randomUUID(),
    customer_id: customer.id,
    title: 'New kitchen tap',
    description: 'The old one drips.',
    category_ids: [],
    staff_id: user.staff_id,
    booking_date: '2030-02-03T08:00:00Z',
    duration: '2',
    fixed_amount: '500',
    hourly_rate: null,
    address: null,
  });
}

test('adding, removing and restoring items and changing quantities updates the job total', { tag: '@phone-only' }, async ({ page }) => {
  await signUpCompany(page);
  const job = await addJobAndItem(page);
  await page.goto(`/jobs/${job.id}`);
  const total = page.getByRole('region', { name: /^Items & Services/ });
  await expect(total).toContainText('Fixed price');
  await expect(total).toContainText('$500.00');

  await button(page, 'Add Item').click();
  await page.getByRole('dialog').getByRole('searchbox', { name: 'Search items' }).fill('km-1');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Kitchen mixer tap/ })
    .click();
  await button(page, 'The items replace the fixed $500.00').click();
  await expect(page.getByText('Item added successfully')).toBeVisible();
  await expect(total).toContainText('$115.00');

  await button(page, 'Show the items').click();
  await expectAccessible(page);
  await expect(button(page, 'Decrease quantity of Kitchen mixer tap')).toBeDisabled();
  await button(page, 'Increase quantity of Kitchen mixer tap').click();
  await expect(total).toContainText('$230.00');
  await page.getByRole('textbox', { name: 'Quantity of Kitchen mixer tap' }).fill('12');
  await page.getByRole('textbox', { name: 'Quantity of Kitchen mixer tap' }).press('Enter');
  await expect(total).toContainText('$1,380.00');

  await button(page, 'Remove Kitchen mixer tap').click();
  await expect(page.getByText('Item removed successfully')).toBeVisible();
  await expect(total).toContainText('Fixed price');
  // Find the Undo button in this toast, because the toast for the added item may still be visible with its own.
  const removed = page.getByText('Item removed successfully').locator('xpath=ancestor::*[.//button][1]');
  await removed.getByRole('button', { name: 'Undo' }).click();
  await expect(total).toContainText('$1,380.00');

  await page.goto(`/jobs/${job.id}/items/add`);
  await page.getByRole('button', { name: /^Kitchen mixer tap/ }).click();
  await page.getByLabel('Quantity', { exact: true }).fill('2');
  await expectAccessible(page);
  await page.getByLabel('Unit price').fill('0.01');
  await button(page, 'Add Item').click();
  await expect(page).toHaveURL(`/jobs/${job.id}`);
  await page.reload();
  await expect(total).toContainText('$1,380.02');
});
