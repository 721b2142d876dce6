import type { StaffMember } from '@callout/contract/staff';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchSession } from '../src/app/session.ts';
import { ADMIN_USER, ADMIN_STAFF_MEMBER as MIA } from './fixtures.ts';
import { DASHBOARD_RESPONSES, failWith, type MockApi, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';

const TAMA: StaffMember = { ...MIA, id: 'staff-2', profile_id: 'user-2', name: 'Tama Rewi', email: 'tama@example.com' };
const INVITED_TAMA: StaffMember = { ...TAMA, profile_id: null, status: 'invited' };

function openWithColleague(colleague: StaffMember, path: string, responses: MockApi = {}) {
  return openPage(path, {
    'GET /me': () => ADMIN_USER,
    'GET /staff': () => ({ rows: [MIA, colleague] }),
    'GET /staff/staff-1': () => MIA,
    'GET /staff/staff-1/calendar-feed': () => ({ is_on: false, last_opened_at: null }),
    'GET /staff-colors': () => ({ rows: [] }),
    'GET /me/details': () => ({ id: 'staff-1', name: 'Mia', phone: null, color: null, avatar_url: null, version: 1 }),
    'GET /me/sessions': () => ({ rows: [] }),
    ...responses,
  });
}

const ONLY_ADMIN_MESSAGE = "You're the only admin. Make someone else an admin first.";
const CANNOT_LEAVE_MESSAGE = "You're the only admin. Make someone else an admin first, or delete the company under General.";
const findManagerRadio = () => screen.findByRole<HTMLInputElement>('radio', { name: /^Manager/ });

describe('the only admin who has joined', () => {
  it('cannot change their own role but can edit other fields', async () => {
    const sent: unknown[] = [];
    openWithColleague(INVITED_TAMA, '/staff/staff-1', {
      'PUT /staff/staff-1': (input) => {
        sent.push(input);
        return { member: { ...MIA, version: 2 }, mail: null };
      },
    });
    await screen.findByText(ONLY_ADMIN_MESSAGE);
    expect((await findManagerRadio()).disabled).toBe(true);
    typeInto('Full Name', 'Mia C.');
    await pressButton('Save Changes');
    await waitFor(() => expect(sent).toMatchObject([{ name: 'Mia C.', role: 'admin' }]));
  });

  it('cannot leave the company from their staff page', async () => {
    openWithColleague(INVITED_TAMA, '/staff/staff-1');
    await screen.findByText(ONLY_ADMIN_MESSAGE);
    await pressButton('More actions');
    const leave = await screen.findByRole('menuitem', { name: /^Leave Harbour Plumbing/ });
    expect(leave.textContent).toContain(CANNOT_LEAVE_MESSAGE);
    expect(leave.getAttribute('aria-disabled')).toBe('true');
  });

  it('cannot leave the company from the staff list', async () => {
    openWithColleague(INVITED_TAMA, '/staff');
    await pressButton('Leave Harbour Plumbing');
    await waitForToasts(CANNOT_LEAVE_MESSAGE);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('cannot leave the company from settings', async () => {
    openWithColleague(INVITED_TAMA, '/settings?tab=profile');
    await screen.findByText(CANNOT_LEAVE_MESSAGE);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Leave Harbour Plumbing' }).disabled).toBe(true);
  });
});

describe('one of several admins in a company', () => {
  it('is asked for confirmation before giving up their own admin role, and then sees the dashboard', async () => {
    const sent: unknown[] = [];
    const { path } = openWithColleague(TAMA, '/staff/staff-1', {
      ...DASHBOARD_RESPONSES,
      'GET /me': () => ({ ...ADMIN_USER, user: { ...ADMIN_USER.user, role: sent.length > 0 ? 'manager' : 'admin' } }),
      'PUT /staff/staff-1': (input) => {
        sent.push(input);
        return { member: { ...MIA, role: 'manager', version: 2 }, mail: null };
      },
    });
    const choice = await findManagerRadio();
    await act(async () => fireEvent.click(choice));
    await pressButton('Save Changes');
    const question = await screen.findByRole('alertdialog');
    within(question).getByText("You'll lose access to staff and company settings.");
    expect(sent).toEqual([]);
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Change role' })));
    await waitFor(() => expect(sent).toMatchObject([{ role: 'manager' }]));
    await waitFor(() => expect(path()).toBe('/dashboard'));
    await waitForToasts('You are now a manager.');
    expect(screen.queryByText('Access Denied')).toBeNull();
  });

  it('leaves the company after a confirmation that names the company', async () => {
    const removed: string[] = [];
    openWithColleague(TAMA, '/staff/staff-1', {
      'DELETE /staff/staff-1': () => {
        removed.push('staff-1');
        return {};
      },
    });
    await pressButton('More actions');
    const leave = await screen.findByRole('menuitem', { name: 'Leave Harbour Plumbing' });
    await act(async () => fireEvent.click(leave));
    const question = await screen.findByRole('alertdialog', { name: 'Leave Harbour Plumbing' });
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Leave' })));
    await waitFor(() => expect(removed).toEqual(['staff-1']));
  });

  it('is signed out after leaving, without an expired-session message', async () => {
    const { router, queryClient, path } = openWithColleague(TAMA, '/staff', { 'DELETE /staff/staff-1': () => ({}) });
    onTestFinished(watchSession(router, queryClient));
    await pressButton('Leave Harbour Plumbing');
    const question = await screen.findByRole('alertdialog');
    within(question).getByText(/^You'll be signed out right away/);
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Leave' })));
    await waitFor(() => expect(path()).toBe('/auth'));
    expect(router.state.location.search).toEqual({});
    await waitForToasts('You left Harbour Plumbing');
  });

  it('sees why leaving failed when the other admin left first', async () => {
    openWithColleague(TAMA, '/settings?tab=profile', {
      'DELETE /me/membership': () => failWith('LAST_ADMIN', 'Cannot delete the last admin'),
    });
    await pressButton('Leave Harbour Plumbing');
    await pressButton('Leave');
    await waitForToasts('Failed to leave: Cannot delete the last admin');
    expect(screen.getByRole('button', { name: 'Leave Harbour Plumbing' })).toBeDefined();
  });
});

describe('an owner without a phone number and hourly rate', () => {
  const MIA_WITHOUT_DETAILS = { ...MIA, phone: null, hourly_rate: null };

  it('can save their staff page without phone number and hourly rate', async () => {
    const sent: unknown[] = [];
    openWithColleague(TAMA, '/staff/staff-1', {
      'GET /staff': () => ({ rows: [MIA_WITHOUT_DETAILS, TAMA] }),
      'GET /staff/staff-1': () => MIA_WITHOUT_DETAILS,
      'PUT /staff/staff-1': (input) => {
        sent.push(input);
        return { member: { ...MIA_WITHOUT_DETAILS, version: 2 }, mail: null };
      },
    });
    await screen.findByLabelText('Full Name');
    typeInto('Full Name', 'Mia C.');
    await pressButton('Save Changes');
    await waitFor(() => expect(sent).toMatchObject([{ name: 'Mia C.', phone: null, hourly_rate: null }]));
  });

  it('cannot clear a saved phone number or hourly rate', async () => {
    openWithColleague(TAMA, '/staff/staff-1');
    await screen.findByLabelText('Hourly Rate');
    typeInto('Hourly Rate', '');
    typeInto('Phone', '');
    await pressButton('Save Changes');
    await screen.findByText('Hourly rate is required');
    expect(screen.getByText('Phone number is required')).toBeDefined();
  });
});
