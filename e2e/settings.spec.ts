import type { Page } from '@playwright/test';
import { expectNoAxeFindings } from './support/accessible.ts';
import { failCall, holdCall } from './support/failures.ts';
import { call, signIn, signUp, startCompany } from './support/people.ts';
import { anotherBrowser, invite, join } from './support/staff.ts';
import { expect, onlyLightOnPhones, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label).and(page.locator('input, textarea, select'));
const tabs = (page: Page) => page.getByRole('tablist', { name: 'Settings' }).getByRole('tab');

const TYPED = {
  'Company Name': 'Harbour Plumbing & Gas',
  'Company Email': 'office@example.com',
  Phone: '+64 9 555 0199',
  Address: '12 Wharf Street, Auckland',
  'GST/VAT number': '111-222-333',
  'GST percentage': '12.5',
  'Default hourly rate': '95.50',
  'Bank name': 'Kiwibank',
  'Account number': '38-9000-0123456-00',
  'PayPal email': 'pay@example.com',
};

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const png = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });

test('a new company sets everything up, and every field is there after a reload', async ({ page }) => {
  await signUp(page);
  await call(page, 'POST', '/company');
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Company Settings' })).toBeVisible();
  await expect(page.getByText('Free Plan')).toBeVisible();
  await expect(page.getByText('Company Profile Not Set Up')).toBeVisible();
  await expect(tabs(page)).toHaveText(['General', 'Categories', 'Menu Order', 'Profile']);
  await expect(field(page, 'GST percentage')).toHaveValue('15');
  await expect(field(page, 'Timezone').locator('option')).toHaveCount(14);
  await expect(field(page, 'Currency').locator('option')).toHaveText([/^NZD/, /^USD/, /^AUD/, /^EUR/, /^GBP/]);
  await expect(field(page, 'Currency')).toHaveValue('NZD');
  await expect(field(page, 'Timezone')).toHaveValue('Pacific/Auckland');

  for (const [label, text] of Object.entries(TYPED)) await field(page, label).fill(text);
  await field(page, 'Timezone').selectOption('Australia/Sydney');
  await field(page, 'Currency').selectOption('AUD');
  await field(page, 'Add fees').check();
  await expect(field(page, 'Fee percentage')).toHaveValue('2.9');
  await field(page, 'Fee percentage').press('ArrowUp');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Settings updated successfully')).toBeVisible();
  await expect(page.getByText('Company Profile Not Set Up')).toBeHidden();
  await expect(page.getByRole('banner').getByText('Harbour Plumbing & Gas')).toBeVisible();

  await page.reload();
  for (const [label, text] of Object.entries(TYPED)) await expect(field(page, label)).toHaveValue(text);
  await expect(field(page, 'Timezone')).toHaveValue('Australia/Sydney');
  await expect(field(page, 'Currency')).toHaveValue('AUD');
  await expect(field(page, 'Add fees')).toBeChecked();
  await expect(field(page, 'Fee percentage')).toHaveValue('3');
  expect(await page.evaluate(() => localStorage.getItem('callout-timezone'))).toBe('Australia/Sydney');
});

test('what is wrong says so at its place, and nothing typed is lost', async ({ page }) => {
  await startCompany(page);
  await page.goto('/settings');
  await field(page, 'Company Name').fill('x'.repeat(500));
  await field(page, 'GST percentage').fill('101');
  await field(page, 'Address').fill('12 Wharf Street');
  await field(page, 'Add fees').check();
  await field(page, 'Fee percentage').fill('100');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Company name must be at most 200 characters')).toBeVisible();
  await expect(page.getByText('GST percentage must be a number from 0 to 100')).toBeVisible();
  await expect(page.getByText('Fee percentage must be a number from 0 to below 100')).toBeVisible();
  await expect(field(page, 'Company Name')).toBeFocused();
  await expect(field(page, 'Company Name')).toHaveValue('x'.repeat(500));

  await field(page, 'Company Name').fill('Harbour');
  await button(page, 'Save Changes').click();
  await expect(field(page, 'GST percentage')).toBeFocused();
  const [message, bar] = [page.getByText('GST percentage must be a number'), button(page, 'Save Changes')];
  const bottomOf = ({ y, height } = { y: 0, height: 0 }) => y + height;
  expect(bottomOf((await message.boundingBox()) ?? undefined)).toBeLessThan((await bar.boundingBox())?.y ?? 0);

  await field(page, 'GST percentage').fill('15');
  await field(page, 'Fee percentage').fill('99.9');
  const recover = await failCall(page, '/company', { method: 'PUT' });
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Failed to update settings')).toBeVisible();
  await expect(field(page, 'Address')).toHaveValue('12 Wharf Street');
  await recover();
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Settings updated successfully')).toBeVisible();
});

