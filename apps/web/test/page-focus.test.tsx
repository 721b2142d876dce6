import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ADMIN_USER, CUSTOMER, JOB, JOB_PAGE_RESPONSES, USER_WITHOUT_COMPANY } from './fixtures.ts';
import { DASHBOARD_RESPONSES, failWith, openPage } from './open-page.tsx';

const SHELL_RESPONSES = { 'GET /me': () => ADMIN_USER, 'GET /notifications': () => ({ rows: [], unread: 0 }) };
const SIGNED_IN_RESPONSES = { ...SHELL_RESPONSES, ...DASHBOARD_RESPONSES };

const RECORD_RESPONSES = {
  ...SHELL_RESPONSES,
  'GET /customers?sort=name&order=asc': () => ({ rows: [CUSTOMER], next_cursor: null }),
  'GET /customers/count': () => ({ total: 1 }),
  'GET /staff-names': () => ({ rows: [] }),
  'GET /categories': () => ({ rows: [] }),
  'GET /jobs?sort=created_at&order=desc': () => ({ rows: [{ ...JOB, timer_status: null, matched: null }], next_cursor: null }),
  'GET /jobs/count': () => ({ total: 1 }),
  [`GET /jobs/${JOB.id}`]: () => JOB,
  ...JOB_PAGE_RESPONSES,
  [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
  'GET /jobs?sort=created_at&order=desc&customer_id={id}': () => ({ rows: [], next_cursor: null }),
};

const findHeading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name });

/** Finds the heading that is currently rendered, because a page may replace its heading once its data has loaded. */
const getHeading = (name: string | RegExp) => screen.getByRole('heading', { level: 1, name });

/** Simulates a device without a mouse or keyboard, where no media query matches. */
function mockTouchDevice(): void {
  vi.stubGlobal('matchMedia', (query: string) => Object.assign(new EventTarget(), { matches: false, media: query }));
}

