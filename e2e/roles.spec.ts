import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { openLivePage, signUpCompany } from './support/company-setup.ts';
import { getRunningServer } from './support/running-server.ts';
import { acceptInvitation, createDevicePage, inviteStaffMember } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

/** Calls that the server must reject for a staff member, whatever the page shows. The server's access matrix test covers all calls. */
const FORBIDDEN_CALLS = [
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

test('a staff member is limited to the permissions of their role, and role changes apply live', async ({ page, browser }) => {
  await signUpCompany(page);
  const invited = await inviteStaffMember(page, { role: 'staff' });
  const member = await createDevicePage(browser);
  await acceptInvitation(member, invited);
  await openLivePage(member, '/staff');
  const staff = member.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Staff' });
  const denied = member.getByRole('heading', { name: 'Access Denied' });
  await expect(denied).toBeVisible();
  await expect(staff).toBeHidden();
  for (const [method, path] of FORBIDDEN_CALLS) {
    const options = { method, headers: { origin: getRunningServer().url }, ...(method === 'GET' ? {} : { data: {} }) };
    const response = await member.request.fetch(`${getRunningServer().url}/api${path}`, options);
    expect.soft(response.status(), `${method} ${path}`).toBe(403);
    expect.soft(await response.text()).toContain('You do not have permission to');
  }

  await page.goto(`/staff/${invited.id}`);
  await setRole(page, 'Admin');
  await expect(member.getByRole('list', { name: 'Staff members' })).toBeVisible();
  await expect(staff).toBeVisible();
  await setRole(page, 'Staff');
  await expect(denied).toBeVisible();
  await expect(staff).toBeHidden();
});
