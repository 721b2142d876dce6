import type { Me } from '@callout/contract/company';
import type { Job } from '@callout/contract/jobs';
import type { Page } from '@playwright/test';
import {
  addCustomer,
  addQuote,
  buildQuoteLine,
  buildQuoteSection,
  callApi,
  navigateInApp,
  signIn,
  signUpCompany,
  todayAt,
} from './support/company-setup.ts';
import { createDeviceContext, inviteStaffMember } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const getPageWidth = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
const doubleTextSize = (page: Page) => page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));

test('long names, settings tabs, large text and field errors are not cut off on a narrow screen', async ({ page, browser }) => {
  const owner = await signUpCompany(page);
  const { id } = await inviteStaffMember(page, { name: 'N'.repeat(60), email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example.com` });
  await callApi(page, 'DELETE', `/staff/${id}/invitation`);
  await signIn(await createDeviceContext(browser), owner);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`/staff/${id}`);
  await expect(button(page, 'Send invitation')).toBeInViewport({ ratio: 1 });
  expect(await getPageWidth(page)).toBe(320);

  await navigateInApp(page, '/settings?tab=profile');
  await expect(page.getByRole('tab', { name: 'Profile' })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  await doubleTextSize(page);
  const { x, width: wide } = (await button(page, 'Sign out all other devices').boundingBox()) ?? { x: 390, width: 0 };
  expect(x + wide).toBeLessThanOrEqual(390 - 16);

  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  await page.getByRole('tab', { name: 'General' }).click();
  await page.getByLabel('GST percentage').fill('101');
  await button(page, 'Save Changes').click();
  await expect(page.getByLabel('GST percentage')).toBeFocused();
  const message = await page.getByText('GST percentage must be a number').boundingBox();
  const bar = await button(page, 'Save Changes').boundingBox();
  expect((message?.y ?? 844) + (message?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
});

test('long names without spaces never make a page wider than the screen', async ({ page }) => {
  const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(2).slice(0, 100);
  await signUpCompany(page, { company_name: name, name });
  const { id: customer_id } = await addCustomer(page, { name });
  const { user } = await callApi<Me>(page, 'GET', '/me');
  const booking = { booking_date: todayAt('09:00'), duration: '2', staff_id: user.staff_id };
  const job = { id: crypto.randomUUID(), customer_id, title: name, description: name, category_ids: [], ...booking };
  await callApi(page, 'POST', '/jobs', job);
  await page.goto('/dashboard');
  for (const [screenWidth, height] of [
    [390, 844],
    [1024, 768],
  ] as const) {
    await page.setViewportSize({ width: screenWidth, height });
    await navigateInApp(page, '/dashboard');
    await expect(page.getByRole('list', { name: 'Recent Jobs' })).toContainText(name);
    await expect.poll(() => getPageWidth(page)).toBe(screenWidth);
    await navigateInApp(page, '/settings?tab=profile');
    await expect(page.getByRole('heading', { name: `Leave ${name}` })).toBeVisible();
    await expect.poll(() => getPageWidth(page)).toBe(screenWidth);
  }
});

test('the save bar never covers the focused field on a small screen', async ({ page }) => {
  await signUpCompany(page);
  const { id: customer_id } = await addCustomer(page);
  const items = ['Heater', 'Valve', 'Pipe'].map((name) => buildQuoteLine(name));
  const { id } = await addQuote(page, customer_id, 'Water', [buildQuoteSection('Hot water', { items })]);
  await page.setViewportSize({ width: 390, height: 700 });
  await page.goto(`/quotes/${id}/edit`);
  await expect(page.getByLabel('Title')).toBeFocused();
  expect(await findCoveredTabStops(page, 30)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 560 });
  await navigateInApp(page, `/customers/${customer_id}?edit=true`);
  await expect(page.getByLabel('Name', { exact: true })).toBeVisible();
  await page.getByLabel('Name', { exact: true }).focus();
  expect(await findCoveredTabStops(page, 12)).toEqual([]);
  await navigateInApp(page, '/todo?add=true');
  await page.getByLabel('Show in calendar').check();
  await page.getByLabel('Title').focus();
  expect(await findCoveredTabStops(page, 15)).toEqual([]);
});

/** Presses Tab repeatedly. Returns each focused element that is off screen or covered by another element. */
async function findCoveredTabStops(page: Page, presses: number): Promise<string[]> {
  const covered: string[] = [];
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const focused = document.activeElement ?? document.body;
      const { x, y, width: wide, height } = focused.getBoundingClientRect();
      const topElement = document.elementFromPoint(x + wide / 2, y + Math.min(height, 44) / 2);
      return focused.contains(topElement) || topElement?.contains(focused) ? null : focused.outerHTML.slice(0, 100);
    });
    if (name !== null) covered.push(name);
  }
  return covered;
}

test('a quote with long names fits a phone, prints its summary last and keeps its search icon aligned next to an error', async ({
  page,
}) => {
  await signUpCompany(page);
  const { id: customer_id } = await addCustomer(page, { name: 'W'.repeat(100) });
  const { id, public_path } = await addQuote(page, customer_id, 'Water heater', [buildQuoteSection('Heater'), buildQuoteSection('Pipes')]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(public_path);
  await expect(page.getByText('W'.repeat(100)).first()).toBeVisible();
  expect(await getPageWidth(page)).toBe(390);

  // The width of an A4 page in landscape format.
  await page.setViewportSize({ width: 1100, height: 780 });
  await page.emulateMedia({ media: 'print' });
  const sections = await page.getByRole('region', { name: 'Quote Options' }).boundingBox();
  const summary = await page.getByRole('region', { name: 'Your Quote Summary' }).boundingBox();
  expect(summary?.y).toBeGreaterThan((sections?.y ?? 0) + (sections?.height ?? 0));

  await page.emulateMedia({ media: 'screen' });
  await page.goto(`/quotes/${id}/edit`);
  const search = page.getByRole('combobox', { name: 'Add an item to Heater' });
  await search.fill('valve');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Add or clear “valve” first')).toBeVisible();
  const field = await search.boundingBox();
  const icon = await page.locator('[data-item-search-box] svg').first().boundingBox();
  expect((icon?.y ?? 0) + (icon?.height ?? 0) / 2).toBeCloseTo((field?.y ?? 0) + (field?.height ?? 0) / 2, 0);
});

test('the job, job form and payment pages fit a phone at 200% text size', async ({ page }) => {
  await signUpCompany(page);
  const { id: customer_id } = await addCustomer(page);
  const { user } = await callApi<Me>(page, 'GET', '/me');
  const { id } = await callApi<Job>(page, 'POST', '/jobs', {
    id: crypto.randomUUID(),
    customer_id,
    title: 'Water heater',
    description: 'Replace it',
    category_ids: [],
    staff_id: user.staff_id,
    booking_date: '2026-11-10T20:00:00.000Z',
    duration: '2',
    fixed_amount: '115',
    status: 'complete',
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/jobs/${id}`);
  await doubleTextSize(page);
  for (const [path, name] of [
    [`/jobs/${id}`, 'Add photo'],
    [`/jobs/${id}/edit`, 'Save Changes'],
    [`/jobs/${id}/payment`, 'Mark as Paid'],
  ] as const) {
    await navigateInApp(page, path);
    await expect(button(page, name)).toBeVisible();
    await button(page, name).scrollIntoViewIfNeeded();
    const box = await button(page, name).boundingBox();
    expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    await expect.poll(() => getPageWidth(page)).toBe(390);
  }
});

const LONG_TITLE = 'Replace the hot water cylinder and all the copper pipework under the house';

async function addLongQuote(page: Page) {
  const { id: customer_id } = await addCustomer(page, { name: 'Marguerite van der Westhuizen', email: 'someone@example.com' });
  const price = { description: 'Wall unit', quantity: '2.5', unit_price: '12345.67' };
  const items = () => [buildQuoteLine('Ducted heat pump, fourteen kilowatts', price)];
  const quote = await addQuote(page, customer_id, LONG_TITLE, [
    buildQuoteSection('Heat pump installation and commissioning', { items: items() }),
    buildQuoteSection('Extended warranty', { always_required: false, items: items() }),
  ]);
  const { user } = await callApi<Me>(page, 'GET', '/me');
  await callApi(page, 'POST', '/jobs', {
    id: crypto.randomUUID(),
    customer_id,
    title: LONG_TITLE,
    description: 'Some work',
    category_ids: [],
    staff_id: user.staff_id,
    booking_date: todayAt('09:00'),
    duration: '2',
  });
  return { ...quote, customer_id };
}

/** Returns elements that extend beyond the screen or have content that is cut off. */
const findCutOffElements = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(a, button, h1, h2, li, p, dd, span, input), main [class*=overflow-clip]')]
      .filter((element) => !element.closest('.sr-only, [hidden]') && element.getClientRects().length > 0)
      .filter(
        (element) =>
          element.getBoundingClientRect().right > window.innerWidth + 0.5 ||
          (element.matches('.truncate, button, [class*=overflow-clip]') && element.scrollWidth > element.clientWidth + 1),
      )
      .map((element) => `${element.tagName} ${element.innerText.slice(0, 40)}`),
  );

