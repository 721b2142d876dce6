import { randomUUID } from 'node:crypto';
import type { Me } from '@callout/contract/company';
import type { Job } from '@callout/contract/jobs';
import type { Task } from '@callout/contract/tasks';
import { toInstant } from '@callout/domain/time/zoned-time';
import type { CDPSession, Locator, Page } from '@playwright/test';
import { addCustomer, callApi, openLivePage, signUpCompany } from './support/company-setup.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { openColleaguePage } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const AUCKLAND = 'Pacific/Auckland';

interface Booking {
  title: string;
  date: string;
  time: string;
  duration?: string;
  zone?: string;
}

async function addJobs(page: Page, ...bookings: readonly Booking[]): Promise<Job[]> {
  const { user } = await callApi<Me>(page, 'GET', '/me');
  const { id: customer_id } = await addCustomer(page);
  const add = ({ title, date, time, duration = '2', zone = AUCKLAND }: Booking) =>
    callApi<Job>(page, 'POST', '/jobs', {
      id: randomUUID(),
      customer_id,
      title,
      description: 'As agreed.',
      status: 'booked',
      job_type: 'fixed',
      fixed_amount: '100',
      booking_date: toInstant(date, time, zone),
      duration,
      staff_id: user.staff_id,
      category_ids: [],
    });
  return Promise.all(bookings.map(add));
}

async function addJob(page: Page, booking: Booking): Promise<Job> {
  const [job] = await addJobs(page, booking);
  if (!job) throw new Error('No job was added');
  return job;
}

const addTask = (page: Page, { title, date, time, duration = '1' }: Booking) =>
  callApi<Task>(page, 'POST', '/tasks', {
    id: randomUUID(),
    title,
    show_in_calendar: true,
    calendar_date: toInstant(date, time, AUCKLAND),
    calendar_duration: duration,
  });

const grid = (page: Page) => page.getByRole('region', { name: 'Time grid' });
const getEvent = (page: Page, title: string) => grid(page).getByRole('link', { name: title });
const getColumnCenterX = async (list: Locator) => {
  const box = await list.boundingBox();
  return (box?.x ?? 0) + (box?.width ?? 0) / 2;
};
const column = (page: Page, name: string) => grid(page).getByRole('list', { name, exact: true });

