import { randomUUID } from 'node:crypto';
import type { Role } from '@callout/domain/roles/roles';
import type { Browser, Page } from '@playwright/test';
import { addCustomer, confirmEmail, startCompany } from './support/people.ts';
import { product } from './support/running-product.ts';
import { anotherBrowser, invitationLink, PASSWORD, someAddress } from './support/staff.ts';
import { expect, test } from './support/test.ts';

interface Sees {
  readonly menu: readonly string[];
  readonly settings: readonly string[];
  /** What the palette offers to make. */
  readonly creates: readonly string[];
  readonly deletesCustomers: boolean;
  /** Address, and the sentence there. */
  readonly denied: readonly (readonly [string, string])[];
}

const WORK = ['Dashboard', 'To Do', 'Job Board', 'Calendar', 'Jobs', 'Quotes', 'Customers', 'Items & Services'];
const VIEW = "You don't have permission to view this page.";
const ADD = "You don't have permission to add staff members.";
const STAFF_PAGES = [
  ['/staff', VIEW],
  [`/staff/${randomUUID()}`, VIEW],
  ['/staff/new', ADD],
] as const;
const NEW = ['New Customer', 'New Quote', 'New Job', 'New Task'];

/** 'Who may do what', written out as far as its pages exist. */
const TABLE: Record<Role, Sees> = {
  admin: {
    menu: [...WORK, 'Staff', 'Settings'],
    settings: ['General', 'Categories', 'Menu Order', 'Profile'],
    creates: [...NEW, 'New Staff Member'],
    deletesCustomers: true,
    denied: [],
  },
  manager: {
    menu: [...WORK, 'Settings'],
    settings: ['Categories', 'Menu Order', 'Profile'],
    creates: NEW,
    deletesCustomers: true,
    denied: STAFF_PAGES,
  },
  accountant: {
    menu: [...WORK, 'Settings'],
    settings: ['Menu Order', 'Profile'],
    creates: NEW,
    deletesCustomers: false,
    denied: [...STAFF_PAGES, [`/jobs/${randomUUID()}/edit`, VIEW]],
  },
  staff: {
    menu: [...WORK, 'Settings'],
    settings: ['Menu Order', 'Profile'],
    creates: ['New Customer', 'New Job', 'New Task'],
    deletesCustomers: false,
    denied: [
      ...STAFF_PAGES,
      [`/jobs/${randomUUID()}/edit`, VIEW],
      [`/jobs/${randomUUID()}/payment`, VIEW],
      ['/quotes/new', VIEW],
      [`/quotes/${randomUUID()}/edit`, VIEW],
      ['/items-services/suppliers/new', VIEW],
    ],
  },
};

const EVERYBODY: readonly Role[] = ['admin', 'manager', 'accountant', 'staff'];

/** What the server refuses whatever the page shows: everybody who is not named. */
const CALLS: readonly (readonly ['GET' | 'POST' | 'PUT' | 'DELETE', string, readonly Role[]])[] = [
  ['GET', '/customers', EVERYBODY],
  ['POST', '/customers', EVERYBODY],
  ['GET', '/notifications', EVERYBODY],
  ['GET', '/categories', EVERYBODY],
  ['DELETE', `/customers/${randomUUID()}`, ['admin', 'manager']],
  ['POST', '/categories', ['admin', 'manager']],
  ['GET', '/staff', ['admin']],
  ['POST', '/staff', ['admin']],
  ['PUT', `/staff/${randomUUID()}`, ['admin']],
  ['DELETE', `/staff/${randomUUID()}`, ['admin']],
  ['PUT', `/staff/${randomUUID()}/avatar`, ['admin']],
  ['PUT', '/company', ['admin']],
  ['GET', '/admin/companies', []],
];

