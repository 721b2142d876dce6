import { randomUUID } from 'node:crypto';
import type { Me } from '@callout/contract/company';
import type { Job } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import type { Locator, Page, Response } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { addCustomer, call, openListening, startCompany } from './support/people.ts';
import { colleague } from './support/staff.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const column = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
const card = (page: Page, title: string) => page.getByRole('link', { name: new RegExp(`^${title}`) });

/** Jobs of a new company, the last one is the newest. */
async function addJobs(page: Page, ...jobs: readonly (readonly [title: string, status: JobStatus])[]): Promise<Job[]> {
  const { user } = await call<Me>(page, 'GET', '/me');
  const customer = await addCustomer(page);
  const added: Job[] = [];
  for (const [title, status] of jobs) {
    const { id } = await call<Job>(page, 'POST', '/jobs', {
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
    added.push(await call<Job>(page, 'PUT', `/jobs/${id}/status`, { status }));
  }
  return added;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

async function middleOf(element: Locator): Promise<Point> {
  const box = await element.boundingBox();
  if (!box) throw new Error('It is not on the page');
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 120) };
}

/** Waits until the columns have stood still for a while: nothing tells that a tap does not scroll them. */
const scrolled = (page: Page) =>
  column(page, 'Pending').evaluate(async ({ parentElement: columns }) => {
    let left = columns?.scrollLeft;
    for (let still = 0; still < 20; still += 1) {
      await new Promise(requestAnimationFrame);
      if (columns?.scrollLeft !== left) still = 0;
      left = columns?.scrollLeft;
    }
  });

/** Its code has come, has run, and the page has nothing left to do with it. */
async function hasRun(page: Page, code: Promise<Response>): Promise<void> {
  const url = JSON.stringify((await code).url());
  await page.evaluate(`import(${url}).then(() => new Promise((done) => requestIdleCallback(() => done())))`);
}

/** What drags is loaded with the first sign of a pointer on the board. */
async function preparePointer(page: Page): Promise<void> {
  await expect(
    page
      .getByRole('region', { name: /^Pending/ })
      .getByRole('link')
      .first(),
  ).toBeVisible();
  const loaded = page.waitForResponse(/card-dragging/);
  await page.mouse.move(3, 3);
  await page.mouse.move(5, 5);
  await hasRun(page, loaded);
}

/** With the button down, over the other element. */
async function dragOver(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.scrollIntoViewIfNeeded();
  const [start, end] = [await middleOf(from), await middleOf(to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 5, start.y);
  await page.mouse.move(end.x, end.y, { steps: 5 });
}

test('a card is dragged by mouse, taken back with Undo and with Escape, and a click opens it', async ({ page }) => {
  await startCompany(page);
  await addJobs(page, ['Old boiler', 'canceled'], ['Leaking tap', 'pending'], ['New heater', 'pending']);
  await page.goto('/board');
  await preparePointer(page);
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

  await preparePointer(page);
  const { x, y } = await middleOf(card(page, 'New heater'));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 3, y);
  await page.mouse.up();
  await expect(page.getByRole('heading', { level: 1, name: 'New heater' })).toBeVisible();
});

/** Long enough for what scrolls along to be seen. */
async function waitForFrames(): Promise<void> {
  for (let frame = 0; frame < 20; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}

test('columns stay where they are under a card that is held over one of them', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await startCompany(page);
  await addJobs(page, ['Leaking tap', 'pending']);
  await page.goto('/board');
  await preparePointer(page);
  const complete = column(page, 'Complete');
  const before = await complete.boundingBox();
  await dragOver(page, card(page, 'Leaking tap'), complete);
  const { x, y } = await middleOf(complete);
  for (const by of [4, 8, 12]) {
    await page.mouse.move(x + by, y);
    await page.evaluate(waitForFrames);
  }
  expect(await complete.boundingBox()).toEqual(before);
  await page.mouse.up();
  await expect(page.getByText('Job moved to Complete')).toBeVisible();
});

test('by keyboard a card is picked up, carried to another column and put down', async ({ page }) => {
  await startCompany(page);
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

  test('a finger that rests on a card drags it, to the next column or onto the name of any', async ({ page }) => {
    await startCompany(page);
    await addJobs(page, ['Leaking tap', 'pending'], ['New heater', 'pending']);
    // What drags is there before a finger is: its first press counts.
    const loaded = page.waitForResponse(/card-dragging/);
    await page.goto('/board');
    await hasRun(page, loaded);
    const client = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints });
    const hold = async (title: string) => {
      const at = await middleOf(card(page, title));
      await touch('touchStart', at);
      // The copy of the card that follows the finger.
      await expect(page.getByText(title)).toHaveCount(2);
      return at;
    };

    const start = await hold('New heater');
    // At the edge the board scrolls on.
    await touch('touchMove', { x: start.x + 60, y: start.y });
    await touch('touchMove', { x: 382, y: start.y });
    const left = async () => (await column(page, 'Contacted').boundingBox())?.x ?? 390;
    await expect.poll(left, { intervals: [20] }).toBeLessThan(300);
    // Away from the edge it stops, however far it has come.
    await touch('touchMove', { x: 195, y: start.y });
    await touch('touchMove', { x: Math.max(await left(), 0) + 60, y: start.y });
    await touch('touchEnd');
    await expect(page.getByText('Job moved to Contacted')).toBeVisible();
    await expect(column(page, 'Contacted').getByRole('link')).toHaveText([/^New heater/]);

    await column(page, 'Contacted').getByRole('link').tap();
    await expect(page.getByRole('heading', { level: 1, name: 'New heater' })).toBeVisible();
    await page.goBack();
    const chip = (name: string) => page.getByRole('navigation', { name: 'Columns' }).getByRole('button', { name: new RegExp(`^${name}`) });
    const from = await hold('New heater');
    await touch('touchMove', { x: from.x, y: from.y - 60 });
    await touch('touchMove', await middleOf(chip('Booked')));
    // The copy leaves what it may be dropped on in sight.
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
      await scrolled(page);
      await chip(name).click();
      await scrolled(page);
      await expect(chip(name), 'tapped a second time').toHaveAttribute('aria-current', 'true');
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width);
  });
});

