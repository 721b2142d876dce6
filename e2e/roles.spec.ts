import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { openListening, startCompany } from './support/people.ts';
import { product } from './support/running-product.ts';
import { anotherBrowser, invite, join } from './support/staff.ts';
import { expect, test } from './support/test.ts';

/** What the server refuses to a staff member, whatever the page shows. The whole table is in the server's access matrix. */
const REFUSED = [
  ['DELETE', `/customers/${randomUUID()}`],
  ['POST', '/categories'],
  ['GET', '/staff'],
  ['POST', '/staff'],
  ['PUT', `/staff/${randomUUID()}/avatar`],
  ['PUT', '/company'],
  ['GET', '/admin/companies'],
] as const;

async function setRole(page: Page, role: string): Promise<void> {
  await page.getByRole('radio', { name: role, exact: true }).check();
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await saved;
  await expect(page.getByText('Unsaved changes')).toBeHidden();
}

test('a staff member sees and may do what the role allows, and a new role shows at once in their open page', async ({ page, browser }) => {
  await startCompany(page);
  const invited = await invite(page, { role: 'staff' });
  const member = await anotherBrowser(browser);
  await join(member, invited);
  await openListening(member, '/staff');
  const staff = member.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Staff' });
  const denied = member.getByRole('heading', { name: 'Access Denied' });
  await expect(denied).toBeVisible();
  await expect(staff).toBeHidden();
  for (const [method, path] of REFUSED) {
    const options = { method, headers: { origin: product().url }, ...(method === 'GET' ? {} : { data: {} }) };
    const answer = await member.request.fetch(`${product().url}/api${path}`, options);
    expect.soft(answer.status(), `${method} ${path}`).toBe(403);
    expect.soft(await answer.text()).toContain('You do not have permission to');
  }

  await page.goto(`/staff/${invited.id}`);
  await setRole(page, 'Admin');
  await expect(member.getByRole('list', { name: 'Staff members' })).toBeVisible();
  await expect(staff).toBeVisible();
  await setRole(page, 'Staff');
  await expect(denied).toBeVisible();
  await expect(staff).toBeHidden();
});
