import type { Page } from '@playwright/test';
import { addCustomer, addItem, addSupplier, openLivePage, signUpCompany } from './support/company-setup.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { SAMPLE_PNG } from './support/sample-png.ts';
import { openColleaguePage } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** The timer on the job's page: a bar on phones, a panel on desktops. */
const jobTimer = (page: Page) => page.getByRole('region', { name: /^(Job )?Timer$/ });

/** Returns the time that the job's timer shows, in seconds: 65 for '1m 5s'. */
async function readDisplayedSeconds(page: Page): Promise<number> {
  const time = await jobTimer(page)
    .getByText(/^(\d+m )?\d+s/)
    .first()
    .textContent();
  const [, minutes = '0', seconds = '0'] = /^(?:(\d+)m)?\s*(?:(\d+)s)?/.exec(time ?? '') ?? [];
  return Number(minutes) * 60 + Number(seconds);
}

async function addHourlyItem(page: Page): Promise<void> {
  const supplier = await addSupplier(page, 'In-house services');
  await addItem(page, supplier.id, { name: 'Plumber, per hour', sku: 'HOUR', cost_price: '50', fixed_price: '120', is_service: true });
}

test('a job can be booked, timed, commented on with a photo, billed and completed', { tag: '@phone' }, async ({
  page,
  browser,
  isMobile,
}) => {
  await signUpCompany(page);
  await addCustomer(page, { name: 'Runa Lindqvist', phone: '021 555 123', address: '4 Harbour View Road' });
  await addHourlyItem(page);
  const sam = await openColleaguePage(page, browser, 'staff', 'Sam Leota');

  await page.goto('/jobs/new');
  await page.getByRole('searchbox', { name: 'Search customers' }).fill('runa');
  await page.getByRole('button', { name: /^Runa Lindqvist/ }).click();
  await page.getByLabel('Title', { exact: true }).fill('New cylinder');
  await page.getByLabel('Description', { exact: true }).fill('In the hallway cupboard.');
  await page.getByLabel('Assigned staff').selectOption('Sam Leota');
  await page.getByLabel('Booking time').fill('09:15');
  await page.getByLabel('Hourly', { exact: true }).check();
  await page.getByLabel(/^Hourly rate/).fill('90');
  await button(page, 'Create Job').click();
  await expect(page.getByRole('heading', { name: 'New cylinder' })).toBeVisible();
  await expect(page.getByText('Booked', { exact: true })).toBeVisible();

  // The assigned staff member opens the job from their notification.
  await openLivePage(sam, '/dashboard');
  await sam.getByRole('button', { name: /^Notifications/ }).click();
  await sam.getByRole('button', { name: /^Unread: You have been assigned to job #J\d{8}: New cylinder/ }).click();
  await expect(sam.getByRole('heading', { name: 'New cylinder' })).toBeVisible();

  // The timer must keep running after a reload and appear live for a colleague.
  await button(page, 'Start').click();
  await expect(page.getByText('Timer started')).toBeVisible();
  await expect(jobTimer(page)).toBeVisible();
  await expect.poll(() => readDisplayedSeconds(page)).toBeGreaterThan(0);
  const before = await readDisplayedSeconds(page);
  await page.reload();
  await expect(jobTimer(page)).toBeVisible();
  expect(await readDisplayedSeconds(page)).toBeGreaterThanOrEqual(before);
  await expect(sam.getByText(/started the timer/)).toBeVisible();

  // The photo that a colleague adds must appear without a reload.
  const [chooser] = await Promise.all([sam.waitForEvent('filechooser'), button(sam, isMobile ? 'Add photo' : 'Add files').click()]);
  await chooser.setFiles({ name: 'base.png', mimeType: 'image/png', buffer: SAMPLE_PNG });
  await sam.getByLabel('Comment', { exact: true }).fill('Base has rusted through.');
  await button(sam, 'Comment').click();
  await expect(page.getByText('Base has rusted through.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open base.png' })).toBeVisible();

  if (isMobile) await page.getByRole('button', { name: /Allocate or complete$/ }).click();
  await button(page, 'Allocate').click();
  const dialog = page.getByRole('dialog', { name: 'Allocate Time Cost' });
  await dialog.getByRole('button', { name: /^Plumber, per hour/ }).click();
  await expectAccessible(page, 'dialog');
  await dialog.getByRole('button', { name: 'Allocate Time Cost' }).click();
  await expect(page.getByText('Time cost allocated successfully')).toBeVisible();
  await expect(page.getByRole('region', { name: /^Items & Services/ })).toContainText(isMobile ? '1 item' : 'Plumber, per hour');

  if (isMobile) await page.getByRole('button', { name: /Allocate or complete$/ }).click();
  await button(page, 'Complete Job').click();
  await expect(page.getByText('Job marked as complete')).toBeVisible();
  await expect(jobTimer(page)).toBeHidden();
  await expect(sam.getByText('Complete', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Payment' })).toBeVisible();
});