async function scrollToCenter(locator: Locator): Promise<{ x: number; y: number; height: number }> {
  // Scroll, and wait until scrolling has finished before measuring.
  await locator.evaluate(async (element) => {
    element.scrollIntoView({ block: 'center' });
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  const box = await locator.boundingBox();
  if (!box) throw new Error('The element is not visible');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, height: box.height };
}

/** Returns how tall one hour is in the grid, in pixels. */
const getHourHeight = (page: Page) =>
  grid(page)
    .getByText('9am')
    .evaluate((label) => (label.parentElement?.clientHeight ?? 0) / 24);

/** Drags in small steps, as a hand does, without releasing the mouse button. */
async function dragBy(page: Page, from: { x: number; y: number }, by: { x?: number; y?: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + (by.x ?? 0) / 2, from.y + (by.y ?? 0) / 2, { steps: 4 });
  await page.mouse.move(from.x + (by.x ?? 0), from.y + (by.y ?? 0), { steps: 4 });
}

/** Returns a point on the event's bottom edge. Dragging that edge resizes the event. */
async function getBottomEdge(event: Locator): Promise<{ x: number; y: number }> {
  const { x, y, height } = await scrollToCenter(event);
  return { x, y: y + height / 2 - 3 };
}

const readJob = (page: Page, { id }: { id: string }) => callApi<Job>(page, 'GET', `/jobs/${id}`);

test('jobs and tasks can be moved and resized with the mouse, and Undo reverts a move', async ({ page }) => {
  await signUpCompany(page);
  const job = await addJob(page, { title: 'Roof repair', date: '2026-11-17', time: '09:00' });
  const task = await addTask(page, { title: 'Order pipes', date: '2026-11-18', time: '09:00' });
  await page.goto('/calendar?date=2026-11-17');
  const event = getEvent(page, 'Roof repair');
  await expect(event).toContainText('9:00 – 11:00 AM');
  const hour = await getHourHeight(page);
  await expectAccessible(page);

  // Move the job within the day, in steps of 15 minutes. A preview shows the new times before the drop.
  await dragBy(page, await scrollToCenter(event), { y: hour * 1.2 });
  await expect(page.locator('[data-ghost]')).toContainText('10:15 AM – 12:15 PM');
  await page.mouse.up();
  await expect(page.getByText('Job rescheduled successfully')).toBeVisible();
  await expect(event).toContainText('10:15 AM – 12:15 PM');
  expect((await readJob(page, job)).booking_date).toBe(toInstant('2026-11-17', '10:15', AUCKLAND));
  expect(new URL(page.url()).pathname).toBe('/calendar');

  const [tuesday, thursday] = [await getColumnCenterX(column(page, 'Tue 17')), await getColumnCenterX(column(page, 'Thu 19'))];
  await dragBy(page, await scrollToCenter(event), { x: thursday - tuesday });
  await page.mouse.up();
  await expect(column(page, 'Thu 19').getByRole('link', { name: 'Roof repair' })).toBeVisible();
  await expect.poll(async () => (await readJob(page, job)).booking_date).toBe(toInstant('2026-11-19', '10:15', AUCKLAND));
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(column(page, 'Tue 17').getByRole('link', { name: 'Roof repair' })).toBeVisible();
  await expect.poll(async () => (await readJob(page, job)).booking_date).toBe(toInstant('2026-11-17', '10:15', AUCKLAND));

  // Resize the job by dragging its bottom edge. The shortest duration is 30 minutes.
  await dragBy(page, await getBottomEdge(event), { y: hour * -0.7 });
  await page.mouse.up();
  await expect(page.getByText('Job duration updated')).toBeVisible();
  expect((await readJob(page, job)).duration).toBe('1.25');
  await dragBy(page, await getBottomEdge(event), { y: hour * -3 });
  await page.mouse.up();
  await expect.poll(async () => (await readJob(page, job)).duration).toBe('0.50');

  await dragBy(page, await scrollToCenter(getEvent(page, 'Order pipes')), { y: hour });
  await page.mouse.up();
  await expect(page.getByText('Task rescheduled successfully')).toBeVisible();
  await expect(getEvent(page, 'Order pipes')).toContainText('10:00 – 11:00 AM');
  await dragBy(page, await getBottomEdge(getEvent(page, 'Order pipes')), { y: hour / 2 });
  await page.mouse.up();
  await expect(page.getByText('Task duration updated')).toBeVisible();
  expect(await callApi<Task>(page, 'GET', `/tasks/${task.id}`)).toMatchObject({
    calendar_date: toInstant('2026-11-18', '10:00', AUCKLAND),
    calendar_duration: '1.50',
  });

  // Cancel a drag with Escape. A click then opens the job.
  await dragBy(page, await scrollToCenter(event), { y: hour * 2 });
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-ghost]')).toHaveCount(0);
  await page.mouse.up();
  await expect(event).toContainText('10:15 – 10:45 AM');
  await event.click();
  await expect(page).toHaveURL(new RegExp(`/jobs/${job.id}$`));
});

/** The touch events that make up a drag. They are sent to the browser directly, because Playwright supports only taps. */
type TouchEventType = 'touchStart' | 'touchMove' | 'touchEnd';

/** Sends a touch event. Set `timestamp` (in seconds) if the gesture must not depend on the machine's speed. */
async function dispatchTouch(session: CDPSession, type: TouchEventType, at?: { x: number; y: number }, timestamp?: number): Promise<void> {
  const touchPoints = at ? [{ x: at.x, y: at.y }] : [];
  await session.send('Input.dispatchTouchEvent', { type, touchPoints, ...(timestamp && { timestamp }) });
}

