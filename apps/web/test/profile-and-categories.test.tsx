import type { Category } from '@callout/contract/categories';
import type { CompanySettings } from '@callout/contract/company';
import type { MyDetails } from '@callout/contract/staff';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { watchSession } from '../src/app/session.ts';
import { type Answers, openPage, press, refuse, toastTexts, waitForFocus } from './open-page.tsx';
import { OWNER, PROFILE } from './people.ts';

const STAFF = { ...OWNER, profile: { ...PROFILE, role: 'staff' as const } };
const DETAILS: MyDetails = { id: 'staff-1', name: 'mia', phone: null, color: null, avatar_url: null, version: 1 };
const DRAINS: Category = {
  id: '018f0000-0000-7000-8000-000000000031',
  name: 'Drains',
  created_at: '2026-03-01T08:00:00.000Z',
  version: 1,
};

function openSettings(tab: string, more: Answers = {}) {
  return openPage(`/settings${tab && `?tab=${tab}`}`, {
    'GET /me': () => OWNER,
    'GET /me/details': () => DETAILS,
    'GET /me/sessions': () => ({ rows: [] }),
    'GET /staff': () => ({ rows: [] }),
    'GET /categories': () => ({ rows: [DRAINS] }),
    'GET /dashboard/categories': () => ({ rows: [{ id: DRAINS.id, name: DRAINS.name, jobs: 12 }] }),
    ...more,
  });
}

const type = async (label: string, value: string) => fireEvent.change(await screen.findByLabelText(label), { target: { value } });

describe('the settings', () => {
  it('of an admin are the company settings with the plan', async () => {
    openSettings('');
    expect(await screen.findByRole('heading', { level: 1, name: 'Company Settings' })).toBeDefined();
    expect(screen.getByText('Free Plan')).toBeDefined();
  });

  it('of a staff member are their own, without a plan', async () => {
    openSettings('', { 'GET /me': () => STAFF });
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeDefined();
    expect(screen.queryByText('Free Plan')).toBeNull();
    expect(screen.getByRole('tab', { name: 'Profile' }).getAttribute('aria-selected')).toBe('true');
  });

  it('keep the focus at the logo when it is removed', async () => {
    let logo: string | null = '/api/images/1';
    openSettings('', {
      'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, avatar_url: logo } }),
      'DELETE /company/logo': () => {
        logo = null;
        return { ...OWNER, profile: { ...PROFILE, avatar_url: null } };
      },
    });
    await press('Remove');
    const upload = await screen.findByRole('button', { name: 'Upload logo' });
    expect(document.activeElement).toBe(upload);
  });

  it('save other fields also when the stored company name reads as a web address', async () => {
    const stored = { ...PROFILE, company_name: 'Plumb.it' };
    const sent: unknown[] = [];
    openSettings('', {
      'GET /me': () => ({ ...OWNER, profile: stored }),
      'PUT /company': (input) => {
        sent.push(input);
        return { ...OWNER, profile: { ...stored, ...(input as CompanySettings), version: 2 } };
      },
    });
    fireEvent.change(await screen.findByLabelText(/^Phone/), { target: { value: '09 555 999' } });
    await press('Save Changes');
    await waitFor(() => expect(sent).toMatchObject([{ company_name: 'Plumb.it', phone: '09 555 999', version: 1 }]));
  });
});

describe('leaving the company', () => {
  it('is offered to everybody, asks first, and ends the session', async () => {
    let left = 0;
    const { router, queryClient, path } = openSettings('profile', {
      'GET /me': () => STAFF,
      'DELETE /me/membership': () => {
        left += 1;
        return {};
      },
    });
    watchSession(router, queryClient);
    await press('Leave Harbour Plumbing');
    expect((await screen.findByRole('alertdialog')).textContent).toContain("You'll be signed out right away");
    expect(left).toBe(0);
    await press('Leave');
    await waitFor(() => expect(path()).toBe('/auth'));
    expect(left).toBe(1);
  });
});

