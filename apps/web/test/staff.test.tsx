import type { StaffMember } from '@callout/contract/staff';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answers, openPage, press, refuse, toastTexts, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { ADMIN_MEMBER as MIA, OWNER } from './people.ts';

/** What happy-dom adds to the window. */
interface Page {
  setViewport: (viewport: { width: number }) => void;
}

const NOW = '2026-03-01T08:00:00.000Z';
const TEAL = { id: '018f0000-0000-7000-8000-000000000011', name: 'Teal', hex_code: '#0f766e' };
const RUST = { id: '018f0000-0000-7000-8000-000000000012', name: 'Rust', hex_code: '#b45309' };
const TAMA: StaffMember = { ...MIA, id: 'staff-2', name: 'Tama Rewi', email: 'tama@example.com', role: 'staff', color: TEAL };

const FEED_OFF = { is_on: false, last_opened_at: null };

const setWidth = (width: number) => (window as Window & { happyDOM: Page }).happyDOM.setViewport({ width });
afterEach(() => setWidth(1024));

function openStaff(path: string, more: Answers = {}) {
  return openPage(path, {
    'GET /me': () => OWNER,
    'GET /staff': () => ({ rows: [MIA, TAMA] }),
    'GET /staff/staff-1': () => MIA,
    'GET /staff/staff-2': () => TAMA,
    'GET /staff/staff-1/calendar-feed': () => FEED_OFF,
    'GET /staff/staff-2/calendar-feed': () => FEED_OFF,
    'GET /staff-colors': () => ({ rows: [RUST, TEAL] }),
    ...more,
  });
}