test('a search shows what it has found, however far to the right that is', { tag: '@phone-only' }, async ({ page }) => {
  await startCompany(page);
  await addJobs(page, ['Old boiler', 'invoiced'], ['Leaking tap', 'pending']);
  await page.goto('/board');
  await expect(card(page, 'Leaking tap')).toBeInViewport({ ratio: 1 });
  await page.getByRole('searchbox', { name: 'Search jobs' }).fill('boiler');
  await expect(card(page, 'Leaking tap')).toBeHidden();
  await expect(card(page, 'Old boiler')).toBeInViewport({ ratio: 1 });
  await page.getByRole('searchbox', { name: 'Search jobs' }).fill('');
  await expect(card(page, 'Leaking tap')).toBeInViewport({ ratio: 1 });
});

test('on a tablet the chips of the first and the last column are marked where the board ends', async ({ page }) => {
  await page.setViewportSize({ width: 720, height: 900 });
  await startCompany(page);
  await addJobs(page, ['Leaking tap', 'pending']);
  await page.goto('/board');
  const chips = page.getByRole('navigation', { name: 'Columns' });
  const marked = chips.locator('[aria-current="true"]');
  await expect(marked).toHaveText(/^Pending/);
  for (const name of ['Canceled', 'Booked', 'Pending']) {
    await chips.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await expect(marked).toHaveText(new RegExp(`^${name}`));
  }
});

