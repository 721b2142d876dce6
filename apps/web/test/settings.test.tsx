import { CURRENCY_FIXED_MESSAGE, type Me, type Profile } from '@callout/contract/company';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { watchSession } from '../src/app/session.ts';
import { ADMIN_USER, PROFILE } from './fixtures.ts';
import { failWith, getToasts, getValue, type MockApi, openPage, pressButton, typeInto, waitForFocus, waitForToasts } from './open-page.tsx';

afterEach(() => vi.restoreAllMocks());

const SETTINGS_RESPONSES: MockApi = {
  'GET /me': () => ADMIN_USER,
  'GET /staff': () => ({ rows: [] }),
  'GET /dashboard/categories': () => ({ rows: [] }),
};

/** Opens the company settings on a mock server that records every saved input. Tests can change the stored profile. */
async function openCompanySettings(responses: MockApi = {}, stored: Profile = PROFILE) {
  const server = { profile: stored, sent: [] as unknown[] };
  const me = (): Me => ({ ...ADMIN_USER, profile: server.profile });
  const page = openPage('/settings', {
    ...SETTINGS_RESPONSES,
    'GET /me': me,
    'PUT /company': (input) => {
      const change = input as Profile;
      server.sent.push(change);
      if (change.version !== server.profile.version) return failWith('STALE_VERSION', undefined, { current: server.profile });
      server.profile = { ...server.profile, ...change, version: change.version + 1 };
      return me();
    },
    ...responses,
  });
  await screen.findByLabelText(/^Company Name/);
  return { ...page, server };
}