test('long titles and large prices fit a phone, and no page overflows at 200% text size', async ({ page }) => {
  await signUpCompany(page);
  const { id, customer_id, public_path } = await addLongQuote(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(public_path);
  await doubleTextSize(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(async () => [await getPageWidth(page), await findCutOffElements(page)]).toEqual([390, []]);
  await page.goto(`/quotes/${id}`);
  const title = await page.getByRole('heading', { level: 1, name: LONG_TITLE }).boundingBox();
  expect(title?.width).toBeGreaterThan(390 - 2 * 16 - 40);
  await navigateInApp(page, '/quotes');
  const list = await page.getByRole('heading', { level: 1, name: 'Quotes' }).boundingBox();
  const add = await page.getByRole('link', { name: 'New Quote' }).boundingBox();
  expect(Math.abs((list?.y ?? 0) - (add?.y ?? 999))).toBeLessThan(30);
  await navigateInApp(page, `/quotes/${id}/edit`);
  const price = page.getByLabel(/^Unit price of/).first();
  await expect(price).toHaveValue('12,345.67');
  expect(await price.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);

  await doubleTextSize(page);
  for (const [path, heading, words] of [
    [`/quotes/${id}/edit`, 'Edit Quote', '$70,987.61'],
    [`/quotes/${id}/edit?tab=attachments`, 'Edit Quote', 'No attachments yet'],
    [`/quotes/${id}`, LONG_TITLE, 'Extended warranty'],
    ['/quotes', 'Quotes', '$70,987.61'],
    ['/jobs', 'Jobs', LONG_TITLE],
    ['/customers', 'Customers', '12 Wharf Street, Auckland'],
    [`/customers/${customer_id}`, 'Marguerite van der Westhuizen', LONG_TITLE],
    [`/customers/${customer_id}?edit=true`, 'Marguerite van der Westhuizen', 'Notes (optional)'],
    ['/settings?tab=menu-order', 'Company Settings', 'Reset to Default'],
    ['/staff', 'Staff', 'Admin'],
    ['/time-sheet', 'Time sheet', 'No time recorded this week'],
    ['/todo', 'To Do', 'No active tasks'],
    ['/invoices', 'Invoices', 'No invoices yet'],
  ] as const) {
    await navigateInApp(page, path);
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
    await expect(page.getByText(words).filter({ visible: true }).first()).toBeVisible();
    await expect.poll(async () => [path, await getPageWidth(page), await findCutOffElements(page)]).toEqual([path, 390, []]);
  }
});

test('the dashboard, payment page, month view, settings and customer form fit at 1024 pixels and 200% zoom', async ({ page }) => {
  await signUpCompany(page, { company_name: `Harbour Plumbing ${'and Gas '.repeat(10)}`.trim() });
  const { customer_id } = await addLongQuote(page);
  await addLongQuote(page);
  const { rows } = await callApi<{ rows: readonly Job[] }>(page, 'GET', '/jobs');
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto('/dashboard');
  const title = page.getByRole('list', { name: 'My day' }).getByRole('link', { name: LONG_TITLE, exact: true }).first();
  expect((await title.boundingBox())?.width).toBeGreaterThan(180);

  await navigateInApp(page, `/jobs/${rows[0]?.id}/payment`);
  await expect(page.getByRole('heading', { level: 1, name: 'Payment' })).toBeVisible();
  expect((await page.getByRole('table').first().boundingBox())?.width).toBeGreaterThan(420);

  await navigateInApp(page, '/calendar?view=month');
  const events = page.locator('[data-day] [data-event]');
  await expect(events).toHaveCount(2);
  const [first, second] = [await events.first().boundingBox(), await events.last().boundingBox()];
  expect((second?.y ?? 0) - (first?.y ?? 0)).toBeGreaterThanOrEqual(24);

  await navigateInApp(page, '/settings?tab=profile');
  await expect(page.getByRole('button', { name: /^Leave Harbour/ })).toBeVisible();
  await expect.poll(() => getPageWidth(page)).toBe(1024);

  await page.setViewportSize({ width: 720, height: 450 });
  await navigateInApp(page, `/customers/${customer_id}`);
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await expect(page.getByLabel('Name', { exact: true })).toBeInViewport({ ratio: 1 });
});
