import type { Me, Profile } from '@callout/contract/company';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { watchSession } from '../src/app/session.ts';
import { type Answers, openPage, press, refuse, toastTexts, typeInto, valueOf, waitForFocus, waitForToasts } from './open-page.tsx';
import { OWNER, PROFILE } from './people.ts';

afterEach(() => vi.restoreAllMocks());

const reads: Answers = {
  'GET /me': () => OWNER,
  'GET /staff': () => ({ rows: [] }),
  'GET /dashboard/categories': () => ({ rows: [] }),
};

/** The server's settings, which tests may change under the page, and what was sent to it. */
async function openSettings(more: Answers = {}, stored: Profile = PROFILE) {
  const server = { profile: stored, sent: [] as unknown[] };
  const me = (): Me => ({ ...OWNER, profile: server.profile });
  const page = openPage('/settings', {
    ...reads,
    'GET /me': me,
    'PUT /company': (input) => {
      const change = input as Profile;
      server.sent.push(change);
      if (change.version !== server.profile.version) return refuse('STALE_VERSION', undefined, { current: server.profile });
      server.profile = { ...server.profile, ...change, version: change.version + 1 };
      return me();
    },
    ...more,
  });
  await screen.findByLabelText(/^Company Name/);
  return { ...page, server };
}