describe('the company settings', () => {
  it('explain what the reminders do', async () => {
    await openCompanySettings();
    expect(screen.getByText('What happens after a quote is sent.')).toBeDefined();
  });

  it('promise no reminders on a server without mail', async () => {
    await openCompanySettings({ 'GET /me': () => ({ ...ADMIN_USER, profile: PROFILE, sends_mail: false }) });
    expect(screen.getAllByText("Email isn't set up on this server. No reminders are sent.")).toHaveLength(2);
    expect(screen.queryByText(/^We email the customer/)).toBeNull();
  });

  it('show an error on each invalid field and keep the entered text', async () => {
    const { server } = await openCompanySettings();
    typeInto(/^Company Name/, 'x'.repeat(500));
    typeInto(/^GST percentage/, '101');
    await act(async () => fireEvent.click(screen.getByRole('checkbox', { name: /^Add fees/ })));
    typeInto(/^Fee percentage/, '100');
    await pressButton('Save Changes');
    await screen.findByText('Company name must be at most 200 characters');
    screen.getByText('GST percentage must be a number from 0 to 100');
    screen.getByText('Fee percentage must be a number of at least 0 and less than 100');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Company Name/)));
    expect(getValue(/^Company Name/)).toBe('x'.repeat(500));
    expect(server.sent).toEqual([]);
  });

  it('report a failed save and keep the entered text', async () => {
    await openCompanySettings({ 'PUT /company': () => failWith('INTERNAL') });
    typeInto(/^Address/, '12 Wharf Street');
    await pressButton('Save Changes');
    await waitForToasts('Failed to update settings');
    expect(getValue(/^Address/)).toBe('12 Wharf Street');
  });

  it('say at the currency why it can no longer change, and keep the choice', async () => {
    const refusal = { fields: { currency: CURRENCY_FIXED_MESSAGE } };
    await openCompanySettings({ 'PUT /company': () => failWith('INVALID_INPUT', undefined, refusal) });
    const currency = screen.getByLabelText<HTMLSelectElement>('Currency');
    expect(screen.getByText('Final once you send a quote or an invoice, or record a payment.')).toBeDefined();
    fireEvent.change(currency, { target: { value: 'EUR' } });
    await pressButton('Save Changes');
    await waitFor(() => expect(screen.getByText(CURRENCY_FIXED_MESSAGE)).toBeDefined());
    expect(currency.value).toBe('EUR');
  });

  it('disable the currency with the reason once it is final, and still save it with the other settings', async () => {
    const { server } = await openCompanySettings({ 'GET /company/currency': () => ({ is_final: true }) });
    expect(await screen.findByText(CURRENCY_FIXED_MESSAGE)).toBeDefined();
    expect(screen.getByLabelText<HTMLSelectElement>('Currency').disabled).toBe(true);
    typeInto(/^Address/, '12 Wharf Street');
    await pressButton('Save Changes');
    await waitFor(() => expect(server.sent).toMatchObject([{ address: '12 Wharf Street', currency: PROFILE.currency }]));
  });

  it('say that a new GST rate also changes the prices of open jobs', async () => {
    await openCompanySettings();
    expect(screen.getByText('A new rate also changes the prices of jobs that are not quoted, invoiced or paid.')).toBeDefined();
  });

  it('accept a comma as the decimal separator', async () => {
    const { server } = await openCompanySettings();
    typeInto(/^Default hourly rate/, '95,50');
    await pressButton('Save Changes');
    await waitFor(() => expect(server.sent).toMatchObject([{ default_hourly_rate: '95.50' }]));
  });

  it('save payment terms and a custom reminder for overdue invoices', async () => {
    const { server } = await openCompanySettings();
    typeInto(/^Payment terms/, '200');
    expect(screen.queryByLabelText(/^Reminder subject/)).toBeNull();
    typeInto(/^Remind customers about overdue invoices/, '3');
    const subject = await screen.findByLabelText<HTMLInputElement>(/^Reminder subject/);
    expect(subject.placeholder).toContain('{number}');
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Reminder text/).placeholder).toContain('{amount}');
    for (const name of ['{customer}', '{number}', '{amount}', '{due}', '{company}'])
      expect(screen.getByText(/^We fill in {customer}/).textContent).toContain(name);
    await pressButton('Save Changes');
    await screen.findByText('Please enter a whole number from 0 to 180, or leave this empty');
    typeInto(/^Payment terms/, '7');
    typeInto(/^Reminder subject/, 'Invoice {number}');
    await pressButton('Save Changes');
    await waitFor(() =>
      expect(server.sent).toMatchObject([
        { payment_terms_days: '7', invoice_reminder_days: '3', invoice_reminder_subject: 'Invoice {number}', invoice_reminder_body: null },
      ]),
    );
  });

  it('keep the reminder text while the reminder is turned off', async () => {
    const { server } = await openCompanySettings({}, { ...PROFILE, invoice_reminder_days: '3', invoice_reminder_body: 'Please pay.' });
    typeInto(/^Remind customers about overdue invoices/, '');
    await waitFor(() => expect(screen.queryByLabelText(/^Reminder text/)).toBeNull());
    await pressButton('Save Changes');
    await waitFor(() => expect(server.sent).toMatchObject([{ invoice_reminder_days: null, invoice_reminder_body: 'Please pay.' }]));
  });

  it('can be saved with an existing company name that looks like a domain', async () => {
    const { server } = await openCompanySettings({}, { ...PROFILE, company_name: 'Plumb.it' });
    typeInto(/^Phone/, '09 555 999');
    await pressButton('Save Changes');
    await waitFor(() => expect(server.sent).toMatchObject([{ company_name: 'Plumb.it', phone: '09 555 999', version: 1 }]));
  });

  it('merge the changes of two people', async () => {
    const { server, queryClient } = await openCompanySettings();
    typeInto(/^Bank name/, 'Kiwibank');
    server.profile = { ...PROFILE, bank_name: 'Westpac', phone: '09 555 0001', version: 2 };
    await act(async () => queryClient.invalidateQueries({ queryKey: ['me'] }));
    await screen.findByText("There's a newer version of the settings. Your changes are still here.");
    expect(getValue(/^Bank name/)).toBe('Kiwibank');
    await pressButton('Save Changes');
    expect((await screen.findByRole('alert')).textContent).toContain('Theirs: Westpac');
    await pressButton('Keep my changes');
    await waitForToasts('Settings updated successfully');
    expect(server.profile).toMatchObject({ bank_name: 'Kiwibank', phone: '09 555 0001' });
  });

  it('report an expired session once and restore unsaved changes after sign-in', async () => {
    const session = { me: (): unknown => ADMIN_USER };
    const { router, queryClient } = await openCompanySettings({
      'GET /me': () => session.me(),
      'PUT /company': () => failWith('UNAUTHENTICATED'),
      'POST /auth/sign-in': () => {
        session.me = () => ADMIN_USER;
        return ADMIN_USER.user;
      },
    });
    onTestFinished(watchSession(router, queryClient));
    typeInto(/^Bank name/, 'Kiwibank');
    session.me = () => failWith('UNAUTHENTICATED');
    await pressButton('Save Changes');
    await screen.findByLabelText('Password');
    await waitForToasts('Session expired. Please sign in again.');
    typeInto('Email', 'mia@example.com');
    typeInto('Password', 'a long password');
    await pressButton('Sign In');
    await waitFor(() => expect(getValue(/^Bank name/)).toBe('Kiwibank'));
  });

  it('show why the profile failed to load and reload it on Retry', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const me = { respond: (): unknown => failWith('FORBIDDEN') };
    openPage('/settings', { ...SETTINGS_RESPONSES, 'GET /me': () => me.respond() });
    await screen.findByText('Failed to load profile: A failure on purpose');
    me.respond = () => ADMIN_USER;
    await pressButton('Retry');
    await waitFor(() => expect(getValue(/^Company Name/)).toBe('Harbour Plumbing'));
  });
});