test('back from a card deep in a column, the board is where it was left', async ({ page }) => {
  await startCompany(page);
  const titles = Array.from(
    { length: 40 },
    (_, index) => `Job ${index} of a title that takes three lines of its card, as many do: a heater and its pipes`,
  );
  await addJobs(page, ...titles.map((title) => [title, 'pending'] as const));
  await page.goto('/board');
  const cards = column(page, 'Pending').getByRole('list').locator('..');
  const scrollTop = () => cards.evaluate((element) => element.scrollTop);
  await expect(card(page, 'Job 39 ')).toBeVisible();
  // As a wheel does: whatever has been in view has been measured.
  await cards.hover();
  for (let turn = 0; turn < 12; turn += 1) {
    await page.mouse.wheel(0, 300);
    await expect.poll(scrollTop).toBeGreaterThan(turn * 300);
  }
  const left = await scrollTop();
  const title = await column(page, 'Pending').getByRole('link').nth(6).getAttribute('data-card');
  await page.locator(`[data-card="${title}"]`).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Job \d+ of/ })).toBeVisible();
  await page.goBack();
  await expect(page.locator(`[data-card="${title}"]`)).toBeInViewport();
  expect(await scrollTop()).toBe(left);
});

test('two people see each other move cards, while one of them drags', async ({ page, browser }) => {
  await startCompany(page);
  const [tap, heater] = await addJobs(page, ['Leaking tap', 'pending'], ['New heater', 'pending'], ['Gas check', 'pending']);
  const other = await colleague(page, browser, 'staff', 'Tama Rewi');
  await openListening(page, '/board');
  await openListening(other, '/board');
  await preparePointer(page);
  await preparePointer(other);

  await dragOver(other, card(other, 'New heater'), column(other, 'Booked'));
  await other.mouse.up();
  await expect(column(page, 'Booked').getByRole('link')).toHaveText([/^New heater/]);
  await expect(column(page, 'Pending').getByRole('link')).toHaveText([/^Gas check/, /^Leaking tap/]);

  // The colleague's move arrives while this card is in the hand, and so does its own deletion.
  await dragOver(page, card(page, 'Leaking tap'), column(page, 'Complete'));
  await call(other, 'PUT', `/jobs/${heater?.id}/status`, { status: 'invoiced' });
  await expect(column(page, 'Invoiced').getByRole('link')).toHaveText([/^New heater/]);
  // Moved by somebody else it stays in the hand, and stands only there.
  await call(other, 'PUT', `/jobs/${tap?.id}/status`, { status: 'contacted' });
  await expect(column(page, 'Contacted').getByRole('heading')).toContainText('1');
  await expect(page.locator(`[data-card="${tap?.id}"]`)).toHaveCount(1);
  await call(page, 'DELETE', `/jobs/${tap?.id}`);
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

test('a card that is dropped without a connection returns and says why', async ({ page }) => {
  await startCompany(page);
  await addJobs(page, ['Leaking tap', 'pending']);
  await page.goto('/board');
  await preparePointer(page);
  await dragOver(page, card(page, 'Leaking tap'), column(page, 'Booked'));
  await page.context().setOffline(true);
  await page.mouse.up();
  await expect(page.getByText(/^Failed to update job status: Unable to connect to the server/)).toBeVisible();
  await expect(column(page, 'Pending').getByRole('link')).toHaveText([/^Leaking tap/]);
  // The banner takes its height from the board: the page itself does not scroll.
  await expect(page.getByText(/^You're offline/)).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0);
  await page.context().setOffline(false);
  // Its banner goes, and the cards move up.
  await expect(page.getByText(/^You're offline/)).toBeHidden();
  await dragOver(page, card(page, 'Leaking tap'), column(page, 'Booked'));
  await page.mouse.up();
  await expect(page.getByText('Job moved to Booked')).toBeVisible();
});

test('a menu that is asked for by keyboard before its code is there opens once it has come', async ({ page }) => {
  await startCompany(page);
  await addJobs(page, ['Leaking tap', 'pending']);
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(/menu-popup/, async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  await page.goto('/board');
  const opener = button(page, 'Move Leaking tap to…');
  await opener.press('Enter');
  await asked.promise;
  // Whoever waits presses again.
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  released.resolve();
  await expect(page.getByRole('menu')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(column(page, 'Contacted').getByRole('link')).toHaveText(/^Leaking tap/);
  await expect(column(page, 'Contacted').getByRole('link')).toBeFocused();
});
