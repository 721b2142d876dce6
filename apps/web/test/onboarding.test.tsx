import { focusManager } from '@tanstack/react-query';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Answers, DASHBOARD, openPage, press, refuse, toastTexts, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { NEWCOMER, OWNER, PROFILE } from './people.ts';

afterEach(() => focusManager.setFocused(undefined));

const NO_INVITATION = { open: false, companies: [] };
const INVITED = { open: true, companies: [{ company_id: 'company-1', company_name: 'Harbour Plumbing' }] };
const JOIN = 'POST /me/invitations/company-1/join';

/** A newcomer on /onboarding. `answers.me` is what the server says from then on. */
async function openOnboarding(more: Answers = {}) {
  const answers = { me: NEWCOMER };
  const page = openPage('/onboarding', { 'GET /me': () => answers.me, 'GET /me/invitations': () => NO_INVITATION, ...DASHBOARD, ...more });
  await screen.findByLabelText('Company name');
  return { ...page, answers };
}

function fillForm(): void {
  typeInto('Company name', 'Harbour Plumbing');
  typeInto('Phone', '09 555 000');
  typeInto('GST/VAT number', '123-456-789');
  typeInto('PayPal email', 'pay@example.com');
}

/** Whether the browser would ask before it leaves. */
function asksBeforeLeaving(): boolean {
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}

describe('the onboarding form', () => {
  it('brings back after a reload what was typed', async () => {
    await openOnboarding();
    typeInto('Company name', 'Harbour Plumbing');
    expect(asksBeforeLeaving()).toBe(false);
    act(() => void window.dispatchEvent(new Event('pagehide')));
    cleanup();
    await openOnboarding();
    await waitFor(() => expect(valueOf('Company name')).toBe('Harbour Plumbing'));
    await waitForToasts('Your unsaved changes were restored.');
  });

  it('does not ask once it is saved', async () => {
    const { path } = await openOnboarding({ 'POST /company/onboarding': () => OWNER });
    fillForm();
    await press('Save and continue');
    await waitFor(() => expect(path()).toBe('/dashboard'));
    expect(asksBeforeLeaving()).toBe(false);
  });

  it('says beside each field what is missing or wrong', async () => {
    await openOnboarding();
    typeInto('GST percentage', '101');
    await press('Save and continue');
    for (const label of ['Company name', 'Phone', 'GST/VAT number', 'PayPal email']) await screen.findByText(`${label} is required`);
    screen.getByText('GST percentage must be a number from 0 to 100');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Company name')));
  });

  it('that cannot be saved says so and keeps what was typed', async () => {
    const save = { answer: (): unknown => refuse('INTERNAL') };
    const { path } = await openOnboarding({ 'POST /company/onboarding': () => save.answer() });
    fillForm();
    await press('Save and continue');
    await waitForToasts('Error creating profile');
    save.answer = () => {
      throw new TypeError('Failed to fetch');
    };
    await press('Save and continue');
    await waitFor(() => expect(toastTexts()[0]).toBe('An unexpected error occurred'));
    expect(valueOf('Company name')).toBe('Harbour Plumbing');
    save.answer = () => OWNER;
    await press('Save and continue');
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });

  it('completes a company that was started before', async () => {
    const STARTED = { ...OWNER, profile: { ...PROFILE, company_name: null, onboarding_completed: false } };
    await openOnboarding({ 'GET /me': () => STARTED, 'POST /company/onboarding': () => refuse('INTERNAL') });
    fillForm();
    await press('Save and continue');
    await waitFor(() => expect(toastTexts()).toEqual(['Error saving profile']));
  });
});

it('the dashboard of a company without a name leads to its settings', async () => {
  openPage('/dashboard', {
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, company_name: null, onboarding_completed: false } }),
    ...DASHBOARD,
  });
  const link = await screen.findByRole('link', { name: 'Setup Company Profile' });
  expect(link.getAttribute('href')).toBe('/settings');
});