describe('the company settings', () => {
  it('say what the reminders are about', async () => {
    await openSettings();
    expect(screen.getByText('What happens after a quote is sent.')).toBeDefined();
  });

  it('say beside each field what is wrong, and keep what was typed', async () => {
    const { server } = await openSettings();
    typeInto(/^Company Name/, 'x'.repeat(500));
    typeInto(/^GST percentage/, '101');
    await act(async () => fireEvent.click(screen.getByRole('checkbox', { name: /^Add fees/ })));
    typeInto(/^Fee percentage/, '100');
    await press('Save Changes');
    await screen.findByText('Company name must be at most 200 characters');
    screen.getByText('GST percentage must be a number from 0 to 100');
    screen.getByText('Fee percentage must be a number of at least 0 and less than 100');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Company Name/)));
    expect(valueOf(/^Company Name/)).toBe('x'.repeat(500));
    expect(server.sent).toEqual([]);
  });

  it('that cannot be saved say so and keep what was typed', async () => {
    await openSettings({ 'PUT /company': () => refuse('INTERNAL') });
    typeInto(/^Address/, '12 Wharf Street');
    await press('Save Changes');
    await waitForToasts('Failed to update settings');
    expect(valueOf(/^Address/)).toBe('12 Wharf Street');
  });

  it('understand a comma typed for the decimal point', async () => {
    const { server } = await openSettings();
    typeInto(/^Default hourly rate/, '95,50');
    await press('Save Changes');
    await waitFor(() => expect(server.sent).toMatchObject([{ default_hourly_rate: '95.50' }]));
  });

  it("take payment terms, and reminders of overdue invoices in the firm's own words", async () => {
    const { server } = await openSettings();
    typeInto(/^Payment terms/, '200');
    expect(screen.queryByLabelText(/^Reminder subject/)).toBeNull();
    typeInto(/^Remind customers about overdue invoices/, '3');
    const subject = await screen.findByLabelText<HTMLInputElement>(/^Reminder subject/);
    expect(subject.placeholder).toContain('{number}');
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Reminder text/).placeholder).toContain('{amount}');
    for (const name of ['{customer}', '{number}', '{amount}', '{due}', '{company}'])
      expect(screen.getByText(/^We fill in {customer}/).textContent).toContain(name);
    await press('Save Changes');
    await screen.findByText('Please enter a whole number from 0 to 180, or leave this empty');
    typeInto(/^Payment terms/, '7');
    typeInto(/^Reminder subject/, 'Invoice {number}');
    await press('Save Changes');
    await waitFor(() =>
      expect(server.sent).toMatchObject([
        { payment_terms_days: '7', invoice_reminder_days: '3', invoice_reminder_subject: 'Invoice {number}', invoice_reminder_body: null },
      ]),
    );
  });

  it('keep the words of the reminder while it is switched off', async () => {
    const { server } = await openSettings({}, { ...PROFILE, invoice_reminder_days: '3', invoice_reminder_body: 'Please pay.' });
    typeInto(/^Remind customers about overdue invoices/, '');
    await waitFor(() => expect(screen.queryByLabelText(/^Reminder text/)).toBeNull());
    await press('Save Changes');
    await waitFor(() => expect(server.sent).toMatchObject([{ invoice_reminder_days: null, invoice_reminder_body: 'Please pay.' }]));
  });

  it('can be saved under a stored company name that reads as a web address', async () => {
    const { server } = await openSettings({}, { ...PROFILE, company_name: 'Plumb.it' });
    typeInto(/^Phone/, '09 555 999');
    await press('Save Changes');
    await waitFor(() => expect(server.sent).toMatchObject([{ company_name: 'Plumb.it', phone: '09 555 999', version: 1 }]));
  });

  it('that two people change keep what each of them typed', async () => {
    const { server, queryClient } = await openSettings();
    typeInto(/^Bank name/, 'Kiwibank');
    server.profile = { ...PROFILE, bank_name: 'Westpac', phone: '09 555 0001', version: 2 };
    await act(async () => queryClient.invalidateQueries({ queryKey: ['me'] }));
    await screen.findByText('Someone else has changed the settings. Your changes are still here.');
    expect(valueOf(/^Bank name/)).toBe('Kiwibank');
    await press('Save Changes');
    expect((await screen.findByRole('alert')).textContent).toContain('Theirs: Westpac');
    await press('Keep my changes');
    await waitForToasts('Settings updated successfully');
    expect(server.profile).toMatchObject({ bank_name: 'Kiwibank', phone: '09 555 0001' });
  });

  it('say once, in their own words, that the session has ended, and come back with what was typed', async () => {
    const session = { me: (): unknown => OWNER };
    const { router, queryClient } = await openSettings({
      'GET /me': () => session.me(),
      'PUT /company': () => refuse('UNAUTHENTICATED'),
      'POST /auth/sign-in': () => {
        session.me = () => OWNER;
        return OWNER.user;
      },
    });
    watchSession(router, queryClient);
    typeInto(/^Bank name/, 'Kiwibank');
    session.me = () => refuse('UNAUTHENTICATED');
    await press('Save Changes');
    await screen.findByLabelText('Password');
    await waitForToasts('Session expired. Please sign in again.');
    typeInto('Email', 'mia@example.com');
    typeInto('Password', 'a long password');
    await press('Sign In');
    await waitFor(() => expect(valueOf(/^Bank name/)).toBe('Kiwibank'));
  });

  it('say why the profile could not be read, and read it again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const me = { answer: (): unknown => refuse('FORBIDDEN') };
    openPage('/settings', { ...reads, 'GET /me': () => me.answer() });
    await screen.findByText('Failed to load profile: A failure on purpose');
    me.answer = () => OWNER;
    await press('Retry');
    await waitFor(() => expect(valueOf(/^Company Name/)).toBe('Harbour Plumbing'));
  });
});

it('two forms with unsaved changes ask once', async () => {
  const { router, path } = await openSettings({ 'GET /categories': () => ({ rows: [] }) });
  typeInto(/^Bank name/, 'Kiwibank');
  await act(async () => router.navigate({ to: '/settings', search: { tab: 'categories' } }));
  await screen.findByText('No categories found');
  typeInto('Category name', 'Drains');
  const leave = async () => {
    await act(async () => void router.navigate({ to: '/customers/new' }));
    return screen.findByRole('alertdialog', { name: 'Leave without saving?' });
  };
  const first = await leave();
  await act(async () => fireEvent.click(within(first).getByRole('button', { name: 'Keep editing' })));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(path()).toBe('/settings');
  const second = await leave();
  await act(async () => fireEvent.click(within(second).getByRole('button', { name: 'Leave' })));
  await waitFor(() => expect(path()).toBe('/customers/new'));
});

