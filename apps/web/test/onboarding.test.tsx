import { focusManager } from '@tanstack/react-query';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ADMIN_USER, PROFILE, USER_WITHOUT_COMPANY } from './fixtures.ts';
import {
  DASHBOARD_RESPONSES,
  failWith,
  getToasts,
  getValue,
  type MockApi,
  openPage,
  pressButton,
  typeInto,
  waitForToasts,
} from './open-page.tsx';

afterEach(() => focusManager.setFocused(undefined));

const NO_INVITATION = { open: false, companies: [] };
const OPEN_INVITATION = { open: true, companies: [{ company_id: 'company-1', company_name: 'Harbour Plumbing' }] };
const JOIN_CALL = 'POST /me/invitations/company-1/join';

/** Opens /onboarding for a user without a company. Tests set `responses.me` to change later results of GET /me. */
async function openOnboarding(extraResponses: MockApi = {}) {
  const responses = { me: USER_WITHOUT_COMPANY };
  const page = openPage('/onboarding', {
    'GET /me': () => responses.me,
    'GET /me/invitations': () => NO_INVITATION,
    ...DASHBOARD_RESPONSES,
    ...extraResponses,
  });
  await screen.findByLabelText('Company name');
  return { ...page, responses };
}

function fillOnboardingForm(): void {
  typeInto('Company name', 'Harbour Plumbing');
  typeInto('Phone', '09 555 000');
  typeInto('GST/VAT number', '123-456-789');
  typeInto('PayPal email', 'pay@example.com');
}

/** Returns true if the browser would show its leave-page confirmation. */
function asksBeforeLeaving(): boolean {
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}

describe('onboarding form', () => {
  it('restores the typed values after a reload', async () => {
    await openOnboarding();
    typeInto('Company name', 'Harbour Plumbing');
    expect(asksBeforeLeaving()).toBe(false);
    act(() => void window.dispatchEvent(new Event('pagehide')));
    cleanup();
    await openOnboarding();
    await waitFor(() => expect(getValue('Company name')).toBe('Harbour Plumbing'));
    await waitForToasts('Your unsaved changes were restored.');
  });

  it('shows no leave-page confirmation once saved', async () => {
    const { path } = await openOnboarding({ 'POST /company/onboarding': () => ADMIN_USER });
    fillOnboardingForm();
    await pressButton('Save and continue');
    await waitFor(() => expect(path()).toBe('/dashboard'));
    expect(asksBeforeLeaving()).toBe(false);
  });

  it('shows an error beside each missing or invalid field', async () => {
    await openOnboarding();
    typeInto('GST percentage', '101');
    await pressButton('Save and continue');
    for (const label of ['Company name', 'Phone', 'GST/VAT number', 'PayPal email']) await screen.findByText(`${label} is required`);
    screen.getByText('GST percentage must be a number from 0 to 100');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Company name')));
  });

  it('reports a failed save and keeps the typed values', async () => {
    const save = { response: (): unknown => failWith('INTERNAL') };
    const { path } = await openOnboarding({ 'POST /company/onboarding': () => save.response() });
    fillOnboardingForm();
    await pressButton('Save and continue');
    await waitForToasts('Error creating profile');
    save.response = () => {
      throw new TypeError('Failed to fetch');
    };
    await pressButton('Save and continue');
    await waitFor(() => expect(getToasts()[0]).toBe('An unexpected error occurred'));
    expect(getValue('Company name')).toBe('Harbour Plumbing');
    save.response = () => ADMIN_USER;
    await pressButton('Save and continue');
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });

  it('reports a failed save of a company whose setup was already started', async () => {
    const STARTED = { ...ADMIN_USER, profile: { ...PROFILE, company_name: null, onboarding_completed: false } };
    await openOnboarding({ 'GET /me': () => STARTED, 'POST /company/onboarding': () => failWith('INTERNAL') });
    fillOnboardingForm();
    await pressButton('Save and continue');
    await waitFor(() => expect(getToasts()).toEqual(['Error saving profile']));
  });
});

it('links the dashboard of a company without a name to settings', async () => {
  openPage('/dashboard', {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, company_name: null, onboarding_completed: false } }),
    ...DASHBOARD_RESPONSES,
  });
  const link = await screen.findByRole('link', { name: 'Setup Company Profile' });
  expect(link.getAttribute('href')).toBe('/settings');
});