describe('the own profile', () => {
  it('opens from the user block of the sidebar', async () => {
    const { router } = openSettings('menu-order', { 'GET /me': () => STAFF });
    const block = await screen.findByTitle('Your profile');
    await act(async () => fireEvent.click(block));
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'profile' }));
    expect(await screen.findByLabelText('Your name')).toBeDefined();
  });

  it('saves name and phone, whatever the role', async () => {
    const sent: unknown[] = [];
    openSettings('profile', {
      'GET /me': () => STAFF,
      'PUT /me/details': (input) => {
        sent.push(input);
        return { ...DETAILS, name: 'Mia Chen', version: 2 };
      },
    });
    await type('Your name', 'Mia Chen');
    await press('Save Details');
    await waitFor(() => expect(sent).toEqual([{ version: 1, name: 'Mia Chen', phone: null }]));
    await waitFor(() => expect(toastTexts()).toEqual(['Details saved']));
  });

  it('shows both names when an admin has changed it too', async () => {
    openSettings('profile', {
      'PUT /me/details': () => refuse('STALE_VERSION', 'Changed', { current: { ...DETAILS, name: 'Mia C.', version: 2 } }),
    });
    await type('Your name', 'Mia Chen');
    await press('Save Details');
    const card = await screen.findByRole('alert');
    for (const text of ['Yours: Mia Chen', 'Theirs: Mia C.']) expect(card.textContent).toContain(text);
  });

  it('removes the own picture', async () => {
    const removed: string[] = [];
    openSettings('profile', {
      'GET /me/details': () => ({ ...DETAILS, avatar_url: removed.length > 0 ? null : '/api/images/1' }),
      'DELETE /me/avatar': () => {
        removed.push('mine');
        return { ...DETAILS, avatar_url: null };
      },
    });
    await press('Remove');
    await waitFor(() => expect(toastTexts()).toEqual(['Avatar removed']));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Upload avatar' }));
  });
});

it('a category says how many jobs it has, also before it is deleted', async () => {
  openSettings('categories');
  expect(await screen.findByText('12 jobs')).toBeDefined();
  await press('Delete Drains');
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toContain('Its 12 jobs are kept and become uncategorized.');
});

it('a category without jobs says so', async () => {
  openSettings('categories', { 'GET /dashboard/categories': () => ({ rows: [] }) });
  expect(await screen.findByText('No jobs')).toBeDefined();
});

describe('renaming a category', () => {
  const NEW_NAME = 'Rename Drains';

  it('saves the new name from the version that was read', async () => {
    const sent: unknown[] = [];
    const renamed = { ...DRAINS, name: 'Drainage', version: 2 };
    openSettings('categories', {
      'GET /categories': () => ({ rows: [sent.length > 0 ? renamed : DRAINS] }),
      [`PUT /categories/${DRAINS.id}`]: (input) => {
        sent.push(input);
        return renamed;
      },
    });
    await press('Rename Drains');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(NEW_NAME)));
    await type(NEW_NAME, 'Drainage');
    await press('Save');
    await waitForFocus('Rename Drainage');
    expect(sent).toEqual([{ version: 1, name: 'Drainage' }]);
  });

  it('to a name that is taken says so beside it', async () => {
    openSettings('categories', {
      [`PUT /categories/${DRAINS.id}`]: () => refuse('NAME_TAKEN', 'A category with this name already exists.'),
    });
    await press('Rename Drains');
    await type(NEW_NAME, 'Gas');
    await press('Save');
    expect(await screen.findByText('A category with this name already exists.')).toBeDefined();
    expect(toastTexts()).toEqual([]);
  });

  it('that someone else has renamed shows their name, and a second save replaces it', async () => {
    const sent: unknown[] = [];
    openSettings('categories', {
      [`PUT /categories/${DRAINS.id}`]: (input) => {
        sent.push(input);
        if (sent.length === 1) refuse('STALE_VERSION', 'Changed', { current: { ...DRAINS, name: 'Pipes', version: 2 } });
        return { ...DRAINS, name: 'Drainage', version: 3 };
      },
    });
    await press('Rename Drains');
    await type(NEW_NAME, 'Drainage');
    await press('Save');
    expect(await screen.findByText('Someone else renamed it to “Pipes”. Save again to replace that.')).toBeDefined();
    await press('Save');
    await waitFor(() => expect(sent).toMatchObject([{ version: 1 }, { version: 2, name: 'Drainage' }]));
  });

  it('is left with Escape', async () => {
    openSettings('categories');
    await press('Rename Drains');
    fireEvent.keyDown(await screen.findByRole('textbox', { name: NEW_NAME }), { key: 'Escape' });
    await waitForFocus('Rename Drains');
    expect(screen.queryByRole('textbox', { name: NEW_NAME })).toBeNull();
  });
});
