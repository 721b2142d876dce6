import type { RegisteredCompany } from '@callout/contract/admin';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ADMIN_USER, USER_WITHOUT_COMPANY } from './fixtures.ts';
import { DASHBOARD_RESPONSES, failWith, getToasts, getValue, type MockApi, openPage, pressButton, typeInto } from './open-page.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const HARBOUR_PLUMBING: RegisteredCompany = {
  id: 'company-1',
  label: 'Harbour Plumbing',
  email: 'office@example.com',
  staff: 3,
  jobs: 0,
  customers: 12,
  created_at: '2026-03-01T08:00:00.000Z',
  last_active: '2026-03-01T08:00:00.000Z',
  status: 'Active',
};

function openAdminPage(responses: MockApi = {}) {
  return openPage('/admin', {
    'GET /me': () => ({ ...USER_WITHOUT_COMPANY, is_system_admin: true }),
    ...DASHBOARD_RESPONSES,
    'GET /admin/companies': () => ({ rows: [HARBOUR_PLUMBING], next_cursor: null }),
    ...responses,
  });
}

it('regular users are redirected from the admin page to the dashboard and see no Admin link', async () => {
  const { path } = openAdminPage({ 'GET /me': () => ADMIN_USER });
  await waitFor(() => expect(path()).toBe('/dashboard'));
  const menu = await screen.findByRole('navigation', { name: 'Main menu' });
  expect(within(menu).queryByRole('link', { name: 'Admin' })).toBeNull();
});

it('an administrator without a company is not asked to set one up', async () => {
  openAdminPage();
  await screen.findByText('Harbour Plumbing');
  expect(screen.queryByRole('link', { name: 'Setup Company Profile' })).toBeNull();
});

describe('the company list', () => {
  it('is refetched every 30 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let reads = 0;
    openAdminPage({
      'GET /admin/companies': () => {
        reads += 1;
        return { rows: [HARBOUR_PLUMBING], next_cursor: null };
      },
    });
    await screen.findByText('Harbour Plumbing');
    expect(reads).toBe(1);
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    await waitFor(() => expect(reads).toBe(2));
  });

  it('reports an unreachable server and reloads on Retry', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const list = {
      respond: (): unknown => {
        throw new TypeError('Failed to fetch');
      },
    };
    openAdminPage({ 'GET /admin/companies': () => list.respond() });
    await screen.findByRole('heading', { name: 'Registered Companies' });
    // The query is retried after 1, 2 and 4 seconds, so the error appears after 7 seconds.
    await act(() => vi.advanceTimersByTimeAsync(8_000));
    await screen.findByText('Unable to connect to the server. Please try again later.');
    list.respond = () => ({ rows: [HARBOUR_PLUMBING], next_cursor: null });
    await pressButton('Retry');
    await screen.findByText('Harbour Plumbing');
    expect(screen.queryByText(/^Unable to connect/)).toBeNull();
  });

  it('stays on screen when the connection is lost', async () => {
    openAdminPage();
    await screen.findByText('Harbour Plumbing');
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    await screen.findByText('No Internet Connection');
    screen.getByText('No internet connection available. Please check your connection and try again.');
    expect(screen.queryByText(/^You're offline\./)).toBeNull();
    screen.getByText('Harbour Plumbing');
    act(() => void window.dispatchEvent(new Event('online')));
    expect(screen.getByText('Harbour Plumbing')).toBeDefined();
  });
});

it('a company is not deleted if the typed name does not match', async () => {
  openAdminPage({ 'POST /admin/companies/company-1/remove': () => failWith('NOT_CONFIRMED') });
  await pressButton('Delete Harbour Plumbing');
  const question = await screen.findByRole('alertdialog');
  within(question).getByText(/This action cannot be undone\.$/);
  typeInto('Type Harbour Plumbing to confirm', 'Harbour');
  await pressButton('Delete Company');
  expect(await within(question).findByText("That doesn't match the company name.")).toBeDefined();
});

it('asks for the name again after Cancel, so that one click never deletes a company for good', async () => {
  openAdminPage();
  await pressButton('Delete Harbour Plumbing');
  typeInto('Type Harbour Plumbing to confirm', 'Harbour Plumbing');
  await pressButton('Cancel');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await pressButton('Delete Harbour Plumbing');
  await screen.findByRole('alertdialog');
  expect(getValue('Type Harbour Plumbing to confirm')).toBe('');
});

it('shows why a company could not be deleted', async () => {
  openAdminPage({ 'POST /admin/companies/company-1/remove': () => failWith('INTERNAL') });
  await pressButton('Delete Harbour Plumbing');
  typeInto('Type Harbour Plumbing to confirm', 'Harbour Plumbing');
  await pressButton('Delete Company');
  await waitFor(() => expect(getToasts()).toEqual(['Failed to delete company: An unexpected error occurred. Please try again later.']));
});
