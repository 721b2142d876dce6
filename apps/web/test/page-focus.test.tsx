import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { DASHBOARD, openPage, refuse } from './open-page.tsx';
import { CUSTOMER, JOB, JOB_PARTS, NEWCOMER, OWNER } from './people.ts';

const SHELL = { 'GET /me': () => OWNER, 'GET /notifications': () => ({ rows: [], unread: 0 }) };
const SIGNED_IN = {
  ...SHELL,
  ...DASHBOARD,
};

const RECORDS = {
  ...SHELL,
  'GET /customers?sort=name&order=asc': () => ({ rows: [CUSTOMER], next_cursor: null }),
  'GET /customers/count': () => ({ total: 1 }),
  'GET /staff-names': () => ({ rows: [] }),
  'GET /categories': () => ({ rows: [] }),
  'GET /jobs?sort=created_at&order=desc': () => ({ rows: [{ ...JOB, timer_status: null, matched: null }], next_cursor: null }),
  'GET /jobs/count': () => ({ total: 1 }),
  [`GET /jobs/${JOB.id}`]: () => JOB,
  ...JOB_PARTS,
  [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
  'GET /jobs?sort=created_at&order=desc&customer_id={id}': () => ({ rows: [], next_cursor: null }),
};

const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name });

/** The one that shows now: a page may bring another one once its data is there. */
const shownHeading = (name: string | RegExp) => screen.getByRole('heading', { level: 1, name });

/** As on a phone: no keyboard, no mouse. */
function useTouch(): void {
  vi.stubGlobal('matchMedia', (query: string) => Object.assign(new EventTarget(), { matches: false, media: query }));
}

