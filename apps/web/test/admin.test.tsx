import type { RegisteredCompany } from '@callout/contract/admin';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Answers, DASHBOARD, openPage, press, refuse, toastTexts, typeInto } from './open-page.tsx';
import { NEWCOMER, OWNER } from './people.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const HARBOUR: RegisteredCompany = {
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

function openAdmin(more: Answers = {}) {
  return openPage('/admin', {
    'GET /me': () => ({ ...NEWCOMER, is_system_admin: true }),
    ...DASHBOARD,
    'GET /admin/companies': () => ({ rows: [HARBOUR], next_cursor: null }),
    ...more,
  });
}

it('everyone but the administrator is led to the dashboard, and finds no link to the administration', async () => {
  const { path } = openAdmin({ 'GET /me': () => OWNER });
  await waitFor(() => expect(path()).toBe('/dashboard'));
  const menu = await screen.findByRole('navigation', { name: 'Main menu' });
  expect(within(menu).queryByRole('link', { name: 'Admin' })).toBeNull();
});

it('an administrator without a company is not asked to set one up', async () => {
  openAdmin();
  await screen.findByText('Harbour Plumbing');
  expect(screen.queryByRole('link', { name: 'Setup Company Profile' })).toBeNull();
});

describe('the list of companies', () => {
  it('is read again every 30 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let reads = 0;
    openAdmin({
      'GET /admin/companies': () => {
        reads += 1;
        return { rows: [HARBOUR], next_cursor: null };
      },
    });
    await screen.findByText('Harbour Plumbing');
    expect(reads).toBe(1);
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    await waitFor(() => expect(reads).toBe(2));
  });

  it('says that the server cannot be reached, and is read again on request', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const list = {
      answer: (): unknown => {
        throw new TypeError('Failed to fetch');
      },
    };
    openAdmin({ 'GET /admin/companies': () => list.answer() });
    await screen.findByRole('heading', { name: 'Registered Companies' });
    // Three more tries, after 1, 2 and 4 seconds.
    await act(() => vi.advanceTimersByTimeAsync(8_000));
    await screen.findByText('Unable to connect to the server. Please try again later.');
    list.answer = () => ({ rows: [HARBOUR], next_cursor: null });
    await press('Retry');
    await screen.findByText('Harbour Plumbing');
    expect(screen.queryByText(/^Unable to connect/)).toBeNull();
  });

  it('stays on screen when the connection is lost', async () => {
    openAdmin();
    await screen.findByText('Harbour Plumbing');
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    await screen.findByText('No Internet Connection');
    screen.getByText('No internet connection available. Please check your connection and try again.');
    screen.getByText('Harbour Plumbing');
    act(() => void window.dispatchEvent(new Event('online')));
    expect(screen.getByText('Harbour Plumbing')).toBeDefined();
  });
});

it('a company is not deleted under another name', async () => {
  openAdmin({ 'POST /admin/companies/company-1/remove': () => refuse('NOT_CONFIRMED') });
  await press('Delete Harbour Plumbing');
  const question = await screen.findByRole('alertdialog');
  within(question).getByText(/This action cannot be undone\.$/);
  typeInto('Type Harbour Plumbing to confirm', 'Harbour');
  await press('Delete Company');
  expect(await within(question).findByText("That doesn't match the company name.")).toBeDefined();
});

it('a company that cannot be deleted says why', async () => {
  openAdmin({ 'POST /admin/companies/company-1/remove': () => refuse('INTERNAL') });
  await press('Delete Harbour Plumbing');
  typeInto('Type Harbour Plumbing to confirm', 'Harbour Plumbing');
  await press('Delete Company');
  await waitFor(() => expect(toastTexts()).toEqual(['Failed to delete company: An unexpected error occurred. Please try again later.']));
});