describe('a logo', () => {
  const pick = (name: string, type: string, size = 10) =>
    act(async () => {
      const input = document.querySelector('input[type=file]');
      if (input) fireEvent.change(input, { target: { files: [new File([new Uint8Array(size)], name, { type })] } });
    });

  it.each([
    ['quote.pdf', 'application/pdf', 10, 'Please select an image file'],
    ['large.png', 'image/png', 3 * 1024 * 1024, 'File size must be less than 2MB'],
  ])('%s is refused with a reason before it is sent', async (name, type, size, reason) => {
    await openSettings();
    await pick(name, type, size);
    await within(screen.getByRole('main')).findByText(reason);
    await waitFor(() => expect(toastTexts()).toEqual([reason]));
  });
});

describe('categories', () => {
  const DRAINS = { id: 'drains', name: 'Drains' };
  const names = () =>
    [...document.querySelectorAll('[aria-label="Categories"] > li > span:first-child')].map(({ textContent }) => textContent);

  async function openCategories(rows: { id: string; name: string }[], more: Answers = {}) {
    const server = { rows, removed: [] as string[] };
    const remove = (id: string) => () => {
      server.removed.push(id);
      server.rows = server.rows.filter((row) => row.id !== id);
      return {};
    };
    const { router } = openPage('/settings?tab=categories', {
      ...reads,
      'GET /categories': () => ({ rows: server.rows }),
      'DELETE /categories/drains': remove('drains'),
      ...more,
    });
    await screen.findByText(rows.length === 0 ? 'No categories found' : 'Drains');
    return Object.assign(server, { router });
  }

  it('need a name that no other has', async () => {
    const post = { answer: (): unknown => refuse('INTERNAL') };
    await openCategories([], { 'POST /categories': () => post.answer() });
    typeInto('Category name', '   ');
    await press('Add Category');
    await screen.findByText('Category name is required');
    typeInto('Category name', 'Drains');
    await press('Add Category');
    await waitForToasts('Failed to add category');
    expect(valueOf('Category name')).toBe('Drains');
    post.answer = () => refuse('NAME_TAKEN', 'A category with this name already exists.');
    await press('Add Category');
    await screen.findByText('A category with this name already exists.');
  });

  it('say how many there can be when one more is refused', async () => {
    await openCategories([], { 'POST /categories': () => refuse('LIMIT_REACHED', 'A company can have at most 200 categories.') });
    typeInto('Category name', 'Drains');
    await press('Add Category');
    await waitForToasts('Failed to add category: A company can have at most 200 categories.');
    expect(valueOf('Category name')).toBe('Drains');
  });

  it('keep the next name that is typed while one is being added', async () => {
    const answer = Promise.withResolvers<void>();
    const server = await openCategories([], {
      'POST /categories': async (input) => {
        await answer.promise;
        server.rows = [input as { id: string; name: string }];
        return input;
      },
    });
    typeInto('Category name', ' Hot water ');
    await press('Add Category');
    typeInto('Category name', 'Gas');
    answer.resolve();
    await waitFor(() => expect(names()).toEqual(['Hot water']));
    await waitForToasts('Category added successfully');
    expect(valueOf('Category name')).toBe('Gas');
  });

  it('are not left with a name that was typed and not added', async () => {
    const { router } = await openCategories([]);
    typeInto('Category name', 'Drains');
    await act(async () => void router.navigate({ to: '/customers/new' }));
    expect(await screen.findByRole('alertdialog', { name: 'Leave without saving?' })).toBeDefined();
  });

  it('that cannot be deleted stay', async () => {
    await openCategories([DRAINS], { 'DELETE /categories/drains': () => refuse('INTERNAL') });
    await press('Delete Drains');
    await press('Delete');
    await waitForToasts('Failed to delete category');
    expect(names()).toEqual(['Drains']);
  });

  it('are deleted once by a double click, and the focus moves to the next row', async () => {
    const server = await openCategories([{ id: 'boilers', name: 'Boilers' }, DRAINS, { id: 'gas', name: 'Gas' }]);
    screen.getByRole('button', { name: 'Delete Drains' }).focus();
    await press('Delete Drains');
    const confirm = await screen.findByRole('button', { name: 'Delete' });
    await act(async () => {
      fireEvent.click(confirm, { detail: 1 });
      fireEvent.click(confirm, { detail: 2 });
    });
    await waitForToasts('Category deleted successfully');
    await waitFor(() => expect(names()).toEqual(['Boilers', 'Gas']));
    expect(server.removed).toEqual(['drains']);
    await waitForFocus('Rename Gas');
  });
});

