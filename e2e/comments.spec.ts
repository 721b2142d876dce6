import { randomUUID } from 'node:crypto';
import type { JobComment } from '@callout/contract/comments';
import type { Job } from '@callout/contract/jobs';
import type { StaffMember } from '@callout/contract/staff';
import type { Page } from '@playwright/test';
import { addCustomer, callApi, openLivePage, signUpCompany } from './support/company-setup.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { SAMPLE_PNG } from './support/sample-png.ts';
import { openColleaguePage } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const comments = (page: Page) => page.getByRole('region', { name: /^Comments/ });
const viewer = (page: Page) => page.getByRole('dialog');
const toPhotoFile = (name: string) => ({ name, mimeType: 'image/png', buffer: SAMPLE_PNG });

async function addJob(page: Page): Promise<Job> {
  const customer = await addCustomer(page);
  const { rows } = await callApi<{ rows: StaffMember[] }>(page, 'GET', '/staff');
  return callApi(page, 'POST', '/jobs', {
    id: randomUUID(),
    customer_id: customer.id,
    title: 'Leaking hot water cylinder',
    description: 'In the hallway cupboard.',
    staff_id: rows[0]?.id,
    category_ids: [],
    booking_date: '2030-02-03T20:00:00.000Z',
    duration: '2',
  });
}

async function chooseFiles(page: Page, open: () => Promise<void>, ...files: ReturnType<typeof toPhotoFile>[]): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()]);
  await chooser.setFiles(files);
}

test('a colleague’s photo appears live, can be opened by keyboard and is listed on the customer’s page', async ({ page, browser }) => {
  await signUpCompany(page);
  const job = await addJob(page);
  const sam = await openColleaguePage(page, browser, 'staff', 'Sam Leota');
  await openLivePage(page, `/jobs/${job.id}`);
  await expect(comments(page).getByText('No comments yet')).toBeVisible();

  await sam.goto(`/jobs/${job.id}`);
  await sam.getByLabel('Comment', { exact: true }).fill('Base has rusted through.\nSee both photos.');
  await chooseFiles(sam, () => button(sam, 'Add files').click(), toPhotoFile('base.png'), toPhotoFile('label.png'));
  await button(sam, 'Comment').click();

  const row = comments(page).getByRole('listitem').filter({ hasText: 'Base has rusted through.' });
  await expect(row).toContainText('Sam Leota');
  const thumbnail = row.getByRole('button', { name: 'Open base.png' });
  await expect.poll(() => thumbnail.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  await thumbnail.focus();
  await page.keyboard.press('Enter');
  await expect(viewer(page)).toContainText('base.png');
  await expect(viewer(page).locator('[data-photo=loaded]')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page)).toContainText('label.png');
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await expect(thumbnail).toBeFocused();

  await page.getByRole('link', { name: 'Mere Tamihana' }).first().click();
  await page.getByRole('tab', { name: 'Attachments' }).click();
  await page.getByText('label.png').click();
  await expect(viewer(page)).toContainText('Sam Leota');
  await expect(viewer(page).locator('[data-photo=loaded]')).toBeVisible();
  await expectAccessible(page);
  await page.goBack();
  await expect(viewer(page)).toBeHidden();
  await expect(page).toHaveURL(/tab=attachments/);
});

test.describe('when offline', () => {
  test.use({ expectedErrors: [/Failed to load resource/] });

  test('a comment with a photo is queued, and is sent exactly once after reconnecting', { tag: '@phone-only' }, async ({
    page,
    context,
  }) => {
    await signUpCompany(page);
    const job = await addJob(page);
    await page.goto(`/jobs/${job.id}`);
    await expect(comments(page).getByText('No comments yet')).toBeVisible();
    await context.setOffline(true);
    await chooseFiles(page, () => button(page, 'Add photo').click(), toPhotoFile('image.png'));
    await page.getByLabel('Comment', { exact: true }).fill('New cylinder in');
    await button(page, 'Comment').click();
    await expect(comments(page).getByText("It will be sent when you're back online.")).toBeVisible();
    await context.setOffline(false);
    await expect(comments(page).getByText('Sending…')).toBeHidden();
    await expect(comments(page).getByRole('button', { name: 'Open image.png' })).toBeVisible();
    const { rows } = await callApi<{ rows: JobComment[] }>(page, 'GET', `/comments?job_id=${job.id}`);
    expect(rows.map(({ content, attachments }) => [content, attachments.length])).toEqual([['New cylinder in', 1]]);
  });
});
