import type { Me } from '@callout/contract/company';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ADMIN_USER, PROFILE } from './fixtures.ts';
import { DASHBOARD_RESPONSES, failWith, getToasts, getValue, openPage, pressButton, typeInto } from './open-page.tsx';

const DELETES_AT = '2026-03-08T08:00:00.000Z';
const CLOSED: Me = { ...ADMIN_USER, company_deletes_at: DELETES_AT };

it('asks for the company’s name before it deletes the company, and then shows that it is closed', async () => {
  const sent: unknown[] = [];
  openPage('/settings', {
    'GET /me': () => (sent.length > 1 ? CLOSED : ADMIN_USER),
    'POST /company/deletion': (input) => {
      sent.push(input);
      return sent.length === 1 ? failWith('NOT_CONFIRMED', 'Other') : { deletes_at: DELETES_AT, mail: 'queued' };
    },
  });
  await pressButton('Delete company');
  await screen.findByLabelText('Type Harbour Plumbing to confirm');
  typeInto('Type Harbour Plumbing to confirm', 'Harbour');
  await pressButton('Delete Company');
  await screen.findByText("That doesn't match the company name.");
  expect(getToasts()).toEqual([]);
  typeInto('Type Harbour Plumbing to confirm', 'Harbour Plumbing');
  await pressButton('Delete Company');
  await screen.findByRole('heading', { name: 'Harbour Plumbing is closed' });
  expect(sent).toEqual([{ confirmation: 'Harbour' }, { confirmation: 'Harbour Plumbing' }]);
});

it('asks for the name again after Cancel', async () => {
  openPage('/settings', { 'GET /me': () => ADMIN_USER });
  await pressButton('Delete company');
  await screen.findByLabelText('Type Harbour Plumbing to confirm');
  typeInto('Type Harbour Plumbing to confirm', 'Harbour Plumbing');
  await pressButton('Cancel');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await pressButton('Delete company');
  await screen.findByRole('alertdialog');
  expect(getValue('Type Harbour Plumbing to confirm')).toBe('');
});

it('lets an admin undo the deletion and then opens the page behind', async () => {
  let me = CLOSED;
  openPage('/dashboard', {
    ...DASHBOARD_RESPONSES,
    'GET /me': () => me,
    'DELETE /company/deletion': () => {
      me = ADMIN_USER;
      return { mail: 'queued' };
    },
  });
  await pressButton('Undo the deletion');
  expect(await screen.findByRole('navigation', { name: 'Main menu' })).toBeDefined();
});

it('tells other members when the company will be deleted, without an undo button', async () => {
  openPage('/jobs', { 'GET /me': () => ({ ...CLOSED, profile: { ...PROFILE, role: 'staff' } }) });
  await screen.findByText(/an admin of your company can undo the deletion/);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo the deletion' })).toBeNull());
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy();
});
