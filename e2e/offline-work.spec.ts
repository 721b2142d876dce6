import { randomUUID } from 'node:crypto';
import type { Me } from '@callout/contract/company';
import type { Customer } from '@callout/contract/customers';
import type { Job } from '@callout/contract/jobs';
import type { Page } from '@playwright/test';
import { addCustomer, callApi, signUpCompany, todayAt } from './support/company-setup.ts';
import { expect, test } from './support/test.ts';

test.use({ expectedErrors: [/Failed to load resource/] });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const menuLink = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name });

async function addJob(page: Page, customer: Customer): Promise<Job> {
  const { user } = await callApi<Me>(page, 'GET', '/me');
  return callApi(page, 'POST', '/jobs', {
    id: randomUUID(),
    customer_id: customer.id,
    title: 'Fix the tap',
    description: 'It drips.',
    category_ids: [],
    staff_id: user.staff_id,
    booking_date: todayAt('09:00'),
    duration: '1',
  });
}

async function openAddItem(page: Page): Promise<void> {
  await button(page, 'Add Item').click();
  await page.getByRole('tab', { name: 'Type your own' }).click();
}

test('a customer, their job and its items are made offline, and are there once and in order when the connection is back', async ({
  page,
}) => {
  await signUpCompany(page);
  const known = await addJob(page, await addCustomer(page));

  await test.step('open each page once, so that it is loaded', async () => {
    await page.goto(`/jobs/${known.id}`);
    await openAddItem(page);
    await button(page, 'Close').click();
    await menuLink(page, 'Customers').click();
    await page.getByRole('link', { name: 'Mere Tamihana' }).click();
    await page.getByRole('link', { name: 'New Job' }).click();
    await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
    await menuLink(page, 'Jobs').click();
    await expect(page.getByRole('link', { name: 'Fix the tap' })).toBeVisible();
    await menuLink(page, 'Customers').click();
    await page.getByRole('link', { name: 'Add New' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toBeVisible();
  });

  await test.step('add a customer and a job without a connection', async () => {
    await page.context().setOffline(true);
    const fields = { Name: 'Tane Rangi', Phone: '021 555 0102', Email: 'tane@example.com', 'Street address': '3 Quay Street' };
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
    await button(page, 'Add Customer').click();
    await expect(heading(page, 'Tane Rangi')).toBeVisible();
    await page.getByRole('link', { name: 'New Job' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Gutter repair');
    await page.getByLabel('Description', { exact: true }).fill('The gutter leaks.');
    await button(page, 'Create Job').click();
    await expect(heading(page, 'Gutter repair')).toBeVisible();
    await expect(page.getByText('This job has not been sent yet.')).toBeVisible();
  });

  const url = page.url();
  await test.step('add two items, complete the job, and see it on top of the list', async () => {
    await openAddItem(page);
    for (const [name, price] of [
      ['Labour', '115'],
      ['Gutter', '57.50'],
    ] as const) {
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Unit price').fill(price);
      await page.getByRole('tabpanel').getByRole('button', { name: 'Add Item' }).click();
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('');
    }
    await button(page, 'Close').click();
    await expect(page.getByText('$172.50').first()).toBeVisible();
    await button(page, 'Complete Job').click();
    await expect(page.getByText('Complete', { exact: true })).toBeVisible();
    await menuLink(page, 'Jobs').click();
    await expect(page.getByRole('link', { name: /repair|tap/ })).toHaveText([/Gutter repair/, /Fix the tap/]);
    await page.getByRole('link', { name: 'Gutter repair' }).click();
    await expect(page.getByRole('link', { name: 'Waiting (5)' })).toBeVisible();
  });

  await test.step('come back online', async () => {
    await page.context().setOffline(false);
    await expect(page.getByText('This job has not been sent yet.')).toBeHidden();
    await expect(page.getByText(/^#J\d+$/)).toBeVisible();
    expect(page.url()).toBe(url);
    await expect(page.getByRole('link', { name: /^Waiting/ })).toBeHidden();
    const customers = await callApi<{ rows: Customer[] }>(page, 'GET', '/customers?sort=created_at');
    expect(customers.rows.map(({ name }) => name)).toEqual(['Mere Tamihana', 'Tane Rangi']);
    const listJobs = async () => {
      const { rows } = await callApi<{ rows: Job[] }>(page, 'GET', '/jobs?sort=created_at');
      return rows.map(({ title, status }) => `${title}: ${status}`);
    };
    await expect.poll(listJobs).toEqual(['Gutter repair: complete', `Fix the tap: ${known.status}`]);
    const job = await callApi<Job>(page, 'GET', new URL(url).pathname);
    expect(job).toMatchObject({ customer: { name: 'Tane Rangi' }, totals: { total_amount: '172.50' } });
    expect(job.items.map(({ name }) => name)).toEqual(['Labour', 'Gutter']);
  });
});