describe('the focus after a navigation', () => {
  it('is on the heading of the page', async () => {
    openPage('/todo', SIGNED_IN);
    await heading('To Do');
    await act(async () => fireEvent.click(screen.getAllByRole('link', { name: 'Staff' })[0] ?? document.body));
    await waitFor(() => expect(document.activeElement).toBe(shownHeading('Staff')));
  });

  it.each([
    ['/customers', `/customers/${CUSTOMER.id}`, 'Customers', CUSTOMER.name],
    ['/jobs', `/jobs/${JOB.id}`, 'Jobs', JOB.title],
  ])('is on the link of %s that was followed, after Back', async (list, path, title, name) => {
    const { router } = openPage(list, RECORDS);
    const row = await screen.findByRole('link', { name: new RegExp(`^${name}`) });
    await act(async () => fireEvent.click(row));
    await waitFor(() => expect(document.activeElement).toBe(shownHeading(name)));
    await act(async () => router.history.back());
    await heading(title);
    await waitFor(() => expect(document.activeElement?.getAttribute('href')).toBe(path));
  });

  it('is on the heading after Back when the link that was followed is hidden now, as in a closed row of the time sheet', async () => {
    const { router } = openPage('/customers', RECORDS);
    const row = await screen.findByRole('link', { name: new RegExp(`^${CUSTOMER.name}`) });
    await act(async () => fireEvent.click(row));
    await heading(CUSTOMER.name);
    const visibility = vi.spyOn(HTMLAnchorElement.prototype, 'checkVisibility').mockReturnValue(false);
    try {
      await act(async () => router.history.back());
      await screen.findByRole('link', { name: new RegExp(`^${CUSTOMER.name}`) });
      await waitFor(() => expect(document.activeElement).toBe(shownHeading('Customers')));
    } finally {
      visibility.mockRestore();
    }
  });

  it('is on the heading after Back while two links lead to the same place, and on the link once there is only one', async () => {
    const { router } = openPage('/customers', RECORDS);
    const row = await screen.findByRole('link', { name: new RegExp(`^${CUSTOMER.name}`) });
    await act(async () => fireEvent.click(row));
    await heading(CUSTOMER.name);
    const before = document.createElement('main');
    before.innerHTML = `<p><a href="/customers/${CUSTOMER.id}">Details</a></p>`;
    document.body.append(before);
    try {
      await act(async () => router.history.back());
      await screen.findByRole('link', { name: new RegExp(`^${CUSTOMER.name}`) });
      await waitFor(() => expect(document.activeElement).toBe(shownHeading('Customers')));
    } finally {
      before.remove();
    }
    const again = await screen.findByRole('link', { name: new RegExp(`^${CUSTOMER.name}`) });
    await waitFor(() => expect(document.activeElement).toBe(again));
  });

  it.each([
    ['no ring after a click', () => fireEvent.pointerDown(document.body), false],
    ['a ring after a key', () => fireEvent.keyDown(document.body, { key: 'Alt' }), true],
  ])('after Back draws %s', async (_what, press, focusVisible) => {
    const { router } = openPage('/customers', RECORDS);
    const row = await screen.findByRole('link', { name: new RegExp(`^${CUSTOMER.name}`) });
    await act(async () => fireEvent.click(row));
    await waitFor(() => expect(document.activeElement).toBe(shownHeading(CUSTOMER.name)));
    press();
    const focus = vi.spyOn(HTMLAnchorElement.prototype, 'focus');
    try {
      await act(async () => router.history.back());
      await waitFor(() => expect(focus).toHaveBeenCalledWith({ preventScroll: true, focusVisible }));
    } finally {
      focus.mockRestore();
    }
  });

  it('is on the heading after Forward, although the page has a link to the one before', async () => {
    const { router } = openPage(`/customers/${CUSTOMER.id}`, RECORDS);
    await heading(CUSTOMER.name);
    await act(async () => router.navigate({ to: '/jobs/$id', params: { id: JOB.id } }));
    await screen.findByRole('link', { name: CUSTOMER.name });
    await act(async () => router.history.back());
    await heading(CUSTOMER.name);
    await act(async () => router.history.forward());
    await screen.findByRole('link', { name: CUSTOMER.name });
    await waitFor(() => expect(document.activeElement).toBe(shownHeading(JOB.title)));
  });

  it('is on the heading after the palette has closed', async () => {
    openPage('/todo', {
      ...SIGNED_IN,
      // Only asked when the option is chosen late.
      'GET /customers?search=staff&sort=name&order=asc': () => ({ rows: [], next_cursor: null }),
      'GET /jobs/find?search=staff': () => ({ rows: [] }),
      'GET /quotes/find?search=staff': () => ({ rows: [] }),
      'GET /invoices?search=staff&sort=invoice_number&order=desc': () => ({ rows: [], next_cursor: null }),
      'GET /items/search?search=staff': () => ({ rows: [], next_cursor: null }),
    });
    await heading('To Do');
    const opener = screen.getByRole('button', { name: /^Search or go to…/ });
    opener.focus();
    fireEvent.click(opener);
    fireEvent.change(await screen.findByRole('combobox'), { target: { value: 'staff' } });
    fireEvent.click(await screen.findByRole('option', { name: 'Staff' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(shownHeading('Staff')));
  });

  it('is on the first field of a form', async () => {
    openPage('/dashboard', SIGNED_IN);
    const link = await screen.findByRole('link', { name: 'New Customer' });
    await act(async () => fireEvent.click(link));
    const target = await screen.findByLabelText('Name');
    await waitFor(() => expect(document.activeElement).toBe(target));
  });

  it('is on the heading after signing in', async () => {
    const me = { answer: (): unknown => refuse('UNAUTHENTICATED') };
    openPage('/auth', { ...SIGNED_IN, 'GET /me': () => me.answer(), 'POST /auth/sign-in': () => OWNER.user });
    fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'mia@example.com' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'a long password' } });
    me.answer = () => OWNER;
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Sign In' })));
    await waitFor(() => expect(document.activeElement).toBe(shownHeading(/Good/)));
  });
});

