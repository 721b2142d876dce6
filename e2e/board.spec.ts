import { randomUUID } from 'node:crypto';
import type { Me } from '@callout/contract/company';
import type { Job } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import type { Locator, Page, Response } from '@playwright/test';
import { addCustomer, callApi, openLivePage, signUpCompany } from './support/company-setup.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { openColleaguePage } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const column = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
const card = (page: Page, title: string) => page.getByRole('link', { name: new RegExp(`^${title}`) });

/** Adds the jobs in the given order, so that the last one is the newest. */
async function addJobs(page: Page, ...jobs: readonly (readonly [title: string, status: JobStatus])[]): Promise<Job[]> {
  const { user } = await callApi<Me>(page, 'GET', '/me');
  const customer = await addCustomer(page);
  const added: Job[] = [];
  for (const [title, status] of jobs) {
    const { id } = await callApi<Job>(page, 'POST', '/jobs', {
      id: randomUUID(),
      customer_id: customer.id,
      title,
      description: 'Some work.',
      category_ids: [],
      staff_id: user.staff_id,
      booking_date: '2030-01-04T20:00:00Z',
      duration: '2',
      address: null,
    });
    added.push(await callApi<Job>(page, 'PUT', `/jobs/${id}/status`, { status }));
  }
  return added;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

async function getCenter(element: Locator): Promise<Point> {
  const box = await element.boundingBox();
  if (!box) throw new Error('The element is not visible');
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 120) };
}

/** Waits until the columns haven't moved for 20 frames. No event can be used, because none fires if a tap doesn't scroll them. */
const waitForScrollEnd = (page: Page) =>
  column(page, 'Pending').evaluate(async ({ parentElement: columns }) => {
    let left = columns?.scrollLeft;
    for (let stillFrames = 0; stillFrames < 20; stillFrames += 1) {
      await new Promise(requestAnimationFrame);
      if (columns?.scrollLeft !== left) stillFrames = 0;
      left = columns?.scrollLeft;
    }
  });

/** Waits until the script has been loaded and executed, and the page is idle. */
async function waitUntilExecuted(page: Page, script: Promise<Response>): Promise<void> {
  const url = JSON.stringify((await script).url());
  await page.evaluate(`import(${url}).then(() => new Promise((done) => requestIdleCallback(() => done())))`);
}

/** Moves the mouse over the board, which loads the drag manager, and waits until its script has been executed. */
async function loadDragManager(page: Page): Promise<void> {
  await expect(
    page
      .getByRole('region', { name: /^Pending/ })
      .getByRole('link')
      .first(),
  ).toBeVisible();
  const loaded = page.waitForResponse(/card-drag-manager/);
  await page.mouse.move(3, 3);
  await page.mouse.move(5, 5);
  await waitUntilExecuted(page, loaded);
}

