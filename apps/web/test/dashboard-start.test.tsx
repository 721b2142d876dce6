import type { Me } from '@callout/contract/company';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answers, DASHBOARD, openPage, refuse, toastTexts } from './open-page.tsx';
import { OWNER, PROFILE } from './people.ts';

const COMPLETE = { ...PROFILE, address: '1 Quay Street', avatar_url: '/logo.png' };

interface Firm {
  me?: Partial<Me>;
  customers?: number;
  staff?: number;
  items?: number;
  jobs?: number;
  more?: Answers;
}

function openDashboard({ me = {}, customers = 0, staff = 1, items = 0, jobs = 0, more = {} }: Firm) {
  const dismissed: unknown[] = [];
  const member = (_: unknown, index: number) => ({ id: `staff-${index}` });
  const page = openPage('/dashboard', {
    ...DASHBOARD,
    'GET /me': () => ({ ...OWNER, ...me }),
    'GET /customers/count': () => ({ total: customers }),
    'GET /jobs/count': () => ({ total: jobs }),
    'GET /items/search': () => ({ rows: Array.from({ length: items }, member), next_cursor: null }),
    'GET /dashboard/counts': () => ({ customers, active_jobs: 3, tasks: 12, staff, categories: 2 }),
    'GET /staff': () => ({ rows: Array.from({ length: staff }, member) }),
    'POST /me/start-card/dismiss': () => {
      dismissed.push('dismissed');
      return { ...OWNER, ...me, start_card_dismissed: true };
    },
    ...more,
  });
  return { ...page, dismissed };
}

const findCard = () => screen.findByRole('region', { name: 'Get started' });
const steps = async () => within(await findCard()).getAllByRole('listitem');
const tile = () => within(screen.getByRole('main')).queryByRole('link', { name: /^Customers/ });
const hasCard = () => screen.queryByRole('region', { name: 'Get started' }) !== null;

it('a new company starts with three steps, and two it may leave out', async () => {
  openDashboard({});
  const links = within(await findCard()).getAllByRole<HTMLAnchorElement>('link');
  expect(links.map(({ pathname, textContent }) => [pathname, textContent])).toEqual([
    ['/customers/new', 'Add a customer'],
    ['/items-services', 'Add a price'],
    ['/jobs/new', 'Book a job'],
    ['/settings', 'Add your address and logo'],
    ['/staff/new', 'Invite your team'],
  ]);
  await screen.findByText('0 of 3 done');
});

it('is there before anybody knows what is done, so that nothing moves when that is known', async () => {
  const counted = Promise.withResolvers<void>();
  openDashboard({
    customers: 1,
    more: {
      'GET /customers/count': async () => {
        await counted.promise;
        return { total: 1 };
      },
    },
  });
  expect(await steps()).toHaveLength(5);
  expect(screen.queryByText(/of 3 done/)).toBeNull();
  await act(async () => counted.resolve());
  await screen.findByText('1 of 3 done');
});

it('a step that is done says so, and the tile counts the customers', async () => {
  openDashboard({ customers: 2, items: 1, me: { profile: COMPLETE } });
  await screen.findByText('2 of 3 done');
  expect((await steps()).map(({ textContent }) => textContent.startsWith('Done'))).toEqual([true, true, false, true, false]);
  await waitFor(() => expect(tile()?.textContent).toBe('Customers2'));
  expect(tile()?.getAttribute('href')).toBe('/customers?status=active');
});

it('of somebody who works alone is gone for good once the steps are done', async () => {
  const { dismissed } = openDashboard({ customers: 1, items: 1, jobs: 1 });
  await waitFor(() => expect(dismissed).toEqual(['dismissed']));
  await waitFor(() => expect(hasCard()).toBe(false));
  await waitFor(() => expect(tile()?.textContent).toBe('Customers1'));
});

it('can be dismissed, and is back with a message if that could not be saved', async () => {
  const answer = Promise.withResolvers<void>();
  openDashboard({
    more: {
      'POST /me/start-card/dismiss': async () => {
        await answer.promise;
        return refuse('INTERNAL');
      },
    },
  });
  const card = await findCard();
  await act(async () => fireEvent.click(within(card).getByRole('button', { name: 'Dismiss' })));
  await waitFor(() => expect(hasCard()).toBe(false));
  await act(async () => answer.resolve());
  await findCard();
  expect(toastTexts()).toEqual(['Failed to dismiss: An unexpected error occurred. Please try again later.']);
});

it('that is complete disappears without a word, also if that could not be saved', async () => {
  const asked = Promise.withResolvers<void>();
  const { queryClient } = openDashboard({
    customers: 1,
    items: 1,
    jobs: 1,
    more: {
      'POST /me/start-card/dismiss': () => {
        asked.resolve();
        return refuse('INTERNAL');
      },
    },
  });
  await asked.promise;
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(hasCard()).toBe(false);
  expect(toastTexts()).toEqual([]);
});

it.each<[string, Partial<Me>]>([
  ['whoever dismissed it', { start_card_dismissed: true }],
  ['people who cannot change the company', { profile: { ...PROFILE, role: 'staff' } }],
])('%s see the tile only', async (_, me) => {
  openDashboard({ me });
  await waitFor(() => expect(tile()?.textContent).toBe('Customers0'));
  expect(hasCard()).toBe(false);
});