async function inviteByForm(owner: Page, role: Role, email: string): Promise<void> {
  await confirmEmail(owner);
  await owner.goto('/staff/new');
  const fields = { 'Full Name': `The ${role}`, 'Email Address': email, 'Phone Number': '021 555 0199', 'Hourly Rate': '45' };
  for (const [label, text] of Object.entries(fields)) await owner.getByLabel(label, { exact: true }).fill(text);
  await owner.getByRole('radio', { name: role, exact: false }).first().check();
  await owner.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(owner.getByRole('list', { name: 'Staff members' }).getByText(`The ${role}`, { exact: true })).toBeVisible();
}

async function joinFromMail(browser: Browser, email: string): Promise<Page> {
  const page = await anotherBrowser(browser);
  await page.goto(await invitationLink(email));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Accept Invitation' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  return page;
}

async function expectPages(page: Page, role: Role, customer: string, isMobile: boolean): Promise<void> {
  const { menu, settings, creates, deletesCustomers, denied } = TABLE[role];
  await page.goto('/dashboard');
  if (isMobile) await page.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('navigation', { name: 'Main menu' }).getByRole('link')).toHaveText([...menu]);
  await expect(page.getByRole('complementary').getByText(role, { exact: true })).toBeVisible();
  if (isMobile) await page.getByRole('button', { name: 'Close sidebar' }).click();

  await page
    .getByRole('button', { name: /^Search or go to/ })
    .filter({ visible: true })
    .click();
  await page.getByRole('combobox').fill('new');
  await expect(page.getByRole('option', { name: /^New/ })).toHaveText([...creates]);
  await page.keyboard.press('Escape');

  await page.goto(`/customers/${customer}`);
  await expect(page.getByRole('button', { name: 'More actions' })).toBeVisible({ visible: deletesCustomers });
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toBeEditable();
  await page.goto('/settings');
  await expect(page.getByRole('tab')).toHaveText([...settings]);
  for (const [address, sentence] of denied) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
    await expect(page.getByText(sentence, { exact: true })).toBeVisible();
  }
}

async function expectRefusals(page: Page, role: Role): Promise<void> {
  for (const [method, path, allowed] of CALLS) {
    const answer = await page.request.fetch(`${product().url}/api${path}`, {
      method,
      headers: { origin: product().url },
      ...(method === 'GET' ? {} : { data: {} }),
    });
    expect.soft(answer.status() === 403, `${method} ${path} as ${role} answered ${answer.status()}`).toBe(!allowed.includes(role));
    if (answer.status() === 403) expect.soft(await answer.text()).toContain('You do not have permission to');
  }
}

test('an owner invites three people, and each sees and may do exactly what the table says', { tag: '@desk' }, async ({
  page,
  browser,
  isMobile,
}) => {
  test.slow();
  await startCompany(page);
  const { id } = await addCustomer(page);
  await test.step('admin', async () => {
    await expectPages(page, 'admin', id, isMobile);
    await expectRefusals(page, 'admin');
  });
  for (const role of ['manager', 'accountant', 'staff'] as const) {
    await test.step(role, async () => {
      const email = someAddress();
      await inviteByForm(page, role, email);
      const member = await joinFromMail(browser, email);
      await expectPages(member, role, id, isMobile);
      await expectRefusals(member, role);
      await member.context().close();
    });
  }
});

test('a change of role shows at once in the open pages of that person', { tag: '@desk' }, async ({ page, browser, isMobile }) => {
  await startCompany(page);
  const email = someAddress();
  await inviteByForm(page, 'manager', email);
  const member = await joinFromMail(browser, email);
  const listens = member.waitForResponse(/\/api\/live\b/);
  await member.goto('/staff');
  await listens;
  await expect(member.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await page.getByRole('link', { name: /The manager/ }).click();
  await page.getByRole('radio', { name: 'Admin' }).check();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(member.getByRole('list', { name: 'Staff members' })).toBeVisible();
  await page.getByRole('radio', { name: 'Staff', exact: true }).check();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(member.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  if (isMobile) await member.getByRole('button', { name: 'More' }).click();
  await expect(member.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Staff' })).toBeHidden();
});
