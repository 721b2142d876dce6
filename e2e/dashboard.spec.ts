import { randomUUID } from 'node:crypto';
import type { Me } from '@callout/contract/company';
import { toInstant } from '@callout/domain/time/zoned-time';
import type { Page } from '@playwright/test';
import { addCustomer, callApi, navigateInApp, openLivePage, signUpCompany, todayAt } from './support/company-setup.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expect, test } from './support/test.ts';

const ZONE = 'Pacific/Auckland';
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const tile = (page: Page, name: string) => page.getByRole('list', { name: 'Statistics' }).getByRole('link', { name });

/** Adds a job assigned to the signed-in user and booked for today. */
async function addJob(page: Page, customer_id: string, title: string, fields: object = {}): Promise<void> {
  const { user } = await callApi<Me>(page, 'GET', '/me');
  await callApi(page, 'POST', '/jobs', {
    id: randomUUID(),
    customer_id,
    title,
    description: 'Some work',
    category_ids: [],
    staff_id: user.staff_id,
    booking_date: todayAt('09:00'),
    duration: '2',
    ...fields,
  });
}

test('the dashboard shows today’s jobs and totals, and each total links to its list', { tag: '@phone-only' }, async ({ page }) => {
  await signUpCompany(page);
  await page.goto('/dashboard');
  await expect(region(page, 'Today').getByText('Nothing booked today')).toBeVisible();
  await expect(region(page, 'Jobs by Category').getByText('No jobs found for the selected period')).toBeVisible();
  await expect(region(page, 'Recent Jobs').getByText('No jobs found for the selected period')).toBeVisible();

  const { id } = await addCustomer(page, { name: 'Runa Lindqvist-Featherstonehaugh of Westmere and Herne Bay', phone: '021 555 123' });
  const gas = randomUUID();
  await callApi(page, 'POST', '/categories', { id: gas, name: 'Gas' });
  const tomorrow = toInstant('2030-02-04', '08:00', ZONE);
  await addJob(page, id, 'Leaking hot water cylinder', { category_ids: [gas] });
  await addJob(page, id, 'Kitchen tap', { booking_date: todayAt('07:30') });
  await addJob(page, id, 'Boiler', { status: 'complete', fixed_amount: '250', booking_date: tomorrow, category_ids: [gas] });
  await page.reload();
  const today = region(page, 'Today').getByRole('listitem');
  await expect(today).toContainText(['Kitchen tap', 'Leaking hot water cylinder']);
  await expect(today.first()).toContainText('7:30 AM – 9:30 AM');
  await expect(today.first().getByRole('link', { name: /^Call / })).toHaveAttribute('href', 'tel:021555123');
  await expect(today.first().getByRole('link', { name: /^Directions/ })).toHaveAttribute('href', /destination=12%20Wharf%20Street/);
  await expect(tile(page, 'Active Jobs')).toContainText('2');
  await expect(region(page, 'Jobs by Category').getByRole('link')).toContainText(['2 jobs (100.0%)']);
  await expect(region(page, 'Money')).toContainText('$250.00');
  await expect(region(page, 'Recent Jobs').getByRole('listitem').first()).toContainText('Boiler');
  await page.getByRole('button', { name: 'Newest First' }).click();
  await expect(region(page, 'Recent Jobs').getByRole('listitem').first()).toContainText('Kitchen tap');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width);
  // Where the page happens to be scrolled, the bottom bar may cover all but a strip of a link.
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectAccessible(page);

  await region(page, 'Jobs by Category').getByRole('link', { name: /^Gas/ }).click();
  await expect(page).toHaveURL(new RegExp(`/jobs\\?.*category_id=${gas}`));
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Oldest First' })).toBeVisible();
  const overdue = region(page, 'Money').getByRole('link', { name: /^Overdue/ });
  await overdue.click();
  await expect(page.getByRole('heading', { name: 'Invoices', level: 1 })).toBeVisible();
  await page.goBack();
  await expect(overdue).toBeFocused();
  await region(page, 'Recent Jobs')
    .getByRole('link', { name: /^Boiler/ })
    .click();
  await expect(page.getByRole('heading', { name: 'Boiler', level: 1 })).toBeVisible();
  await page.goBack();
  await expect(region(page, 'Recent Jobs').getByRole('link', { name: /^Boiler/ })).toBeFocused();
});

test('jobs and tasks added in another tab appear without a reload', async ({ page, context }) => {
  await signUpCompany(page);
  const { id } = await addCustomer(page);
  await openLivePage(page, '/dashboard');
  await expect(region(page, 'Today').getByText('Nothing booked today')).toBeVisible();
  const other = await context.newPage();
  await addJob(other, id, 'Burst pipe');
  await callApi(other, 'POST', '/tasks', { id: randomUUID(), title: 'Order a pipe' });
  await expect(region(page, 'Today').getByRole('listitem')).toContainText(['Burst pipe']);
  await expect(tile(page, 'Active Jobs')).toContainText('1');
  await expect(tile(page, 'Tasks')).toContainText('1');
  await expect(region(page, 'Recent Jobs').getByRole('listitem')).toContainText(['Burst pipe']);
});

test('the dashboard and the board fit a phone at 200% text size with 60-character names', async ({ page }) => {
  await signUpCompany(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const { id } = await addCustomer(page, { name: 'N'.repeat(60) });
  const category = randomUUID();
  await callApi(page, 'POST', '/categories', { id: category, name: 'C'.repeat(40) });
  const title = 'Title'.repeat(12);
  await addJob(page, id, title, { category_ids: [category] });
  const screenWidth = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.goto('/dashboard');
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  const recent = region(page, 'Recent Jobs').getByText(title);
  await expect(recent).toBeVisible();
  expect((await recent.boundingBox())?.width).toBeGreaterThan(200);
  await expect.poll(screenWidth).toBe(390);
  const boardHeading = page.getByRole('heading', { level: 1, name: 'Job Board' });
  // Delay the board's data until the heading has focus. Scrolling to the job's column then happens last and must not move the page down.
  await page.route(/\/api\/board\b/, async (route) => {
    await expect(boardHeading).toBeFocused();
    await route.continue();
  });
  await navigateInApp(page, '/board');
  await expect(page.getByText(title).first()).toBeInViewport();
  await expect(boardHeading).toBeInViewport({ ratio: 1 });
  await expect.poll(screenWidth).toBe(390);
  const { width = 0 } = (await page.getByRole('searchbox', { name: 'Search jobs' }).boundingBox()) ?? {};
  expect(width).toBeGreaterThan(200);
});
