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

/** Takes a photo as large as a phone's: a JPEG of 4,000 × 3,000 px whose content can't be compressed to almost nothing. */
async function takePhoto(page: Page, name: string) {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [4_000, 3_000];
    const context = canvas.getContext('2d');
    if (!context) throw new Error('The browser cannot draw');
    for (let index = 0; index < 3_000; index += 1) {
      context.fillStyle = `hsl(${(index * 37) % 360} 70% ${20 + (index % 60)}%)`;
      context.fillRect((index * 997) % 4_000, (index * 613) % 3_000, 300, 200);
    }
    return canvas.toDataURL('image/jpeg', 0.95).replace('data:image/jpeg;base64,', '');
  });
  return { name, mimeType: 'image/jpeg', buffer: Buffer.from(base64, 'base64') };
}

test.describe('without a connection', () => {
  test.use({ expectedErrors: [/Failed to load resource/] });

  test('a comment with a photo survives closing the page, and is sent exactly once when the app is open again', {
    tag: '@phone-only',
  }, async ({ page, context }) => {
    await signUpCompany(page);
    const job = await addJob(page);
    await page.goto(`/jobs/${job.id}`);
    await expect(comments(page).getByText('No comments yet')).toBeVisible();
    const photo = await takePhoto(page, 'image.jpg');
    await context.setOffline(true);
    await chooseFiles(page, () => button(page, 'Add photo').click(), photo);
    await page.getByLabel('Comment', { exact: true }).fill('New cylinder in');
    await button(page, 'Comment').click();
    await expect(comments(page).getByText('Not sent yet')).toBeVisible();
    const waiting = comments(page).getByRole('button', { name: 'Open image.jpg' }).locator('img');
    await expect.poll(() => waiting.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(2_048);
    await page.close();

    await context.setOffline(false);
    const reopened = await context.newPage();
    await reopened.goto('/todo');
    const listComments = async () => (await callApi<{ rows: JobComment[] }>(reopened, 'GET', `/comments?job_id=${job.id}`)).rows;
    await expect
      .poll(async () => (await listComments()).map(({ content, attachments }) => [content, attachments.length]))
      .toEqual([['New cylinder in', 1]]);
    const [sent] = (await listComments()).flatMap(({ attachments }) => attachments);
    expect(sent?.file_size).toBeLessThan(photo.buffer.length / 2);
    await reopened.goto(`/jobs/${job.id}`);
    await button(reopened, 'Show comments').click();
    const row = comments(reopened).getByRole('listitem').filter({ hasText: 'New cylinder in' });
    await row.getByRole('button', { name: 'Open image.jpg' }).click();
    await expect(viewer(reopened).locator('[data-photo=loaded]')).toBeVisible();
    const size = await viewer(reopened)
      .getByRole('img', { name: 'image.jpg' })
      .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
    expect(size).toEqual([2_048, 1_536]);
    expect(await listComments()).toHaveLength(1);
  });
});
