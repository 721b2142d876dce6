import type { JobComment } from '@callout/contract/comments';
import type { Job } from '@callout/contract/jobs';
import type { TimeEntry } from '@callout/contract/timer';
import type { Page } from '@playwright/test';
import { addCustomer, callApi, getToday, signUpCompany } from './support/company-setup.ts';
import { dropResponses, throttleNetwork } from './support/network-conditions.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const offlineChip = (page: Page) => page.getByRole('link', { name: /^(Offline since|Waiting)/ });

test.use({ viewport: { width: 390, height: 844 }, expectedErrors: [/Failed to load resource/] });

test('a job, a time entry and a comment are each saved exactly once over a slow, unreliable connection', async ({ page, context }) => {
  const credentials = await signUpCompany(page);
  await addCustomer(page, { name: 'Runa Lindqvist' });
  await context.clearCookies();
  const connection = await throttleNetwork(page);

  await test.step('sign in', async () => {
    await page.goto('/auth');
    await page.getByLabel('Email').fill(credentials.email);
    await page.getByLabel('Password', { exact: true }).fill(credentials.password);
    await button(page, 'Sign In').click();
    await expect(page.getByRole('heading', { level: 1, name: /^Good/ })).toBeVisible();
  });

  await test.step('lose the connection after the new job has reached the server', async () => {
    const jobPage = page.waitForResponse(/\/assets\/jobs\._id\.index/);
    await page.getByRole('link', { name: 'New Job' }).click();
    await page.getByRole('searchbox', { name: 'Search customers' }).fill('runa');
    await page.getByRole('button', { name: /^Runa Lindqvist/ }).click();
    await page.getByLabel('Title', { exact: true }).fill('New cylinder');
    await page.getByLabel('Description', { exact: true }).fill('In the hallway cupboard.');
    await page.getByLabel('Hourly', { exact: true }).check();
    await page.getByLabel(/^Hourly rate/).fill('90');
    // Loaded a while after the form, so that the new job can be shown without a connection.
    await (await jobPage).finished();
    const restore = await dropResponses(page, /\/api\/jobs$/);
    const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/jobs'));
    await button(page, 'Create Job').click();
    await lost;
    await connection.setOffline(true);
    await restore();
    await expect(offlineChip(page)).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'New cylinder' })).toBeVisible();
    await expect(page.getByText('This job has not been sent yet.')).toBeVisible();
  });

  await test.step('reconnect, which sends the job again and finds it already created', async () => {
    await connection.setOffline(false);
    await expect(offlineChip(page)).toBeHidden();
    await expect(page.getByText('This job has not been sent yet.')).toBeHidden();
    await button(page, 'Write a comment').click();
    await expect(page.getByLabel('Comment', { exact: true })).toBeVisible();
  });

  await test.step('go offline, where the timer starts and a comment is queued', async () => {
    await connection.setOffline(true);
    await button(page, 'Start').click();
    await expect(page.getByText('Started, not sent yet').first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Waiting (1)' })).toBeVisible();
    await page.getByLabel('Comment', { exact: true }).fill('Isolated the water');
    await button(page, 'Comment').click();
    await expect(page.getByRole('link', { name: 'Waiting (2)' })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Isolated the water' })).toContainText('Not sent yet');
  });

  await test.step('reconnect and find everything saved exactly once', async () => {
    await connection.setOffline(false);
    await expect(page.getByText('Not sent yet', { exact: true })).toBeHidden();
    await expect(page.getByText('Started, not sent yet')).toBeHidden();
    await expect(page.getByText(/started the timer/)).toBeVisible();
    const jobs = await callApi<{ rows: Job[] }>(page, 'GET', '/jobs');
    expect(jobs.rows.map(({ title }) => title)).toEqual(['New cylinder']);
    const { rows } = await callApi<{ rows: JobComment[] }>(page, 'GET', `/comments?job_id=${jobs.rows[0]?.id}`);
    expect(rows.map(({ content }) => content)).toEqual(['Isolated the water']);
    const { entries } = await callApi<{ entries: TimeEntry[] }>(page, 'GET', `/time-sheet?week=${getToday()}`);
    expect(entries.map(({ job_id, ended_at }) => [job_id, ended_at])).toEqual([[jobs.rows[0]?.id, null]]);
  });
});
