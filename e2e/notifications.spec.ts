import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from './support/accessible.ts';
import { failCall, holdCall } from './support/failures.ts';
import { startCompany } from './support/people.ts';
import { anotherBrowser, invite, join } from './support/staff.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const bell = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Notifications/ });
const badge = (page: Page) => bell(page).locator('[data-badge]');
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });
const items = (page: Page) => panel(page).getByRole('listitem');

/** Each makes one notification for the owner. */
async function accepted(owner: Page, joining: Page, ...names: string[]): Promise<void> {
  for (const name of names) await join(joining, await invite(owner, { name }));
}

/** Until the live line is open, news would come with the next look only. */
async function openDashboard(page: Page): Promise<void> {
  const listens = page.waitForResponse(/\/api\/live\b/);
  await page.goto('/dashboard');
  await listens;
}

test('an accepted invitation rings the bell without a reload', async ({ page, browser }) => {
  await startCompany(page);
  await openDashboard(page);
  await bell(page).click();
  await expect(panel(page).getByText('No notifications')).toBeVisible();
  await expect(button(page, 'Mark all read')).toBeHidden();
  await expect(button(page, 'Clear all')).toBeHidden();

  await accepted(page, await anotherBrowser(browser), 'Tama Rewi', 'Ana Lee');
  await expect(items(page)).toHaveText([/Ana Lee accepted your invitation/, /Tama Rewi accepted your invitation/]);
  await expect(items(page).first()).toContainText('less than a minute ago');
  await expect(badge(page)).toHaveText('2');

  await items(page)
    .first()
    .getByRole('button', { name: /Ana Lee accepted/ })
    .first()
    .click();
  await expect(panel(page)).toBeHidden();
  await expect(badge(page)).toHaveText('1');

  await bell(page).click();
  await button(page, 'Mark all read').click();
  await expect(page.getByText('All notifications marked as read')).toBeVisible();
  await expect(badge(page)).toBeHidden();
  await expect(button(page, 'Mark all read')).toBeHidden();

  await panel(page)
    .getByRole('button', { name: /^Delete notification: Tama Rewi/ })
    .click();
  await expect(items(page)).toHaveCount(1);
  await button(page, 'Clear all').click();
  await expect(page.getByText('All notifications cleared')).toBeVisible();
  await expect(panel(page).getByText('No notifications')).toBeVisible();
  await page.reload();
  await bell(page).click();
  await expect(panel(page).getByText('No notifications')).toBeVisible();
});

test('what fails is said and taken back', { tag: '@desk' }, async ({ page, browser }) => {
  await startCompany(page);
  await accepted(page, await anotherBrowser(browser), 'Tama Rewi');
  for (const path of ['/notifications/*/read', '/notifications/read', '/notifications/clear']) await failCall(page, path);
  await failCall(page, '/notifications(/[^/?]+)?', { method: 'DELETE' });
  await page.goto('/dashboard');
  await expect(badge(page)).toHaveText('1');
  await bell(page).click();
  await button(page, 'Mark all read').click();
  await expect(page.getByText('Failed to mark all notifications as read')).toBeVisible();
  await expect(badge(page)).toHaveText('1');
  await panel(page)
    .getByRole('button', { name: /^Delete notification/ })
    .click();
  await expect(page.getByText('Failed to remove notification')).toBeVisible();
  await expect(items(page)).toHaveCount(1);
  await button(page, 'Clear all').click();
  await expect(page.getByText('Failed to clear notifications')).toBeVisible();
  await expect(items(page)).toHaveCount(1);
  await items(page)
    .getByRole('button', { name: /accepted your invitation/ })
    .first()
    .click();
  await expect(page.getByText('Failed to mark notification as read')).toBeVisible();
  await expect(badge(page)).toHaveText('1');
});

const QUOTE = '018f0000-0000-7000-8000-0000000000a1';
const JOB = '018f0000-0000-7000-8000-0000000000b1';
/** One of each kind, and data of each kind. */
const KINDS = [
  ['success', { quote_id: QUOTE, job_id: JOB }],
  ['info', { job_id: JOB }],
  ['warning', {}],
  ['error', {}],
  ['other', {}],
] as const;

/** Answers as a server with 120 unread would: nobody wants to wait for 120 invitations. */
async function answerMany(page: Page): Promise<void> {
  const rows = KINDS.map(([type, data], index) => ({
    id: `018f0000-0000-7000-8000-00000000000${index}`,
    message: `A message of kind ${type}`,
    type,
    read: false,
    created_at: new Date(Date.now() - (index + 1) * 300_000).toISOString(),
    data,
  }));
  await page.route(/\/api\/notifications$/, (route) => route.fulfill({ json: { rows, unread: 120 } }));
  await page.route(/\/api\/notifications\/[^/]+\/read$/, (route) => route.fulfill({ json: { unread: 119 } }));
}

test('each kind has its icon, its age and its way, and the badge ends at 99+', async ({ page }) => {
  await startCompany(page);
  await answerMany(page);
  await page.goto('/dashboard');
  await expect(badge(page)).toHaveText('99+');
  await bell(page).click();
  await expect(items(page).locator('time')).toHaveText([
    '5 minutes ago',
    '10 minutes ago',
    '15 minutes ago',
    '20 minutes ago',
    '25 minutes ago',
  ]);
  const icons = await items(page)
    .locator('[data-type]')
    .evaluateAll((all) => all.map((icon) => icon.innerHTML));
  expect(new Set(icons).size).toBe(5);
  await expectNoAxeFindings(page);
  await panel(page)
    .getByRole('button', { name: /kind success/ })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/quotes/${QUOTE}$`));
  await bell(page).click();
  await panel(page)
    .getByRole('button', { name: /kind info/ })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/jobs/${JOB}$`));
  await bell(page).click();
  await panel(page)
    .getByRole('button', { name: /kind warning/ })
    .first()
    .click();
  await expect(panel(page)).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/jobs/${JOB}$`));
});

test('the list says that it loads, what went wrong, and closes by a press outside or Escape', { tag: '@desk' }, async ({ page }) => {
  await startCompany(page);
  const letThrough = await holdCall(page, '/notifications', 'GET');
  await page.goto('/dashboard');
  await bell(page).click();
  await expect(panel(page).getByText('Loading notifications...')).toBeVisible();
  await letThrough();
  await expect(panel(page).getByText('No notifications')).toBeVisible();
  await page.mouse.click(20, 700);
  await expect(panel(page)).toBeHidden();
  await bell(page).click();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(bell(page)).toBeFocused();

  const restore = await failCall(page, '/notifications', { code: 'FORBIDDEN' });
  await page.reload();
  await bell(page).click();
  await expect(panel(page).getByText('A failure on purpose')).toBeVisible();
  await restore();
  await button(page, 'Retry').click();
  await expect(panel(page).getByText('No notifications')).toBeVisible();
});

test('without the live line the bell looks every half minute', { tag: '@desk' }, async ({ page }) => {
  await page.clock.install();
  await startCompany(page);
  await page.goto('/dashboard');
  await expect(bell(page)).toBeVisible();
  let reads = 0;
  // Counted when answered: a look while the one before is still under way is none.
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/api/notifications')) reads += 1;
  });
  for (const expected of [1, 2]) {
    await page.clock.fastForward(30_000);
    await expect.poll(() => reads).toBe(expected);
  }
});

test('the opened bell is accessible at night', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await startCompany(page);
  await answerMany(page);
  await page.goto('/dashboard');
  await bell(page).click();
  await expect(items(page)).toHaveCount(5);
  await expectNoAxeFindings(page);
});
