import type { RegisteredCompany } from '@callout/contract/admin';
import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { openPage } from './open-page.tsx';
import { NEWCOMER } from './people.ts';

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

it('the administration keeps what it has read when the connection is lost', async () => {
  openPage('/admin', {
    'GET /me': () => ({ ...NEWCOMER, is_system_admin: true }),
    'GET /notifications/unread': () => ({ count: 0 }),
    'GET /admin/companies': () => ({ rows: [HARBOUR], next_cursor: null }),
  });
  await screen.findByText('Harbour Plumbing');
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  await screen.findByText('No Internet Connection');
  screen.getByText('No internet connection available. Please check your connection and try again.');
  screen.getByText('Harbour Plumbing');
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.getByText('Harbour Plumbing')).toBeDefined();
});
