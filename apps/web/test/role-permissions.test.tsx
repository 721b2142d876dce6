import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ADMIN_USER, CUSTOMER, PROFILE } from './fixtures.ts';
import { openPage } from './open-page.tsx';

interface RoleExpectations {
  readonly menu: readonly string[];
  readonly settingsTabs: readonly string[];
  readonly createCommands: readonly string[];
  readonly canDeleteCustomers: boolean;
  /** Pairs of a path and the message shown on that page. */
  readonly deniedPages: readonly (readonly [string, string])[];
}

const WORK_MENU = ['Dashboard', 'To Do', 'Job Board', 'Calendar', 'Jobs', 'Quotes', 'Customers', 'Items & Services'];
const VIEW_DENIED = "You don't have permission to view this page.";
const ADD_STAFF_DENIED = "You don't have permission to add staff members.";
const RECORD_ID = '018f0000-0000-7000-8000-0000000000c1';
const STAFF_PAGES = [
  ['/staff', VIEW_DENIED],
  [`/staff/${RECORD_ID}`, VIEW_DENIED],
  ['/staff/new', ADD_STAFF_DENIED],
] as const;
const CREATE_COMMANDS = ['New Customer', 'New Quote', 'New Job', 'New Supplier', 'New Task'];

/** Expectations from the specification's "Who may do what" table; the server's access matrix covers the API. */
const EXPECTED_BY_ROLE: Record<Role, RoleExpectations> = {
  admin: {
    menu: [...WORK_MENU, 'Staff', 'Settings'],
    settingsTabs: ['General', 'Categories', 'Menu Order', 'Profile'],
    createCommands: [...CREATE_COMMANDS, 'New Staff Member'],
    canDeleteCustomers: true,
    deniedPages: [],
  },
  manager: {
    menu: [...WORK_MENU, 'Settings'],
    settingsTabs: ['Categories', 'Menu Order', 'Profile'],
    createCommands: CREATE_COMMANDS,
    canDeleteCustomers: true,
    deniedPages: STAFF_PAGES,
  },
  accountant: {
    menu: [...WORK_MENU, 'Settings'],
    settingsTabs: ['Menu Order', 'Profile'],
    createCommands: CREATE_COMMANDS,
    canDeleteCustomers: false,
    deniedPages: [...STAFF_PAGES, [`/jobs/${RECORD_ID}/edit`, VIEW_DENIED]],
  },
  staff: {
    menu: [...WORK_MENU, 'Settings'],
    settingsTabs: ['Menu Order', 'Profile'],
    createCommands: ['New Customer', 'New Job', 'New Task'],
    canDeleteCustomers: false,
    deniedPages: [
      ...STAFF_PAGES,
      [`/jobs/${RECORD_ID}/edit`, VIEW_DENIED],
      [`/jobs/${RECORD_ID}/payment`, VIEW_DENIED],
      ['/invoices', VIEW_DENIED],
      ['/invoices/debtors', VIEW_DENIED],
      ['/quotes/new', VIEW_DENIED],
      [`/quotes/${RECORD_ID}/edit`, VIEW_DENIED],
      ['/items-services/suppliers/new', VIEW_DENIED],
    ],
  },
};

const ROLES = ['admin', 'manager', 'accountant', 'staff'] as const;

function openPageAs(role: Role, path: string) {
  return openPage(path, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role } }),
    'GET /me/sessions': () => ({ rows: [] }),
    'GET /me/details': () => ({ id: 'staff-1', name: 'Mia', phone: null, color: null, avatar_url: null, version: 1 }),
    'GET /categories': () => ({ rows: [] }),
    'GET /dashboard/categories': () => ({ rows: [] }),
    'GET /staff': () => ({ rows: [] }),
    [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
    'GET /customers?search=new&sort=name&order=asc': () => ({ rows: [], next_cursor: null }),
    'GET /jobs/find?search=new': () => ({ rows: [] }),
    'GET /quotes/find?search=new': () => ({ rows: [] }),
    'GET /invoices?search=new&sort=invoice_number&order=desc': () => ({ rows: [], next_cursor: null }),
    'GET /items/search?search=new': () => ({ rows: [], next_cursor: null }),
  });
}

const getTexts = (elements: readonly HTMLElement[]) => elements.map(({ textContent }) => textContent);

describe.each(ROLES)('%s', (role) => {
  it('sees the menu entries and create commands of the role', async () => {
    openPageAs(role, '/todo');
    const menu = await screen.findByRole('navigation', { name: 'Main menu' });
    expect(getTexts(within(menu).getAllByRole('link'))).toEqual(EXPECTED_BY_ROLE[role].menu);
    within(screen.getByRole('complementary', { name: 'Sidebar' })).getByText(role);
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    fireEvent.change(await screen.findByRole('combobox'), { target: { value: 'new' } });
    await waitFor(() => expect(getTexts(screen.getAllByRole('option', { name: /^New/ }))).toEqual(EXPECTED_BY_ROLE[role].createCommands));
  });

  it('can edit customers, and delete them only if the role allows it', async () => {
    openPageAs(role, `/customers/${CUSTOMER.id}`);
    const edit = await screen.findByRole('link', { name: 'Edit' });
    expect(screen.queryByRole('button', { name: 'More actions' }) !== null).toBe(EXPECTED_BY_ROLE[role].canDeleteCustomers);
    await act(async () => fireEvent.click(edit));
    expect((await screen.findByLabelText<HTMLInputElement>('Name')).readOnly).toBe(false);
  });

  it("sees the role's settings tabs and starts on the first company tab, or on Profile if there is none", async () => {
    openPageAs(role, '/settings?tab=general');
    const [first = '', ...others] = EXPECTED_BY_ROLE[role].settingsTabs;
    const tabs = await screen.findAllByRole('tab');
    expect(getTexts(tabs)).toEqual([first, ...others]);
    const initialTab = first === 'Menu Order' ? 'Profile' : first;
    expect(screen.getByRole('tab', { name: initialTab }).getAttribute('aria-selected')).toBe('true');
  });

  it('can reorder only the menu entries the role sees', async () => {
    openPageAs(role, '/settings?tab=menu-order');
    const list = await screen.findByRole('list', { name: 'Menu order' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(EXPECTED_BY_ROLE[role].menu.length);
  });

  it.each([...EXPECTED_BY_ROLE[role].deniedPages])('is denied access to %s', async (path, message) => {
    openPageAs(role, path);
    await screen.findByRole('heading', { name: 'Access Denied' });
    expect(screen.getByText(message)).toBeDefined();
  });
});
