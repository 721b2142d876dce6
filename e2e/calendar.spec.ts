import { randomUUID } from 'node:crypto';
import type { Me } from '@callout/contract/company';
import type { Job } from '@callout/contract/jobs';
import type { Task } from '@callout/contract/tasks';
import { zonedInstant } from '@callout/domain/time/zoned-time';
import type { CDPSession, Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { addCustomer, call, openListening, startCompany } from './support/people.ts';
import { colleague } from './support/staff.ts';
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
  const { user } = await call<Me>(page, 'GET', '/me');
  const { id: customer_id } = await addCustomer(page);
  const add = ({ title, date, time, duration = '2', zone = AUCKLAND }: Booking) =>
    call<Job>(page, 'POST', '/jobs', {
      id: randomUUID(),
      customer_id,
      title,
      description: 'As agreed.',
      status: 'booked',
      job_type: 'fixed',
      fixed_amount: '100',
      booking_date: zonedInstant(date, time, zone),
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
  call<Task>(page, 'POST', '/tasks', {
    id: randomUUID(),
    title,
    show_in_calendar: true,
    calendar_date: zonedInstant(date, time, AUCKLAND),
    calendar_duration: duration,
  });

const grid = (page: Page) => page.getByRole('region', { name: 'Time grid' });
const eventNamed = (page: Page, title: string) => grid(page).getByRole('link', { name: title });
/** Where a column is, from left to right. */
const middleOf = async (list: Locator) => {
  const box = await list.boundingBox();
  return (box?.x ?? 0) + (box?.width ?? 0) / 2;
};
const column = (page: Page, name: string) => grid(page).getByRole('list', { name, exact: true });

async function centerOf(locator: Locator): Promise<{ x: number; y: number; height: number }> {
  // Measured where it has come to rest.
  await locator.evaluate(async (element) => {
    element.scrollIntoView({ block: 'center' });
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  const box = await locator.boundingBox();
  if (!box) throw new Error('Not on screen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, height: box.height };
}

/** How many pixels an hour is high. */
const hourHeight = (page: Page) =>
  grid(page)
    .getByText('9am')
    .evaluate((label) => (label.parentElement?.clientHeight ?? 0) / 24);

/** Moves the mouse as a hand does: in steps. */
async function dragBy(page: Page, from: { x: number; y: number }, by: { x?: number; y?: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + (by.x ?? 0) / 2, from.y + (by.y ?? 0) / 2, { steps: 4 });
  await page.mouse.move(from.x + (by.x ?? 0), from.y + (by.y ?? 0), { steps: 4 });
}

/** The lower edge of an event. */
async function edgeOf(event: Locator): Promise<{ x: number; y: number }> {
  const { x, y, height } = await centerOf(event);
  return { x, y: y + height / 2 - 3 };
}

const stored = (page: Page, { id }: { id: string }) => call<Job>(page, 'GET', `/jobs/${id}`);

test('jobs and tasks are moved and resized with the mouse, and Undo takes it back', async ({ page }) => {
  await startCompany(page);
  const job = await addJob(page, { title: 'Roof repair', date: '2026-11-17', time: '09:00' });
  const task = await addTask(page, { title: 'Order pipes', date: '2026-11-18', time: '09:00' });
  await page.goto('/calendar?date=2026-11-17');
  const event = eventNamed(page, 'Roof repair');
  await expect(event).toContainText('9:00 – 11:00 AM');
  const hour = await hourHeight(page);
  await expectAccessible(page);

  // Up and down within the day, in quarters of an hour; the ghost says the new times before the drop.
  await dragBy(page, await centerOf(event), { y: hour * 1.2 });
  await expect(page.locator('[data-ghost]')).toContainText('10:15 AM – 12:15 PM');
  await page.mouse.up();
  await expect(page.getByText('Job rescheduled successfully')).toBeVisible();
  await expect(event).toContainText('10:15 AM – 12:15 PM');
  expect((await stored(page, job)).booking_date).toBe(zonedInstant('2026-11-17', '10:15', AUCKLAND));
  expect(new URL(page.url()).pathname).toBe('/calendar');

  // Onto another day.
  const [tuesday, thursday] = [await middleOf(column(page, 'Tue 17')), await middleOf(column(page, 'Thu 19'))];
  await dragBy(page, await centerOf(event), { x: thursday - tuesday });
  await page.mouse.up();
  await expect(column(page, 'Thu 19').getByRole('link', { name: 'Roof repair' })).toBeVisible();
  await expect.poll(async () => (await stored(page, job)).booking_date).toBe(zonedInstant('2026-11-19', '10:15', AUCKLAND));
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(column(page, 'Tue 17').getByRole('link', { name: 'Roof repair' })).toBeVisible();
  await expect.poll(async () => (await stored(page, job)).booking_date).toBe(zonedInstant('2026-11-17', '10:15', AUCKLAND));

  // Its lower edge, but never under half an hour.
  await dragBy(page, await edgeOf(event), { y: hour * -0.7 });
  await page.mouse.up();
  await expect(page.getByText('Job duration updated')).toBeVisible();
  expect((await stored(page, job)).duration).toBe('1.25');
  await dragBy(page, await edgeOf(event), { y: hour * -3 });
  await page.mouse.up();
  await expect.poll(async () => (await stored(page, job)).duration).toBe('0.50');

  await dragBy(page, await centerOf(eventNamed(page, 'Order pipes')), { y: hour });
  await page.mouse.up();
  await expect(page.getByText('Task rescheduled successfully')).toBeVisible();
  await expect(eventNamed(page, 'Order pipes')).toContainText('10:00 – 11:00 AM');
  await dragBy(page, await edgeOf(eventNamed(page, 'Order pipes')), { y: hour / 2 });
  await page.mouse.up();
  await expect(page.getByText('Task duration updated')).toBeVisible();
  expect(await call<Task>(page, 'GET', `/tasks/${task.id}`)).toMatchObject({
    calendar_date: zonedInstant('2026-11-18', '10:00', AUCKLAND),
    calendar_duration: '1.50',
  });

  // Escape leaves everything as it was; a click opens the job.
  await dragBy(page, await centerOf(event), { y: hour * 2 });
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-ghost]')).toHaveCount(0);
  await page.mouse.up();
  await expect(event).toContainText('10:15 – 10:45 AM');
  await event.click();
  await expect(page).toHaveURL(new RegExp(`/jobs/${job.id}$`));
});

/** A finger: Playwright only taps. */
type Touch = 'touchStart' | 'touchMove' | 'touchEnd';

/** `timestamp` in seconds, for what must not depend on how fast this machine is. */
async function touch(session: CDPSession, type: Touch, at?: { x: number; y: number }, timestamp?: number): Promise<void> {
  const touchPoints = at ? [{ x: at.x, y: at.y }] : [];
  await session.send('Input.dispatchTouchEvent', { type, touchPoints, ...(timestamp && { timestamp }) });
}

/** A finger on a page that still glides only stops it. */
const scrollEnd = (scroller: Locator) =>
  scroller.evaluate(async (element) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let [before, still] = [-1, 0]; still < 10; still = element.scrollTop === before ? still + 1 : 0) {
      before = element.scrollTop;
      await frame();
    }
  });

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('a finger that rests on a job drags it, one that does not scrolls the day', async ({ page }) => {
    await startCompany(page);
    const job = await addJob(page, { title: 'Roof repair', date: '2026-11-17', time: '11:00' });
    await page.goto('/calendar?date=2026-11-17');
    const event = eventNamed(page, 'Roof repair');
    await expect(event).toContainText('11:00 AM – 1:00 PM');
    const session = await page.context().newCDPSession(page);
    const hour = await hourHeight(page);

    const scrolled = () => grid(page).evaluate((element) => element.scrollTop);
    // Brings it into view: at some times of the day it is not.
    const from = await centerOf(event);
    await scrollEnd(grid(page));
    const before = await scrolled();
    const now = Date.now() / 1000;
    await touch(session, 'touchStart', from, now);
    for (let step = 1; step <= 8; step += 1) {
      await touch(session, 'touchMove', { x: from.x, y: from.y - step * 15 }, now + step * 0.016);
    }
    await touch(session, 'touchEnd');
    await expect.poll(scrolled).toBeGreaterThan(before + 50);
    await scrollEnd(grid(page));
    await expect(event).toContainText('11:00 AM – 1:00 PM');

    const start = await centerOf(event);
    await touch(session, 'touchStart', start);
    await expect(page.locator('[data-ghost]')).toBeVisible();
    for (let step = 1; step <= 8; step += 1) await touch(session, 'touchMove', { x: start.x, y: start.y - (hour * 2 * step) / 8 });
    await expect(page.locator('[data-ghost]')).toContainText('9:00 – 11:00 AM');
    await touch(session, 'touchEnd');
    await expect(page.getByText('Job rescheduled successfully')).toBeVisible();
    expect((await stored(page, job)).booking_date).toBe(zonedInstant('2026-11-17', '09:00', AUCKLAND));
    expect(new URL(page.url()).pathname).toBe('/calendar');

    // A finger that drags makes no click: the next tap counts.
    await page.getByRole('button', { name: 'Next' }).tap();
    await expect(column(page, 'Wed 18')).toBeVisible();
    await page.getByRole('button', { name: 'Previous' }).tap();

    // Without dragging.
    await page.getByRole('button', { name: 'Move Roof repair to…' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Move Roof repair' });
    await dialog.getByLabel('Time').fill('14:00');
    await dialog.getByRole('button', { name: 'Move', exact: true }).tap();
    await expect(dialog).toBeHidden();
    expect((await stored(page, job)).booking_date).toBe(zonedInstant('2026-11-17', '14:00', AUCKLAND));
  });
});

for (const { zone, week, before, after } of [
  { zone: AUCKLAND, week: '2026-09-21', before: ['Sat 26', '2026-09-26'], after: ['Sun 27', '2026-09-27'] },
  { zone: 'Pacific/Chatham', week: '2026-03-30', before: ['Sat 4', '2026-04-04'], after: ['Sun 5', '2026-04-05'] },
  { zone: 'Australia/Lord_Howe', week: '2026-03-30', before: ['Sat 4', '2026-04-04'], after: ['Sun 5', '2026-04-05'] },
] as const) {
  test(`dragged over a change of clocks in ${zone}, a job keeps the wall time it is dropped on`, async ({ page }) => {
    await startCompany(page, { timezone: zone });
    const job = await addJob(page, { title: 'Roof repair', date: before[1], time: '09:00', zone });
    await addJob(page, { title: 'Early start', date: after[1], time: '08:00', zone });
    await page.goto(`/calendar?date=${week}`);
    await expect(eventNamed(page, 'Early start')).toContainText('8:00 – 10:00 AM');
    const event = eventNamed(page, 'Roof repair');
    await expect(event).toContainText('9:00 – 11:00 AM');
    const [saturday, sunday] = [await middleOf(column(page, before[0])), await middleOf(column(page, after[0]))];
    await dragBy(page, await centerOf(event), { x: sunday - saturday, y: 3 * (await hourHeight(page)) });
    await page.mouse.up();
    await expect(page.getByText('Job rescheduled successfully')).toBeVisible();
    await expect(column(page, after[0]).getByRole('link', { name: 'Roof repair' })).toContainText('12:00 – 2:00 PM');
    expect((await stored(page, job)).booking_date).toBe(zonedInstant(after[1], '12:00', zone));
  });
}

test('two dispatchers see each other’s moves, and both learn of a clash', async ({ page, browser }) => {
  await startCompany(page);
  await addJob(page, { title: 'Roof repair', date: '2026-11-17', time: '09:00' });
  await addJob(page, { title: 'Blocked drain', date: '2026-11-17', time: '13:00' });
  const other = await colleague(page, browser, 'manager', 'Josh Harper');
  await openListening(page, '/calendar?view=day&date=2026-11-17');
  await openListening(other, '/calendar?view=day&date=2026-11-17');
  await expect(eventNamed(other, 'Blocked drain')).toBeVisible();
  const hour = await hourHeight(page);

  await dragBy(page, await centerOf(eventNamed(page, 'Blocked drain')), { y: hour * -2.5 });
  await page.mouse.up();
  await expect(page.getByText(/is already booked for Roof repair .*\(30 min overlap\)/)).toBeVisible();
  await expect(eventNamed(page, 'Blocked drain')).toContainText('Overlaps by 30 min');
  await expect(other.getByText(/is double-booked .*10:30 – 11:00 AM: Roof repair and Blocked drain/)).toBeVisible();
  await expect(eventNamed(other, 'Blocked drain')).toContainText('10:30 AM – 12:30 PM');
  await expect(grid(other).getByText('30 min clash')).toBeVisible();

  // Onto the colleague's lane: no clash any more.
  const [mine, theirs] = [await centerOf(eventNamed(page, 'Blocked drain')), await middleOf(column(page, 'Josh Harper'))];
  await dragBy(page, mine, { x: theirs - mine.x });
  await page.mouse.up();
  await expect(column(other, 'Josh Harper').getByRole('link', { name: 'Blocked drain' })).toBeVisible();
  await expect(grid(other).getByText('30 min clash')).toHaveCount(0);
});

test.describe('without a connection, or after a colleague', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/, /404/, /409/] });

  test('a drop is taken back and says why', async ({ page, context }) => {
    await startCompany(page);
    const job = await addJob(page, { title: 'Roof repair', date: '2026-11-17', time: '09:00' });
    await page.goto('/calendar?date=2026-11-17');
    const event = eventNamed(page, 'Roof repair');
    await expect(event).toContainText('9:00 – 11:00 AM');
    const hour = await hourHeight(page);

    await context.setOffline(true);
    await dragBy(page, await centerOf(event), { y: hour });
    await page.mouse.up();
    await expect(page.getByText(/^Failed to reschedule: Unable to connect/)).toBeVisible();
    await expect(event).toContainText('9:00 – 11:00 AM');
    await context.setOffline(false);

    // Deleted while it is being dragged.
    await dragBy(page, await centerOf(event), { y: hour });
    await call(page, 'DELETE', `/jobs/${job.id}`);
    await page.mouse.up();
    await expect(page.getByText('Failed to reschedule: this job has been deleted.')).toBeVisible();
    await expect(event).toHaveCount(0);
  });
});

