import type { Me } from '@callout/contract/company';
import type { Job } from '@callout/contract/jobs';
import type { Page } from '@playwright/test';
import { addCustomer, addQuote, call, follow, quoteLine, quoteSection, signIn, startCompany, todayAt } from './support/people.ts';
import { anotherDevice, invite } from './support/staff.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
const doubleText = (page: Page) => page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));

test('on a narrow screen nothing is cut off: the open tab, long names, large text, and a message above the save bar', async ({
  page,
  browser,
}) => {
  const owner = await startCompany(page);
  const { id } = await invite(page, { name: 'N'.repeat(60), email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example.com` });
  await call(page, 'DELETE', `/staff/${id}/invitation`);
  await signIn(await anotherDevice(browser), owner);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`/staff/${id}`);
  await expect(button(page, 'Send invitation')).toBeInViewport({ ratio: 1 });
  expect(await width(page)).toBe(320);

  await follow(page, '/settings?tab=profile');
  await expect(page.getByRole('tab', { name: 'Profile' })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  await doubleText(page);
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

test('names without blanks never make a page wider than the screen', async ({ page }) => {
  const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(2).slice(0, 100);
  await startCompany(page, { company_name: name, name });
  const { id: customer_id } = await addCustomer(page, { name });
  const { user } = await call<Me>(page, 'GET', '/me');
  const booking = { booking_date: todayAt('09:00'), duration: '2', staff_id: user.staff_id };
  const job = { id: crypto.randomUUID(), customer_id, title: name, description: name, category_ids: [], ...booking };
  await call(page, 'POST', '/jobs', job);
  await page.goto('/dashboard');
  for (const [screen, height] of [
    [390, 844],
    [1024, 768],
  ] as const) {
    await page.setViewportSize({ width: screen, height });
    await follow(page, '/dashboard');
    await expect(page.getByRole('list', { name: 'Recent Jobs' })).toContainText(name);
    await expect.poll(() => width(page)).toBe(screen);
    await follow(page, '/settings?tab=profile');
    await expect(page.getByRole('heading', { name: `Leave ${name}` })).toBeVisible();
    await expect.poll(() => width(page)).toBe(screen);
  }
});

test('on a phone with a keyboard the focus is never under the bar with Save', async ({ page }) => {
  await startCompany(page);
  const { id: customer_id } = await addCustomer(page);
  const items = ['Heater', 'Valve', 'Pipe'].map((name) => quoteLine(name));
  const { id } = await addQuote(page, customer_id, 'Water', [quoteSection('Hot water', { items })]);
  await page.setViewportSize({ width: 390, height: 700 });
  await page.goto(`/quotes/${id}/edit`);
  await expect(page.getByLabel('Title')).toBeFocused();
  expect(await coveredByTab(page, 30)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 560 });
  await follow(page, `/customers/${customer_id}?edit=true`);
  await expect(page.getByLabel('Name', { exact: true })).toBeVisible();
  await page.getByLabel('Name', { exact: true }).focus();
  expect(await coveredByTab(page, 12)).toEqual([]);
  await follow(page, '/todo?add=true');
  await page.getByLabel('Show in calendar').check();
  await page.getByLabel('Title').focus();
  expect(await coveredByTab(page, 15)).toEqual([]);
});

/** What gets the focus by so many presses of Tab and is not on screen, or under something else. */
async function coveredByTab(page: Page, presses: number): Promise<string[]> {
  const covered: string[] = [];
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const focused = document.activeElement ?? document.body;
      const { x, y, width: wide, height } = focused.getBoundingClientRect();
      const shown = document.elementFromPoint(x + wide / 2, y + Math.min(height, 44) / 2);
      return focused.contains(shown) || shown?.contains(focused) ? null : focused.outerHTML.slice(0, 100);
    });
    if (name !== null) covered.push(name);
  }
  return covered;
}

test('a quote with long names fits the customer’s phone, prints its summary after its sections, and keeps the icon in a refused search', async ({
  page,
}) => {
  await startCompany(page);
  const { id: customer_id } = await addCustomer(page, { name: 'W'.repeat(100) });
  const { id, public_path } = await addQuote(page, customer_id, 'Water heater', [quoteSection('Heater'), quoteSection('Pipes')]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(public_path);
  await expect(page.getByText('W'.repeat(100)).first()).toBeVisible();
  expect(await width(page)).toBe(390);

  // As wide as a sheet of A4 turned on its side.
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

test('with large text on a phone a job, its form and its payment page fit, and no button is cut off', async ({ page }) => {
  await startCompany(page);
  const { id: customer_id } = await addCustomer(page);
  const { user } = await call<Me>(page, 'GET', '/me');
  const { id } = await call<Job>(page, 'POST', '/jobs', {
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
  await doubleText(page);
  for (const [path, name] of [
    [`/jobs/${id}`, 'Add photo'],
    [`/jobs/${id}/edit`, 'Save Changes'],
    [`/jobs/${id}/payment`, 'Mark as Paid'],
  ] as const) {
    await follow(page, path);
    await expect(button(page, name)).toBeVisible();
    await button(page, name).scrollIntoViewIfNeeded();
    const box = await button(page, name).boundingBox();
    expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    await expect.poll(() => width(page)).toBe(390);
  }
});

const LONG_TITLE = 'Replace the hot water cylinder and all the copper pipework under the house';

async function addLongQuote(page: Page) {
  const { id: customer_id } = await addCustomer(page, { name: 'Marguerite van der Westhuizen', email: 'someone@example.com' });
  const price = { description: 'Wall unit', quantity: '2.5', unit_price: '12345.67' };
  const items = () => [quoteLine('Ducted heat pump, fourteen kilowatts', price)];
  const quote = await addQuote(page, customer_id, LONG_TITLE, [
    quoteSection('Heat pump installation and commissioning', { items: items() }),
    quoteSection('Extended warranty', { always_required: false, items: items() }),
  ]);
  const { user } = await call<Me>(page, 'GET', '/me');
  await call(page, 'POST', '/jobs', {
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

/** What is outside the screen, or cut inside a list, a card or a button. */
const cutOff = (page: Page) =>
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

test('on a phone a long title has the whole width, a large price shows as it is, and text at 200 % neither scrolls sideways nor is cut off', async ({
  page,
}) => {
  await startCompany(page);
  const { id, customer_id, public_path } = await addLongQuote(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(public_path);
  await doubleText(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(async () => [await width(page), await cutOff(page)]).toEqual([390, []]);
  await page.goto(`/quotes/${id}`);
  const title = await page.getByRole('heading', { level: 1, name: LONG_TITLE }).boundingBox();
  expect(title?.width).toBeGreaterThan(390 - 2 * 16 - 40);
  await follow(page, '/quotes');
  const list = await page.getByRole('heading', { level: 1, name: 'Quotes' }).boundingBox();
  const add = await page.getByRole('link', { name: 'New Quote' }).boundingBox();
  expect(Math.abs((list?.y ?? 0) - (add?.y ?? 999))).toBeLessThan(30);
  await follow(page, `/quotes/${id}/edit`);
  const price = page.getByLabel(/^Unit price of/).first();
  await expect(price).toHaveValue('12,345.67');
  expect(await price.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);

  await doubleText(page);
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
    await follow(page, path);
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
    await expect(page.getByText(words).filter({ visible: true }).first()).toBeVisible();
    await expect.poll(async () => [path, await width(page), await cutOff(page)]).toEqual([path, 390, []]);
  }
});

test('at 1024 pixels and at 200 % zoom a desk shows whole words: today, the bill, a month, a long company name, the field that has the focus', async ({
  page,
}) => {
  await startCompany(page, { company_name: `Harbour Plumbing ${'and Gas '.repeat(10)}`.trim() });
  const { customer_id } = await addLongQuote(page);
  await addLongQuote(page);
  const { rows } = await call<{ rows: readonly Job[] }>(page, 'GET', '/jobs');
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto('/dashboard');
  const title = page.getByRole('list', { name: 'My day' }).getByRole('link', { name: LONG_TITLE, exact: true }).first();
  expect((await title.boundingBox())?.width).toBeGreaterThan(180);

  await follow(page, `/jobs/${rows[0]?.id}/payment`);
  await expect(page.getByRole('heading', { level: 1, name: 'Payment' })).toBeVisible();
  expect((await page.getByRole('table').first().boundingBox())?.width).toBeGreaterThan(420);

  await follow(page, '/calendar?view=month');
  const events = page.locator('[data-day] [data-event]');
  await expect(events).toHaveCount(2);
  const [first, second] = [await events.first().boundingBox(), await events.last().boundingBox()];
  expect((second?.y ?? 0) - (first?.y ?? 0)).toBeGreaterThanOrEqual(24);

  await follow(page, '/settings?tab=profile');
  await expect(page.getByRole('button', { name: /^Leave Harbour/ })).toBeVisible();
  await expect.poll(() => width(page)).toBe(1024);

  await page.setViewportSize({ width: 720, height: 450 });
  await follow(page, `/customers/${customer_id}`);
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await expect(page.getByLabel('Name', { exact: true })).toBeInViewport({ ratio: 1 });
});