/** Drags one element over another without releasing the mouse button. */
async function dragOver(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.scrollIntoViewIfNeeded();
  const [start, end] = [await getCenter(from), await getCenter(to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 5, start.y);
  await page.mouse.move(end.x, end.y, { steps: 5 });
}

test('a card can be dragged with the mouse, Escape cancels the drag, Undo reverts the move, and a click opens the job', async ({
  page,
}) => {
  await signUpCompany(page);
  await addJobs(page, ['Old boiler', 'canceled'], ['Leaking tap', 'pending'], ['New heater', 'pending']);
  await page.goto('/board');
  await loadDragManager(page);
  await expect(column(page, 'Pending').getByRole('link')).toHaveText([/^New heater/, /^Leaking tap.*Mere Tamihana.*Jan 5/]);
  await expectAccessible(page);

  await dragOver(page, card(page, 'Leaking tap'), column(page, 'Booked'));
  await expect(page.getByText('Drop it here')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(column(page, 'Pending').getByRole('link')).toHaveCount(2);

  await dragOver(page, card(page, 'Leaking tap'), column(page, 'Booked'));
  await page.mouse.up();
  await expect(page.getByText('Job moved to Booked')).toBeVisible();
  await expect(column(page, 'Booked').getByRole('link')).toHaveText([/^Leaking tap/]);
  await expect(column(page, 'Pending').getByRole('link')).toHaveText([/^New heater/]);
  await button(page, 'Undo').click();
  await expect(column(page, 'Pending').getByRole('link')).toHaveText([/^New heater/, /^Leaking tap/]);

  await dragOver(page, card(page, 'Old boiler'), column(page, 'Complete'));
  await page.mouse.up();
  await expect(page.getByText('Job moved to Complete')).toBeVisible();
  await page.reload();
  await expect(column(page, 'Complete').getByRole('link')).toHaveText([/^Old boiler/]);

  await loadDragManager(page);
  const { x, y } = await getCenter(card(page, 'New heater'));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 3, y);
  await page.mouse.up();
  await expect(page.getByRole('heading', { level: 1, name: 'New heater' })).toBeVisible();
});

/** Waits for 20 frames, long enough for unwanted scrolling to be measurable. */
async function waitForFrames(): Promise<void> {
  for (let frame = 0; frame < 20; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}

test('columns do not scroll while a card is dragged over them', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signUpCompany(page);
  await addJobs(page, ['Leaking tap', 'pending']);
  await page.goto('/board');
  await loadDragManager(page);
  const complete = column(page, 'Complete');
  const before = await complete.boundingBox();
  await dragOver(page, card(page, 'Leaking tap'), complete);
  const { x, y } = await getCenter(complete);
  for (const by of [4, 8, 12]) {
    await page.mouse.move(x + by, y);
    await page.evaluate(waitForFrames);
  }
  expect(await complete.boundingBox()).toEqual(before);
  await page.mouse.up();
  await expect(page.getByText('Job moved to Complete')).toBeVisible();
});

test('a card can be moved to another column with the keyboard', async ({ page }) => {
  await signUpCompany(page);
  await addJobs(page, ['Leaking tap', 'pending'], ['New heater', 'pending']);
  await page.goto('/board');
  await card(page, 'New heater').focus();
  await page.keyboard.press('ArrowDown');
  await expect(card(page, 'Leaking tap')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByText(/^Leaking tap picked up from Pending/)).toBeAttached();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await expect(page.getByText('Job moved to Booked')).toBeVisible();
  await expect(column(page, 'Booked').getByRole('link')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(button(page, 'Move Leaking tap to…')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Move to Canceled' }).press('Enter');
  await expect(page.getByText('Job moved to Canceled')).toBeVisible();
  await expect(column(page, 'Canceled').getByRole('link')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Leaking tap' })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('a long press drags a card to the next column or onto a column chip', async ({ page }) => {
    await signUpCompany(page);
    await addJobs(page, ['Leaking tap', 'pending'], ['New heater', 'pending']);
    // On touch screens, the drag manager loads with the page, so that even the first long press works.
    const loaded = page.waitForResponse(/card-drag-manager/);
    await page.goto('/board');
    await waitUntilExecuted(page, loaded);
    const client = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints });
    const longPress = async (title: string) => {
      const center = await getCenter(card(page, title));
      await touch('touchStart', center);
      // The second match is the copy of the card that follows the finger.
      await expect(page.getByText(title)).toHaveCount(2);
      return center;
    };

    const start = await longPress('New heater');
    // Drag the card near the edge, where the board scrolls.
    await touch('touchMove', { x: start.x + 60, y: start.y });
    await touch('touchMove', { x: 382, y: start.y });
    const left = async () => (await column(page, 'Contacted').boundingBox())?.x ?? 390;
    await expect.poll(left, { intervals: [20] }).toBeLessThan(300);
    // Drag the card away from the edge, where the board stops scrolling.
    await touch('touchMove', { x: 195, y: start.y });
    await touch('touchMove', { x: Math.max(await left(), 0) + 60, y: start.y });
    await touch('touchEnd');
    await expect(page.getByText('Job moved to Contacted')).toBeVisible();
    await expect(column(page, 'Contacted').getByRole('link')).toHaveText([/^New heater/]);

    await column(page, 'Contacted').getByRole('link').tap();
    await expect(page.getByRole('heading', { level: 1, name: 'New heater' })).toBeVisible();
    await page.goBack();
    const chip = (name: string) => page.getByRole('navigation', { name: 'Columns' }).getByRole('button', { name: new RegExp(`^${name}`) });
    const from = await longPress('New heater');
    await touch('touchMove', { x: from.x, y: from.y - 60 });
    await touch('touchMove', await getCenter(chip('Booked')));
    // The dragged copy must not cover the chip that it is dropped on.
    const copy = await page.getByText('New heater').last().boundingBox();
    expect((copy?.y ?? 0) + (copy?.height ?? 0)).toBeLessThan((await chip('Booked').boundingBox())?.y ?? 0);
    await touch('touchEnd');
    await expect(page.getByText('Job moved to Booked')).toBeVisible();
    await expect(column(page, 'Booked').getByRole('link')).toHaveText([/^New heater/]);
    await chip('Pending').click();
    await expect(card(page, 'Leaking tap')).toBeInViewport({ ratio: 1 });
    for (const name of ['Contacted', 'Booked']) {
      await chip(name).click();
      await expect(chip(name)).toHaveAttribute('aria-current', 'true');
      await waitForScrollEnd(page);
      await chip(name).click();
      await waitForScrollEnd(page);
      await expect(chip(name), 'tapped a second time').toHaveAttribute('aria-current', 'true');
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width);
  });
});