describe('the focus after signing in without a company', () => {
  async function signIn() {
    const me = { answer: (): unknown => refuse('UNAUTHENTICATED') };
    openPage('/auth', {
      'GET /me': () => me.answer(),
      'GET /me/invitations': () => ({ open: false, companies: [] }),
      'POST /auth/sign-in': () => NEWCOMER.user,
    });
    fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'nia@example.com' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'a long password' } });
    me.answer = () => NEWCOMER;
    const button = screen.getByRole('button', { name: 'Sign In' });
    button.focus();
    await act(async () => fireEvent.click(button));
    return heading('Complete Your Profile');
  }

  it('is on the first field', async () => {
    await signIn();
    const target = await screen.findByLabelText('Company name');
    await waitFor(() => expect(document.activeElement).toBe(target));
  });

  it('is on the first field, also when the page before leaves late', async () => {
    const before = document.createElement('main');
    before.innerHTML = '<p><input></p>';
    document.body.prepend(before);
    try {
      await signIn();
      await waitFor(() => expect(document.activeElement).toBe(before.querySelector('input')));
    } finally {
      before.remove();
    }
    const target = await screen.findByLabelText('Company name');
    await waitFor(() => expect(document.activeElement).toBe(target));
  });

  it('is on the heading on a touch device', async () => {
    useTouch();
    const target = await signIn();
    await waitFor(() => expect(document.activeElement).toBe(target));
  });
});

describe('the focus in a form that opens in place', () => {
  const PATH = `/customers/${CUSTOMER.id}`;
  async function openForm() {
    const { router } = openPage(PATH, {
      ...SHELL,
      [`GET ${PATH}`]: () => CUSTOMER,
      'GET /jobs?sort=created_at&order=desc&customer_id={id}': () => ({ rows: [], next_cursor: null }),
    });
    const edit = await screen.findByRole('link', { name: 'Edit' });
    edit.focus();
    await act(async () => fireEvent.click(edit));
    return { router, name: await screen.findByLabelText('Name') };
  }

  it('is on its first field to type into', async () => {
    const { name } = await openForm();
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  it('is on the heading after Back, which follows no link to the page itself', async () => {
    const { router, name } = await openForm();
    await waitFor(() => expect(document.activeElement).toBe(name));
    const own = document.createElement('main');
    own.innerHTML = `<p><a href="${PATH}">Details</a></p>`;
    document.body.append(own);
    try {
      await act(async () => router.history.back());
      await screen.findByRole('link', { name: 'Edit' });
      await waitFor(() => expect(document.activeElement).toBe(shownHeading(CUSTOMER.name)));
    } finally {
      own.remove();
    }
  });

  it('is on the heading on a touch device', async () => {
    useTouch();
    await openForm();
    await waitFor(() => expect(document.activeElement).toBe(shownHeading(CUSTOMER.name)));
  });
});

describe('the focus on a page opened by its URL', () => {
  it.each([
    ['/auth', 'Email'],
    ['/auth?mode=create-account', 'Email'],
    ['/onboarding', 'Company name'],
  ])('is on the first field of %s', async (path, label) => {
    const me = () => (path === '/onboarding' ? NEWCOMER : refuse('UNAUTHENTICATED'));
    openPage(path, { 'GET /me': me, 'GET /me/invitations': () => ({ open: false, companies: [] }) });
    const target = await screen.findByLabelText(label);
    await waitFor(() => expect(document.activeElement).toBe(target));
  });

  it('stays the browser’s own on a page with a form that is not its start', async () => {
    openPage('/settings', SHELL);
    await screen.findByLabelText(/^Bank name/);
    await new Promise(requestAnimationFrame);
    expect(document.activeElement).toBe(document.body);
  });

  it('is on no field of a new customer on a touch device', async () => {
    useTouch();
    openPage('/customers/new', SHELL);
    await screen.findByLabelText('Name');
    await new Promise(requestAnimationFrame);
    expect(document.activeElement).toBe(document.body);
  });

  it('is on no field on a touch device, where it would open the keyboard', async () => {
    useTouch();
    openPage('/onboarding', { 'GET /me': () => NEWCOMER, 'GET /me/invitations': () => ({ open: false, companies: [] }) });
    await screen.findByLabelText('Company name');
    await new Promise(requestAnimationFrame);
    expect(document.activeElement).toBe(document.body);
  });
});
