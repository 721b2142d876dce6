import type { StaffMember } from '@callout/contract/staff';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { watchSession } from '../src/app/session.ts';
import { type Answers, openPage, press, refuse, toastTexts, typeInto, waitForToasts } from './open-page.tsx';
import { ADMIN_MEMBER as MIA, OWNER } from './people.ts';

const TAMA: StaffMember = { ...MIA, id: 'staff-2', profile_id: 'user-2', name: 'Tama Rewi', email: 'tama@example.com' };
const INVITED: StaffMember = { ...TAMA, profile_id: null, status: 'invited' };

function openWith(colleague: StaffMember, path: string, more: Answers = {}) {
  return openPage(path, {
    'GET /me': () => OWNER,
    'GET /staff': () => ({ rows: [MIA, colleague] }),
    'GET /staff/staff-1': () => MIA,
    'GET /staff/staff-1/calendar-feed': () => ({ is_on: false, last_opened_at: null }),
    'GET /staff-colors': () => ({ rows: [] }),
    'GET /me/details': () => ({ id: 'staff-1', name: 'Mia', phone: null, color: null, avatar_url: null, version: 1 }),
    'GET /me/sessions': () => ({ rows: [] }),
    ...more,
  });
}

const ONLY_ADMIN = "You're the only admin. Make someone else an admin first.";
const manager = () => screen.findByRole<HTMLInputElement>('radio', { name: /^Manager/ });

describe('the only admin who has joined', () => {
  it('cannot choose another role for themselves, but can change the rest', async () => {
    const sent: unknown[] = [];
    openWith(INVITED, '/staff/staff-1', {
      'PUT /staff/staff-1': (input) => {
        sent.push(input);
        return { member: { ...MIA, version: 2 }, mail: null };
      },
    });
    await screen.findByText(ONLY_ADMIN);
    expect((await manager()).disabled).toBe(true);
    typeInto('Full Name', 'Mia C.');
    await press('Save Changes');
    await waitFor(() => expect(sent).toMatchObject([{ name: 'Mia C.', role: 'admin' }]));
  });

  it('cannot leave from their own page', async () => {
    openWith(INVITED, '/staff/staff-1');
    await screen.findByText(ONLY_ADMIN);
    await press('More actions');
    const leave = await screen.findByRole('menuitem', { name: /^Leave Harbour Plumbing/ });
    expect(leave.textContent).toContain(ONLY_ADMIN);
    expect(leave.getAttribute('aria-disabled')).toBe('true');
  });

  it('cannot leave from the list', async () => {
    openWith(INVITED, '/staff');
    await press('Leave Harbour Plumbing');
    await waitForToasts(ONLY_ADMIN);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('cannot leave from the settings', async () => {
    openWith(INVITED, '/settings?tab=profile');
    await screen.findByText(ONLY_ADMIN);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Leave Harbour Plumbing' }).disabled).toBe(true);
  });
});

describe('one of several admins', () => {
  it('is asked before taking the role from themselves', async () => {
    const sent: unknown[] = [];
    openWith(TAMA, '/staff/staff-1', {
      'PUT /staff/staff-1': (input) => {
        sent.push(input);
        return { member: { ...MIA, role: 'manager', version: 2 }, mail: null };
      },
    });
    const choice = await manager();
    await act(async () => fireEvent.click(choice));
    await press('Save Changes');
    const question = await screen.findByRole('alertdialog');
    within(question).getByText("You'll lose access to staff and company settings.");
    expect(sent).toEqual([]);
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Change role' })));
    await waitFor(() => expect(sent).toMatchObject([{ role: 'manager' }]));
  });

  it('leaves the company by its name', async () => {
    const removed: string[] = [];
    openWith(TAMA, '/staff/staff-1', {
      'DELETE /staff/staff-1': () => {
        removed.push('staff-1');
        return {};
      },
    });
    await press('More actions');
    const leave = await screen.findByRole('menuitem', { name: 'Leave Harbour Plumbing' });
    await act(async () => fireEvent.click(leave));
    const question = await screen.findByRole('alertdialog', { name: 'Leave Harbour Plumbing' });
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Leave' })));
    await waitFor(() => expect(removed).toEqual(['staff-1']));
  });

  it('who leaves is signed out, without a word about an expired session', async () => {
    const { router, queryClient, path } = openWith(TAMA, '/staff', { 'DELETE /staff/staff-1': () => ({}) });
    watchSession(router, queryClient);
    await press('Leave Harbour Plumbing');
    const question = await screen.findByRole('alertdialog');
    within(question).getByText(/^You'll be signed out right away/);
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Leave' })));
    await waitFor(() => expect(path()).toBe('/auth'));
    expect(router.state.location.search).toEqual({});
    expect(toastTexts()).toEqual(['You left Harbour Plumbing']);
  });

  it('is told why when the other one was faster', async () => {
    openWith(TAMA, '/settings?tab=profile', { 'DELETE /me/membership': () => refuse('LAST_ADMIN', 'Cannot delete the last admin') });
    await press('Leave Harbour Plumbing');
    await press('Leave');
    await waitForToasts('Failed to leave: Cannot delete the last admin');
    expect(screen.getByRole('button', { name: 'Leave Harbour Plumbing' })).toBeDefined();
  });
});

describe('an owner, whom nobody asked for a phone number and a rate', () => {
  const BARE = { ...MIA, phone: null, hourly_rate: null };

  it('saves their page without them', async () => {
    const sent: unknown[] = [];
    openWith(TAMA, '/staff/staff-1', {
      'GET /staff': () => ({ rows: [BARE, TAMA] }),
      'GET /staff/staff-1': () => BARE,
      'PUT /staff/staff-1': (input) => {
        sent.push(input);
        return { member: { ...BARE, version: 2 }, mail: null };
      },
    });
    await screen.findByLabelText('Full Name');
    typeInto('Full Name', 'Mia C.');
    await press('Save Changes');
    await waitFor(() => expect(sent).toMatchObject([{ name: 'Mia C.', phone: null, hourly_rate: null }]));
  });

  it('cannot take away what was given once', async () => {
    openWith(TAMA, '/staff/staff-1');
    await screen.findByLabelText('Hourly Rate');
    typeInto('Hourly Rate', '');
    typeInto('Phone', '');
    await press('Save Changes');
    await screen.findByText('Hourly rate is required');
    expect(screen.getByText('Phone number is required')).toBeDefined();
  });
});
