import { randomUUID } from 'node:crypto';
import type { BoardColumn } from '@callout/contract/board';
import type { Me } from '@callout/contract/company';
import type { Job } from '@callout/contract/jobs';
import type { Task } from '@callout/contract/tasks';
import type { SheetEntry } from '@callout/contract/timer';
import { toInstant } from '@callout/domain/time/zoned-time';
import { addWeeks, getWeekStart } from '@callout/domain/timer/time-sheet';
import type { Page } from '@playwright/test';
import { addCustomer, callApi, getToday, navigateInApp, signUpCompany } from './support/company-setup.ts';
import { expect, test } from './support/test.ts';

const AUCKLAND = 'Pacific/Auckland';
const BOOKED_DATE = '2030-02-04';
/** The Monday of last week. */
const WEEK = addWeeks(getWeekStart(getToday()), -1);
const MARK = 'Not sent yet';

test.use({ viewport: { width: 390, height: 844 }, expectedErrors: [/Failed to load resource/] });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const column = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });

test('a task, a card, an event and worked time that were changed offline reach the server once', async ({ page, context }) => {
  await signUpCompany(page);
  const { id: customer_id } = await addCustomer(page);
  const { staff_id } = (await callApi<Me>(page, 'GET', '/me')).user;
  const addJob = (title: string, booking_date: string) => {
    const fields = { customer_id, title, description: 'Some work.', category_ids: [], staff_id, duration: '2', status: 'booked' };
    return callApi<Job>(page, 'POST', '/jobs', { id: randomUUID(), ...fields, booking_date });
  };
  const card = await addJob('Blocked drain', toInstant('2030-03-04', '09:00', AUCKLAND));
  const event = await addJob('Roof repair', toInstant(BOOKED_DATE, '09:00', AUCKLAND));
  const task = await callApi<Task>(page, 'POST', '/tasks', { id: randomUUID(), title: 'Order parts' });
  const [started_at, ended_at] = [toInstant(WEEK, '08:00', AUCKLAND), toInstant(WEEK, '11:00', AUCKLAND)];
  await callApi(page, 'POST', '/worked-time', { id: randomUUID(), job_id: card.id, started_at, ended_at });

  await test.step('open the pages while online', async () => {
    await page.goto(`/time-sheet?week=${WEEK}`);
    await button(page, /^Mon \d/).click();
    await button(page, 'Change time').click();
    await button(page, 'Cancel').click();
    await navigateInApp(page, `/calendar?date=${BOOKED_DATE}`);
    await expect(page.getByRole('link', { name: /Roof repair/ })).toBeVisible();
    await navigateInApp(page, '/board');
    await expect(column(page, 'Booked').getByRole('link', { name: /^Blocked drain/ })).toBeVisible();
    // Loads the menus, which the service worker would do.
    await button(page, 'Move Blocked drain to…').click();
    await expect(page.getByRole('menuitem', { name: 'Move to Contacted' })).toBeVisible();
    await page.keyboard.press('Escape');
    await navigateInApp(page, '/unsent');
    await expect(page.getByText('Everything has been sent')).toBeVisible();
    await navigateInApp(page, '/todo');
    await expect(page.getByRole('checkbox', { name: 'Completed: Order parts' })).toBeVisible();
  });

  await context.setOffline(true);

  await test.step('complete the task', async () => {
    await page.getByRole('checkbox', { name: 'Completed: Order parts' }).click();
    await expect(page.getByText('No active tasks')).toBeVisible();
  });

  await test.step('move the card', async () => {
    await navigateInApp(page, '/board');
    await button(page, 'Move Blocked drain to…').click();
    await page.getByRole('menuitem', { name: 'Move to Contacted' }).click();
    await expect(column(page, 'Contacted').getByText(MARK)).toBeVisible();
  });

  await test.step('move the event', async () => {
    await navigateInApp(page, `/calendar?date=${BOOKED_DATE}`);
    await button(page, 'Move Roof repair to…').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Move Roof repair' });
    await dialog.getByLabel('Time').fill('13:00');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await expect(page.getByRole('link', { name: /Roof repair/ })).toContainText('1:00 – 3:00 PM');
  });

  await test.step('correct the time', async () => {
    await navigateInApp(page, `/time-sheet?week=${WEEK}`);
    await button(page, /^Mon \d/).click();
    await button(page, 'Change time').click();
    await page.getByLabel('End').fill('10:15');
    await button(page, 'Save').click();
    await expect(page.getByText('8:00 AM – 10:15 AM')).toBeVisible();
  });

  await test.step('list what waits, and send it', async () => {
    await page.getByRole('link', { name: 'Waiting (4)' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Order parts' })).toContainText('Complete task: Order parts');
    await context.setOffline(false);
    await expect(page.getByText('Everything has been sent')).toBeVisible();
  });

  expect((await callApi<Task>(page, 'GET', `/tasks/${task.id}`)).status).toBe('completed');
  const { columns } = await callApi<{ columns: BoardColumn[] }>(page, 'GET', '/board');
  const moved = columns.find(({ status }) => status === 'contacted')?.rows;
  expect(moved?.map(({ title }) => title)).toEqual(['Blocked drain']);
  const { booking_date } = await callApi<Job>(page, 'GET', `/jobs/${event.id}`);
  expect(booking_date).toBe(toInstant(BOOKED_DATE, '13:00', AUCKLAND));
  const { entries } = await callApi<{ entries: SheetEntry[] }>(page, 'GET', `/time-sheet?week=${WEEK}`);
  expect(entries.map((entry) => [entry.ended_at, entry.version])).toEqual([[toInstant(WEEK, '10:15', AUCKLAND), 2]]);
  for (const { id } of [card, event]) {
    const { rows } = await callApi<{ rows: { action: string }[] }>(page, 'GET', `/jobs/${id}/history`);
    expect(rows.filter(({ action }) => action === 'edited' || action === 'status')).toHaveLength(1);
  }
});
