import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { onSessionEnd } from '../src/lib/session-end.ts';
import { ADMIN_STAFF_MEMBER, ADMIN_USER } from './fixtures.ts';
import {
  DASHBOARD_RESPONSES,
  failWith,
  getToasts,
  getValue,
  type MockApi,
  openPage,
  pressButton,
  typeInto,
  waitForFocus,
  waitForToasts,
} from './open-page.tsx';

const openAsAdmin = (path: string, responses: MockApi) =>
  openPage(path, { 'GET /me': () => ADMIN_USER, 'GET /staff': () => ({ rows: [] }), ...responses });

const CONFIRM_EMAIL_MESSAGE = 'Please confirm your email address before you invite people.';

it('asks an unconfirmed user, next to Send Invitation, to confirm their email address first', async () => {
  openPage('/staff/new', {
    'GET /me': () => ({ ...ADMIN_USER, must_confirm_email: true }),
    'POST /staff': () => failWith('EMAIL_UNCONFIRMED', CONFIRM_EMAIL_MESSAGE),
    'POST /me/email-confirmation': () => ({ mail: 'queued' }),
  });
  const save = await screen.findByRole('button', { name: 'Send Invitation' });
  const form = within(save.closest('form') ?? document.body);
  const typed = { 'Full Name': 'Tama Rewi', 'Email Address': 'tama@example.com', 'Phone Number': '021 555', 'Hourly Rate': '45' };
  for (const [label, value] of Object.entries(typed)) fireEvent.change(form.getByLabelText(label), { target: { value } });
  expect(form.queryByText(CONFIRM_EMAIL_MESSAGE)).toBeNull();
  await act(async () => fireEvent.click(save));
  await form.findByText(CONFIRM_EMAIL_MESSAGE);
  expect(screen.getAllByText(CONFIRM_EMAIL_MESSAGE)).toHaveLength(1);

  await act(async () => fireEvent.click(form.getByRole('button', { name: 'Send confirmation email' })));
  await form.findByText('We sent a link to mia@example.com. Open it to confirm your email, then come back here.');
  expect(form.getByLabelText<HTMLInputElement>('Full Name').value).toBe('Tama Rewi');
});

const INVITEE_FIELDS = { 'Full Name': 'Tama', 'Email Address': 'tama@example.com', 'Phone Number': '021 555', 'Hourly Rate': '45' };

describe('invitation form', () => {
  async function sendInvitation(fields: Record<string, string>, responses: MockApi = {}): Promise<void> {
    openAsAdmin('/staff/new', responses);
    await screen.findByLabelText('Full Name');
    for (const [label, text] of Object.entries(fields)) typeInto(label, text);
    await pressButton('Send Invitation');
  }

  it('requires every field and preselects the staff role', async () => {
    await sendInvitation({});
    for (const label of ['Full name', 'Email address', 'Phone number', 'Hourly rate']) await screen.findByText(`${label} is required`);
    await waitForFocus('Full Name');
    const roles = within(screen.getByRole('group', { name: 'Role' })).getAllByRole<HTMLInputElement>('radio');
    expect(roles.map(({ value, checked }) => [value, checked])).toEqual([
      ['admin', false],
      ['manager', false],
      ['accountant', false],
      ['staff', true],
    ]);
    typeInto('Hourly Rate', '-1');
    await screen.findByText('Hourly rate must be 0 or more, with up to 2 decimal places');
  });

  it('rejects a name that a mail client would turn into a link', async () => {
    await sendInvitation({ ...INVITEE_FIELDS, 'Full Name': 'Go to evil.example' });
    expect(await screen.findByText('Full name must not contain a web address. Put a space after each dot.')).toBeDefined();
  });

  it.each([
    ['a server error', () => failWith('INTERNAL'), 'An unexpected error occurred. Please try again.'],
    [
      'a lost connection',
      () => {
        throw new TypeError('Failed to fetch');
      },
      'Unable to connect to the server. Please check your internet connection and try again.',
    ],
  ])('keeps the typed values after %s', async (_case, response, reason) => {
    await sendInvitation(INVITEE_FIELDS, { 'POST /staff': response });
    await waitForToasts(`Failed to add staff member: ${reason}`);
    expect(getValue('Full Name')).toBe('Tama');
  });
});

it('focuses the email field, with one message, when the address is already used in another company', async () => {
  openAsAdmin('/staff/new', { 'POST /staff': () => failWith('EMAIL_TAKEN', 'This email address already belongs to a company.') });
  await screen.findByLabelText('Full Name');
  for (const [label, text] of Object.entries(INVITEE_FIELDS)) typeInto(label, text);
  await pressButton('Send Invitation');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email Address')));
  expect(screen.getAllByText('Failed to add staff member: This email address already belongs to a company.')).toHaveLength(1);
  expect(getToasts()).toEqual([]);
});

