import type { Page } from '@playwright/test';
import { addCustomer, startCompany } from './support/people.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a job is created, found, changed, completed and deleted', { tag: '@phone' }, async ({ page }) => {
  await startCompany(page);
  await addCustomer(page, { name: 'Runa Lindqvist', phone: '021 555 123', address: '4 Harbour View Road' });
  await page.goto('/jobs');
  await expect(page.getByText('No jobs found')).toBeVisible();
  await page.getByRole('link', { name: 'Add New Job' }).click();

  await expect(button(page, 'Create Job')).toBeDisabled();
  await page.getByRole('searchbox', { name: 'Search customers' }).fill('555 123');
  await page.getByRole('button', { name: /^Runa Lindqvist/ }).click();
  await page.getByLabel('Title', { exact: true }).fill('Leaking hot water cylinder');
  await page.getByLabel('Description', { exact: true }).fill('In the hallway cupboard.');
  await page.getByLabel('Assigned staff').selectOption({ index: 1 });
  await page.getByLabel('Booking date').fill('2030-02-03');
  await page.getByLabel('Booking time').fill('09:15');
  await expect(page.getByLabel('Booked', { exact: true })).toBeChecked();
  await page.getByLabel('Duration', { exact: true }).fill('2.5');
  await page.getByLabel('Hourly', { exact: true }).check();
  await page.getByLabel(/^Hourly rate/).fill('85');
  await button(page, 'Create Job').click();
  await expect(page.getByText('Job created successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Leaking hot water cylinder' })).toBeVisible();
  await expect(page.getByText('Feb 3, 2030 9:15 AM')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Get Directions' })).toHaveAttribute('href', /destination=4%20Harbour%20View%20Road$/);

  await page.goto('/jobs');
  await page.getByRole('searchbox', { name: 'Search jobs' }).fill('hallway');
  await expect(page).toHaveURL(/search=hallway/);
  await page.getByRole('link', { name: /^Leaking hot water cylinder/ }).click();
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByLabel('Booking time')).toHaveValue('09:15');
  await page.getByLabel('Title', { exact: true }).fill('New hot water cylinder');
  await page.getByLabel('Duration unit').selectOption('Days');
  await page.getByLabel('Duration', { exact: true }).fill('2');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Job updated successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'New hot water cylinder' })).toBeVisible();
  await expect(page.getByText('2 days · Auckland time')).toBeVisible();

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