describe('the staff list', () => {
  it('has a bin beside every row on a desk', async () => {
    openStaff('/staff');
    expect(await screen.findByRole('button', { name: 'Delete Tama Rewi' })).toBeDefined();
  });

  it('has no bin on a phone', async () => {
    setWidth(390);
    openStaff('/staff');
    expect(await screen.findByText('Tama Rewi')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Delete Tama Rewi' })).toBeNull();
  });
});

describe('the calendar link of a staff member', () => {
  const [read, end] = ['GET /staff/staff-2/calendar-feed', 'DELETE /staff/staff-2/calendar-feed'];

  it('is turned off by an admin, who is asked first', async () => {
    openStaff('/staff/staff-2', { [read]: () => ({ is_on: true, last_opened_at: null }), [end]: () => FEED_OFF });
    expect(await screen.findByText(/No calendar has fetched it yet/)).toBeDefined();
    await press('Turn off');
    const dialog = await screen.findByRole('alertdialog', { name: 'Turn off the calendar link?' });
    await act(async () => fireEvent.click(within(dialog).getByRole('button', { name: 'Turn off' })));
    await waitForToasts('Calendar link turned off');
    expect(screen.queryByRole('heading', { name: 'Calendar link' })).toBeNull();
  });

  it('stays on when that fails, with the reason', async () => {
    openStaff('/staff/staff-2', {
      [read]: () => ({ is_on: true, last_opened_at: NOW }),
      [end]: () => refuse('NOT_FOUND', 'Staff member not found'),
    });
    await press('Turn off');
    const dialog = await screen.findByRole('alertdialog', { name: 'Turn off the calendar link?' });
    await act(async () => fireEvent.click(within(dialog).getByRole('button', { name: 'Turn off' })));
    await waitForToasts('Failed to turn off the calendar link: Staff member not found');
    expect(screen.getByRole('heading', { name: 'Calendar link' })).toBeDefined();
  });

  it('is not mentioned while it is off', async () => {
    openStaff('/staff/staff-2');
    expect(await screen.findByLabelText(/Full name/i)).toBeDefined();
    expect(screen.queryByText('Calendar link')).toBeNull();
  });
});

const INVITED: StaffMember = {
  ...TAMA,
  profile_id: null,
  status: 'invited',
  invited_at: NOW,
  invitation_expires_at: '2026-03-08T08:00:00.000Z',
  delivery: 'delivered',
};

describe('an invitation', () => {
  const openInvited = (member: Partial<StaffMember>, more: Answers = {}) =>
    openStaff('/staff/staff-2', { 'GET /staff/staff-2': () => ({ ...INVITED, ...member }), ...more });
  const card = async () => (await screen.findByRole('heading', { name: 'Invitation' })).parentElement?.textContent ?? '';

  it.each([
    [{ delivery: 'sending' }, 'Sending to tama@example.com'],
    [{ delivery: 'delivered' }, 'Delivered to tama@example.com'],
    [{ delivery: 'failed', delivery_problem: 'Their mailbox is full.' }, "Couldn't deliver to tama@example.com"],
    [{ delivery: 'failed', delivery_problem: 'Their mailbox is full.' }, 'Their mailbox is full.'],
    [{ delivery: 'sending', delivery_problem: 'The mail server could not be reached.' }, "could not be reached. We'll keep trying."],
    [{ delivery: 'not-sent' }, 'Not emailed to tama@example.com'],
    [{ delivery: 'not-sent' }, 'Copy the link and send it yourself.'],
  ] as const)('with %j shows "%s"', async (member, text) => {
    openInvited(member);
    expect(await card()).toContain(text);
  });

  it('with a copied link shows who copied it and when', async () => {
    openInvited({ copied_link: { by: 'Mia Chen', created_at: NOW, expires_at: '2026-03-08T08:00:00.000Z' } });
    expect(await card()).toMatch(/Link copied by Mia Chen, .*2026/);
    expect(await card()).toContain('Copying again cancels the link that was copied before. Sending again cancels all earlier links.');
  });

  it('without a copied link does not speak of copying again', async () => {
    openInvited({});
    expect(await card()).toContain('Sending again cancels all earlier links.');
    expect(await card()).not.toContain('Copying again');
  });

  it('that could not be delivered is marked in the list', async () => {
    openStaff('/staff', { 'GET /staff': () => ({ rows: [MIA, { ...INVITED, delivery: 'failed' }] }) });
    expect(await screen.findByText('Not delivered')).toBeDefined();
  });

  describe('has a link that', () => {
    const URL_TEXT = 'https://work.example.com/invitation?token=abc';
    const COPIED = {
      ...INVITED,
      copied_link: { by: 'Mia Chen', created_at: '2026-03-02T08:00:00.000Z', expires_at: '2026-03-09T08:00:00.000Z' },
    };
    let made: number;
    const linkAnswers: Answers = {
      'POST /staff/staff-2/invitation-link': () => {
        made += 1;
        return { member: COPIED, url: URL_TEXT };
      },
      'POST /staff/staff-2/invitation': () => ({ member: { ...INVITED, invited_at: '2026-03-03T08:00:00.000Z' }, mail: 'queued' }),
    };
    const clipboard: string[] = [];
    const stubNavigator = (parts: object) => {
      for (const [name, value] of Object.entries(parts)) Object.defineProperty(navigator, name, { value, configurable: true });
    };
    afterEach(() => {
      for (const name of ['clipboard', 'share']) Reflect.deleteProperty(navigator, name);
    });
    beforeEach(() => {
      made = 0;
      clipboard.length = 0;
    });
    const writable = { clipboard: { writeText: async (text: string) => void clipboard.push(text) } };

    it('is copied, and stays the same when it is copied or shared again', async () => {
      const shared: unknown[] = [];
      stubNavigator({ ...writable, share: async (data: unknown) => void shared.push(data) });
      openInvited({}, linkAnswers);
      await press('Copy link');
      await waitFor(() => expect(toastTexts()).toEqual(['Link copied']));
      await press('Copy link');
      await press('Share');
      expect(clipboard).toEqual([URL_TEXT, URL_TEXT]);
      expect(shared).toEqual([{ text: 'Join Harbour Plumbing on Callout', url: URL_TEXT }]);
      expect(made).toBe(1);
    });

    it('shows in a field where the browser cannot copy or share', async () => {
      stubNavigator({ clipboard: undefined });
      openInvited({}, linkAnswers);
      await press('Copy link');
      expect((await screen.findByLabelText<HTMLInputElement>('Invitation link')).value).toBe(URL_TEXT);
      await waitForToasts('Your browser blocked copying. Select the link below and copy it yourself.');
    });

    it('could not be shared says so, unless somebody closed the share menu', async () => {
      const share = { error: new DOMException('Closed', 'AbortError') };
      stubNavigator({ share: () => Promise.reject(share.error) });
      openInvited({}, linkAnswers);
      await press('Share');
      await screen.findByLabelText('Invitation link');
      expect(toastTexts()).toEqual([]);
      share.error = new DOMException('Blocked', 'NotAllowedError');
      await press('Share');
      await waitForToasts('Your browser blocked sharing. Copy the link below and send it yourself.');
    });

    it('is gone once the invitation is sent again', async () => {
      stubNavigator(writable);
      openInvited({}, linkAnswers);
      await press('Copy link');
      await screen.findByLabelText('Invitation link');
      await press('Send again');
      await waitFor(() => expect(screen.queryByLabelText('Invitation link')).toBeNull());
    });

    it('is offered as soon as somebody is added without a mail server, and stays the same', async () => {
      const shared: { url: string }[] = [];
      stubNavigator({ ...writable, share: async (data: { url: string }) => void shared.push(data) });
      openStaff('/staff/new', { ...linkAnswers, 'POST /staff': () => ({ member: { ...INVITED, delivery: 'not-sent' }, mail: 'kept' }) });
      await screen.findByLabelText('Full Name');
      for (const [label, text] of [
        ['Full Name', 'Tama'],
        ['Email Address', 't@example.com'],
        ['Phone Number', '1'],
        ['Hourly Rate', '45'],
      ] as const) {
        typeInto(label, text);
      }
      await press('Send Invitation');
      await press('Copy link');
      await waitForToasts('Link copied');
      expect((await screen.findByLabelText<HTMLInputElement>('Invitation link')).value).toBe(URL_TEXT);
      await press('Share');
      await waitFor(() => expect(shared).toMatchObject([{ url: URL_TEXT }]));
      expect(clipboard).toEqual([URL_TEXT]);
      expect(made).toBe(1);
    });

    it('could not be made says why', async () => {
      stubNavigator(writable);
      openInvited({}, { 'POST /staff/staff-2/invitation-link': () => refuse('TOO_MANY_ATTEMPTS', 'Too many attempts.') });
      await press('Copy link');
      await waitFor(() => expect(toastTexts()).toEqual(['Failed to create the link: Too many attempts.']));
      expect(clipboard).toEqual([]);
    });
  });
});

describe('a staff member', () => {
  it('is saved from the version that was read', async () => {
    const sent: unknown[] = [];
    openStaff('/staff/staff-2', {
      'PUT /staff/staff-2': (input) => {
        sent.push(input);
        return { member: { ...TAMA, version: 2 }, mail: null };
      },
    });
    await screen.findByLabelText('Full Name');
    typeInto('Hourly Rate', '$1,200');
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'Rust' })));
    await press('Save Changes');
    await waitFor(() => expect(sent).toMatchObject([{ version: 1, hourly_rate: '1200', color_id: RUST.id, role: 'staff' }]));
    await waitFor(() => expect(toastTexts()).toEqual(['Staff member updated successfully']));
  });

  it('names the colors two people chose', async () => {
    openStaff('/staff/staff-2', {
      'PUT /staff/staff-2': () =>
        refuse('STALE_VERSION', 'Changed', { current: { ...TAMA, color: null, role: 'manager', hourly_rate: '45', version: 2 } }),
    });
    const rust = await screen.findByRole('radio', { name: 'Rust' });
    await act(async () => fireEvent.click(rust));
    await press('Save Changes');
    const card = await screen.findByRole('alert');
    for (const text of ['Identifier Color', 'Yours: Rust', 'Theirs: Manager']) expect(card.textContent).toContain(text);
    expect(card.textContent).not.toContain('Hourly Rate');
  });

  it('whose new email is taken is told so beside it', async () => {
    openStaff('/staff/staff-2', { 'PUT /staff/staff-2': () => refuse('EMAIL_TAKEN', 'This email address already belongs to a company.') });
    await screen.findByLabelText('Email');
    typeInto('Email', 'mia@example.com');
    typeInto('Full Name', 'Tama R.');
    await press('Save Changes');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email')));
    await waitFor(() => expect(toastTexts()).toEqual(['Failed to update staff member: This email address already belongs to a company.']));
  });

  it('who is invited already is told so beside the email, with the way to their page', async () => {
    const { path } = openStaff('/staff/new', { 'POST /staff': () => refuse('EMAIL_TAKEN', 'Tama Rewi is already invited.') });
    await screen.findByLabelText('Full Name');
    for (const [label, text] of Object.entries({
      'Full Name': 'Tam',
      'Email Address': TAMA.email,
      'Phone Number': '1',
      'Hourly Rate': '45',
    }))
      typeInto(label, text);
    await press('Send Invitation');
    await screen.findByText('Tama Rewi is already invited.');
    const link = await screen.findByRole('link', { name: 'Open Tama Rewi' });
    expect(link.getAttribute('href')).toBe('/staff/staff-2');
    expect(path()).toBe('/staff/new');
  });

  it('who was invited while more was typed goes on where they are', async () => {
    const answer = Promise.withResolvers<void>();
    const { path } = openStaff('/staff/new', {
      'POST /staff': async (input) => {
        await answer.promise;
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
    await press('Send Invitation');
    typeInto('Phone Number', '021 555 999');
    await act(async () => answer.resolve());
    await waitFor(() => expect(path()).toBe('/staff/staff-2'));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Phone').value).toBe('021 555 999'));
  });
});

/** Uploads are the one thing that is not sent with fetch. */
class RefusedUpload extends EventTarget {
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

describe('a change that is refused', () => {
  it.each([
    [() => refuse('LAST_ADMIN', 'Cannot demote the last admin'), 'Cannot demote the last admin'],
    [() => refuse('INTERNAL'), 'An unexpected error occurred. Please try again later.'],
  ])('says why and keeps what was typed', async (answer, reason) => {
    openStaff('/staff/staff-2', { 'PUT /staff/staff-2': answer });
    await screen.findByLabelText('Hourly Rate');
    typeInto('Hourly Rate', '120');
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: /^Manager/ })));
    await press('Save Changes');
    await waitForToasts(`Failed to update staff member: ${reason}`);
    expect(valueOf('Hourly Rate')).toBe('120');
  });

  it.each([
    [() => refuse('LAST_ADMIN', 'Cannot delete the last admin'), 'Cannot delete the last admin'],
    [() => refuse('INTERNAL'), 'An unexpected error occurred. Please try again later.'],
  ])('says why nobody was deleted', async (answer, reason) => {
    openStaff('/staff', { 'DELETE /staff/staff-2': answer });
    await press('Delete Tama Rewi');
    await press('Delete');
    await waitForToasts(`Failed to delete staff member: ${reason}`);
    expect(screen.getByText('Tama Rewi')).toBeDefined();
  });

  const pick = (name: string, type: string) => {
    const input = document.querySelector('input[type=file]') ?? document.body;
    return act(async () => fireEvent.change(input, { target: { files: [new File(['bytes'], name, { type })] } }));
  };

  it('is a picture that is none', async () => {
    openStaff('/staff/staff-2');
    await screen.findByRole('button', { name: 'Upload avatar' });
    await pick('offer.pdf', 'application/pdf');
    expect(await screen.findByText('Please select an image file: png, jpg, gif or webp.')).toBeDefined();
  });

  it('is a picture that the server does not take: none is shown', async () => {
    vi.stubGlobal('XMLHttpRequest', RefusedUpload);
    openStaff('/staff/staff-2');
    await screen.findByRole('button', { name: 'Upload avatar' });
    await pick('tama.png', 'image/png');
    await waitForToasts('Error uploading avatar');
    expect(document.querySelector('main img')).toBeNull();
  });
});