describe('invitation page', () => {
  const INVITATION_VIEW = {
    company_id: 'company-2',
    company_name: 'Harbour Plumbing',
    name: 'Tama Rewi',
    email: 'tama@example.com',
    role: 'staff',
    replaces_company: false,
    leaves_company: false,
  };

  async function openInvitation(responses: MockApi = {}) {
    const page = openAsAdmin('/invitation?token=abc', { 'POST /invitations/view': () => INVITATION_VIEW, ...responses });
    await screen.findByRole('heading', { name: 'Join Harbour Plumbing' });
    return page;
  }

  it('asks for no password if the user is signed in to the invited account', async () => {
    const mine = Promise.withResolvers<unknown>();
    await openInvitation({
      'POST /invitations/view': () => ({ ...INVITATION_VIEW, email: ADMIN_USER.user.email }),
      'GET /me/invitations': () => mine.promise,
    });
    expect(screen.queryByLabelText('Password')).toBeNull();
    mine.resolve({ open: true, companies: [{ company_id: 'company-2', company_name: 'Harbour Plumbing' }] });
    await screen.findByRole('button', { name: 'Join Harbour Plumbing' });
    expect(screen.queryByText(/choose a password/)).toBeNull();
    expect(screen.queryByLabelText('Password')).toBeNull();
  });

  it('offers to join only the company that sent the link', async () => {
    const companies = [
      { company_id: 'company-3', company_name: 'Bay Electrical' },
      { company_id: 'company-2', company_name: 'Harbour Plumbing' },
    ];
    await openInvitation({
      'POST /invitations/view': () => ({ ...INVITATION_VIEW, email: ADMIN_USER.user.email }),
      'GET /me/invitations': () => ({ open: true, companies }),
    });
    await screen.findByRole('button', { name: 'Join Harbour Plumbing' });
    expect(screen.queryByRole('button', { name: 'Join Bay Electrical' })).toBeNull();
  });

  async function acceptInvitation(password: string): Promise<void> {
    typeInto('Password', password);
    typeInto('Confirm password', password);
    await pressButton('Accept Invitation');
  }

  it('warns a signed-in user that accepting switches accounts, and ends the old session in every tab', async () => {
    const { path } = await openInvitation({
      'POST /invitations/accept': () => ({}),
      ...DASHBOARD_RESPONSES,
    });
    screen.getByText("You're signed in as mia@example.com. Accepting will sign you in as tama@example.com.");
    const ends: string[] = [];
    const stop = onSessionEnd((end) => ends.push(end));
    await acceptInvitation('12345');
    await screen.findByText('Password must be at least 6 characters long');
    expect(ends).toEqual([]);
    await acceptInvitation('a long password');
    await waitFor(() => expect(path()).toBe('/dashboard'));
    stop();
    expect(ends).toEqual(['replaced']);
  });

  it('warns that joining deletes the company that the user never finished setting up', async () => {
    await openInvitation({ 'POST /invitations/view': () => ({ ...INVITATION_VIEW, replaces_company: true }) });
    expect(screen.getByText(/Joining deletes that company and everything in it\./)).toBeDefined();
  });

  it('shows that the invitation no longer works if its link expires while the page is open', async () => {
    const view = { response: (): unknown => INVITATION_VIEW };
    await openInvitation({ 'POST /invitations/view': () => view.response(), 'POST /invitations/accept': () => failWith('LINK_EXPIRED') });
    view.response = () => failWith('LINK_EXPIRED');
    await acceptInvitation('a long password');
    await screen.findByRole('heading', { name: 'This invitation no longer works' });
    // The user is still signed in, so the page links to the dashboard instead of sign-in.
    expect(screen.getByRole('link', { name: 'Go to the dashboard' }).getAttribute('href')).toBe('/dashboard');
    expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
  });
});

describe('inviting an address that has an open invitation', () => {
  const INVITED = {
    ...ADMIN_STAFF_MEMBER,
    id: 'staff-2',
    profile_id: null,
    name: 'Tama Rewi',
    email: 'tama@example.com',
    status: 'invited',
  };

  async function sendInvitationTo(email: string) {
    await screen.findByRole('button', { name: 'Send Invitation' });
    const typed = { 'Full Name': 'Tama', 'Email Address': email, 'Phone Number': '021 555', 'Hourly Rate': '45' };
    for (const [label, value] of Object.entries(typed)) typeInto(label, value);
    await pressButton('Send Invitation');
  }

  it('shows one message, with Resend and Withdraw beside it', async () => {
    const calls: string[] = [];
    openAsAdmin('/staff/new', {
      'GET /staff/staff-2': () => INVITED,
      'POST /staff': () => failWith('EMAIL_TAKEN', 'Tama Rewi has already been invited.', { member: INVITED }),
      'DELETE /staff/staff-2/invitation': () => {
        calls.push('withdraw');
        return { ...INVITED, status: 'uninvited' };
      },
    });
    await sendInvitationTo('Tama@example.com');
    expect(await screen.findAllByText(/already been invited/)).toHaveLength(1);
    expect(getToasts()).toEqual([]);
    expect(screen.getByRole('button', { name: 'Resend' })).toBeTruthy();
    screen.getByRole('button', { name: 'Withdraw' }).focus();
    await pressButton('Withdraw');
    await waitFor(() => expect(calls).toEqual(['withdraw']));
    await screen.findByText("Tama Rewi's invitation was withdrawn. You can invite them again.");
    expect(document.activeElement).toBe(screen.getByLabelText('Email Address'));
    expect(getValue('Full Name')).toBe('Tama');
  });

  it('offers to copy the link instead of Resend on a server without mail', async () => {
    openAsAdmin('/staff/new', {
      'GET /me': () => ({ ...ADMIN_USER, sends_mail: false }),
      'GET /staff/staff-2': () => INVITED,
      'POST /staff': () => failWith('EMAIL_TAKEN', 'Tama Rewi has already been invited.', { member: INVITED }),
    });
    await sendInvitationTo('tama@example.com');
    await screen.findByRole('button', { name: 'Withdraw' });
    expect(screen.queryByRole('button', { name: 'Resend' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Open Tama Rewi' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy link' })).toBeTruthy();
  });
});
