import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from './support/accessible.ts';
import { dropCall, failCall } from './support/failures.ts';
import { linkIn, mailsTo, mailTo } from './support/mailbox.ts';
import { call, confirmEmail, signUp, startCompany } from './support/people.ts';
import { PICTURE } from './support/picture.ts';
import { anotherBrowser, colleague, invitationLink, invite, join, PASSWORD, someAddress } from './support/staff.ts';
import { expect, onlyLightOnPhones, test } from './support/test.ts';

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

test('somebody is invited by mail, joins, and their link works once', async ({ page, browser }) => {
  const email = someAddress();
  await startCompany(page);
  await confirmEmail(page);
  await page.goto('/staff');
  await page.getByRole('link', { name: 'Add Staff Member' }).click();
  await expect(page.getByRole('heading', { name: 'Staff Invitation Process' })).toBeVisible();
  await expect(page.getByRole('radio')).toHaveCount(4);
  await expect(page.getByRole('radio', { name: 'Staff', exact: true })).toBeChecked();
  await button(page, 'Send Invitation').click();
  for (const label of ['Full name', 'Email address', 'Phone number', 'Hourly rate']) {
    await expect(page.getByText(`${label} is required`)).toBeVisible();
  }
  await expect(page.getByLabel('Full Name')).toBeFocused();
  await fillInvitation(page, { 'Full Name': 'Tama Rewi', 'Email Address': email, 'Phone Number': '021 555 0199', 'Hourly Rate': '-1' });
  await expect(page.getByText('Hourly rate must be a number of 0 or more, with at most 2 decimals')).toBeVisible();
  await page.getByLabel('Hourly Rate').fill('45');
  await page.getByRole('radio', { name: 'Manager' }).check();
  await button(page, 'Send Invitation').click();
  await expect(page.getByText('Staff member invited successfully! They will receive an email to set up their account.')).toBeVisible();
  await expect(row(page, 'Tama Rewi')).toContainText('Invited');
  await expect(row(page, 'Tama Rewi').getByText('$45.00/hr').filter({ visible: true })).toBeVisible();

  const member = await anotherBrowser(browser);
  await member.goto(await invitationLink(email));
  await expect(member.getByRole('heading', { name: 'Join Harbour Plumbing' })).toBeVisible();
  await expect(member.getByText('Hello Tama Rewi.')).toBeVisible();
  await expect(member.getByLabel('Email')).toHaveValue(email);
  await member.getByLabel('Password', { exact: true }).fill('12345');
  await button(member, 'Accept Invitation').click();
  await expect(member.getByText('Password must be at least 6 characters long')).toBeVisible();
  await acceptInvitation(member);
  await expect(member).toHaveURL(/\/dashboard$/);
  await expect(member.getByRole('banner').getByText('Harbour Plumbing')).toBeVisible();

  await expect(row(page, 'Tama Rewi')).not.toContainText('Invited');
  await page.goto(await invitationLink(email));
  await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('a new owner confirms their email before the first invitation, and goes on where they were', { tag: '@desk' }, async ({
  page,
  browser,
}) => {
  const owner = await startCompany(page);
  const email = someAddress();
  await page.goto('/staff/new');
  const banner = page.getByText('Please confirm your email address before you invite people.', { exact: true });
  await expect(banner).toBeVisible();
  await expectNoAxeFindings(page);
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

test('a name that a mail program would turn into a link is refused', { tag: '@desk' }, async ({ page }) => {
  await startCompany(page);
  await page.goto('/staff/new');
  await fillInvitation(page, {
    'Full Name': 'Go to evil.example',
    'Email Address': someAddress(),
    'Phone Number': '1',
    'Hourly Rate': '45',
  });
  await button(page, 'Send Invitation').click();
  await expect(page.getByText('Full name must not contain a web address. Put a space after each dot.')).toBeVisible();
});

test('who signed up before they were invited joins with the link, in the place of a company they never set up', { tag: '@desk' }, async ({
  page,
  browser,
}) => {
  const guest = await anotherBrowser(browser);
  const { email } = await signUp(guest);
  await call(guest, 'POST', '/company');
  await startCompany(page);
  await invite(page, { email });
  await guest.goto(await invitationLink(email));
  await expect(guest.getByText('Joining deletes that company and everything in it.')).toBeVisible();
  await acceptInvitation(guest);
  await expect(guest.getByRole('banner').getByText('Harbour Plumbing')).toBeVisible();
});

test('an invitation is sent again, withdrawn, and sent anew; only the last link works', { tag: '@desk' }, async ({ page, browser }) => {
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
  await guest.goto(second);
  await expect(guest.getByRole('heading', { name: /^Join/ })).toBeVisible();
  await button(page, 'Withdraw').click();
  await expect(page.getByText('Invitation withdrawn')).toBeVisible();
  await expect(page.getByText('Not invited')).toBeVisible();
  await acceptInvitation(guest);
  await expect(guest.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();

  await button(page, 'Send invitation').click();
  await expect.poll(() => mailsTo(email).length).toBe(3);
  await guest.goto(await invitationLink(email));
  await acceptInvitation(guest);
  await expect(guest).toHaveURL(/\/dashboard$/);
});

test('whoever is signed in is told whose invitation this is, and becomes that person in every tab', { tag: '@desk' }, async ({
  page,
  browser,
}) => {
  await startCompany(page);
  const { email } = await invite(page, { name: 'Tama Rewi' });
  const guest = await anotherBrowser(browser);
  const other = await startCompany(guest, { company_name: 'Another Firm' });
  await guest.goto('/customers');
  const tab = await guest.context().newPage();
  await tab.goto(await invitationLink(email));
  await expect(tab.getByText(`You are signed in here as ${other.email}.`)).toBeVisible();
  await acceptInvitation(tab);
  await expect(tab.getByRole('banner').getByText('Harbour Plumbing')).toBeVisible();
  await expect(guest).toHaveURL(/\/auth/);
});

test('an invitation that fails says why and keeps what was typed', { tag: '@desk' }, async ({ page, browser }) => {
  const elsewhere = await anotherBrowser(browser);
  const taken = await startCompany(elsewhere);
  await confirmEmail(elsewhere);
  await startCompany(page);
  await confirmEmail(page);
  await page.goto('/staff/new');
  await fillInvitation(page, { 'Full Name': 'Tama', 'Email Address': taken.email, 'Phone Number': '021', 'Hourly Rate': '45' });
  await button(page, 'Send Invitation').click();
  await expect(page.getByText('Failed to add staff member: This email address already belongs to a company.')).toBeVisible();
  await expect(page.getByLabel('Email Address')).toBeFocused();

  const recover = await failCall(page, '/staff', { method: 'POST' });
  await button(page, 'Send Invitation').click();
  await expect(page.getByText('Failed to add staff member: An unexpected error occurred. Please try again.')).toBeVisible();
  await recover();
  const restore = await dropCall(page, '/staff');
  await button(page, 'Send Invitation').click();
  await expect(
    page.getByText('Failed to add staff member: Unable to connect to the server. Please check your internet connection and try again.'),
  ).toBeVisible();
  await restore();
  await expect(page.getByLabel('Full Name')).toHaveValue('Tama');
});

test('a member is changed, with a colour and a picture', async ({ page }) => {
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
  await page.locator('input[type=file]').setInputFiles({ name: 'offer.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
  await expect(page.getByText('Please select an image file: png, jpg, gif or webp.')).toBeVisible();
  const recover = await failCall(page, '/staff/*/avatar');
  await page.locator('input[type=file]').setInputFiles({ name: 'tama.png', mimeType: 'image/png', buffer: PICTURE });
  await expect(page.getByText('Error uploading avatar')).toBeVisible();
  await expect(picture).toBeHidden();
  await recover();
  await page.locator('input[type=file]').setInputFiles({ name: 'tama.png', mimeType: 'image/png', buffer: PICTURE });
  await expect(page.getByText('Avatar uploaded successfully')).toBeVisible();
  await expect(picture).toHaveJSProperty('naturalWidth', 256);
  await page.goto('/staff');
  await expect(row(page, 'Tama R. Rewi').locator('img')).toBeVisible();
  await expect(row(page, 'Tama R. Rewi').getByText('$52.50/hr').filter({ visible: true })).toBeVisible();
  await page.goto(`/staff/${id}`);
  await button(page, 'Remove').click();
  await expect(page.getByText('Avatar removed')).toBeVisible();
  await expect(picture).toBeHidden();
});

test('two admins at one member see each other, and neither overwrites the other unasked', { tag: '@desk' }, async ({ page, browser }) => {
  await startCompany(page);
  const { id } = await invite(page);
  const admin = await colleague(page, browser, 'admin', 'Ana Second');
  await page.goto(`/staff/${id}`);
  const listens = admin.waitForResponse(/\/api\/live\b/);
  await admin.goto(`/staff/${id}`);
  await listens;
  await admin.getByLabel('Full Name').fill('Tama Theirs');
  await page.getByLabel('Full Name').fill('Tama Mine');
  await button(admin, 'Save Changes').click();
  await expect(page.getByText('Someone else has changed this staff member. Your changes are still here.')).toBeVisible();
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Theirs: Tama Theirs')).toBeVisible();
  await button(page, 'Keep my changes').click();
  await expect(page.getByText('Staff member updated successfully')).toBeVisible();
  await expect(admin.getByLabel('Full Name')).toHaveValue('Tama Mine');
});

test('refused changes and deletions say why: the last admin, and a failing server', { tag: '@desk' }, async ({ page }) => {
  const owner = await startCompany(page);
  await page.goto('/staff');
  await button(page, 'Leave Harbour Plumbing').click();
  await expect(page.getByRole('alertdialog').getByText(/You'll be signed out right away/)).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByText('Failed to delete staff member: Cannot delete the last admin')).toBeVisible();

  await row(page, owner.email).getByRole('link').click();
  await fillInvitation(page, { Phone: '09 555 0100', 'Hourly Rate': '120' });
  await page.getByRole('radio', { name: 'Manager' }).check();
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Failed to update staff member: Cannot demote the last admin')).toBeVisible();
  await page.getByRole('radio', { name: 'Admin' }).check();
  const recover = await failCall(page, '/staff/*', { method: 'PUT' });
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Failed to update staff member: An unexpected error occurred. Please try again later.')).toBeVisible();
  await expect(page.getByLabel('Hourly Rate')).toHaveValue('120');
  await recover();
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Staff member updated successfully')).toBeVisible();
});

test('a deleted member is out at once, in every open page', { tag: '@desk' }, async ({ page, browser }) => {
  await startCompany(page);
  const member = await anotherBrowser(browser);
  const invited = await invite(page);
  await join(member, invited);
  await member.goto('/customers');
  await expect(member.getByRole('heading', { name: 'Customers' })).toBeVisible();
  await page.goto('/staff');
  const restore = await failCall(page, '/staff/*', { method: 'DELETE' });
  await button(page, 'Delete Tama Rewi').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(/^Failed to delete staff member: /)).toBeVisible();
  await restore();
  await button(page, 'Delete Tama Rewi').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Staff member deleted successfully')).toBeVisible();
  await expect(row(page, 'Tama Rewi')).toBeHidden();
  await expect(member).toHaveURL(/\/auth/);
  await member.getByLabel('Email').fill(invited.email);
  await member.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(member, 'Sign In').click();
  await expect(member.getByText('Invalid email or password. Please try again.')).toBeVisible();
});

test('an admin who leaves the company is signed out', { tag: '@desk' }, async ({ page, browser }) => {
  await startCompany(page);
  await colleague(page, browser, 'admin', 'Ana Second');
  await page.goto('/staff');
  await row(page, 'You').getByRole('button', { name: 'Leave Harbour Plumbing' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByText('Staff member deleted successfully')).toBeVisible();
  // Their own doing: neither a way back nor a word about an expired session.
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Your session has expired')).toBeHidden();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen of staff is accessible, ${colorScheme}`, onlyLightOnPhones(colorScheme), async ({ page, browser }) => {
    // axe looks at every element, which takes a while on a busy machine.
    test.slow();
    await page.emulateMedia({ colorScheme });
    await startCompany(page);
    const { id, email } = await invite(page);
    await page.goto('/staff');
    await expect(row(page, 'Tama Rewi')).toBeVisible();
    await expectNoAxeFindings(page);
    await page.goto('/staff/new');
    await button(page, 'Send Invitation').click();
    await expect(page.getByLabel('Full Name')).toBeFocused();
    await expectNoAxeFindings(page);
    await page.goto(`/staff/${id}`);
    await expect(page.getByRole('radio', { name: 'Teal' })).toBeVisible();
    await expectNoAxeFindings(page);
    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectNoAxeFindings(page);
    const guest = await anotherBrowser(browser);
    await guest.emulateMedia({ colorScheme });
    await guest.goto(await invitationLink(email));
    await expect(guest.getByRole('heading', { name: /^Join/ })).toBeVisible();
    await expectNoAxeFindings(guest);
    await guest.goto('/invitation?token=gone');
    await expect(guest.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();
    await expectNoAxeFindings(guest);
  });
}