/** Whether the middle of what has the focus can be seen, and not only what lies over it. */
const focusedIsOnTop = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused) return false;
    const { x, y, width, height } = focused.getBoundingClientRect();
    return focused.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });

test('in a week full of clashes every event is wide enough to hit, and none is covered when the keyboard reaches it', async ({ page }) => {
  await startCompany(page);
  await page.setViewportSize({ width: 800, height: 600 });
  const times = ['08:00', '08:15', '08:30', '08:45', '09:00', '09:15', '09:30'];
  const days = Array.from({ length: 7 }, (_, index) => `2026-12-${14 + index}`);
  await addJobs(page, ...days.flatMap((date) => times.map((time) => ({ title: `At ${time}`, date, time }))));
  const narrowest = () =>
    grid(page)
      .locator('[data-event] > a')
      .evaluateAll((events) => Math.min(...events.map((event) => event.getBoundingClientRect().width)));
  await page.goto('/calendar?view=week&date=2026-12-14');
  await expect(eventNamed(page, 'At 08:00')).toHaveCount(7);
  expect(await narrowest()).toBeGreaterThanOrEqual(24);
  const event = eventNamed(page, 'At 08:00').first();
  await event.evaluate((link) => link.scrollIntoView({ block: 'start' }));
  await grid(page).evaluate((element) => element.scrollBy({ top: 60 }));
  await event.focus();
  const head = await grid(page).getByRole('button', { name: 'Mon 14' }).boundingBox();
  expect((await event.boundingBox())?.y).toBeGreaterThan((head?.y ?? 0) + (head?.height ?? 0));
  const widths = await grid(page)
    .locator('[data-event] > a')
    .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().width));
  expect(Math.min(...widths)).toBeGreaterThanOrEqual(24);
  // Seven events with the button that moves each, and the last one.
  for (let presses = 0; presses < 15; presses += 1) {
    await expect.poll(() => focusedIsOnTop(page)).toBe(true);
    await page.keyboard.press('Tab');
  }
});
