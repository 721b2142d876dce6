import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { callApi, openLivePage, signUpCompany } from './support/company-setup.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const activeTasks = (page: Page) => page.getByRole('list', { name: 'Active Tasks' }).getByRole('listitem');
const completedTasks = (page: Page) => page.getByRole('list', { name: 'Completed Tasks' }).getByRole('listitem');
const taskCheckbox = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });
const addTask = (page: Page, title: string) => callApi(page, 'POST', '/tasks', { id: randomUUID(), title });

test('a task can be added from the dashboard, edited, completed, reopened and deleted', { tag: '@phone-only' }, async ({ page }) => {
  await signUpCompany(page);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'New Task' }).click();
  const addDialog = page.getByRole('dialog', { name: 'Add Task' });
  await addDialog.getByLabel('Title').fill('Order two isolating valves');
  await addDialog.getByLabel('Teal').check();
  await addDialog.getByLabel('Show in calendar').check();
  await expect(addDialog.getByLabel('Time')).toHaveValue('08:00');
  await expect(addDialog.getByText('Auckland time')).toBeVisible();
  await addDialog.getByLabel('Date').fill('2030-02-03');
  await addDialog.getByLabel('Duration').fill('1.5');
  await addDialog.getByLabel(/^Staff member/).selectOption({ index: 1 });
  await expectAccessible(page, 'dialog');
  await addDialog.getByRole('button', { name: 'Add Task' }).click();
  await expect(page.getByText('Task added successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/todo$/);
  await expect(activeTasks(page)).toContainText(['Order two isolating valves']);
  await expect(activeTasks(page)).toContainText(['8:00 AM – 9:30 AM']);

  await page.getByRole('link', { name: 'Order two isolating valves' }).click();
  const editDialog = page.getByRole('dialog', { name: 'Edit Task' });
  await expect(editDialog.getByLabel('Duration')).toHaveValue('1.5');
  await editDialog.getByLabel('Title').fill('Order four isolating valves');
  await editDialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Task updated successfully')).toBeVisible();

  await taskCheckbox(page, 'Completed: Order four isolating valves').click();
  await expect(page.getByText('No active tasks')).toBeVisible();
  await button(page, 'Undo').click();
  await expect(activeTasks(page)).toContainText(['Order four isolating valves']);
  await taskCheckbox(page, 'Completed: Order four isolating valves').click();
  await button(page, /^Completed Tasks 1/).click();
  await expect(completedTasks(page)).toContainText(['Order four isolating valves']);
  const booked = { show_in_calendar: true, calendar_date: '2030-02-03T20:00:00Z', calendar_duration: '1.5', color: 'teal' };
  await callApi(page, 'POST', '/tasks', { id: randomUUID(), title: 'Wash the van', ...booked });
  await page.reload();
  await button(page, /^Completed Tasks 1/).click();
  await expect(activeTasks(page)).toContainText(['Wash the van']);
  await expectAccessible(page);
  await button(page, 'More actions for Order four isolating valves').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Task deleted successfully')).toBeVisible();
  await expect(page.getByText('No completed tasks')).toBeVisible();
});

test('tasks can be added, completed, edited and deleted with the keyboard', async ({ page }) => {
  await signUpCompany(page);
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
  await expect(activeTasks(page)).toContainText(['Second', 'First']);
  await taskCheckbox(page, 'Completed: Second').focus();
  await page.keyboard.press('Space');
  await expect(activeTasks(page)).toHaveCount(1);
  await expect(taskCheckbox(page, 'Completed: First')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByRole('heading', { name: /^Active Tasks/ })).toBeFocused();
  await button(page, /^Completed Tasks 2/).press('Enter');
  await taskCheckbox(page, 'Completed: First').press('Space');
  await expect(activeTasks(page)).toContainText(['First']);
  await page.getByRole('link', { name: 'First' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Edit Task' }).getByLabel('Title')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await button(page, 'More actions for First').press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page.getByText('Task deleted successfully')).toBeVisible();
});

test('a task completed offline is completed once online, and tasks added in another tab appear live', async ({ page, context }) => {
  await signUpCompany(page);
  await addTask(page, 'Call the council');
  const other = await context.newPage();
  await openLivePage(page, '/todo');
  await expect(activeTasks(page)).toHaveCount(1);
  await context.setOffline(true);
  await taskCheckbox(page, 'Completed: Call the council').click();
  await expect(page.getByText(/^Saved on this device/)).toBeVisible();
  await expect(page.getByText('No active tasks')).toBeVisible();
  await context.setOffline(false);
  const readStatuses = async () => (await callApi<{ rows: { status: string }[] }>(page, 'GET', '/tasks')).rows.map(({ status }) => status);
  await expect.poll(readStatuses).toEqual(['completed']);
  await addTask(other, 'Wash the van');
  await expect(activeTasks(page)).toContainText(['Wash the van']);
});
