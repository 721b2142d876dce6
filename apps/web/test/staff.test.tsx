import type { StaffMember } from '@callout/contract/staff';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN_USER, ADMIN_STAFF_MEMBER as MIA } from './fixtures.ts';
import { failWith, getToasts, getValue, type MockApi, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';

const INVITED_AT = '2026-03-01T08:00:00.000Z';
const TEAL = { id: '018f0000-0000-7000-8000-000000000011', name: 'Teal', hex_code: '#0f766e' };
const RUST = { id: '018f0000-0000-7000-8000-000000000012', name: 'Rust', hex_code: '#b45309' };
const TAMA: StaffMember = { ...MIA, id: 'staff-2', name: 'Tama Rewi', email: 'tama@example.com', role: 'staff', color: TEAL };

const DISABLED_FEED = { is_on: false, last_opened_at: null };

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => setViewportWidth(1024));

function openStaffPage(path: string, responses: MockApi = {}) {
  return openPage(path, {
    'GET /me': () => ADMIN_USER,
    'GET /staff': () => ({ rows: [MIA, TAMA] }),
    'GET /staff/staff-1': () => MIA,
    'GET /staff/staff-2': () => TAMA,
    'GET /staff/staff-1/calendar-feed': () => DISABLED_FEED,
    'GET /staff/staff-2/calendar-feed': () => DISABLED_FEED,
    'GET /staff-colors': () => ({ rows: [RUST, TEAL] }),
    ...responses,
  });
}

describe('the staff list', () => {
  it('has a delete button on every row on a desktop', async () => {
    openStaffPage('/staff');
    expect(await screen.findByRole('button', { name: 'Delete Tama Rewi' })).toBeDefined();
  });

  it('asks before deleting a person on a phone too', async () => {
    setViewportWidth(390);
    openStaffPage('/staff');
    await pressButton('Delete Tama Rewi');
    expect(await screen.findByRole('alertdialog', { name: 'Delete staff member' })).toBeDefined();
  });
});

describe("a staff member's calendar link", () => {
  const [READ_FEED, DELETE_FEED] = ['GET /staff/staff-2/calendar-feed', 'DELETE /staff/staff-2/calendar-feed'];

  it('can be turned off by an admin after a confirmation', async () => {
    openStaffPage('/staff/staff-2', { [READ_FEED]: () => ({ is_on: true, last_opened_at: null }), [DELETE_FEED]: () => DISABLED_FEED });
    expect(await screen.findByText(/No calendar has fetched this link yet/)).toBeDefined();
    await pressButton('Turn off');
    const dialog = await screen.findByRole('alertdialog', { name: 'Turn off the calendar link?' });
    await act(async () => fireEvent.click(within(dialog).getByRole('button', { name: 'Turn off' })));
    await waitForToasts('Calendar link turned off');
    expect(screen.queryByRole('heading', { name: 'Calendar link' })).toBeNull();
  });

  it('stays on when it cannot be turned off, and the reason is shown', async () => {
    openStaffPage('/staff/staff-2', {
      [READ_FEED]: () => ({ is_on: true, last_opened_at: INVITED_AT }),
      [DELETE_FEED]: () => failWith('NOT_FOUND', 'Staff member not found'),
    });
    await pressButton('Turn off');
    const dialog = await screen.findByRole('alertdialog', { name: 'Turn off the calendar link?' });
    await act(async () => fireEvent.click(within(dialog).getByRole('button', { name: 'Turn off' })));
    await waitForToasts('Failed to turn off the calendar link: Staff member not found');
    expect(screen.getByRole('heading', { name: 'Calendar link' })).toBeDefined();
  });

  it('is hidden while it is off', async () => {
    openStaffPage('/staff/staff-2');
    expect(await screen.findByLabelText(/Full name/i)).toBeDefined();
    expect(screen.queryByText('Calendar link')).toBeNull();
  });
});

