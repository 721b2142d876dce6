import type { OutboxMail } from '@callout/contract/admin';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { type Answers, openPage, toastTexts } from './open-page.tsx';
import { NEWCOMER } from './people.ts';

const SENT: OutboxMail = {
  id: '018f0000-0000-7000-8000-000000000001',
  company: 'Harbour Plumbing',
  recipient: 'ana@example.com',
  subject: 'Your invitation',
  status: 'sent',
  attempts: 1,
  last_error: null,
  created_at: '2026-03-01T08:00:00.000Z',
  sent_at: '2026-03-01T08:01:00.000Z',
  text: null,
  can_send_again: false,
  next_attempt: null,
};

const WAITING: OutboxMail = {
  ...SENT,
  id: '018f0000-0000-7000-8000-000000000002',
  company: null,
  recipient: 'ben@example.com',
  subject: 'Set your password',
  status: 'waiting',
  attempts: 2,
  last_error: 'mailbox full',
  sent_at: null,
  text: `Open ${location.origin}/auth?token=abc`,
  can_send_again: true,
};

const setWidth = (width: number) => window.happyDOM.setViewport({ width, height: 800 });

afterEach(() => {
  setWidth(1024);
  vi.useRealTimers();
});

function openOutbox(path: string, more: Answers = {}) {
  return openPage(path, {
    'GET /me': () => ({ ...NEWCOMER, is_system_admin: true }),
    'GET /admin/mails': () => ({ rows: [WAITING, SENT], next_cursor: null }),
    'GET /admin/queue': () => ({ waiting: 0, running: 0, failed: 0, oldest_waiting: null, sends_mail: true, errors: [] }),
    ...more,
  });
}

const mails = async () => within(await screen.findByRole('list', { name: 'Emails' }));
const openMail = async (name: RegExp) => {
  const row = (await mails()).getByRole('link', { name });
  await act(async () => fireEvent.click(row));
  return within(await screen.findByRole('dialog'));
};

it('is a table of recipient, subject, company, status and time', async () => {
  setWidth(1280);
  openOutbox('/admin?tab=outbox');
  const [row] = (await mails()).getAllByRole('link', { name: /ana@example\.com/ });
  expect([...(row?.children ?? [])].slice(0, 4).map(({ textContent }) => textContent)).toEqual([
    'ana@example.com',
    'Your invitation',
    'Harbour Plumbing',
    'Sent',
  ]);
  for (const head of ['To', 'Subject', 'Company', 'Status', 'Time']) screen.getByText(head, { selector: 'span' });
});

it('is a list of cards on a phone', async () => {
  setWidth(390);
  openOutbox('/admin?tab=outbox');
  const card = (await mails()).getByRole('link', { name: /Your invitation/ });
  for (const text of ['ana@example.com', 'Sent']) within(card).getByText(text, { exact: false });
  expect(screen.queryByText('Subject')).toBeNull();
});

it('is searched on the server, and the search is in the address', async () => {
  const { router } = openOutbox('/admin?tab=outbox', {
    'GET /admin/mails?search=zzz': () => ({ rows: [], next_cursor: null }),
  });
  await mails();
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search emails' }), { target: { value: 'zzz' } });
  await screen.findByText('No emails found');
  expect(router.state.location.search).toMatchObject({ tab: 'outbox', search: 'zzz' });
});

it.each([
  ['within a minute is read again every 3 seconds', 50_000, 2],
  ['in two hours is not', 2 * 3_600_000, 1],
])('a list with an email that is due %s', async (_case, delay, reads) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let read = 0;
  const rows = [{ ...WAITING, next_attempt: new Date(Date.now() + delay).toISOString() }];
  openOutbox('/admin?tab=outbox', {
    'GET /admin/mails': () => {
      read += 1;
      return { rows, next_cursor: null };
    },
  });
  await mails();
  await act(() => vi.advanceTimersByTimeAsync(3_500));
  expect(read).toBe(reads);
});

it('a mail opens with its error, its text and a button that sends it again', async () => {
  const sent: unknown[] = [];
  const { router } = openOutbox('/admin?tab=outbox', {
    [`POST /admin/mails/${WAITING.id}/send`]: (input) => {
      sent.push(input);
      return {};
    },
  });
  const dialog = await openMail(/ben@example\.com/);
  dialog.getByText('mailbox full');
  dialog.getByText(/token=abc/);
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Send again' })));
  await waitFor(() => expect(sent).toEqual([{ attempts: 2 }]));
  await waitFor(() => expect(toastTexts()).toEqual(['Email to ben@example.com queued']));
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Close' })));
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('mail', WAITING.id));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('a mail whose secret link was deleted cannot be sent again, and says why', async () => {
  openOutbox('/admin?tab=outbox');
  const dialog = await openMail(/ana@example\.com/);
  dialog.getByText("Its link has been deleted, so it can't be sent again. Request a new one instead.");
  expect(dialog.queryByRole('button', { name: 'Send again' })).toBeNull();
});
