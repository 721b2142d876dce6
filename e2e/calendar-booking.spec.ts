import { randomUUID } from 'node:crypto';
import type { Me } from '@callout/contract/company';
import type { Job } from '@callout/contract/jobs';
import { toInstant } from '@callout/domain/time/zoned-time';
import type { Browser, Page } from '@playwright/test';
import { addCustomer, addQuote, buildQuoteSection, callApi, navigateInApp, signUpCompany } from './support/company-setup.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expect, test } from './support/test.ts';

const AUCKLAND = 'Pacific/Auckland';

/** Adds a quote and accepts it as the customer, which creates a job without a date. */
async function addUnscheduledJob(page: Page, browser: Browser, title: string): Promise<Job> {
  const { id: customer_id } = await addCustomer(page, { id: randomUUID() });
  const { public_path } = await addQuote(page, customer_id, title, [buildQuoteSection(title)]);
  const customer = await browser.newContext();
  const publicQuote = `/public${public_path.replace('/quote/', '/quotes/')}`;
  const { content_hash } = await callApi<{ content_hash: string }>(customer, 'GET', publicQuote);
  await callApi(customer, 'POST', `${publicQuote}/accept`, {
    content_hash,
    selected_option_ids: [],
    accepted_by: 'Mere',
  });
  await customer.close();
  const { rows } = await callApi<{ rows: Job[] }>(page, 'GET', '/calendar/unscheduled');
  const job = rows.find((row) => row.title === title);
  if (!job) throw new Error(`${title} is not in the tray`);
  return job;
}

const readBookingDate = async (page: Page, { id }: { id: string }) => (await callApi<Job>(page, 'GET', `/jobs/${id}`)).booking_date;