const INVITED_MEMBER: StaffMember = {
  ...TAMA,
  profile_id: null,
  status: 'invited',
  invited_at: INVITED_AT,
  invitation_expires_at: '2026-03-08T08:00:00.000Z',
  delivery: 'delivered',
};

describe('an invitation', () => {
  const openInvitedMember = (member: Partial<StaffMember>, responses: MockApi = {}) =>
    openStaffPage('/staff/staff-2', { 'GET /staff/staff-2': () => ({ ...INVITED_MEMBER, ...member }), ...responses });
  const findInvitationText = async () => (await screen.findByRole('heading', { name: 'Invitation' })).parentElement?.textContent ?? '';

  it.each([
    ['/staff/new', 'Copy the link and send it to them. It can be used once and expires in 7 days.'],
    ['/staff/staff-2', 'Changing this email cancels the old link. Copy a new one and send it yourself.'],
  ])('promises no email on a server without mail: %s', async (path, text) => {
    const sendsNoMail = () => ({ ...ADMIN_USER, sends_mail: false });
    openStaffPage(path, { 'GET /me': sendsNoMail, 'GET /staff/staff-2': () => INVITED_MEMBER });
    expect(await screen.findByText(text)).toBeDefined();
    expect(screen.queryByText(/sends a new invitation|They get a link/)).toBeNull();
  });

  it.each([
    [{ delivery: 'sending' }, 'Sending to tama@example.com'],
    [{ delivery: 'delivered' }, 'Delivered to tama@example.com'],
    [{ delivery: 'failed', delivery_problem: 'Their mailbox is full.' }, "Couldn't deliver to tama@example.com"],
    [{ delivery: 'failed', delivery_problem: 'Their mailbox is full.' }, 'Their mailbox is full.'],
    [{ delivery: 'sending', delivery_problem: 'The mail server could not be reached.' }, "could not be reached. We'll keep trying."],
    [{ delivery: 'not-sent' }, 'Not emailed to tama@example.com'],
    [{ delivery: 'not-sent' }, 'Copy the link and send it yourself.'],
  ] as const)('with %j shows "%s"', async (member, text) => {
    openInvitedMember(member);
    expect(await findInvitationText()).toContain(text);
  });

  it('with a copied link shows who copied the link and when', async () => {
    openInvitedMember({ copied_link: { by: 'Mia Chen', created_at: INVITED_AT, expires_at: '2026-03-08T08:00:00.000Z' } });
    expect(await findInvitationText()).toMatch(/Link copied by Mia Chen, .*2026/);
    expect(await findInvitationText()).toContain(
      'Copying again cancels the previously copied link. Sending again cancels all earlier links.',
    );
  });

  it('without a copied link does not mention copying again', async () => {
    openInvitedMember({});
    expect(await findInvitationText()).toContain('Sending again cancels all earlier links.');
    expect(await findInvitationText()).not.toContain('Copying again');
  });

  it('is marked in the list if it could not be delivered', async () => {
    openStaffPage('/staff', { 'GET /staff': () => ({ rows: [MIA, { ...INVITED_MEMBER, delivery: 'failed' }] }) });
    expect(await screen.findByText('Not delivered')).toBeDefined();
  });

  describe('invitation link', () => {
    const INVITATION_URL = 'https://work.example.com/invitation?token=abc';
    const MEMBER_WITH_COPIED_LINK = {
      ...INVITED_MEMBER,
      copied_link: { by: 'Mia Chen', created_at: '2026-03-02T08:00:00.000Z', expires_at: '2026-03-09T08:00:00.000Z' },
    };
    let createdLinkCount: number;
    const LINK_RESPONSES: MockApi = {
      'POST /staff/staff-2/invitation-link': () => {
        createdLinkCount += 1;
        return { member: MEMBER_WITH_COPIED_LINK, url: INVITATION_URL };
      },
      'POST /staff/staff-2/invitation': () => ({ member: { ...INVITED_MEMBER, invited_at: '2026-03-03T08:00:00.000Z' }, mail: 'queued' }),
    };
    const clipboard: string[] = [];
    const stubNavigator = (parts: object) => {
      for (const [name, value] of Object.entries(parts)) Object.defineProperty(navigator, name, { value, configurable: true });
    };
    afterEach(() => {
      for (const name of ['clipboard', 'share']) Reflect.deleteProperty(navigator, name);
    });
    beforeEach(() => {
      createdLinkCount = 0;
      clipboard.length = 0;
    });
    const WRITABLE_CLIPBOARD = { clipboard: { writeText: async (text: string) => void clipboard.push(text) } };

    it('stays the same when it is copied or shared again', async () => {
      const shared: unknown[] = [];
      stubNavigator({ ...WRITABLE_CLIPBOARD, share: async (data: unknown) => void shared.push(data) });
      openInvitedMember({}, LINK_RESPONSES);
      await pressButton('Copy link');
      await waitFor(() => expect(getToasts()).toEqual(['Link copied']));
      await pressButton('Copy link');
      await pressButton('Share');
      expect(clipboard).toEqual([INVITATION_URL, INVITATION_URL]);
      expect(shared).toEqual([{ text: 'Join Harbour Plumbing on Callout', url: INVITATION_URL }]);
      expect(createdLinkCount).toBe(1);
    });

    it('appears in a text field if the browser cannot copy it', async () => {
      stubNavigator({ clipboard: undefined });
      openInvitedMember({}, LINK_RESPONSES);
      await pressButton('Copy link');
      expect((await screen.findByLabelText<HTMLInputElement>('Invitation link')).value).toBe(INVITATION_URL);
      await waitForToasts('Your browser blocked copying. Select the link below and copy it yourself.');
    });

    it('reports a blocked share, but not a closed share menu', async () => {
      const share = { error: new DOMException('Closed', 'AbortError') };
      stubNavigator({ share: () => Promise.reject(share.error) });
      openInvitedMember({}, LINK_RESPONSES);
      await pressButton('Share');
      await screen.findByLabelText('Invitation link');
      expect(getToasts()).toEqual([]);
      share.error = new DOMException('Blocked', 'NotAllowedError');
      await pressButton('Share');
      await waitForToasts('Your browser blocked sharing. Copy the link below and send it yourself.');
    });

    it('is the only way to invite someone again on a server without mail', async () => {
      openInvitedMember({ delivery: 'not-sent' }, { 'GET /me': () => ({ ...ADMIN_USER, sends_mail: false }) });
      await screen.findByRole('button', { name: 'Copy link' });
      expect(screen.queryByRole('button', { name: /^Send/ })).toBeNull();
      expect(screen.queryByText(/Sending again/)).toBeNull();
    });

    it('disappears when the invitation is sent again', async () => {
      stubNavigator(WRITABLE_CLIPBOARD);
      openInvitedMember({}, LINK_RESPONSES);
      await pressButton('Copy link');
      await screen.findByLabelText('Invitation link');
      await pressButton('Send again');
      await waitFor(() => expect(screen.queryByLabelText('Invitation link')).toBeNull());
    });

    it('is offered right after a member is added on a server that cannot send email', async () => {
      const shared: { url: string }[] = [];
      stubNavigator({ ...WRITABLE_CLIPBOARD, share: async (data: { url: string }) => void shared.push(data) });
      openStaffPage('/staff/new', {
        ...LINK_RESPONSES,
        'POST /staff': () => ({ member: { ...INVITED_MEMBER, delivery: 'not-sent' }, mail: 'kept' }),
      });
      await screen.findByLabelText('Full Name');
      for (const [label, text] of [
        ['Full Name', 'Tama'],
        ['Email Address', 't@example.com'],
        ['Phone Number', '1'],
        ['Hourly Rate', '45'],
      ] as const) {
        typeInto(label, text);
      }
      await pressButton('Send Invitation');
      await pressButton('Copy link');
      await waitForToasts('Link copied');
      expect((await screen.findByLabelText<HTMLInputElement>('Invitation link')).value).toBe(INVITATION_URL);
      await pressButton('Share');
      await waitFor(() => expect(shared).toMatchObject([{ url: INVITATION_URL }]));
      expect(clipboard).toEqual([INVITATION_URL]);
      expect(createdLinkCount).toBe(1);
    });

    it('is not copied if it could not be created, and the reason is shown', async () => {
      stubNavigator(WRITABLE_CLIPBOARD);
      openInvitedMember({}, { 'POST /staff/staff-2/invitation-link': () => failWith('TOO_MANY_ATTEMPTS', 'Too many attempts.') });
      await pressButton('Copy link');
      await waitFor(() => expect(getToasts()).toEqual(['Failed to create the link: Too many attempts.']));
      expect(clipboard).toEqual([]);
    });
  });
});