it('asks only once before leaving two forms with unsaved changes', async () => {
  const { router, path } = await openCompanySettings({ 'GET /categories': () => ({ rows: [] }) });
  typeInto(/^Bank name/, 'Kiwibank');
  await act(async () => router.navigate({ to: '/settings', search: { tab: 'categories' } }));
  await screen.findByText('No categories found');
  typeInto('Category name', 'Drains');
  const tryToLeave = async () => {
    await act(async () => void router.navigate({ to: '/customers/new' }));
    return screen.findByRole('alertdialog', { name: 'Leave without saving?' });
  };
  const firstDialog = await tryToLeave();
  await act(async () => fireEvent.click(within(firstDialog).getByRole('button', { name: 'Keep editing' })));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(path()).toBe('/settings');
  const secondDialog = await tryToLeave();
  await act(async () => fireEvent.click(within(secondDialog).getByRole('button', { name: 'Leave' })));
  await waitFor(() => expect(path()).toBe('/customers/new'));
});

describe('the company logo', () => {
  const chooseLogo = (name: string, type: string, size = 10) =>
    act(async () => {
      const input = document.querySelector('input[type=file]');
      if (input) fireEvent.change(input, { target: { files: [new File([new Uint8Array(size)], name, { type })] } });
    });

  it.each([
    ['quote.pdf', 'application/pdf', 10, 'Please select an image file'],
    ['large.png', 'image/png', 3 * 1024 * 1024, 'File size must be less than 2MB'],
  ])('rejects %s with a reason before uploading it', async (name, type, size, reason) => {
    await openCompanySettings();
    await chooseLogo(name, type, size);
    await within(screen.getByRole('main')).findByText(reason);
    await waitFor(() => expect(getToasts()).toEqual([reason]));
  });
});