test('unscheduled jobs can be booked by dragging them into the week or month, or with the keyboard', async ({ page, browser }) => {
  await signUpCompany(page);
  const tap = await addUnscheduledJob(page, browser, 'Outside tap');
  const valve = await addUnscheduledJob(page, browser, 'Tempering valve');
  const boiler = await addUnscheduledJob(page, browser, 'Boiler service');
  await page.goto('/calendar?date=2026-11-17');
  const tray = page.getByRole('region', { name: 'Unscheduled' });
  await expect(tray.getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page);

  // Drag onto a day of the week, in steps of 15 minutes. First scroll to the morning, because the calendar opens at the current time.
  await page.getByRole('list', { name: 'Tue 17' }).evaluate((column) => column.closest('section')?.scrollTo({ top: 300 }));
  const card = await tray.getByRole('listitem').filter({ hasText: 'Outside tap' }).boundingBox();
  const tuesday = await page.getByRole('list', { name: 'Tue 17' }).boundingBox();
  if (!card || !tuesday) throw new Error('The element is not visible');
  const nineY = tuesday.y + (tuesday.height * 9) / 24;
  await page.mouse.move(card.x + 40, card.y + 16);
  await page.mouse.down();
  await page.mouse.move(card.x - 100, nineY + 40, { steps: 5 });
  await page.mouse.move(tuesday.x + tuesday.width / 2, nineY + 3, { steps: 5 });
  await expect(page.locator('[data-ghost]')).toContainText('9:00 – 10:00 AM');
  await page.mouse.up();
  await expect(page.getByText('Booked for Tue, Nov 17, 9:00 AM · Unassigned')).toBeVisible();
  await expect(tray.getByRole('listitem')).toHaveCount(2);
  await expect.poll(() => readBookingDate(page, tap)).toBe(toInstant('2026-11-17', '09:00', AUCKLAND));

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tray.getByRole('listitem')).toHaveCount(3);
  await expect.poll(() => readBookingDate(page, tap)).toBeNull();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tray.getByRole('listitem')).toHaveCount(2);
  await expect.poll(() => readBookingDate(page, tap)).toBe(toInstant('2026-11-17', '09:00', AUCKLAND));

  // Book with the keyboard. Focus must then move to the booked job.
  await tray.getByRole('button', { name: 'Book Tempering valve…' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Book Tempering valve' });
  await dialog.getByLabel('Date').fill('2026-11-18');
  await dialog.getByLabel('Time').fill('13:30');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('list', { name: 'Wed 18' }).getByRole('link', { name: 'Tempering valve' })).toBeVisible();
  await expect.poll(() => readBookingDate(page, valve)).toBe(toInstant('2026-11-18', '13:30', AUCKLAND));
  await expect(page.getByRole('button', { name: 'Move Tempering valve to…' })).toBeFocused();
  await tray.getByRole('button', { name: 'Book Boiler service…' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Book Boiler service' })).toBeVisible();
  await expectAccessible(page, 'dialog');
  await page.keyboard.press('Escape');

  // Drag onto a day of the month, then to a day after a clock change. The time of day must stay the same.
  await navigateInApp(page, '/calendar?view=month&date=2027-04-01');
  const dayCell = (day: string) => page.locator(`[data-day="${day}"]`);
  await tray.getByRole('listitem').hover({ position: { x: 40, y: 16 } });
  await page.mouse.down();
  await dayCell('2027-04-03').hover();
  await dayCell('2027-04-03').hover({ position: { x: 30, y: 60 } });
  await page.mouse.up();
  await expect(dayCell('2027-04-03')).toContainText('8am');
  await expect(tray.getByText('No unscheduled jobs.')).toBeVisible();
  await dayCell('2027-04-03').getByRole('link', { name: 'Boiler service' }).hover();
  await page.mouse.down();
  await dayCell('2027-04-06').hover();
  await dayCell('2027-04-06').hover({ position: { x: 30, y: 60 } });
  await page.mouse.up();
  await expect.poll(() => readBookingDate(page, boiler)).toBe(toInstant('2027-04-06', '08:00', AUCKLAND));
  await expectAccessible(page);
});

test('a busy week fits all seven days at 1440, 1280 and 1024 pixels', async ({ page }) => {
  await signUpCompany(page);
  const { user } = await callApi<Me>(page, 'GET', '/me');
  const { id: customer_id } = await addCustomer(page);
  const booking = { booking_date: toInstant('2026-11-17', '09:00', AUCKLAND), duration: '1', staff_id: user.staff_id };
  for (const title of ['First', 'Second', 'Third', 'Fourth', 'Fifth']) {
    await callApi(page, 'POST', '/jobs', { id: randomUUID(), customer_id, title, description: title, category_ids: [], ...booking });
  }
  const grid = page.getByRole('region', { name: 'Time grid' });
  const dialog = page.getByRole('dialog', { name: 'At the same time' });
  await page.goto('/calendar?date=2026-11-17');
  for (const width of [1440, 1280, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(grid.getByRole('button', { name: '+2 more' })).toBeVisible();
    await expect.poll(() => grid.evaluate((element) => element.scrollWidth - element.clientWidth), `at ${width} pixels`).toBe(0);
    await grid.getByRole('button', { name: '+2 more' }).click();
    await expect(dialog.getByRole('link')).toHaveCount(2);
    if (width === 1024) await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});

test('on a narrow screen, an unscheduled job can be booked in a sheet and is then listed below the month', async ({ page, browser }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signUpCompany(page);
  const tap = await addUnscheduledJob(page, browser, 'Outside tap');
  await page.goto('/calendar?date=2026-11-17');
  await page.getByRole('button', { name: /^Unscheduled\s*1$/ }).click();
  await page.getByRole('button', { name: 'Book Outside tap…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Book Outside tap' });
  await dialog.getByLabel('Date').fill('2026-11-17');
  await dialog.getByLabel('Time').fill('10:15');
  await dialog.getByRole('button', { name: 'Book', exact: true }).click();
  await expect(page.getByText('Booked for Tue, Nov 17, 10:15 AM · Unassigned')).toBeVisible();
  await expect.poll(() => readBookingDate(page, tap)).toBe(toInstant('2026-11-17', '10:15', AUCKLAND));
  await page.getByLabel('View').selectOption('month');
  await page.getByRole('button', { name: 'Tue, Nov 17, 2026, 1 event' }).click();
  await expect(page.getByRole('region', { name: 'Tue, Nov 17, 2026' })).toContainText('10:15 – 11:15 AM');
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('a user’s own time zone applies to the calendar and the job form until the company’s time zone changes', async ({ page, browser }) => {
  await signUpCompany(page);
  const tap = await addUnscheduledJob(page, browser, 'Outside tap');
  await callApi(page, 'PUT', `/calendar/jobs/${tap.id}`, {
    starts_at: toInstant('2026-11-17', '09:00', AUCKLAND),
    seen: { starts_at: null, duration: null, staff_id: null },
  });
  await page.goto('/calendar?date=2026-11-17');
  const event = page.getByRole('link', { name: 'Outside tap' });
  await expect(event).toContainText('9:00 – 10:00 AM');
  await expect(page.getByText('Auckland time')).toBeVisible();
  await page.getByLabel('Time zone').selectOption('Tokyo');
  await expect(event).toContainText('5:00 – 6:00 AM');
  await page.reload();
  await expect(page.getByText('Tokyo time')).toBeVisible();
  await expect(event).toContainText('5:00 – 6:00 AM');

  await navigateInApp(page, `/jobs/${tap.id}/edit`);
  await expect(page.getByText('Times are in Tokyo time')).toBeVisible();
  await expect(page.getByLabel('Booking time')).toHaveValue('05:00');

  await navigateInApp(page, '/settings');
  await page.getByLabel('Timezone').selectOption('Australia/Sydney');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Settings updated successfully')).toBeVisible();
  await navigateInApp(page, '/calendar?date=2026-11-17');
  await expect(page.getByText('Sydney time')).toBeVisible();
  await expect(event).toContainText('7:00 – 8:00 AM');
});

test('the calendar feed can be turned on and fetched, and returns 404 after it is turned off', async ({ page, request }) => {
  await signUpCompany(page);
  await page.goto('/calendar');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByRole('button', { name: 'Turn on' }).click();
  const link = await page.getByLabel('Your private link').inputValue();
  await expectAccessible(page, 'dialog');
  const fetched = await request.get(link);
  expect([fetched.status(), (await fetched.text()).split('\r\n')[0]]).toEqual([200, 'BEGIN:VCALENDAR']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByText(/^Last fetched /)).toBeVisible();
  await page.getByRole('button', { name: 'Turn off…' }).click();
  await page.getByRole('button', { name: 'Turn off', exact: true }).click();
  await expect(page.getByText('Your calendar link is off.')).toBeVisible();
  expect((await request.get(link)).status()).toBe(404);
});