describe('a staff member', () => {
  it('is saved against the loaded version', async () => {
    const sent: unknown[] = [];
    openStaffPage('/staff/staff-2', {
      'PUT /staff/staff-2': (input) => {
        sent.push(input);
        return { member: { ...TAMA, version: 2 }, mail: null };
      },
    });
    await screen.findByLabelText('Full Name');
    typeInto('Hourly Rate', '$1,200');
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'Rust' })));
    await pressButton('Save Changes');
    await waitFor(() => expect(sent).toMatchObject([{ version: 1, hourly_rate: '1200', color_id: RUST.id, role: 'staff' }]));
    await waitFor(() => expect(getToasts()).toEqual(['Staff member updated successfully']));
  });

  it('shows the color names when two people changed the color', async () => {
    openStaffPage('/staff/staff-2', {
      'PUT /staff/staff-2': () =>
        failWith('STALE_VERSION', 'Changed', { current: { ...TAMA, color: null, role: 'manager', hourly_rate: '45', version: 2 } }),
    });
    const rustOption = await screen.findByRole('radio', { name: 'Rust' });
    await act(async () => fireEvent.click(rustOption));
    await pressButton('Save Changes');
    const findInvitationText = await screen.findByRole('alert');
    for (const text of ['Identifier Color', 'Yours: Rust', 'Theirs: Manager']) expect(findInvitationText.textContent).toContain(text);
    expect(findInvitationText.textContent).not.toContain('Hourly Rate');
  });

  it('cannot be given an email address that is already taken', async () => {
    openStaffPage('/staff/staff-2', {
      'PUT /staff/staff-2': () => failWith('EMAIL_TAKEN', 'This email address already belongs to a company.'),
    });
    await screen.findByLabelText('Email');
    typeInto('Email', 'mia@example.com');
    typeInto('Full Name', 'Tama R.');
    await pressButton('Save Changes');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email')));
    expect(screen.getAllByText('Failed to update staff member: This email address already belongs to a company.')).toHaveLength(1);
    expect(getToasts()).toEqual([]);
  });

  it('is named next to the form, with a link, if already on the staff', async () => {
    const refuse = () => failWith('EMAIL_TAKEN', 'Tama Rewi is already on your staff.', { member: TAMA });
    const { path } = openStaffPage('/staff/new', { 'POST /staff': refuse });
    await screen.findByLabelText('Full Name');
    for (const [label, text] of Object.entries({
      'Full Name': 'Tam',
      'Email Address': TAMA.email,
      'Phone Number': '1',
      'Hourly Rate': '45',
    }))
      typeInto(label, text);
    await pressButton('Send Invitation');
    await screen.findByText('Failed to add staff member: Tama Rewi is already on your staff.');
    expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull();
    const link = await screen.findByRole('link', { name: 'Open Tama Rewi' });
    expect(link.getAttribute('href')).toBe('/staff/staff-2');
    expect(path()).toBe('/staff/new');
    typeInto('Email Address', 'other@example.com');
    await waitFor(() => expect(screen.queryByText(/is already on your staff/)).toBeNull());
  });

  it('keeps edits made while the invitation was being sent', async () => {
    const response = Promise.withResolvers<void>();
    const { path } = openStaffPage('/staff/new', {
      'POST /staff': async (input) => {
        await response.promise;
        return { member: { ...TAMA, ...(input as StaffMember), id: 'staff-2' }, mail: 'queued' };
      },
    });
    const name = await screen.findByLabelText('Full Name');
    await waitFor(() => expect(document.activeElement).toBe(name));
    for (const [label, text] of Object.entries({
      'Full Name': 'Tama',
      'Email Address': 't@example.com',
      'Phone Number': '1',
      'Hourly Rate': '45',
    })) {
      typeInto(label, text);
    }
    await pressButton('Send Invitation');
    typeInto('Phone Number', '021 555 999');
    await act(async () => response.resolve());
    await waitFor(() => expect(path()).toBe('/staff/staff-2'));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Phone').value).toBe('021 555 999'));
  });
});