describe('categories', () => {
  const DRAINS_CATEGORY = { id: 'drains', name: 'Drains' };
  const getCategoryNames = () =>
    [...document.querySelectorAll('[aria-label="Categories"] > li > span:first-child')].map(({ textContent }) => textContent);

  async function openCategories(getMenuEntries: { id: string; name: string }[], responses: MockApi = {}) {
    const server = { rows: getMenuEntries, removed: [] as string[] };
    const remove = (id: string) => () => {
      server.removed.push(id);
      server.rows = server.rows.filter((row) => row.id !== id);
      return {};
    };
    const { router } = openPage('/settings?tab=categories', {
      ...SETTINGS_RESPONSES,
      'GET /categories': () => ({ rows: server.rows }),
      'DELETE /categories/drains': remove('drains'),
      ...responses,
    });
    await screen.findByText(getMenuEntries.length === 0 ? 'No categories found' : 'Drains');
    return Object.assign(server, { router });
  }

  it('require a unique name', async () => {
    const post = { respond: (): unknown => failWith('INTERNAL') };
    await openCategories([], { 'POST /categories': () => post.respond() });
    typeInto('Category name', '   ');
    await pressButton('Add Category');
    await screen.findByText('Category name is required');
    typeInto('Category name', 'Drains');
    await pressButton('Add Category');
    await waitForToasts('Failed to add category');
    expect(getValue('Category name')).toBe('Drains');
    post.respond = () => failWith('NAME_TAKEN', 'A category with this name already exists.');
    await pressButton('Add Category');
    await screen.findByText('A category with this name already exists.');
  });

  it('report the maximum number when the server rejects another category', async () => {
    await openCategories([], { 'POST /categories': () => failWith('LIMIT_REACHED', 'A company can have at most 200 categories.') });
    typeInto('Category name', 'Drains');
    await pressButton('Add Category');
    await waitForToasts('Failed to add category: A company can have at most 200 categories.');
    expect(getValue('Category name')).toBe('Drains');
  });

  it('keep the next name typed while a category is being added', async () => {
    const response = Promise.withResolvers<void>();
    const server = await openCategories([], {
      'POST /categories': async (input) => {
        await response.promise;
        server.rows = [input as { id: string; name: string }];
        return input;
      },
    });
    typeInto('Category name', ' Hot water ');
    await pressButton('Add Category');
    typeInto('Category name', 'Gas');
    response.resolve();
    await waitFor(() => expect(getCategoryNames()).toEqual(['Hot water']));
    await waitForToasts('Category added successfully');
    expect(getValue('Category name')).toBe('Gas');
  });

  it('ask before leaving with a typed name that was not added', async () => {
    const { router } = await openCategories([]);
    typeInto('Category name', 'Drains');
    await act(async () => void router.navigate({ to: '/customers/new' }));
    expect(await screen.findByRole('alertdialog', { name: 'Leave without saving?' })).toBeDefined();
  });

  it('stay in the list when deleting fails', async () => {
    await openCategories([DRAINS_CATEGORY], { 'DELETE /categories/drains': () => failWith('INTERNAL') });
    await pressButton('Delete Drains');
    await pressButton('Delete');
    await waitForToasts('Failed to delete category');
    expect(getCategoryNames()).toEqual(['Drains']);
  });

  it('are deleted only once by a double click, and focus moves to the next row', async () => {
    const server = await openCategories([{ id: 'boilers', name: 'Boilers' }, DRAINS_CATEGORY, { id: 'gas', name: 'Gas' }]);
    screen.getByRole('button', { name: 'Delete Drains' }).focus();
    await pressButton('Delete Drains');
    const confirm = await screen.findByRole('button', { name: 'Delete' });
    await act(async () => {
      fireEvent.click(confirm, { detail: 1 });
      fireEvent.click(confirm, { detail: 2 });
    });
    await waitForToasts('Category deleted successfully');
    await waitFor(() => expect(getCategoryNames()).toEqual(['Boilers', 'Gas']));
    expect(server.removed).toEqual(['drains']);
    await waitForFocus('Rename Gas');
  });
});