describe('a browser that does not know its time zone', () => {
  afterEach(() => vi.restoreAllMocks());

  it('can complete onboarding, in UTC', async () => {
    const options = { ...new Intl.DateTimeFormat().resolvedOptions(), timeZone: 'Etc/Unknown' };
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options);
    const sent: unknown[] = [];
    const { path } = await openOnboarding({
      'POST /company/onboarding': (input) => {
        sent.push(input);
        return OWNER;
      },
    });
    fillForm();
    await press('Save and continue');
    await waitFor(() => expect(path()).toBe('/dashboard'));
    expect(sent).toMatchObject([{ timezone: 'UTC' }]);
  });
});

describe('who has a company by now', () => {
  it('is led on when they come back to a tab that was left on onboarding', async () => {
    const { path, answers } = await openOnboarding();
    typeInto('Company name', 'Harbour Plumbing');
    answers.me = OWNER;
    act(() => focusManager.setFocused(false));
    await act(async () => focusManager.setFocused(true));
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });

  it.each([
    ['ALREADY_DONE', 'This company is set up already. You can change it in Settings.'],
    ['FORBIDDEN', 'You already belong to a company.'],
  ] as const)('is led on when the form is answered %s', async (code, says) => {
    const { path, answers } = await openOnboarding({ 'POST /company/onboarding': () => refuse(code, says) });
    fillForm();
    // Joined elsewhere: a member who may not edit a company that its owner has not finished setting up.
    answers.me = { ...OWNER, profile: { ...PROFILE, role: 'staff', onboarding_completed: code === 'ALREADY_DONE' } };
    await press('Save and continue');
    await waitFor(() => expect(path()).toBe('/dashboard'));
    expect(toastTexts()).toEqual([says]);
  });

  it('stays with what was typed when the server cannot say who they are', async () => {
    const me = { answer: (): unknown => NEWCOMER };
    const { path } = await openOnboarding({ 'GET /me': () => me.answer(), 'POST /company/onboarding': () => refuse('FORBIDDEN') });
    fillForm();
    me.answer = () => refuse('INVALID_INPUT');
    await press('Save and continue');
    await waitFor(() => expect(toastTexts()).toEqual(['You already belong to a company.']));
    expect(path()).toBe('/onboarding');
    expect(screen.getByLabelText<HTMLInputElement>('Company name').value).toBe('Harbour Plumbing');
  });
});

describe('the offer to join a company', () => {
  it('goes when the invitation was withdrawn, and the page says so', async () => {
    const invitations = { answer: INVITED };
    const { path } = await openOnboarding({ 'GET /me/invitations': () => invitations.answer, [JOIN]: () => refuse('NOT_FOUND') });
    await screen.findByText(/Harbour Plumbing invited you/);
    invitations.answer = NO_INVITATION;
    await press('Join Harbour Plumbing');
    await waitFor(() => expect(screen.queryByText(/Harbour Plumbing invited you/)).toBeNull());
    expect(toastTexts()).toEqual(['This invitation was withdrawn or has expired.']);
    expect(path()).toBe('/onboarding');
  });

  it('is followed without asking about a form that was begun', async () => {
    const { path, answers } = await openOnboarding({ 'GET /me/invitations': () => INVITED, [JOIN]: () => ({}) });
    await screen.findByText(/Harbour Plumbing invited you/);
    typeInto('Company name', 'Mine');
    answers.me = OWNER;
    await press('Join Harbour Plumbing');
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });
});

it('a profile that cannot be read says so within seconds, with Retry', async () => {
  const me = { answer: (): unknown => refuse('INTERNAL') };
  openPage('/onboarding', { 'GET /me': () => me.answer(), 'GET /me/invitations': () => NO_INVITATION });
  // One more try, after a second.
  await screen.findByText('Your profile could not be loaded.', {}, { timeout: 4_000 });
  me.answer = () => NEWCOMER;
  await press('Retry');
  expect(await screen.findByLabelText('Company name')).toBeDefined();
});