/** Fails every upload. Uploads use XMLHttpRequest, so a mocked fetch would not reach them. */
class FailingUpload extends EventTarget {
  readonly upload = new EventTarget();
  readonly status = 500;
  readonly responseText = JSON.stringify({ defined: true, code: 'INTERNAL', status: 500, message: 'A failure on purpose' });
  open() {}
  setRequestHeader() {}
  send() {
    this.dispatchEvent(new Event('load'));
    this.dispatchEvent(new Event('loadend'));
  }
}

describe('the staff form', () => {
  it.each([
    [() => failWith('LAST_ADMIN', 'Cannot demote the last admin'), 'Cannot demote the last admin'],
    [() => failWith('INTERNAL'), 'An unexpected error occurred. Please try again later.'],
  ])('shows why saving failed and keeps the entered text', async (respond, reason) => {
    openStaffPage('/staff/staff-2', { 'PUT /staff/staff-2': respond });
    await screen.findByLabelText('Hourly Rate');
    typeInto('Hourly Rate', '120');
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: /^Manager/ })));
    await pressButton('Save Changes');
    await waitForToasts(`Failed to update staff member: ${reason}`);
    expect(getValue('Hourly Rate')).toBe('120');
  });

  it.each([
    [() => failWith('LAST_ADMIN', 'Cannot delete the last admin'), 'Cannot delete the last admin'],
    [() => failWith('INTERNAL'), 'An unexpected error occurred. Please try again later.'],
  ])('shows why deleting failed and keeps the member', async (respond, reason) => {
    openStaffPage('/staff', { 'DELETE /staff/staff-2': respond });
    await pressButton('Delete Tama Rewi');
    await pressButton('Delete');
    await waitForToasts(`Failed to delete staff member: ${reason}`);
    expect(screen.getByText('Tama Rewi')).toBeDefined();
  });

  const chooseAvatar = (name: string, type: string) => {
    const input = document.querySelector('input[type=file]') ?? document.body;
    return act(async () => fireEvent.change(input, { target: { files: [new File(['bytes'], name, { type })] } }));
  };

  it('rejects an avatar that is not an image', async () => {
    openStaffPage('/staff/staff-2');
    await screen.findByRole('button', { name: 'Upload avatar' });
    await chooseAvatar('offer.pdf', 'application/pdf');
    expect(await screen.findByText('Please select an image file: png, jpg, gif or webp.')).toBeDefined();
  });

  it('shows no avatar when its upload fails', async () => {
    vi.stubGlobal('XMLHttpRequest', FailingUpload);
    openStaffPage('/staff/staff-2');
    await screen.findByRole('button', { name: 'Upload avatar' });
    await chooseAvatar('tama.png', 'image/png');
    await waitForToasts('Error uploading avatar');
    expect(document.querySelector('main img')).toBeNull();
  });
});
