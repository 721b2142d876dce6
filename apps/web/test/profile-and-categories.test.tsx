import type { Category } from '@callout/contract/categories';
import type { CompanySettings } from '@callout/contract/company';
import type { MyDetails } from '@callout/contract/staff';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchSession } from '../src/app/session.ts';
import { ADMIN_USER, PROFILE } from './fixtures.ts';
import { failWith, getToasts, type MockApi, openPage, pressButton, waitForFocus } from './open-page.tsx';

const STAFF_USER = { ...ADMIN_USER, profile: { ...PROFILE, role: 'staff' as const } };
const MY_DETAILS: MyDetails = { id: 'staff-1', name: 'mia', phone: null, color: null, avatar_url: null, version: 1 };
const DRAINS_CATEGORY: Category = {
  id: '018f0000-0000-7000-8000-000000000031',
  name: 'Drains',
  created_at: '2026-03-01T08:00:00.000Z',
  version: 1,
};

function openSettings(tab: string, responses: MockApi = {}) {
  return openPage(`/settings${tab && `?tab=${tab}`}`, {
    'GET /me': () => ADMIN_USER,
    'GET /me/details': () => MY_DETAILS,
    'GET /me/sessions': () => ({ rows: [] }),
    'GET /staff': () => ({ rows: [] }),
    'GET /categories': () => ({ rows: [DRAINS_CATEGORY] }),
    'GET /dashboard/categories': () => ({ rows: [{ id: DRAINS_CATEGORY.id, name: DRAINS_CATEGORY.name, jobs: 12 }] }),
    ...responses,
  });
}

const typeIntoField = async (label: string, value: string) => fireEvent.change(await screen.findByLabelText(label), { target: { value } });

describe('settings page', () => {
  it('shows company settings and the plan to an admin', async () => {
    openSettings('');
    expect(await screen.findByRole('heading', { level: 1, name: 'Company Settings' })).toBeDefined();
    expect(screen.getByText('Free Plan')).toBeDefined();
  });

  it('shows a staff member only their own settings, without the plan', async () => {
    openSettings('', { 'GET /me': () => STAFF_USER });
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeDefined();
    expect(screen.queryByText('Free Plan')).toBeNull();
    expect(screen.getByRole('tab', { name: 'Profile' }).getAttribute('aria-selected')).toBe('true');
  });

  it('moves focus to Upload logo when the logo is removed', async () => {
    let logo: string | null = '/api/images/1';
    openSettings('', {
      'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, avatar_url: logo } }),
      'DELETE /company/logo': () => {
        logo = null;
        return { ...ADMIN_USER, profile: { ...PROFILE, avatar_url: null } };
      },
    });
    await pressButton('Remove');
    const upload = await screen.findByRole('button', { name: 'Upload logo' });
    expect(document.activeElement).toBe(upload);
  });

  it('saves other fields even if the stored company name looks like a web address', async () => {
    const stored = { ...PROFILE, company_name: 'Plumb.it' };
    const sent: unknown[] = [];
    openSettings('', {
      'GET /me': () => ({ ...ADMIN_USER, profile: stored }),
      'PUT /company': (input) => {
        sent.push(input);
        return { ...ADMIN_USER, profile: { ...stored, ...(input as CompanySettings), version: 2 } };
      },
    });
    fireEvent.change(await screen.findByLabelText(/^Phone/), { target: { value: '09 555 999' } });
    await pressButton('Save Changes');
    await waitFor(() => expect(sent).toMatchObject([{ company_name: 'Plumb.it', phone: '09 555 999', version: 1 }]));
  });
});

describe('leaving the company', () => {
  it('is available to every role, asks for confirmation and ends the session', async () => {
    let left = 0;
    const { router, queryClient, path } = openSettings('profile', {
      'GET /me': () => STAFF_USER,
      'DELETE /me/membership': () => {
        left += 1;
        return {};
      },
    });
    onTestFinished(watchSession(router, queryClient));
    await pressButton('Leave Harbour Plumbing');
    expect((await screen.findByRole('alertdialog')).textContent).toContain("You'll be signed out right away");
    expect(left).toBe(0);
    await pressButton('Leave');
    await waitFor(() => expect(path()).toBe('/auth'));
    expect(left).toBe(1);
  });
});