describe('onboarding in a browser with an unknown time zone', () => {
  afterEach(() => vi.restoreAllMocks());

  it("sets the company's time zone to UTC", async () => {
    const options = { ...new Intl.DateTimeFormat().resolvedOptions(), timeZone: 'Etc/Unknown' };
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options);
    const sent: unknown[] = [];
    const { path } = await openOnboarding({
      'POST /company/onboarding': (input) => {
        sent.push(input);
        return ADMIN_USER;
      },
    });
    fillOnboardingForm();
    await pressButton('Save and continue');
    await waitFor(() => expect(path()).toBe('/dashboard'));
    expect(sent).toMatchObject([{ timezone: 'UTC' }]);
  });
});

describe('onboarding of a user who already has a company', () => {
  it('redirects to the dashboard when an old onboarding tab regains focus', async () => {
    const { path, responses } = await openOnboarding();
    typeInto('Company name', 'Harbour Plumbing');
    responses.me = ADMIN_USER;
    act(() => focusManager.setFocused(false));
    await act(async () => focusManager.setFocused(true));
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });

  it.each([
    ['ALREADY_DONE', 'This company is already set up. You can change it in Settings.'],
    ['FORBIDDEN', 'You already belong to a company.'],
  ] as const)('redirects to the dashboard when the form fails with %s', async (code, says) => {
    const { path, responses } = await openOnboarding({ 'POST /company/onboarding': () => failWith(code, says) });
    fillOnboardingForm();
    // The user joined in another tab as staff, who cannot finish setting up the company.
    responses.me = { ...ADMIN_USER, profile: { ...PROFILE, role: 'staff', onboarding_completed: code === 'ALREADY_DONE' } };
    await pressButton('Save and continue');
    await waitFor(() => expect(path()).toBe('/dashboard'));
    await waitForToasts(says);
  });

  it('keeps the typed values when the account cannot be reloaded', async () => {
    const me = { response: (): unknown => USER_WITHOUT_COMPANY };
    const { path } = await openOnboarding({ 'GET /me': () => me.response(), 'POST /company/onboarding': () => failWith('FORBIDDEN') });
    fillOnboardingForm();
    me.response = () => failWith('INVALID_INPUT');
    await pressButton('Save and continue');
    await waitForToasts('You already belong to a company.');
    expect(path()).toBe('/onboarding');
    expect(screen.getByLabelText<HTMLInputElement>('Company name').value).toBe('Harbour Plumbing');
  });
});

describe('offer to join a company', () => {
  it('disappears with a message when the invitation was withdrawn', async () => {
    const invitations = { response: OPEN_INVITATION };
    const { path } = await openOnboarding({ 'GET /me/invitations': () => invitations.response, [JOIN_CALL]: () => failWith('NOT_FOUND') });
    await screen.findByText(/Harbour Plumbing invited you/);
    invitations.response = NO_INVITATION;
    await pressButton('Join Harbour Plumbing');
    await waitFor(() => expect(screen.queryByText(/Harbour Plumbing invited you/)).toBeNull());
    await waitForToasts('This invitation was withdrawn or has expired.');
    expect(path()).toBe('/onboarding');
  });

  it('is accepted without a prompt about the unsaved onboarding form', async () => {
    const { path, responses } = await openOnboarding({ 'GET /me/invitations': () => OPEN_INVITATION, [JOIN_CALL]: () => ({}) });
    await screen.findByText(/Harbour Plumbing invited you/);
    typeInto('Company name', 'Mine');
    responses.me = ADMIN_USER;
    await pressButton('Join Harbour Plumbing');
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });
});

it('reports within seconds that the profile failed to load and offers Retry', async () => {
  const me = { response: (): unknown => failWith('INTERNAL') };
  openPage('/onboarding', { 'GET /me': () => me.response(), 'GET /me/invitations': () => NO_INVITATION });
  // The request is retried once, after one second.
  await screen.findByText("Your profile couldn't be loaded.", {}, { timeout: 4_000 });
  me.response = () => USER_WITHOUT_COMPANY;
  await pressButton('Retry');
  expect(await screen.findByLabelText('Company name')).toBeDefined();
});