test('a logo is an image under 2 MB: others are refused with a reason, and the old one stays', { tag: '@desk' }, async ({ page }) => {
  await startCompany(page);
  await page.goto('/settings');
  const input = page.locator('input[type=file]');
  const reason = (text: string) => page.getByRole('main').getByText(text);
  await field(page, 'Bank name').fill('Kiwibank');

  await input.setInputFiles({ name: 'quote.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
  await expect(reason('Please select an image file')).toBeVisible();
  await input.setInputFiles(png('large.png', Buffer.alloc(3 * 1024 * 1024)));
  await expect(reason('File size must be less than 2MB')).toBeVisible();
  await input.setInputFiles(png('disguised.png', Buffer.from('%PDF-1.7 in disguise')));
  await expect(reason('Please select an image file')).toBeVisible();
  await expect(page.getByText('Failed to upload logo')).toBeVisible();

  await input.setInputFiles(png('logo.png', PIXEL));
  await expect(page.getByText('Logo uploaded successfully')).toBeVisible();
  await expect(page.getByAltText('Logo')).toHaveJSProperty('complete', true);
  await expect(field(page, 'Bank name')).toHaveValue('Kiwibank');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Settings updated successfully')).toBeVisible();
  await page.reload();
  await expect(page.getByAltText('Logo')).toBeVisible();
  await button(page, 'Remove').click();
  await expect(page.getByText('Logo removed')).toBeVisible();
  await expect(page.getByAltText('Logo')).toBeHidden();
  await failCall(page, '/company/logo', { method: 'PUT' });
  await input.setInputFiles(png('logo.png', PIXEL));
  await expect(page.getByText('Failed to upload logo')).toBeVisible();
});

test('two people in the settings see each other, and neither overwrites the other unasked', { tag: '@desk' }, async ({ page, browser }) => {
  const owner = await startCompany(page);
  const other = await anotherBrowser(browser);
  await signIn(other, owner);
  await other.goto('/settings');
  const listens = page.waitForResponse(/\/api\/live\b/);
  await page.goto('/settings');
  await listens;
  await field(page, 'Bank name').fill('Kiwibank');
  await field(other, 'Bank name').fill('Westpac');
  await field(other, 'Phone').fill('09 555 0001');
  await button(other, 'Save Changes').click();
  await expect(page.getByText('Someone else has changed the settings. Your changes are still here.')).toBeVisible();
  await expect(field(page, 'Bank name')).toHaveValue('Kiwibank');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Theirs: Westpac')).toBeVisible();
  await button(page, 'Keep my changes').click();
  await expect(page.getByText('Settings updated successfully')).toBeVisible();
  await expect(field(page, 'Phone')).toHaveValue('09 555 0001');
  await expect(field(other, 'Bank name')).toHaveValue('Kiwibank');
});

test('a session that ends here says so in the words of this place, once, and brings back what was typed', { tag: '@desk' }, async ({
  page,
  context,
}) => {
  const { email, password } = await startCompany(page);
  // The live line or the bell would notice first, and take the button away before it is pressed.
  await page.route(/\/api\/(live|notifications)\b/, () => undefined);
  await page.goto('/settings');
  await field(page, 'Bank name').fill('Kiwibank');
  await context.clearCookies();
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Session expired. Please sign in again.', { exact: true })).toHaveCount(1);
  await expect(page.getByText('Your session has expired.')).toHaveCount(0);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Sign In').click();
  await expect(field(page, 'Bank name')).toHaveValue('Kiwibank');
});

test.describe('without a profile to read', () => {
  test.use({ expectedErrors: [/A failure on purpose/] });

  test('the settings say so', { tag: '@desk' }, async ({ page }) => {
    await startCompany(page);
    const recover = await failCall(page, '/me', { code: 'FORBIDDEN' });
    await page.goto('/settings');
    await expect(page.getByText('Failed to load profile: A failure on purpose')).toBeVisible();
    await recover();
    await button(page, 'Retry').click();
    await expect(field(page, 'Company Name')).toHaveValue('Harbour Plumbing');
  });
});

test('categories are added and deleted by name', async ({ page, context }) => {
  await startCompany(page);
  await page.goto('/settings?tab=categories');
  await expect(page.getByText('No categories found')).toBeVisible();
  const elsewhere = await context.newPage();
  await elsewhere.goto(page.url());
  await expect(elsewhere.getByText('No categories found')).toBeVisible();
  const name = page.getByLabel('Category name');
  const rows = page.getByRole('list', { name: 'Categories' }).getByRole('listitem');

  await name.fill('   ');
  await button(page, 'Add Category').click();
  await expect(page.getByText('Category name is required')).toBeVisible();
  const recover = await failCall(page, '/categories', { method: 'POST' });
  await name.fill(' Hot water ');
  await button(page, 'Add Category').click();
  await expect(page.getByText('Failed to add category')).toBeVisible();
  await recover();
  await name.press('Enter');
  await expect(page.getByText('Category added successfully')).toBeVisible();
  await name.fill('Drains');
  const letThrough = await holdCall(page, '/categories', 'POST');
  await name.press('Enter');
  await name.fill('drains');
  await letThrough();
  await expect(rows).toHaveText(['Drains', 'Hot water']);
  await expect(button(page, 'Add Category')).toBeVisible();
  await expect(name, 'what was typed meanwhile').toHaveValue('drains');
  await expect(elsewhere.getByRole('list', { name: 'Categories' }).getByRole('listitem')).toHaveText(['Drains', 'Hot water']);
  await name.press('Enter');
  await expect(page.getByText('A category with this name already exists.')).toBeVisible();

  const restore = await failCall(page, '/categories/*', { method: 'DELETE' });
  await button(page, 'Delete Drains').click();
  await button(page, 'Delete').click();
  await expect(page.getByText('Failed to delete category')).toBeVisible();
  await restore();
  await button(page, 'Delete Drains').click();
  await button(page, 'Delete').click();
  await expect(page.getByText('Category deleted successfully')).toBeVisible();
  await expect(rows).toHaveText(['Hot water']);
});

const order = (page: Page) => page.getByRole('list', { name: 'Menu order' }).getByRole('listitem');
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');

test('the menu is put in order by mouse and by keyboard, and the order outlives the session', { tag: '@desk' }, async ({ page }) => {
  const owner = await startCompany(page);
  await page.goto('/settings?tab=menu-order');
  await expect(order(page)).toHaveCount(10);
  await expect(button(page, 'Move Dashboard')).toBeVisible();
  const box = await order(page).filter({ hasText: 'Dashboard' }).boundingBox();
  if (!box) throw new Error('The row has no place');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const dragged = page.locator('[data-dnd-dragging]');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 7);
  await expect(dragged).toHaveCount(0);
  await page.mouse.up();
  await expect(order(page).first()).toContainText('Dashboard');

  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 9);
  await expect(dragged).toHaveCount(1);
  await page.mouse.move(x, y + box.height * 2, { steps: 10 });
  await page.mouse.up();
  await expect(page.getByText('Menu order updated')).toBeVisible();
  await expect(menu(page).first()).toHaveText('To Do');
  await expect(menu(page).nth(2)).toHaveText('Dashboard');

  await button(page, 'Move Settings').focus();
  await page.keyboard.press('Space');
  await expect(dragged).toHaveCount(1);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  await expect(menu(page).nth(8)).toHaveText('Settings');
  await page.reload();
  await expect(menu(page).nth(8)).toHaveText('Settings');

  await button(page, 'Sign Out').click();
  await expect(page).toHaveURL(/\/auth/);
  await signIn(page, owner);
  await page.goto('/settings?tab=menu-order');
  await expect(menu(page).first()).toHaveText('To Do');
  await button(page, 'Reset to Default').click();
  await expect(page.getByText('Menu order reset to default')).toBeVisible();
  await expect(menu(page).first()).toHaveText('Dashboard');
});

