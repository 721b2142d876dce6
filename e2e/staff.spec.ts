import type { StaffMember } from '@callout/contract/staff';
import type { Page } from '@playwright/test';
import { linkIn, mailsTo, mailTo } from './support/mailbox.ts';
import { call, confirmEmail, follow, openListening, signUp, startCompany } from './support/people.ts';
import { PICTURE } from './support/picture.ts';
import { anotherBrowser, colleague, invitationLink, invite, join, PASSWORD, someAddress } from './support/staff.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, name: string) => page.getByRole('list', { name: 'Staff members' }).getByRole('listitem').filter({ hasText: name });

async function fillInvitation(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
}

async function acceptInvitation(page: Page): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await button(page, 'Accept Invitation').click();
}

test('someone is invited by mail, joins, and their link works once', async ({ page, browser }) => {
  const email = someAddress();
  await startCompany(page);
  await confirmEmail(page);
  await page.goto('/staff');
  await page.getByRole('link', { name: 'Add Staff Member' }).click();
  await expect(page.getByRole('heading', { name: 'Staff Invitation Process' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Role' }).getByRole('radio')).toHaveCount(4);
  await expect(page.getByRole('radio', { name: 'Staff', exact: true })).toBeChecked();
  await fillInvitation(page, { 'Full Name': 'Tama Rewi', 'Email Address': email, 'Phone Number': '021 555 0199', 'Hourly Rate': '45' });
  await page.getByRole('radio', { name: 'Manager' }).check();
  await button(page, 'Send Invitation').click();
  await expect(page.getByText('Staff member invited successfully! They will receive an email to set up their account.')).toBeVisible();
  await expect(row(page, 'Tama Rewi')).toContainText('Invited');
  await expect(row(page, 'Tama Rewi').getByText('$45.00/hr').filter({ visible: true })).toBeVisible();

  const member = await anotherBrowser(browser);
  await member.goto(await invitationLink(email));
  await expect(member.getByRole('heading', { name: 'Join Harbour Plumbing' })).toBeVisible();
  await expect(member.getByText('Hi Tama Rewi, choose a password to join as a manager.')).toBeVisible();
  await expect(member.getByLabel('Email')).toHaveValue(email);
  await acceptInvitation(member);
  await expect(member).toHaveURL(/\/dashboard$/);
  await expect(member.getByRole('banner').getByText('Harbour Plumbing')).toBeVisible();

  await expect(row(page, 'Tama Rewi')).not.toContainText('Invited');
  await follow(page, await invitationLink(email));
  await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to the dashboard' })).toBeVisible();
});

test('a new owner confirms their email before the first invitation, and goes on where they were', async ({ page, browser }) => {
  const owner = await startCompany(page);
  const email = someAddress();
  await page.goto('/staff/new');
  const banner = page.getByText('Please confirm your email address before you invite people.', { exact: true });
  await expect(banner).toBeVisible();
  await fillInvitation(page, { 'Full Name': 'Tama Rewi', 'Email Address': email, 'Phone Number': '021 555 0199', 'Hourly Rate': '45' });
  await button(page, 'Send Invitation').click();
  await expect(page.getByText('Failed to add staff member: Please confirm your email address before you invite people.')).toBeVisible();
  await button(page, 'Send confirmation email').click();
  await expect(page.getByText(`We sent a link to ${owner.email}.`)).toBeVisible();

  const tab = await page.context().newPage();
  await tab.goto(linkIn(await mailTo(owner.email, /^Confirm your email address/)));
  await button(tab, 'Confirm Email').click();
  await expect(tab.getByRole('heading', { name: 'Your email is confirmed' })).toBeVisible();
  await expect(page.getByText(`We sent a link to ${owner.email}.`)).toBeHidden();
  await button(page, 'Send Invitation').click();
  await expect(row(page, 'Tama Rewi')).toContainText('Invited');
  const guest = await anotherBrowser(browser);
  await guest.goto(await invitationLink(email));
  await expect(guest.getByRole('heading', { name: 'Join Harbour Plumbing' })).toBeVisible();
});

test('an invitation is sent again, withdrawn, and sent anew; only the last link works', async ({ page, browser }) => {
  await startCompany(page);
  const { id, email } = await invite(page);
  const first = await invitationLink(email);
  await page.goto(`/staff/${id}`);
  await expect(page.getByText('Expires')).toBeVisible();
  await button(page, 'Send again').click();
  await expect(page.getByText(`Invitation sent to ${email}`)).toBeVisible();
  await expect.poll(() => mailsTo(email).length).toBe(2);
  const guest = await anotherBrowser(browser);
  await guest.goto(first);
  await expect(guest.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();

  const second = await invitationLink(email);
  await follow(guest, second);
  await expect(guest.getByRole('heading', { name: /^Join/ })).toBeVisible();
  await button(page, 'Withdraw').click();
  await expect(page.getByText('Invitation withdrawn')).toBeVisible();
  await expect(page.getByText('Not invited')).toBeVisible();
  await acceptInvitation(guest);
  await expect(guest.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();

  await button(page, 'Send invitation').click();
  await expect.poll(() => mailsTo(email).length).toBe(3);
  await follow(guest, await invitationLink(email));
  await acceptInvitation(guest);
  await expect(guest).toHaveURL(/\/dashboard$/);
});

test('a member is changed, with a color and a picture', async ({ page }) => {
  await startCompany(page);
  const { id } = await invite(page);
  await page.goto('/staff');
  await row(page, 'Tama Rewi').getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/staff/${id}$`));
  await page.getByLabel('Full Name').fill('Tama R. Rewi');
  await page.getByLabel('Hourly Rate').fill('52.50');
  await page.getByRole('radio', { name: 'Accountant' }).check();
  await page.getByRole('radio', { name: 'Pink' }).check();
  await page.getByRole('radio', { name: 'Pink' }).press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Purple' })).toBeChecked();
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Staff member updated successfully')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Tama R. Rewi' })).toBeVisible();
  await expect(page.getByLabel('Hourly Rate')).toHaveValue('52.50');
  await expect(page.getByRole('radio', { name: 'Purple' })).toBeChecked();

  const picture = page.locator('main img');
  await page.locator('input[type=file]').setInputFiles({ name: 'tama.png', mimeType: 'image/png', buffer: PICTURE });
  await expect(page.getByText('Avatar uploaded successfully')).toBeVisible();
  await expect(picture).toHaveJSProperty('naturalWidth', 256);
  await follow(page, '/staff');
  await expect(row(page, 'Tama R. Rewi').locator('img')).toBeVisible();
  await expect(row(page, 'Tama R. Rewi').getByText('$52.50/hr').filter({ visible: true })).toBeVisible();
  await row(page, 'Tama R. Rewi').getByRole('link').click();
  await button(page, 'Remove').click();
  await expect(page.getByText('Avatar removed')).toBeVisible();
  await expect(picture).toBeHidden();
});

test('a deleted member is out at once, in every open page', async ({ page, browser }) => {
  await startCompany(page);
  const member = await anotherBrowser(browser);
  const invited = await invite(page);
  await join(member, invited);
  await openListening(member, '/customers');
  await page.goto('/staff');
  await button(page, 'Delete Tama Rewi').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Staff member deleted successfully')).toBeVisible();
  await expect(row(page, 'Tama Rewi')).toBeHidden();
  await expect(member).toHaveURL(/\/auth/);
  await member.getByLabel('Email').fill(invited.email);
  await member.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(member, 'Sign In').click();
  await expect(member.getByText('Invalid email or password. Please try again.').first()).toBeVisible();
});

test('two admins at one member see each other; one of them leaves the company and is signed out', async ({ page, browser }) => {
  await startCompany(page);
  const { id } = await invite(page);
  const admin = await colleague(page, browser, 'admin', 'Ana Second');
  await openListening(page, `/staff/${id}`);
  await page.getByLabel('Full Name').fill('Tama Mine');
  const member = await call<StaffMember>(admin, 'GET', `/staff/${id}`);
  await call(admin, 'PUT', `/staff/${id}`, { ...member, color_id: member.color?.id ?? null, name: 'Tama Theirs', phone: '021 555 0200' });
  await expect(page.getByText('Someone else has changed this staff member. Your changes are still here.')).toBeVisible();
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Theirs: Tama Theirs')).toBeVisible();
  await button(page, 'Keep my changes').click();
  await expect(page.getByText('Staff member updated successfully')).toBeVisible();
  expect(await call<StaffMember>(admin, 'GET', `/staff/${id}`)).toMatchObject({ name: 'Tama Mine', phone: '021 555 0200' });

  await follow(page, '/staff');
  await row(page, 'You').getByRole('button', { name: 'Leave Harbour Plumbing' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByText('You left Harbour Plumbing')).toBeVisible();
  // They chose to leave: no page to come back to, and no word about an expired session.
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Your session has expired')).toBeHidden();
});

test('an invited person who signed up on their own confirms their email and then joins', async ({ page, browser }) => {
  await startCompany(page);
  const { email } = await invite(page);
  const guest = await anotherBrowser(browser);
  await signUp(guest, { email, password: PASSWORD });
  await guest.goto('/onboarding');
  await expect(guest.getByText('A company invited you. Confirm your email address to join it.')).toBeVisible();
  // Who invited them is shown only to whoever owns the email.
  await expect(guest.getByText('Harbour Plumbing')).toBeHidden();
  await button(guest, 'Send confirmation email').click();
  await expect(guest.getByText(`We sent a link to ${email}.`)).toBeVisible();
  await follow(guest, linkIn(await mailTo(email, /^Confirm your email address/)));
  await button(guest, 'Confirm Email').click();
  await expect(guest.getByRole('heading', { name: 'Your email is confirmed' })).toBeVisible();
  await follow(guest, '/onboarding');
  await expect(guest.getByText('Harbour Plumbing invited you.')).toBeVisible();
  await button(guest, 'Join Harbour Plumbing').click();
  await expect(guest).toHaveURL(/\/dashboard$/);
  await expect(guest.getByRole('banner').getByText('Harbour Plumbing')).toBeVisible();
});
