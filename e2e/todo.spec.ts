import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { call, openListening, startCompany } from './support/people.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const active = (page: Page) => page.getByRole('list', { name: 'Active Tasks' }).getByRole('listitem');
const completed = (page: Page) => page.getByRole('list', { name: 'Completed Tasks' }).getByRole('listitem');
const tick = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });
const addTask = (page: Page, title: string) => call(page, 'POST', '/tasks', { id: randomUUID(), title });

test('a task is added from the dashboard, edited, completed, brought back, and deleted', { tag: '@phone-only' }, async ({ page }) => {
  await startCompany(page);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'New Task' }).click();
  const adding = page.getByRole('dialog', { name: 'Add Task' });
  await adding.getByLabel('Title').fill('Order two isolating valves');
  await adding.getByLabel('Teal').check();
  await adding.getByLabel('Show in calendar').check();
  await expect(adding.getByLabel('Time')).toHaveValue('08:00');
  await expect(adding.getByText('Auckland time')).toBeVisible();
  await adding.getByLabel('Date').fill('2030-02-03');
  await adding.getByLabel('Duration').fill('1.5');
  await adding.getByLabel(/^Staff member/).selectOption({ index: 1 });
  await expectAccessible(page, 'dialog');
  await adding.getByRole('button', { name: 'Add Task' }).click();
  await expect(page.getByText('Task added successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/todo$/);
  await expect(active(page)).toContainText(['Order two isolating valves']);
  await expect(active(page)).toContainText(['8:00 AM – 9:30 AM']);

  await page.getByRole('link', { name: 'Order two isolating valves' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit Task' });
  await expect(editing.getByLabel('Duration')).toHaveValue('1.5');
  await editing.getByLabel('Title').fill('Order four isolating valves');
  await editing.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Task updated successfully')).toBeVisible();

  await tick(page, 'Completed: Order four isolating valves').click();
  await expect(page.getByText('No active tasks')).toBeVisible();
  await button(page, 'Undo').click();
  await expect(active(page)).toContainText(['Order four isolating valves']);
  await tick(page, 'Completed: Order four isolating valves').click();
  await button(page, /^Completed Tasks 1/).click();
  await expect(completed(page)).toContainText(['Order four isolating valves']);
  const booked = { show_in_calendar: true, calendar_date: '2030-02-03T20:00:00Z', calendar_duration: '1.5', color: 'teal' };
  await call(page, 'POST', '/tasks', { id: randomUUID(), title: 'Wash the van', ...booked });
  await page.reload();
  await button(page, /^Completed Tasks 1/).click();
  await expect(active(page)).toContainText(['Wash the van']);
  await expectAccessible(page);
  await button(page, 'More actions for Order four isolating valves').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Task deleted successfully')).toBeVisible();
  await expect(page.getByText('No completed tasks')).toBeVisible();
});

test('everything on the page works by keyboard', async ({ page }) => {
  await startCompany(page);
  await page.goto('/todo');
  await expect(page.getByText('No active tasks')).toBeVisible();
  for (const title of ['First', 'Second']) {
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'Add Task' });
    await expect(dialog.getByLabel('Title')).toBeFocused();
    await page.keyboard.type(title);
    await dialog.getByLabel('Yellow').focus();
    await page.keyboard.press('ArrowRight');
    await expect(dialog.getByLabel('Blue')).toBeChecked();
    await dialog.getByLabel('Title').press('Enter');
    await expect(dialog).toBeHidden();
  }
  await expect(active(page)).toContainText(['Second', 'First']);
  await tick(page, 'Completed: Second').focus();
  await page.keyboard.press('Space');
  await expect(active(page)).toHaveCount(1);
  await expect(tick(page, 'Completed: First')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByRole('heading', { name: /^Active Tasks/ })).toBeFocused();
  await button(page, /^Completed Tasks 2/).press('Enter');
  await tick(page, 'Completed: First').press('Space');
  await expect(active(page)).toContainText(['First']);
  await page.getByRole('link', { name: 'First' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Edit Task' }).getByLabel('Title')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await button(page, 'More actions for First').press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page.getByText('Task deleted successfully')).toBeVisible();
});

test('a tick without a connection is taken back, and the tasks of colleagues appear by themselves', async ({ page, context }) => {
  await startCompany(page);
  await addTask(page, 'Call the council');
  const other = await context.newPage();
  await openListening(page, '/todo');
  await expect(active(page)).toHaveCount(1);
  await context.setOffline(true);
  await tick(page, 'Completed: Call the council').click();
  await expect(page.getByText(/^Failed to update task: /)).toBeVisible();
  await expect(active(page)).toContainText(['Call the council']);
  await context.setOffline(false);
  await addTask(other, 'Wash the van');
  await expect(active(page)).toContainText(['Wash the van', 'Call the council']);
});
