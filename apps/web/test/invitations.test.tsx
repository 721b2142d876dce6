import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { onSessionEnd } from '../src/lib/session-end.ts';
import { type Answers, DASHBOARD, openPage, press, refuse, typeInto, valueOf, waitForFocus, waitForToasts } from './open-page.tsx';
import { OWNER } from './people.ts';

const openInvited = (path: string, more: Answers) =>
  openPage(path, { 'GET /me': () => OWNER, 'GET /staff': () => ({ rows: [] }), ...more });

const SENTENCE = 'Please confirm your email address before you invite people.';

it('who has not confirmed their email is told so beside the button they pressed, with a way to confirm it', async () => {
  openPage('/staff/new', {
    'GET /me': () => ({ ...OWNER, must_confirm_email: true }),
    'POST /staff': () => refuse('EMAIL_UNCONFIRMED', SENTENCE),
    'POST /me/email-confirmation': () => ({ mail: 'queued' }),
  });
  const save = await screen.findByRole('button', { name: 'Send Invitation' });
  const form = within(save.closest('form') ?? document.body);
  const typed = { 'Full Name': 'Tama Rewi', 'Email Address': 'tama@example.com', 'Phone Number': '021 555', 'Hourly Rate': '45' };
  for (const [label, value] of Object.entries(typed)) fireEvent.change(form.getByLabelText(label), { target: { value } });
  expect(form.queryByText(SENTENCE)).toBeNull();
  await act(async () => fireEvent.click(save));
  await form.findByText(SENTENCE);
  expect(screen.getAllByText(SENTENCE)).toHaveLength(1);

  await act(async () => fireEvent.click(form.getByRole('button', { name: 'Send confirmation email' })));
  await form.findByText('We sent a link to mia@example.com. Open it to confirm your email, then come back here.');
  expect(form.getByLabelText<HTMLInputElement>('Full Name').value).toBe('Tama Rewi');
});

const INVITED = { 'Full Name': 'Tama', 'Email Address': 'tama@example.com', 'Phone Number': '021 555', 'Hourly Rate': '45' };

describe('an invitation', () => {
  async function sendInvitation(fields: Record<string, string>, more: Answers = {}): Promise<void> {
    openInvited('/staff/new', more);
    await screen.findByLabelText('Full Name');
    for (const [label, text] of Object.entries(fields)) typeInto(label, text);
    await press('Send Invitation');
  }

  it('needs every field, and starts from the role of a staff member', async () => {
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

  it('is refused for a name that a mail program would turn into a link', async () => {
    await sendInvitation({ ...INVITED, 'Full Name': 'Go to evil.example' });
    expect(await screen.findByText('Full name must not contain a web address. Put a space after each dot.')).toBeDefined();
  });

  it.each([
    ['a failing server', () => refuse('INTERNAL'), 'An unexpected error occurred. Please try again.'],
    [
      'a lost connection',
      () => {
        throw new TypeError('Failed to fetch');
      },
      'Unable to connect to the server. Please check your internet connection and try again.',
    ],
    [
      'an email of another company',
      () => refuse('EMAIL_TAKEN', 'This email address already belongs to a company.'),
      'This email address already belongs to a company.',
    ],
  ])('keeps what was typed after %s', async (_case, answer, reason) => {
    await sendInvitation(INVITED, { 'POST /staff': answer });
    await waitForToasts(`Failed to add staff member: ${reason}`);
    expect(valueOf('Full Name')).toBe('Tama');
  });
});

it('an invitation to an email of another company leads back to that field', async () => {
  openInvited('/staff/new', { 'POST /staff': () => refuse('EMAIL_TAKEN', 'This email address already belongs to a company.') });
  await screen.findByLabelText('Full Name');
  for (const [label, text] of Object.entries(INVITED)) typeInto(label, text);
  await press('Send Invitation');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email Address')));
});

describe('the page of an invitation', () => {
  const VIEW = {
    company_name: 'Harbour Plumbing',
    name: 'Tama Rewi',
    email: 'tama@example.com',
    role: 'staff',
    replaces_company: false,
    leaves_company: false,
  };

  async function openInvitation(more: Answers = {}) {
    const page = openInvited('/invitation?token=abc', { 'POST /invitations/view': () => VIEW, ...more });
    await screen.findByRole('heading', { name: 'Join Harbour Plumbing' });
    return page;
  }

  async function accept(password: string): Promise<void> {
    typeInto('Password', password);
    typeInto('Confirm password', password);
    await press('Accept Invitation');
  }

  it('tells who is signed in that they become someone else, in every tab', async () => {
    const { path } = await openInvitation({
      'POST /invitations/accept': () => ({}),
      ...DASHBOARD,
    });
    screen.getByText("You're signed in as mia@example.com. Accepting will sign you in as tama@example.com.");
    const ends: string[] = [];
    const stop = onSessionEnd((end) => ends.push(end));
    await accept('12345');
    await screen.findByText('Password must be at least 6 characters long');
    expect(ends).toEqual([]);
    await accept('a long password');
    await waitFor(() => expect(path()).toBe('/dashboard'));
    stop();
    expect(ends).toEqual(['replaced']);
  });

  it('says that joining replaces a company that was never set up', async () => {
    await openInvitation({ 'POST /invitations/view': () => ({ ...VIEW, replaces_company: true }) });
    expect(screen.getByText(/Joining deletes that company and everything in it\./)).toBeDefined();
  });

  it('whose link dies while it is open says so', async () => {
    const view = { answer: (): unknown => VIEW };
    await openInvitation({ 'POST /invitations/view': () => view.answer(), 'POST /invitations/accept': () => refuse('LINK_EXPIRED') });
    view.answer = () => refuse('LINK_EXPIRED');
    await accept('a long password');
    await screen.findByRole('heading', { name: 'This invitation no longer works' });
    // Somebody is signed in.
    expect(screen.getByRole('link', { name: 'Go to the dashboard' }).getAttribute('href')).toBe('/dashboard');
    expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
  });
});