/** Waits until momentum scrolling has ended. A touch before that would only stop the scrolling. */
const waitForScrollEnd = (scroller: Locator) =>
  scroller.evaluate(async (element) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let [before, stillFrames] = [-1, 0]; stillFrames < 10; stillFrames = element.scrollTop === before ? stillFrames + 1 : 0) {
      before = element.scrollTop;
      await frame();
    }
  });

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('a long press drags a job, but a swipe scrolls the day', async ({ page }) => {
    await signUpCompany(page);
    const job = await addJob(page, { title: 'Roof repair', date: '2026-11-17', time: '11:00' });
    await page.goto('/calendar?date=2026-11-17');
    const event = getEvent(page, 'Roof repair');
    await expect(event).toContainText('11:00 AM – 1:00 PM');
    const session = await page.context().newCDPSession(page);
    const hour = await getHourHeight(page);

    const getScrollTop = () => grid(page).evaluate((element) => element.scrollTop);
    // Scroll the job into view, because the calendar opens at the current time.
    const from = await scrollToCenter(event);
    await waitForScrollEnd(grid(page));
    const before = await getScrollTop();
    const now = Date.now() / 1000;
    await dispatchTouch(session, 'touchStart', from, now);
    for (let step = 1; step <= 8; step += 1) {
      await dispatchTouch(session, 'touchMove', { x: from.x, y: from.y - step * 15 }, now + step * 0.016);
    }
    await dispatchTouch(session, 'touchEnd');
    await expect.poll(getScrollTop).toBeGreaterThan(before + 50);
    await waitForScrollEnd(grid(page));
    await expect(event).toContainText('11:00 AM – 1:00 PM');

    const start = await scrollToCenter(event);
    await dispatchTouch(session, 'touchStart', start);
    await expect(page.locator('[data-ghost]')).toBeVisible();
    for (let step = 1; step <= 8; step += 1) await dispatchTouch(session, 'touchMove', { x: start.x, y: start.y - (hour * 2 * step) / 8 });
    await expect(page.locator('[data-ghost]')).toContainText('9:00 – 11:00 AM');
    await dispatchTouch(session, 'touchEnd');
    await expect(page.getByText('Job rescheduled successfully')).toBeVisible();
    expect((await readJob(page, job)).booking_date).toBe(toInstant('2026-11-17', '09:00', AUCKLAND));
    expect(new URL(page.url()).pathname).toBe('/calendar');

    // A touch drag fires no click event, so the app must not wait for one and ignore the next tap.
    await page.getByRole('button', { name: 'Next' }).tap();
    await expect(column(page, 'Wed 18')).toBeVisible();
    await page.getByRole('button', { name: 'Previous' }).tap();

    await page.getByRole('button', { name: 'Move Roof repair to…' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Move Roof repair' });
    await dialog.getByLabel('Time').fill('14:00');
    await dialog.getByRole('button', { name: 'Move', exact: true }).tap();
    await expect(dialog).toBeHidden();
    expect((await readJob(page, job)).booking_date).toBe(toInstant('2026-11-17', '14:00', AUCKLAND));
  });
});

for (const { zone, week, before, after } of [
  { zone: AUCKLAND, week: '2026-09-21', before: ['Sat 26', '2026-09-26'], after: ['Sun 27', '2026-09-27'] },
  { zone: 'Pacific/Chatham', week: '2026-03-30', before: ['Sat 4', '2026-04-04'], after: ['Sun 5', '2026-04-05'] },
  { zone: 'Australia/Lord_Howe', week: '2026-03-30', before: ['Sat 4', '2026-04-04'], after: ['Sun 5', '2026-04-05'] },
] as const) {
  test(`a job dragged across a clock change in ${zone} keeps the wall-clock time it was dropped at`, async ({ page }) => {
    await signUpCompany(page, { timezone: zone });
    const job = await addJob(page, { title: 'Roof repair', date: before[1], time: '09:00', zone });
    await addJob(page, { title: 'Early start', date: after[1], time: '08:00', zone });
    await page.goto(`/calendar?date=${week}`);
    await expect(getEvent(page, 'Early start')).toContainText('8:00 – 10:00 AM');
    const event = getEvent(page, 'Roof repair');
    await expect(event).toContainText('9:00 – 11:00 AM');
    const [saturday, sunday] = [await getColumnCenterX(column(page, before[0])), await getColumnCenterX(column(page, after[0]))];
    await dragBy(page, await scrollToCenter(event), { x: sunday - saturday, y: 3 * (await getHourHeight(page)) });
    await page.mouse.up();
    await expect(page.getByText('Job rescheduled successfully')).toBeVisible();
    await expect(column(page, after[0]).getByRole('link', { name: 'Roof repair' })).toContainText('12:00 – 2:00 PM');
    expect((await readJob(page, job)).booking_date).toBe(toInstant(after[1], '12:00', zone));
  });
}

