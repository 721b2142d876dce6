import type { Me } from '@callout/contract/company';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ADMIN_USER, PROFILE } from './fixtures.ts';
import { DASHBOARD_RESPONSES, failWith, getToasts, type MockApi, openPage, waitForToasts } from './open-page.tsx';

const COMPLETE_PROFILE = { ...PROFILE, address: '1 Quay Street', avatar_url: '/logo.png' };

interface DashboardSetup {
  me?: Partial<Me>;
  customers?: number;
  staff?: number;
  items?: number;
  jobs?: number;
  quotes?: number;
  responses?: MockApi;
}

function openDashboard({ me = {}, customers = 0, staff = 1, items = 0, jobs = 0, quotes = 0, responses = {} }: DashboardSetup) {
  const dismissed: unknown[] = [];
  const buildStaffRow = (_: unknown, index: number) => ({ id: `staff-${index}` });
  const page = openPage('/dashboard', {
    ...DASHBOARD_RESPONSES,
    'GET /me': () => ({ ...ADMIN_USER, ...me }),
    'GET /customers/count': () => ({ total: customers }),
    'GET /jobs/count': () => ({ total: jobs }),
    'GET /quotes/count': () => ({ total: quotes }),
    'GET /items/search': () => ({ rows: Array.from({ length: items }, buildStaffRow), next_cursor: null }),
    'GET /dashboard/counts': () => ({ customers, active_jobs: 3, tasks: 12, staff, categories: 2 }),
    'GET /staff': () => ({ rows: Array.from({ length: staff }, buildStaffRow) }),
    'POST /me/start-card/dismiss': () => {
      dismissed.push('dismissed');
      return { ...ADMIN_USER, ...me, start_card_dismissed: true };
    },
    ...responses,
  });
  return { ...page, dismissed };
}

const findStartCard = () => screen.findByRole('region', { name: 'Get started' });
const findSteps = async () => within(await findStartCard()).getAllByRole('listitem');
const getCustomersTile = () => within(screen.getByRole('main')).queryByRole('link', { name: /^Customers/ });
const hasStartCard = () => screen.queryByRole('region', { name: 'Get started' }) !== null;

it('shows a new company three required and two optional start steps', async () => {
  openDashboard({});
  const links = within(await findStartCard()).getAllByRole<HTMLAnchorElement>('link');
  expect(links.map(({ pathname, textContent }) => [pathname, textContent])).toEqual([
    ['/customers/new', 'Add a customer'],
    ['/items-services', 'Add a price'],
    ['/jobs/new', 'Book a job'],
    ['/settings', 'Add your address and logo'],
    ['/staff/new', 'Invite your team'],
  ]);
  await screen.findByText('0 of 5 done');
});

it('shows the start card before the step counts load, so the layout does not shift', async () => {
  const counted = Promise.withResolvers<void>();
  openDashboard({
    customers: 1,
    responses: {
      'GET /customers/count': async () => {
        await counted.promise;
        return { total: 1 };
      },
    },
  });
  expect(await findSteps()).toHaveLength(5);
  expect(screen.queryByText(/of 5 done/)).toBeNull();
  await act(async () => counted.resolve());
  await screen.findByText('1 of 5 done');
});

it('marks completed start steps as done and counts customers on the tile', async () => {
  openDashboard({ customers: 2, items: 1, me: { profile: COMPLETE_PROFILE } });
  await screen.findByText('3 of 5 done');
  expect((await findSteps()).map(({ textContent }) => textContent.startsWith('Done'))).toEqual([true, true, false, true, false]);
  await waitFor(() => expect(getCustomersTile()?.textContent).toBe('Customers2'));
  expect(getCustomersTile()?.getAttribute('href')).toBe('/customers?status=active');
});

it('counts a first quote as a price, because its items can be typed', async () => {
  openDashboard({ customers: 1, quotes: 1 });
  await screen.findByText('2 of 5 done');
  expect((await findSteps()).map(({ textContent }) => textContent.startsWith('Done'))).toEqual([true, true, false, false, false]);
});

it('dismisses the start card for good once a one-person company completes the required steps', async () => {
  const { dismissed } = openDashboard({ customers: 1, items: 1, jobs: 1 });
  await waitFor(() => expect(dismissed).toEqual(['dismissed']));
  await waitFor(() => expect(hasStartCard()).toBe(false));
  await waitFor(() => expect(getCustomersTile()?.textContent).toBe('Customers1'));
});

it('restores a dismissed start card with an error toast when the server refuses', async () => {
  const response = Promise.withResolvers<void>();
  openDashboard({
    responses: {
      'POST /me/start-card/dismiss': async () => {
        await response.promise;
        return failWith('FORBIDDEN', 'Not for you');
      },
    },
  });
  const card = await findStartCard();
  await act(async () => fireEvent.click(within(card).getByRole('button', { name: 'Dismiss' })));
  await waitFor(() => expect(hasStartCard()).toBe(false));
  await act(async () => response.resolve());
  await findStartCard();
  await waitForToasts('Failed to dismiss the card: Not for you');
});

it('hides a completed start card silently even when saving the dismissal fails', async () => {
  const requests = Promise.withResolvers<void>();
  const { queryClient } = openDashboard({
    customers: 1,
    items: 1,
    jobs: 1,
    responses: {
      'POST /me/start-card/dismiss': () => {
        requests.resolve();
        return failWith('INTERNAL');
      },
    },
  });
  await requests.promise;
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(hasStartCard()).toBe(false);
  expect(getToasts()).toEqual([]);
});

it.each<[string, Partial<Me>]>([
  ['a person who dismissed the card', { start_card_dismissed: true }],
  ['a staff member who cannot edit the company', { profile: { ...PROFILE, role: 'staff' } }],
])('hides the start card from %s', async (_, me) => {
  openDashboard({ me });
  await waitFor(() => expect(getCustomersTile()?.textContent).toBe('Customers0'));
  expect(hasStartCard()).toBe(false);
});