describe('focus after navigation', () => {
  it('moves to the page heading', async () => {
    openPage('/todo', SIGNED_IN_RESPONSES);
    await findHeading('To Do');
    await act(async () => fireEvent.click(screen.getAllByRole('link', { name: 'Staff' })[0] ?? document.body));
    await waitFor(() => expect(document.activeElement).toBe(getHeading('Staff')));
  });

  it.each([
    ['/customers', `/customers/${CUSTOMER.id}`, 'Customers', CUSTOMER.name],
    ['/jobs', `/jobs/${JOB.id}`, 'Jobs', JOB.title],
  ])('returns to the followed link of %s after Back', async (list, path, title, name) => {
    const { router } = openPage(list, RECORD_RESPONSES);
    const row = await screen.findByRole('link', { name: new RegExp(`^${name}`) });
    await act(async () => fireEvent.click(row));
    await waitFor(() => expect(document.activeElement).toBe(getHeading(name)));
    await act(async () => router.history.back());
    await findHeading(title);
    await waitFor(() => expect(document.activeElement?.getAttribute('href')).toBe(path));
  });

  it('moves to the heading after Back when the followed link is hidden, as in a collapsed time sheet row', async () => {
    const { router } = openPage('/customers', RECORD_RESPONSES);
    const row = await screen.findByRole('link', { name: new RegExp(`^${CUSTOMER.name}`) });
    await act(async () => fireEvent.click(row));
    await findHeading(CUSTOMER.name);
    const visibility = vi.spyOn(HTMLAnchorElement.prototype, 'checkVisibility').mockReturnValue(false);
    try {
      await act(async () => router.history.back());
      await screen.findByRole('link', { name: new RegExp(`^${CUSTOMER.name}`) });
      await waitFor(() => expect(document.activeElement).toBe(getHeading('Customers')));
    } finally {
      visibility.mockRestore();
    }
  });

  it('moves to the heading after Back while two links match, then to the link once only one is left', async () => {
    const { router } = openPage('/customers', RECORD_RESPONSES);
    const row = await screen.findByRole('link', { name: new RegExp(`^${CUSTOMER.name}`) });
    await act(async () => fireEvent.click(row));
    await findHeading(CUSTOMER.name);
    const before = document.createElement('main');
    before.innerHTML = `<p><a href="/customers/${CUSTOMER.id}">Details</a></p>`;
    document.body.append(before);
    try {
      await act(async () => router.history.back());
      await screen.findByRole('link', { name: new RegExp(`^${CUSTOMER.name}`) });
      await waitFor(() => expect(document.activeElement).toBe(getHeading('Customers')));
    } finally {
      before.remove();
    }
    const again = await screen.findByRole('link', { name: new RegExp(`^${CUSTOMER.name}`) });
    await waitFor(() => expect(document.activeElement).toBe(again));
  });

  it.each([
    ['no ring after Back if the mouse was used last', () => fireEvent.pointerDown(document.body), false],
    ['a ring after Back if the keyboard was used last', () => fireEvent.keyDown(document.body, { key: 'Alt' }), true],
  ])('shows %s', async (_what, press, focusVisible) => {
    const { router } = openPage('/customers', RECORD_RESPONSES);
    const row = await screen.findByRole('link', { name: new RegExp(`^${CUSTOMER.name}`) });
    await act(async () => fireEvent.click(row));
    await waitFor(() => expect(document.activeElement).toBe(getHeading(CUSTOMER.name)));
    press();
    const focus = vi.spyOn(HTMLAnchorElement.prototype, 'focus');
    try {
      await act(async () => router.history.back());
      await waitFor(() => expect(focus).toHaveBeenCalledWith({ preventScroll: true, focusVisible }));
    } finally {
      focus.mockRestore();
    }
  });

  it('moves to the heading after Forward even if the page links to the previous one', async () => {
    const { router } = openPage(`/customers/${CUSTOMER.id}`, RECORD_RESPONSES);
    await findHeading(CUSTOMER.name);
    await act(async () => router.navigate({ to: '/jobs/$id', params: { id: JOB.id } }));
    await screen.findByRole('link', { name: CUSTOMER.name });
    await act(async () => router.history.back());
    await findHeading(CUSTOMER.name);
    await act(async () => router.history.forward());
    await screen.findByRole('link', { name: CUSTOMER.name });
    await waitFor(() => expect(document.activeElement).toBe(getHeading(JOB.title)));
  });

  it('moves to the heading after the command palette closes', async () => {
    openPage('/todo', {
      ...SIGNED_IN_RESPONSES,
      // The next requests are sent only if the search debounce ends before the option is chosen.
      'GET /customers?search=staff&sort=name&order=asc': () => ({ rows: [], next_cursor: null }),
      'GET /jobs/find?search=staff': () => ({ rows: [] }),
      'GET /quotes/find?search=staff': () => ({ rows: [] }),
      'GET /invoices?search=staff&sort=invoice_number&order=desc': () => ({ rows: [], next_cursor: null }),
      'GET /items/search?search=staff': () => ({ rows: [], next_cursor: null }),
    });
    await findHeading('To Do');
    const opener = screen.getByRole('button', { name: /^Search or go to…/ });
    opener.focus();
    fireEvent.click(opener);
    fireEvent.change(await screen.findByRole('combobox'), { target: { value: 'staff' } });
    fireEvent.click(await screen.findByRole('option', { name: 'Staff' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(getHeading('Staff')));
  });

  it('moves to the first field of a form', async () => {
    openPage('/dashboard', SIGNED_IN_RESPONSES);
    const link = await screen.findByRole('link', { name: 'New Customer' });
    await act(async () => fireEvent.click(link));
    const target = await screen.findByLabelText('Name');
    await waitFor(() => expect(document.activeElement).toBe(target));
  });

  it('moves to the heading after signing in', async () => {
    const me = { response: (): unknown => failWith('UNAUTHENTICATED') };
    openPage('/auth', { ...SIGNED_IN_RESPONSES, 'GET /me': () => me.response(), 'POST /auth/sign-in': () => ADMIN_USER.user });
    fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'mia@example.com' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'a long password' } });
    me.response = () => ADMIN_USER;
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Sign In' })));
    await waitFor(() => expect(document.activeElement).toBe(getHeading(/Good/)));
  });
});