describe('my profile', () => {
  it('opens from the user block in the sidebar', async () => {
    const { router } = openSettings('menu-order', { 'GET /me': () => STAFF_USER });
    const block = await screen.findByTitle('Your profile');
    await act(async () => fireEvent.click(block));
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'profile' }));
    expect(await screen.findByLabelText('Your name')).toBeDefined();
  });

  it('lets any role save their name and phone number', async () => {
    const sent: unknown[] = [];
    openSettings('profile', {
      'GET /me': () => STAFF_USER,
      'PUT /me/details': (input) => {
        sent.push(input);
        return { ...MY_DETAILS, name: 'Mia Chen', version: 2 };
      },
    });
    await typeIntoField('Your name', 'Mia Chen');
    await pressButton('Save Details');
    await waitFor(() => expect(sent).toEqual([{ version: 1, name: 'Mia Chen', phone: null }]));
    await waitFor(() => expect(getToasts()).toEqual(['Details saved']));
  });

  it('shows both names when an admin changed the name as well', async () => {
    openSettings('profile', {
      'PUT /me/details': () => failWith('STALE_VERSION', 'Changed', { current: { ...MY_DETAILS, name: 'Mia C.', version: 2 } }),
    });
    await typeIntoField('Your name', 'Mia Chen');
    await pressButton('Save Details');
    const card = await screen.findByRole('alert');
    for (const text of ['Yours: Mia Chen', 'Theirs: Mia C.']) expect(card.textContent).toContain(text);
  });

  it('removes my avatar and moves focus to Upload avatar', async () => {
    const removed: string[] = [];
    openSettings('profile', {
      'GET /me/details': () => ({ ...MY_DETAILS, avatar_url: removed.length > 0 ? null : '/api/images/1' }),
      'DELETE /me/avatar': () => {
        removed.push('mine');
        return { ...MY_DETAILS, avatar_url: null };
      },
    });
    await pressButton('Remove');
    await waitFor(() => expect(getToasts()).toEqual(['Avatar removed']));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Upload avatar' }));
  });
});

it('shows how many jobs a category has, in the list and in its delete confirmation', async () => {
  openSettings('categories');
  expect(await screen.findByText('12 jobs')).toBeDefined();
  await pressButton('Delete Drains');
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toContain('Its 12 jobs are kept without it.');
});

it('labels a category without jobs', async () => {
  openSettings('categories', { 'GET /dashboard/categories': () => ({ rows: [] }) });
  expect(await screen.findByText('No jobs')).toBeDefined();
});

describe('renaming a category', () => {
  const RENAME_LABEL = 'Rename Drains';

  it('saves the new name with the loaded version', async () => {
    const sent: unknown[] = [];
    const renamed = { ...DRAINS_CATEGORY, name: 'Drainage', version: 2 };
    openSettings('categories', {
      'GET /categories': () => ({ rows: [sent.length > 0 ? renamed : DRAINS_CATEGORY] }),
      [`PUT /categories/${DRAINS_CATEGORY.id}`]: (input) => {
        sent.push(input);
        return renamed;
      },
    });
    await pressButton('Rename Drains');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(RENAME_LABEL)));
    await typeIntoField(RENAME_LABEL, 'Drainage');
    await pressButton('Save');
    await waitForFocus('Rename Drainage');
    expect(sent).toEqual([{ version: 1, name: 'Drainage' }]);
  });

  it('shows an error beside the field when the name is taken', async () => {
    openSettings('categories', {
      [`PUT /categories/${DRAINS_CATEGORY.id}`]: () => failWith('NAME_TAKEN', 'A category with this name already exists.'),
    });
    await pressButton('Rename Drains');
    await typeIntoField(RENAME_LABEL, 'Gas');
    await pressButton('Save');
    expect(await screen.findByText('A category with this name already exists.')).toBeDefined();
    expect(getToasts()).toEqual([]);
  });

  it('shows the name that someone else saved and overwrites that name on a second save', async () => {
    const sent: unknown[] = [];
    openSettings('categories', {
      [`PUT /categories/${DRAINS_CATEGORY.id}`]: (input) => {
        sent.push(input);
        if (sent.length === 1) failWith('STALE_VERSION', 'Changed', { current: { ...DRAINS_CATEGORY, name: 'Pipes', version: 2 } });
        return { ...DRAINS_CATEGORY, name: 'Drainage', version: 3 };
      },
    });
    await pressButton('Rename Drains');
    await typeIntoField(RENAME_LABEL, 'Drainage');
    await pressButton('Save');
    expect(await screen.findByText('Someone else renamed this category to “Pipes”. Save again to overwrite that name.')).toBeDefined();
    await pressButton('Save');
    await waitFor(() => expect(sent).toMatchObject([{ version: 1 }, { version: 2, name: 'Drainage' }]));
  });

  it('cancels on Escape', async () => {
    openSettings('categories');
    await pressButton('Rename Drains');
    fireEvent.keyDown(await screen.findByRole('textbox', { name: RENAME_LABEL }), { key: 'Escape' });
    await waitForFocus('Rename Drains');
    expect(screen.queryByRole('textbox', { name: RENAME_LABEL })).toBeNull();
  });
});
