import type { StaffMember } from '@callout/contract/staff';
import type { Page } from '@playwright/test';
import { callApi, confirmEmail, navigateInApp, openLivePage, signUp, signUpCompany } from './support/company-setup.ts';
import { getMailLink, listMailsTo, waitForMail } from './support/mailbox.ts';
import { SAMPLE_PNG } from './support/sample-png.ts';
import {
  acceptInvitation,
  createDevicePage,
  createStaffEmail,
  inviteStaffMember,
  openColleaguePage,
  STAFF_PASSWORD,
  waitForInvitationLink,
} from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, name: string) => page.getByRole('list', { name: 'Staff members' }).getByRole('listitem').filter({ hasText: name });

async function fillInvitation(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
}

async function submitInvitationForm(page: Page): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(STAFF_PASSWORD);
  await page.getByLabel('Confirm password').fill(STAFF_PASSWORD);
  await button(page, 'Accept Invitation').click();
}

test('an invited staff member can join through an emailed link that works only once', async ({ page, browser }) => {
  const email = createStaffEmail();
  await signUpCompany(page);
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

  const member = await createDevicePage(browser);
  await member.goto(await waitForInvitationLink(email));
  await expect(member.getByRole('heading', { name: 'Join Harbour Plumbing' })).toBeVisible();
  await expect(member.getByText('Hi Tama Rewi, choose a password to join as a manager.')).toBeVisible();
  await expect(member.getByLabel('Email')).toHaveValue(email);
  await submitInvitationForm(member);
  await expect(member).toHaveURL(/\/dashboard$/);
  await expect(member.getByRole('banner').getByText('Harbour Plumbing')).toBeVisible();

  await expect(row(page, 'Tama Rewi')).not.toContainText('Invited');
  await navigateInApp(page, await waitForInvitationLink(email));
  await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to the dashboard' })).toBeVisible();
});

test('a new owner must confirm their email address before inviting staff, and then continues in the same form', async ({
  page,
  browser,
}) => {
  const owner = await signUpCompany(page);
  const email = createStaffEmail();
  await page.goto('/staff/new');
  const banner = page.getByText('Please confirm your email address before you invite people.', { exact: true });
  await expect(banner).toBeVisible();
  await fillInvitation(page, { 'Full Name': 'Tama Rewi', 'Email Address': email, 'Phone Number': '021 555 0199', 'Hourly Rate': '45' });
  await button(page, 'Send Invitation').click();
  await expect(page.getByText('Failed to add staff member: Please confirm your email address before you invite people.')).toBeVisible();
  await button(page, 'Send confirmation email').click();
  await expect(page.getByText(`We sent a link to ${owner.email}.`)).toBeVisible();

  const tab = await page.context().newPage();
  await tab.goto(getMailLink(await waitForMail(owner.email, /^Confirm your email for/)));
  await button(tab, 'Confirm Email').click();
  await expect(tab.getByRole('heading', { name: 'Your email is confirmed' })).toBeVisible();
  await expect(page.getByText(`We sent a link to ${owner.email}.`)).toBeHidden();
  await button(page, 'Send Invitation').click();
  await expect(row(page, 'Tama Rewi')).toContainText('Invited');
  const guest = await createDevicePage(browser);
  await guest.goto(await waitForInvitationLink(email));
  await expect(guest.getByRole('heading', { name: 'Join Harbour Plumbing' })).toBeVisible();
});