describe('the menu order', () => {
  const getMenuEntries = () =>
    within(screen.getByRole('list', { name: 'Menu order' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);

  it('is restored when the server refuses it', async () => {
    openPage('/settings?tab=menu-order', { ...SETTINGS_RESPONSES, 'PUT /me/menu-order': () => failWith('FORBIDDEN', 'Not for you') });
    await screen.findByRole('list', { name: 'Menu order' });
    const initialOrder = getMenuEntries();
    await pressButton('Move Dashboard down');
    await waitForToasts('Failed to update menu order: Not for you');
    expect(getMenuEntries()).toEqual(initialOrder);
  });

  it('keeps the latest of several moves when the response to an earlier one arrives', async () => {
    const pendingResponses: (() => void)[] = [];
    openPage('/settings?tab=menu-order', {
      ...SETTINGS_RESPONSES,
      'PUT /me/menu-order': async (input) => {
        await new Promise<void>((resolve) => void pendingResponses.push(resolve));
        return { ...ADMIN_USER, ...(input as { menu_order: string[] }) };
      },
    });
    await screen.findByRole('list', { name: 'Menu order' });
    await pressButton('Move Dashboard down');
    await pressButton('Move Dashboard down');
    await waitFor(() => expect(getMenuEntries()[2]).toContain('Dashboard'));
    await act(async () => pendingResponses[0]?.());
    await waitFor(() => expect(pendingResponses).toHaveLength(2));
    expect(getMenuEntries()[2]).toContain('Dashboard');
    await act(async () => pendingResponses[1]?.());
    await waitForToasts('Menu order updated');
    expect(getMenuEntries()[2]).toContain('Dashboard');
  });

  it('is restored to its initial state when two moves are refused', async () => {
    const failures = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let calls = 0;
    openPage('/settings?tab=menu-order', {
      ...SETTINGS_RESPONSES,
      'PUT /me/menu-order': async () => {
        await failures[calls++]?.promise;
        return failWith('FORBIDDEN');
      },
    });
    await screen.findByRole('list', { name: 'Menu order' });
    const initialOrder = getMenuEntries();
    await pressButton('Move Dashboard down');
    await pressButton('Move Dashboard down');
    await waitFor(() => expect(getMenuEntries()[2]).toContain('Dashboard'));
    for (const refusal of failures) await act(async () => refusal.resolve());
    await waitFor(() => expect(calls).toBe(2));
    await waitFor(() => expect(getMenuEntries()).toEqual(initialOrder));
  });

  it('keeps focus on the arrow button so that the next press moves the entry further', async () => {
    const sent: string[][] = [];
    openPage('/settings?tab=menu-order', {
      ...SETTINGS_RESPONSES,
      'PUT /me/menu-order': (input) => {
        const { menu_order } = input as { menu_order: string[] };
        sent.push(menu_order);
        return { ...ADMIN_USER, menu_order };
      },
    });
    await screen.findByRole('list', { name: 'Menu order' });
    (await screen.findByRole('button', { name: 'Move Dashboard down' })).focus();
    await pressButton('Move Dashboard down');
    await waitForFocus('Move Dashboard down');
    await pressButton('Move Dashboard down');
    await waitFor(() => expect(getMenuEntries()[2]).toContain('Dashboard'));
    await waitFor(() => expect(sent.map((order) => order.indexOf('dashboard'))).toEqual([1, 2]));
  });

  it('applies every press in a rapid series', async () => {
    openPage('/settings?tab=menu-order', {
      ...SETTINGS_RESPONSES,
      'PUT /me/menu-order': (input) => ({ ...ADMIN_USER, ...(input as { menu_order: string[] }) }),
    });
    const moveDownButton = await screen.findByRole('button', { name: 'Move Dashboard down' });
    await act(async () => {
      for (let presses = 0; presses < 5; presses += 1) moveDownButton.click();
    });
    await waitFor(() => expect(getMenuEntries()[5]).toContain('Dashboard'));
    screen.getByText('Dashboard moved to position 6 of 10.');
  });
});
