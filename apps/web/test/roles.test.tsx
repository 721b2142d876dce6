import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from './open-page.tsx';
import { CUSTOMER, OWNER, PROFILE } from './people.ts';

interface Sees {
  readonly menu: readonly string[];
  readonly settings: readonly string[];
  /** What the palette offers to create. */
  readonly creates: readonly string[];
  readonly deletesCustomers: boolean;
  /** Path, and the sentence there. */
  readonly denied: readonly (readonly [string, string])[];
}

const WORK = ['Dashboard', 'To Do', 'Job Board', 'Calendar', 'Jobs', 'Quotes', 'Customers', 'Items & Services'];
const VIEW = "You don't have permission to view this page.";
const ADD = "You don't have permission to add staff members.";
const ID = '018f0000-0000-7000-8000-0000000000c1';
const STAFF_PAGES = [
  ['/staff', VIEW],
  [`/staff/${ID}`, VIEW],
  ['/staff/new', ADD],
] as const;
const NEW = ['New Customer', 'New Quote', 'New Job', 'New Supplier', 'New Task'];

/** 'Who may do what', as far as its pages exist. What the server refuses is in its access matrix. */
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
    denied: [...STAFF_PAGES, [`/jobs/${ID}/edit`, VIEW]],
  },
  staff: {
    menu: [...WORK, 'Settings'],
    settings: ['Menu Order', 'Profile'],
    creates: ['New Customer', 'New Job', 'New Task'],
    deletesCustomers: false,
    denied: [
      ...STAFF_PAGES,
      [`/jobs/${ID}/edit`, VIEW],
      [`/jobs/${ID}/payment`, VIEW],
      ['/invoices', VIEW],
      ['/invoices/debtors', VIEW],
      ['/quotes/new', VIEW],
      [`/quotes/${ID}/edit`, VIEW],
      ['/items-services/suppliers/new', VIEW],
    ],
  },
};

const ROLES = ['admin', 'manager', 'accountant', 'staff'] as const;

function openAs(role: Role, path: string) {
  return openPage(path, {
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, role } }),
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

const texts = (elements: readonly HTMLElement[]) => elements.map(({ textContent }) => textContent);

describe.each(ROLES)('%s', (role) => {
  it('sees its menu, and creates what the palette offers', async () => {
    openAs(role, '/todo');
    const menu = await screen.findByRole('navigation', { name: 'Main menu' });
    expect(texts(within(menu).getAllByRole('link'))).toEqual(TABLE[role].menu);
    within(screen.getByRole('complementary', { name: 'Sidebar' })).getByText(role);
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    fireEvent.change(await screen.findByRole('combobox'), { target: { value: 'new' } });
    await waitFor(() => expect(texts(screen.getAllByRole('option', { name: /^New/ }))).toEqual(TABLE[role].creates));
  });

  it('edits customers, and deletes them only where its row says so', async () => {
    openAs(role, `/customers/${CUSTOMER.id}`);
    const edit = await screen.findByRole('link', { name: 'Edit' });
    expect(screen.queryByRole('button', { name: 'More actions' }) !== null).toBe(TABLE[role].deletesCustomers);
    await act(async () => fireEvent.click(edit));
    expect((await screen.findByLabelText<HTMLInputElement>('Name')).readOnly).toBe(false);
  });

  it('has its tabs of the settings, and opens the company’s first, else the own profile', async () => {
    openAs(role, '/settings?tab=general');
    const [first = '', ...others] = TABLE[role].settings;
    const tabs = await screen.findAllByRole('tab');
    expect(texts(tabs)).toEqual([first, ...others]);
    const open = first === 'Menu Order' ? 'Profile' : first;
    expect(screen.getByRole('tab', { name: open }).getAttribute('aria-selected')).toBe('true');
  });

  it('orders the menu entries it sees, and no others', async () => {
    openAs(role, '/settings?tab=menu-order');
    const list = await screen.findByRole('list', { name: 'Menu order' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(TABLE[role].menu.length);
  });

  it.each([...TABLE[role].denied])('is refused %s', async (path, sentence) => {
    openAs(role, path);
    await screen.findByRole('heading', { name: 'Access Denied' });
    expect(screen.getByText(sentence)).toBeDefined();
  });
});
