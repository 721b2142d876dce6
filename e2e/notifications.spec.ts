import type { Page } from '@playwright/test';
import { type ApiClient, openLivePage, signUpCompany } from './support/company-setup.ts';
import { acceptInvitation, createDeviceContext, inviteStaffMember } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const bell = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Notifications/ });
const badge = (page: Page) => bell(page).locator('[data-badge]');
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });
const items = (page: Page) => panel(page).getByRole('listitem');

/** Accepts invitations, each of which creates a notification for the owner. */
async function acceptInvitations(owner: Page, invitee: ApiClient, ...names: string[]): Promise<void> {
  for (const name of names) await acceptInvitation(invitee, await inviteStaffMember(owner, { name }));
}

test('an accepted invitation appears as a notification without a reload', async ({ page, browser }) => {
  await signUpCompany(page);
  await openLivePage(page, '/dashboard');
  await bell(page).click();
  await expect(panel(page).getByText('No notifications')).toBeVisible();
  await expect(button(page, 'Mark all read')).toBeHidden();
  await expect(button(page, 'Clear all')).toBeHidden();

  await acceptInvitations(page, await createDeviceContext(browser), 'Tama Rewi', 'Ana Lee');
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
  await page.mouse.click(20, 700);
  await expect(panel(page)).toBeHidden();
});