test('two users see each other’s moves live, and both are warned about a clash', async ({ page, browser }) => {
  await signUpCompany(page);
  await addJob(page, { title: 'Roof repair', date: '2026-11-17', time: '09:00' });
  await addJob(page, { title: 'Blocked drain', date: '2026-11-17', time: '13:00' });
  const other = await openColleaguePage(page, browser, 'manager', 'Josh Harper');
  await openLivePage(page, '/calendar?view=day&date=2026-11-17');
  await openLivePage(other, '/calendar?view=day&date=2026-11-17');
  await expect(getEvent(other, 'Blocked drain')).toBeVisible();
  const hour = await getHourHeight(page);

  await dragBy(page, await scrollToCenter(getEvent(page, 'Blocked drain')), { y: hour * -2.5 });
  await page.mouse.up();
  await expect(page.getByText(/is already booked for Roof repair .*\(30 min overlap\)/)).toBeVisible();
  await expect(getEvent(page, 'Blocked drain')).toContainText('Overlaps by 30 min');
  await expect(other.getByText(/is double-booked .*10:30 – 11:00 AM: Roof repair and Blocked drain/)).toBeVisible();
  await expect(getEvent(other, 'Blocked drain')).toContainText('10:30 AM – 12:30 PM');
  await expect(grid(other).getByText('30 min clash')).toBeVisible();

  // Move the job to the colleague's column, which resolves the clash.
  const [mine, theirs] = [await scrollToCenter(getEvent(page, 'Blocked drain')), await getColumnCenterX(column(page, 'Josh Harper'))];
  await dragBy(page, mine, { x: theirs - mine.x });
  await page.mouse.up();
  await expect(column(other, 'Josh Harper').getByRole('link', { name: 'Blocked drain' })).toBeVisible();
  await expect(grid(other).getByText('30 min clash')).toHaveCount(0);
});

test.describe('when offline, or after the job was deleted', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/, /404/, /409/] });

  test('a job dropped offline stays and is sent later, and one that was deleted disappears with an error', async ({ page, context }) => {
    await signUpCompany(page);
    const job = await addJob(page, { title: 'Roof repair', date: '2026-11-17', time: '09:00' });
    await page.goto('/calendar?date=2026-11-17');
    const event = getEvent(page, 'Roof repair');
    await expect(event).toContainText('9:00 – 11:00 AM');
    const hour = await getHourHeight(page);

    await context.setOffline(true);
    await dragBy(page, await scrollToCenter(event), { y: hour });
    await page.mouse.up();
    await expect(page.getByText(/^Saved on this device/)).toBeVisible();
    await expect(event).toContainText('10:00 AM – 12:00 PM');
    await context.setOffline(false);
    await expect(page.getByText('Not sent yet')).toBeHidden();

    await dragBy(page, await scrollToCenter(event), { y: hour });
    await callApi(page, 'DELETE', `/jobs/${job.id}`);
    await page.mouse.up();
    await expect(page.getByText('Failed to reschedule: this job has been deleted.')).toBeVisible();
    await expect(event).toHaveCount(0);
  });
});

/** Returns true if nothing covers the center of the focused element. */
const isFocusedElementVisible = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused) return false;
    const { x, y, width, height } = focused.getBoundingClientRect();
    return focused.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });

test('in a week full of clashes, every event is at least 24 pixels wide and not covered when focused', async ({ page }) => {
  await signUpCompany(page);
  await page.setViewportSize({ width: 800, height: 600 });
  const times = ['08:00', '08:15', '08:30', '08:45', '09:00', '09:15', '09:30'];
  const days = Array.from({ length: 7 }, (_, index) => `2026-12-${14 + index}`);
  await addJobs(page, ...days.flatMap((date) => times.map((time) => ({ title: `At ${time}`, date, time }))));
  const getMinWidth = () =>
    grid(page)
      .locator('[data-event] > a')
      .evaluateAll((events) => Math.min(...events.map((event) => event.getBoundingClientRect().width)));
  await page.goto('/calendar?view=week&date=2026-12-14');
  await expect(getEvent(page, 'At 08:00')).toHaveCount(7);
  expect(await getMinWidth()).toBeGreaterThanOrEqual(24);
  const event = getEvent(page, 'At 08:00').first();
  await event.evaluate((link) => link.scrollIntoView({ block: 'start' }));
  await grid(page).evaluate((element) => element.scrollBy({ top: 60 }));
  await event.focus();
  const head = await grid(page).getByRole('button', { name: 'Mon 14' }).boundingBox();
  expect((await event.boundingBox())?.y).toBeGreaterThan((head?.y ?? 0) + (head?.height ?? 0));
  const widths = await grid(page)
    .locator('[data-event] > a')
    .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().width));
  expect(Math.min(...widths)).toBeGreaterThanOrEqual(24);
  // Press Tab through seven events, each with a Move button, and on to the next element.
  for (let presses = 0; presses < 15; presses += 1) {
    await expect.poll(() => isFocusedElementVisible(page)).toBe(true);
    await page.keyboard.press('Tab');
  }
});