test('searching scrolls to the first column with a match', { tag: '@phone-only' }, async ({ page }) => {
  await signUpCompany(page);
  await addJobs(page, ['Old boiler', 'invoiced'], ['Leaking tap', 'pending']);
  await page.goto('/board');
  await expect(card(page, 'Leaking tap')).toBeInViewport({ ratio: 1 });
  await page.getByRole('searchbox', { name: 'Search jobs' }).fill('boiler');
  await expect(card(page, 'Leaking tap')).toBeHidden();
  await expect(card(page, 'Old boiler')).toBeInViewport({ ratio: 1 });
  await page.getByRole('searchbox', { name: 'Search jobs' }).fill('');
  await expect(card(page, 'Leaking tap')).toBeInViewport({ ratio: 1 });
});

test('scrolling to either end of the board on a tablet highlights the first or last column chip', async ({ page }) => {
  await page.setViewportSize({ width: 720, height: 900 });
  await signUpCompany(page);
  await addJobs(page, ['Leaking tap', 'pending']);
  await page.goto('/board');
  const chips = page.getByRole('navigation', { name: 'Columns' });
  const currentChip = chips.locator('[aria-current="true"]');
  await expect(currentChip).toHaveText(/^Pending/);
  for (const name of ['Canceled', 'Booked', 'Pending']) {
    await chips.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await expect(currentChip).toHaveText(new RegExp(`^${name}`));
  }
});

test('going back from a job restores the board’s scroll position', async ({ page }) => {
  await signUpCompany(page);
  const titles = Array.from(
    { length: 40 },
    (_, index) => `Job ${index} with a title that takes three lines of its card, such as a heater and its pipes`,
  );
  await addJobs(page, ...titles.map((title) => [title, 'pending'] as const));
  await page.goto('/board');
  const cards = column(page, 'Pending').getByRole('list').locator('..');
  const scrollTop = () => cards.evaluate((element) => element.scrollTop);
  await expect(card(page, 'Job 39 ')).toBeVisible();
  // Scroll in steps, as a mouse wheel does, so that the list measures every card along the way.
  await cards.hover();
  for (let step = 0; step < 12; step += 1) {
    await page.mouse.wheel(0, 300);
    await expect.poll(scrollTop).toBeGreaterThan(step * 300);
  }
  const scrollTopBefore = await scrollTop();
  const id = await column(page, 'Pending').getByRole('link').nth(6).getAttribute('data-card');
  await page.locator(`[data-card="${id}"]`).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Job \d+ with/ })).toBeVisible();
  await page.goBack();
  await expect(page.locator(`[data-card="${id}"]`)).toBeInViewport();
  expect(await scrollTop()).toBe(scrollTopBefore);
});