describe('the menu order', () => {
  const rows = () =>
    within(screen.getByRole('list', { name: 'Menu order' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);

  it('that cannot be saved goes back', async () => {
    openPage('/settings?tab=menu-order', { ...reads, 'PUT /me/menu-order': () => refuse('INTERNAL') });
    await screen.findByRole('list', { name: 'Menu order' });
    const before = rows();
    await press('Move Dashboard down');
    await waitForToasts('Failed to update menu order: An unexpected error occurred. Please try again later.');
    expect(rows()).toEqual(before);
  });

  it('follows the last of several moves, not the answer to an earlier one', async () => {
    const waiting: (() => void)[] = [];
    openPage('/settings?tab=menu-order', {
      ...reads,
      'PUT /me/menu-order': async (input) => {
        await new Promise<void>((resolve) => void waiting.push(resolve));
        return { ...OWNER, ...(input as { menu_order: string[] }) };
      },
    });
    await screen.findByRole('list', { name: 'Menu order' });
    await press('Move Dashboard down');
    await press('Move Dashboard down');
    await waitFor(() => expect(rows()[2]).toContain('Dashboard'));
    await act(async () => waiting[0]?.());
    await waitFor(() => expect(waiting).toHaveLength(2));
    expect(rows()[2]).toContain('Dashboard');
    await act(async () => waiting[1]?.());
    await waitForToasts('Menu order updated');
    expect(rows()[2]).toContain('Dashboard');
  });

  it('of which two moves cannot be saved is the one before both', async () => {
    const refusals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let calls = 0;
    openPage('/settings?tab=menu-order', {
      ...reads,
      'PUT /me/menu-order': async () => {
        await refusals[calls++]?.promise;
        return refuse('INTERNAL');
      },
    });
    await screen.findByRole('list', { name: 'Menu order' });
    const before = rows();
    await press('Move Dashboard down');
    await press('Move Dashboard down');
    await waitFor(() => expect(rows()[2]).toContain('Dashboard'));
    for (const refusal of refusals) await act(async () => refusal.resolve());
    await waitFor(() => expect(calls).toBe(2));
    await waitFor(() => expect(rows()).toEqual(before));
  });

  it('keeps the focus on the arrow, so that the next press moves the entry on', async () => {
    const sent: string[][] = [];
    openPage('/settings?tab=menu-order', {
      ...reads,
      'PUT /me/menu-order': (input) => {
        const { menu_order } = input as { menu_order: string[] };
        sent.push(menu_order);
        return { ...OWNER, menu_order };
      },
    });
    await screen.findByRole('list', { name: 'Menu order' });
    (await screen.findByRole('button', { name: 'Move Dashboard down' })).focus();
    await press('Move Dashboard down');
    await waitForFocus('Move Dashboard down');
    await press('Move Dashboard down');
    await waitFor(() => expect(rows()[2]).toContain('Dashboard'));
    await waitFor(() => expect(sent.map((order) => order.indexOf('dashboard'))).toEqual([1, 2]));
  });

  it('counts every press, however fast they come', async () => {
    openPage('/settings?tab=menu-order', {
      ...reads,
      'PUT /me/menu-order': (input) => ({ ...OWNER, ...(input as { menu_order: string[] }) }),
    });
    const down = await screen.findByRole('button', { name: 'Move Dashboard down' });
    await act(async () => {
      for (let presses = 0; presses < 5; presses += 1) down.click();
    });
    await waitFor(() => expect(rows()[5]).toContain('Dashboard'));
    screen.getByText('Dashboard moved to position 6 of 10.');
  });
});
