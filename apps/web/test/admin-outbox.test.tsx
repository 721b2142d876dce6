import type { OutboxMail } from '@callout/contract/admin';
import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { USER_WITHOUT_COMPANY } from './fixtures.ts';
import { getToasts, type MockApi, openPage, typeInto } from './open-page.tsx';

const SENT_MAIL: OutboxMail = {
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

const WAITING_MAIL: OutboxMail = {
  ...SENT_MAIL,
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
  onlineManager.setOnline(true);
});

function openOutbox(path: string, responses: MockApi = {}) {
  return openPage(path, {
    'GET /me': () => ({ ...USER_WITHOUT_COMPANY, is_system_admin: true }),
    'GET /admin/mails': () => ({ rows: [WAITING_MAIL, SENT_MAIL], next_cursor: null }),
    'GET /admin/queue': () => ({ waiting: 0, running: 0, failed: 0, oldest_waiting: null, sends_mail: true, errors: [] }),
    ...responses,
  });
}

const findMailList = async () => within(await screen.findByRole('list', { name: 'Emails' }));
const openMail = async (name: RegExp) => {
  const row = (await findMailList()).getByRole('link', { name });
  await act(async () => fireEvent.click(row));
  return within(await screen.findByRole('dialog'));
};

it('the outbox shows recipient, subject, company, status and time in a table', async () => {
  setWidth(1280);
  openOutbox('/admin?tab=outbox');
  const [row] = (await findMailList()).getAllByRole('link', { name: /ana@example\.com/ });
  expect([...(row?.children ?? [])].slice(0, 4).map(({ textContent }) => textContent)).toEqual([
    'ana@example.com',
    'Your invitation',
    'Harbour Plumbing',
    'Sent',
  ]);
  for (const heading of ['To', 'Subject', 'Company', 'Status', 'Time']) screen.getByText(heading, { selector: 'span' });
});

it('the outbox says that a search needs a connection while offline', async () => {
  openOutbox('/admin?tab=outbox', { 'GET /admin/mails?search=invitation': () => ({ rows: [SENT_MAIL], next_cursor: null }) });
  await findMailList();
  act(() => onlineManager.setOnline(false));
  typeInto('Search emails', 'invitation');
  expect(await screen.findByText('Searching and filtering need a connection. This is what was loaded before.')).toBeDefined();
});

it('the outbox shows cards instead of a table on a phone', async () => {
  setWidth(390);
  openOutbox('/admin?tab=outbox');
  const card = (await findMailList()).getByRole('link', { name: /Your invitation/ });
  for (const text of ['ana@example.com', 'Sent']) within(card).getByText(text, { exact: false });
  expect(screen.queryByText('Subject')).toBeNull();
});

it('the outbox is searched on the server and keeps the search term in the URL', async () => {
  const { router } = openOutbox('/admin?tab=outbox', {
    'GET /admin/mails?search=zzz': () => ({ rows: [], next_cursor: null }),
  });
  await findMailList();
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search emails' }), { target: { value: 'zzz' } });
  await screen.findByText('No emails found');
  expect(router.state.location.search).toMatchObject({ tab: 'outbox', search: 'zzz' });
});

it.each([
  ['due in 50 seconds', 50_000, 2],
  ['due in two hours', 2 * 3_600_000, 1],
])('the outbox is polled every 3 seconds only if an email is about to be sent (%s)', async (_, delay, expectedReads) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let readCount = 0;
  const rows = [{ ...WAITING_MAIL, next_attempt: new Date(Date.now() + delay).toISOString() }];
  openOutbox('/admin?tab=outbox', {
    'GET /admin/mails': () => {
      readCount += 1;
      return { rows, next_cursor: null };
    },
  });
  await findMailList();
  await act(() => vi.advanceTimersByTimeAsync(3_500));
  expect(readCount).toBe(expectedReads);
});

it('an email opens with its error, its text and a Send again button', async () => {
  const sent: unknown[] = [];
  const { router } = openOutbox('/admin?tab=outbox', {
    [`POST /admin/mails/${WAITING_MAIL.id}/send`]: (input) => {
      sent.push(input);
      return {};
    },
  });
  const dialog = await openMail(/ben@example\.com/);
  dialog.getByText('mailbox full');
  dialog.getByText(/token=abc/);
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Send again' })));
  await waitFor(() => expect(sent).toEqual([{ attempts: 2 }]));
  await waitFor(() => expect(getToasts()).toEqual(['Email to ben@example.com queued']));
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Close' })));
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('mail', WAITING_MAIL.id));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('an email whose secret link was deleted explains why it cannot be resent', async () => {
  openOutbox('/admin?tab=outbox');
  const dialog = await openMail(/ana@example\.com/);
  dialog.getByText("This email's text has been deleted, so you can't resend it. Send a new one instead.");
  expect(dialog.queryByRole('button', { name: 'Send again' })).toBeNull();
});