test('a colleague’s moves appear live on the board, even during a drag', async ({ page, browser }) => {
  await signUpCompany(page);
  const [tap, heater] = await addJobs(page, ['Leaking tap', 'pending'], ['New heater', 'pending'], ['Gas check', 'pending']);
  const other = await openColleaguePage(page, browser, 'staff', 'Tama Rewi');
  await openLivePage(page, '/board');
  await openLivePage(other, '/board');
  await loadDragManager(page);
  await loadDragManager(other);

  await dragOver(other, card(other, 'New heater'), column(other, 'Booked'));
  await other.mouse.up();
  await expect(column(page, 'Booked').getByRole('link')).toHaveText([/^New heater/]);
  await expect(column(page, 'Pending').getByRole('link')).toHaveText([/^Gas check/, /^Leaking tap/]);

  // While this user drags a card, a colleague moves another card. Then the dragged card is moved and deleted as well.
  await dragOver(page, card(page, 'Leaking tap'), column(page, 'Complete'));
  await callApi(other, 'PUT', `/jobs/${heater?.id}/status`, { status: 'invoiced' });
  await expect(column(page, 'Invoiced').getByRole('link')).toHaveText([/^New heater/]);
  // The dragged card must stay under the pointer and not be rendered a second time.
  await callApi(other, 'PUT', `/jobs/${tap?.id}/status`, { status: 'contacted' });
  await expect(column(page, 'Contacted').getByRole('heading')).toContainText('1');
  await expect(page.locator(`[data-card="${tap?.id}"]`)).toHaveCount(1);
  await callApi(page, 'DELETE', `/jobs/${tap?.id}`);
  await expect(column(other, 'Pending').getByRole('link')).toHaveText([/^Gas check/]);
  await expect(column(page, 'Pending').getByRole('link')).toHaveText([/^Gas check/, /^Leaking tap/]);
  await page.mouse.up();
  await expect(page.getByText('Failed to update job status: Someone else has deleted this job.')).toBeVisible();
  await expect(card(page, 'Leaking tap')).toBeHidden();
  await expect(column(page, 'Complete').getByRole('link')).toHaveCount(0);

  await card(page, 'Gas check').focus();
  await dragOver(other, card(other, 'Gas check'), column(other, 'Contacted'));
  await other.mouse.up();
  await expect(column(page, 'Contacted').getByRole('link')).toHaveText([/^Gas check/]);
  await expect(card(page, 'Gas check')).toBeFocused();
});

test('a card dropped while offline stays, marked, and is moved once the connection is back', async ({ page }) => {
  await signUpCompany(page);
  await addJobs(page, ['Leaking tap', 'pending']);
  await page.goto('/board');
  await loadDragManager(page);
  await dragOver(page, card(page, 'Leaking tap'), column(page, 'Booked'));
  await page.context().setOffline(true);
  await page.mouse.up();
  await expect(page.getByText(/^Saved on this device/)).toBeVisible();
  await expect(column(page, 'Booked').getByRole('link')).toHaveText([/^Leaking tap/]);
  await expect(column(page, 'Booked').getByText('Not sent yet')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Waiting (1)' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0);
  await page.context().setOffline(false);
  await expect(page.getByText('Not sent yet')).toBeHidden();
  await page.reload();
  await expect(column(page, 'Booked').getByRole('link')).toHaveText([/^Leaking tap/]);
});

test('a menu opened by keyboard before its code has loaded appears once the code arrives', async ({ page }) => {
  await signUpCompany(page);
  await addJobs(page, ['Leaking tap', 'pending']);
  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(/menu-popup/, async (route) => {
    requested.resolve();
    await released.promise;
    await route.continue();
  });
  await page.goto('/board');
  const opener = button(page, 'Move Leaking tap to…');
  await opener.press('Enter');
  await requested.promise;
  // Press more keys before the menu has loaded, as an impatient user does.
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  released.resolve();
  await expect(page.getByRole('menu')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(column(page, 'Contacted').getByRole('link')).toHaveText(/^Leaking tap/);
  await expect(column(page, 'Contacted').getByRole('link')).toBeFocused();
});