test('one entry after the other moves by its buttons, and a failure puts it back', async ({ page }) => {
  await startCompany(page);
  await page.goto('/settings?tab=menu-order');
  await button(page, 'Move Dashboard down').click();
  await expect(button(page, 'Move Dashboard down')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(order(page)).toContainText([/To Do/, /Job Board/, /Dashboard/]);
  await expect(page.getByText('Menu order updated')).toBeVisible();
  await page.reload();
  await expect(order(page)).toContainText([/To Do/, /Job Board/, /Dashboard/]);
  await failCall(page, '/me/menu-order', { method: 'PUT' });
  await button(page, 'Move Dashboard up').click();
  await expect(page.getByText(/^Failed to update menu order/)).toBeVisible();
  await expect(order(page)).toContainText([/To Do/, /Job Board/, /Dashboard/]);
});

test('staff see their own settings only', { tag: '@desk' }, async ({ page, browser }) => {
  await startCompany(page);
  const member = await anotherBrowser(browser);
  await join(member, await invite(page, { role: 'staff' }));
  await member.goto('/settings?tab=general');
  await expect(tabs(member)).toHaveText(['Menu Order', 'Profile']);
  await expect(order(member)).toHaveCount(9);
  await expect(member.getByRole('tab', { name: 'Menu Order' })).toHaveAttribute('aria-selected', 'true');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every tab of the settings is accessible, ${colorScheme}`, onlyLightOnPhones(colorScheme), async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme });
    await startCompany(page);
    await page.goto('/settings');
    await field(page, 'Add fees').check();
    await field(page, 'Fee percentage').fill('100');
    await button(page, 'Save Changes').click();
    await expect(field(page, 'Fee percentage')).toBeFocused();
    await expectNoAxeFindings(page);
    await tabs(page).filter({ hasText: 'Categories' }).click();
    await page.getByLabel('Category name').fill('Drains');
    await page.getByLabel('Category name').press('Enter');
    await button(page, 'Delete Drains').click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectNoAxeFindings(page);
    await button(page, 'Cancel').click();
    await tabs(page).filter({ hasText: 'Menu Order' }).click();
    await expect(button(page, 'Move Dashboard')).toBeVisible();
    await expectNoAxeFindings(page);
    await tabs(page).filter({ hasText: 'Profile' }).click();
    await expectNoAxeFindings(page);
  });
}