describe('focus after signing in without a company', () => {
  async function signInWithoutCompany() {
    const me = { response: (): unknown => failWith('UNAUTHENTICATED') };
    openPage('/auth', {
      'GET /me': () => me.response(),
      'GET /me/invitations': () => ({ open: false, companies: [] }),
      'POST /auth/sign-in': () => USER_WITHOUT_COMPANY.user,
    });
    fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'nia@example.com' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'a long password' } });
    me.response = () => USER_WITHOUT_COMPANY;
    const button = screen.getByRole('button', { name: 'Sign In' });
    button.focus();
    await act(async () => fireEvent.click(button));
    return findHeading('Complete Your Profile');
  }

  it('moves to the first onboarding field', async () => {
    await signInWithoutCompany();
    const target = await screen.findByLabelText('Company name');
    await waitFor(() => expect(document.activeElement).toBe(target));
  });

  it('moves focus to the first field even if the previous page unmounts late', async () => {
    const before = document.createElement('main');
    before.innerHTML = '<p><input></p>';
    document.body.prepend(before);
    try {
      await signInWithoutCompany();
      await waitFor(() => expect(document.activeElement).toBe(before.querySelector('input')));
    } finally {
      before.remove();
    }
    const target = await screen.findByLabelText('Company name');
    await waitFor(() => expect(document.activeElement).toBe(target));
  });

  it('moves to the heading instead of a field on a touch device', async () => {
    mockTouchDevice();
    const target = await signInWithoutCompany();
    await waitFor(() => expect(document.activeElement).toBe(target));
  });
});

describe('focus in a form that opens in place', () => {
  const CUSTOMER_PATH = `/customers/${CUSTOMER.id}`;
  async function openEditForm() {
    const { router } = openPage(CUSTOMER_PATH, {
      ...SHELL_RESPONSES,
      [`GET ${CUSTOMER_PATH}`]: () => CUSTOMER,
      'GET /jobs?sort=created_at&order=desc&customer_id={id}': () => ({ rows: [], next_cursor: null }),
    });
    const edit = await screen.findByRole('link', { name: 'Edit' });
    edit.focus();
    await act(async () => fireEvent.click(edit));
    return { router, name: await screen.findByLabelText('Name') };
  }

  it('moves to the first text field', async () => {
    const { name } = await openEditForm();
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  it('moves to the heading after Back and ignores links to the page itself', async () => {
    const { router, name } = await openEditForm();
    await waitFor(() => expect(document.activeElement).toBe(name));
    const own = document.createElement('main');
    own.innerHTML = `<p><a href="${CUSTOMER_PATH}">Details</a></p>`;
    document.body.append(own);
    try {
      await act(async () => router.history.back());
      await screen.findByRole('link', { name: 'Edit' });
      await waitFor(() => expect(document.activeElement).toBe(getHeading(CUSTOMER.name)));
    } finally {
      own.remove();
    }
  });

  it('moves to the heading instead of the text field on a touch device', async () => {
    mockTouchDevice();
    await openEditForm();
    await waitFor(() => expect(document.activeElement).toBe(getHeading(CUSTOMER.name)));
  });
});

describe('focus on a page opened by URL', () => {
  it.each([
    ['/auth', 'Email'],
    ['/auth?mode=create-account', 'Email'],
    ['/onboarding', 'Company name'],
  ])('moves to the first field of %s', async (path, label) => {
    const me = () => (path === '/onboarding' ? USER_WITHOUT_COMPANY : failWith('UNAUTHENTICATED'));
    openPage(path, { 'GET /me': me, 'GET /me/invitations': () => ({ open: false, companies: [] }) });
    const target = await screen.findByLabelText(label);
    await waitFor(() => expect(document.activeElement).toBe(target));
  });

  it('stays put on pages where the form is secondary', async () => {
    openPage('/settings', SHELL_RESPONSES);
    await screen.findByLabelText(/^Bank name/);
    await new Promise(requestAnimationFrame);
    expect(document.activeElement).toBe(document.body);
  });

  it('does not move to a field of the new customer form on a touch device', async () => {
    mockTouchDevice();
    openPage('/customers/new', SHELL_RESPONSES);
    await screen.findByLabelText('Name');
    await new Promise(requestAnimationFrame);
    expect(document.activeElement).toBe(document.body);
  });

  it('does not move to a field on a touch device, where that would open the on-screen keyboard', async () => {
    mockTouchDevice();
    openPage('/onboarding', { 'GET /me': () => USER_WITHOUT_COMPANY, 'GET /me/invitations': () => ({ open: false, companies: [] }) });
    await screen.findByLabelText('Company name');
    await new Promise(requestAnimationFrame);
    expect(document.activeElement).toBe(document.body);
  });
});