test('an invitation can be resent, withdrawn and sent again, and only the latest link works', async ({ page, browser }) => {
  await signUpCompany(page);
  const { id, email } = await inviteStaffMember(page);
  const first = await waitForInvitationLink(email);
  await page.goto(`/staff/${id}`);
  await expect(page.getByText('Expires')).toBeVisible();
  await button(page, 'Send again').click();
  await expect(page.getByText(`Invitation sent to ${email}`)).toBeVisible();
  await expect.poll(() => listMailsTo(email).length).toBe(2);
  const guest = await createDevicePage(browser);
  await guest.goto(first);
  await expect(guest.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();

  const second = await waitForInvitationLink(email);
  await navigateInApp(guest, second);
  await expect(guest.getByRole('heading', { name: /^Join/ })).toBeVisible();
  await button(page, 'Withdraw').click();
  await expect(page.getByText('Invitation withdrawn')).toBeVisible();
  await expect(page.getByText('Not invited')).toBeVisible();
  await submitInvitationForm(guest);
  await expect(guest.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();

  await button(page, 'Send invitation').click();
  await expect.poll(() => listMailsTo(email).length).toBe(3);
  await navigateInApp(guest, await waitForInvitationLink(email));
  await submitInvitationForm(guest);
  await expect(guest).toHaveURL(/\/dashboard$/);
});

test('a staff member’s details, color and avatar can be edited', async ({ page }) => {
  await signUpCompany(page);
  const { id } = await inviteStaffMember(page);
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

  const avatar = page.locator('main img');
  await page.locator('input[type=file]').setInputFiles({ name: 'tama.png', mimeType: 'image/png', buffer: SAMPLE_PNG });
  await expect(page.getByText('Avatar uploaded successfully')).toBeVisible();
  await expect(avatar).toHaveJSProperty('naturalWidth', 256);
  await navigateInApp(page, '/staff');
  await expect(row(page, 'Tama R. Rewi').locator('img')).toBeVisible();
  await expect(row(page, 'Tama R. Rewi').getByText('$52.50/hr').filter({ visible: true })).toBeVisible();
  await row(page, 'Tama R. Rewi').getByRole('link').click();
  await button(page, 'Remove').click();
  await expect(page.getByText('Avatar removed')).toBeVisible();
  await expect(avatar).toBeHidden();
});

test('deleting a staff member signs them out immediately', async ({ page, browser }) => {
  await signUpCompany(page);
  const member = await createDevicePage(browser);
  const invited = await inviteStaffMember(page);
  await acceptInvitation(member, invited);
  await openLivePage(member, '/customers');
  await page.goto('/staff');
  await button(page, 'Delete Tama Rewi').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Staff member deleted successfully')).toBeVisible();
  await expect(row(page, 'Tama Rewi')).toBeHidden();
  await expect(member).toHaveURL(/\/auth/);
  await member.getByLabel('Email').fill(invited.email);
  await member.getByLabel('Password', { exact: true }).fill(STAFF_PASSWORD);
  await button(member, 'Sign In').click();
  await expect(member.getByText('Invalid email or password. Please try again.').first()).toBeVisible();
});

test('saving a staff member asks before overwriting a colleague’s edit, and an admin who leaves is signed out', async ({
  page,
  browser,
}) => {
  await signUpCompany(page);
  const { id } = await inviteStaffMember(page);
  const admin = await openColleaguePage(page, browser, 'admin', 'Ana Second');
  await openLivePage(page, `/staff/${id}`);
  await page.getByLabel('Full Name').fill('Tama Mine');
  const member = await callApi<StaffMember>(admin, 'GET', `/staff/${id}`);
  await callApi(admin, 'PUT', `/staff/${id}`, {
    ...member,
    color_id: member.color?.id ?? null,
    name: 'Tama Theirs',
    phone: '021 555 0200',
  });
  await expect(page.getByText("There's a newer version of this staff member. Your changes are still here.")).toBeVisible();
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Theirs: Tama Theirs')).toBeVisible();
  await button(page, 'Keep my changes').click();
  await expect(page.getByText('Staff member updated successfully')).toBeVisible();
  expect(await callApi<StaffMember>(admin, 'GET', `/staff/${id}`)).toMatchObject({ name: 'Tama Mine', phone: '021 555 0200' });

  await navigateInApp(page, '/staff');
  await row(page, 'You').getByRole('button', { name: 'Leave Harbour Plumbing' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByText('You left Harbour Plumbing')).toBeVisible();
  // The user left on purpose, so there must be no return URL and no message about an expired session.
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Your session has expired')).toBeHidden();
});

test('an invited person who already signed up can join after confirming their email address', async ({ page, browser }) => {
  await signUpCompany(page);
  const { email } = await inviteStaffMember(page);
  const guest = await createDevicePage(browser);
  await signUp(guest, { email, password: STAFF_PASSWORD });
  await guest.goto('/onboarding');
  await expect(guest.getByText('A company invited you. Confirm your email address to join it.')).toBeVisible();
  // The company's name must stay hidden until the email address is confirmed.
  await expect(guest.getByText('Harbour Plumbing')).toBeHidden();
  await button(guest, 'Send confirmation email').click();
  await expect(guest.getByText(`We sent a link to ${email}.`)).toBeVisible();
  await navigateInApp(guest, getMailLink(await waitForMail(email, /^Confirm your email for/)));
  await button(guest, 'Confirm Email').click();
  await expect(guest.getByRole('heading', { name: 'Your email is confirmed' })).toBeVisible();
  await navigateInApp(guest, '/onboarding');
  await expect(guest.getByText('Harbour Plumbing invited you.')).toBeVisible();
  await button(guest, 'Join Harbour Plumbing').click();
  await expect(guest).toHaveURL(/\/dashboard$/);
  await expect(guest.getByRole('banner').getByText('Harbour Plumbing')).toBeVisible();
});
