import type { JobView, UpdateJobViewInput } from '@callout/contract/job-views';
import type { JobRow } from '@callout/contract/jobs';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { jobViewsQueryOptions } from '../src/features/jobs/jobs-views.api.ts';
import { ADMIN_USER, JOB, SAM } from './fixtures.ts';
import { failWith, getToasts, type MockApi, openPage, pressButton, typeInto } from './open-page.tsx';

const ROW: JobRow = { ...JOB, timer_status: null, matched: null };
const PARTS: JobView = {
  id: '018f0000-0000-7000-8000-0000000000a1',
  name: 'Waiting for parts',
  filter: { search: 'parts', booked: 'this-week', sort: 'booking_date', order: 'asc' },
  version: 1,
};
const MY_STAFF_ID = SAM.id;

function openJobs(path: string, responses: MockApi = {}) {
  const opened = openPage(path, {
    'GET /me': () => ({ ...ADMIN_USER, user: { ...ADMIN_USER.user, staff_id: MY_STAFF_ID } }),
    'GET /job-views': () => ({ rows: [PARTS] }),
    'GET /staff-names': () => ({ rows: [SAM] }),
    'GET /categories': () => ({ rows: [] }),
    'GET /jobs/count': () => ({ total: 1 }),
    'GET /jobs?*': () => ({ rows: [ROW], next_cursor: null }),
    'GET /jobs/count?*': () => ({ total: 1 }),
    ...responses,
  });
  return { ...opened, search: () => opened.router.state.location.search };
}

afterEach(() => {
  vi.useRealTimers();
});

async function openViewsMenu() {
  await screen.findByRole('link', { name: /^Roof repair/ });
  await pressButton(/^Views/);
  return screen.findByRole('menu');
}

async function chooseItem(name: RegExp | string) {
  await openViewsMenu();
  await act(async () => fireEvent.click(await screen.findByRole('menuitem', { name })));
}

const getItemTexts = (menu: HTMLElement) =>
  within(menu)
    .getAllByRole('menuitem')
    .map(({ textContent }) => textContent);

it('has All jobs and My jobs today from the start', async () => {
  openJobs('/jobs', { 'GET /job-views': () => ({ rows: [] }) });
  expect(getItemTexts(await openViewsMenu())).toEqual([
    'All jobs',
    'My jobs today',
    'Save current filters…Search, filter or sort the list first.',
  ]);
});

it("opens My jobs today as a URL with the person's own bookings of the day, the first one first", async () => {
  // This instant is 10 PM on November 18 in Auckland.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-18T09:00:00Z') });
  const criteria = 'group=not-canceled&booked_from=2026-11-17T11%3A00%3A00.000Z&booked_to=2026-11-18T10%3A59%3A59.999Z';
  const { search } = openJobs('/jobs', {
    [`GET /jobs?staff_id=${MY_STAFF_ID}&sort=booking_date&order=asc&${criteria}`]: () => ({
      rows: [{ ...ROW, title: 'Leaking tap' }],
      next_cursor: null,
    }),
  });
  await chooseItem('My jobs today');
  await screen.findByRole('link', { name: /^Leaking tap/ });
  expect(search()).toEqual({ staff_id: MY_STAFF_ID, group: 'not-canceled', booked: 'today', sort: 'booking_date', order: 'asc' });
  expect(screen.getByRole('button', { name: 'Views: My jobs today' }).textContent).toBe('My jobs today');
});

it('opens a saved view, names it while its filters apply, and returns to all jobs', async () => {
  const { search } = openJobs('/jobs?status=booked');
  await chooseItem('Waiting for parts');
  await waitFor(() => expect(search()).toEqual(PARTS.filter));
  await chooseItem('All jobs');
  await waitFor(() => expect(search()).toEqual({}));
  expect(screen.getByRole('button', { name: 'Views' })).toBeDefined();
});

it('saves the current filters under a name, with relative dates', async () => {
  const create = vi.fn((input: unknown) => ({ ...(input as JobView), version: 1 }));
  openJobs('/jobs?booked=overdue&sort=booking_date&order=asc', { 'POST /job-views': create });
  await chooseItem('Save current filters…');
  const dialog = await screen.findByRole('dialog', { name: 'Save view' });
  await pressButton('Save View');
  expect(within(dialog).getByText('Name is required')).toBeDefined();
  typeInto('Name', ' Late jobs ');
  await pressButton('Save View');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(create).toHaveBeenCalledWith({
    id: expect.any(String) as string,
    name: 'Late jobs',
    filter: { booked: 'overdue', sort: 'booking_date', order: 'asc' },
  });
  await waitFor(() => expect(getToasts()).toEqual([expect.stringContaining('View saved')]));
});

it('keeps the typed name if it is taken, and says so next to the field', async () => {
  openJobs('/jobs?booked=overdue', {
    'POST /job-views': () => failWith('NAME_TAKEN', 'You already have a view with this name.'),
  });
  await chooseItem('Save current filters…');
  await screen.findByRole('dialog', { name: 'Save view' });
  typeInto('Name', 'Waiting for parts');
  await pressButton('Save View');
  await screen.findByText('You already have a view with this name.');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Waiting for parts');
  expect(getToasts()).toEqual([]);
});

it('reports the limit in a toast and keeps the dialog open', async () => {
  openJobs('/jobs?booked=overdue', { 'POST /job-views': () => failWith('LIMIT_REACHED', 'You can save at most 20 views.') });
  await chooseItem('Save current filters…');
  await screen.findByRole('dialog', { name: 'Save view' });
  typeInto('Name', 'One more');
  await pressButton('Save View');
  await waitFor(() => expect(getToasts()).toEqual([expect.stringContaining('Failed to save view: You can save at most 20 views.')]));
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('One more');
});

it('does not offer to save filters that already are a view', async () => {
  openJobs('/jobs?search=parts&booked=this-week&sort=booking_date&order=asc');
  expect(getItemTexts(await openViewsMenu())).toContain('Save current filters…Already saved as “Waiting for parts”.');
});

it('renames a view, and explains a name changed on another device', async () => {
  const update = vi.fn((input: unknown): unknown => {
    if ((input as UpdateJobViewInput).version === 2) return { ...PARTS, ...(input as UpdateJobViewInput), version: 3 };
    return failWith('STALE_VERSION', 'Changed', { current: { ...PARTS, name: 'Parts on order', version: 2 } });
  });
  openJobs('/jobs', { [`PUT /job-views/${PARTS.id}`]: update });
  await chooseItem('Manage views…');
  await pressButton('Rename Waiting for parts');
  typeInto('Rename Waiting for parts', 'Parts');
  await pressButton('Save');
  await screen.findByText('This view was changed to “Parts on order” on another device. Save again to overwrite that name.');
  await pressButton('Save');
  await waitFor(() => expect(getToasts()).toEqual([expect.stringContaining('View renamed')]));
  expect(update).toHaveBeenLastCalledWith({ version: 2, name: 'Parts' });
});

it('replaces the filters of a view with the current ones', async () => {
  const stored = { view: PARTS };
  const update = vi.fn((input: unknown) => {
    stored.view = { ...PARTS, ...(input as UpdateJobViewInput), version: 2 } as JobView;
    return stored.view;
  });
  openJobs('/jobs?status=pending', { 'GET /job-views': () => ({ rows: [stored.view] }), [`PUT /job-views/${PARTS.id}`]: update });
  await chooseItem('Manage views…');
  await pressButton('Use current filters for Waiting for parts');
  await waitFor(() => expect(getToasts()).toEqual([expect.stringContaining('View updated')]));
  expect(update).toHaveBeenCalledWith({ version: 1, name: PARTS.name, filter: { status: 'pending' } });
  expect(screen.queryByRole('button', { name: /^Use current filters/ })).toBeNull();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Rename Waiting for parts');
});

it('deletes a view after a confirmation', async () => {
  const rows = [PARTS];
  openJobs('/jobs', {
    'GET /job-views': () => ({ rows }),
    [`DELETE /job-views/${PARTS.id}`]: () => {
      rows.length = 0;
      return {};
    },
  });
  await chooseItem('Manage views…');
  await pressButton('Delete Waiting for parts');
  const question = await screen.findByRole('alertdialog', { name: 'Delete view “Waiting for parts”?' });
  await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Delete' })));
  expect(await screen.findByText('You have no saved views.')).toBeDefined();
});

it("Back on a tab's first page closes the question, then the dialog behind it, and stays on the page", async () => {
  const { path } = openJobs('/jobs');
  await chooseItem('Manage views…');
  await pressButton('Delete Waiting for parts');
  await screen.findByRole('alertdialog');
  await act(async () => window.history.back());
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  screen.getByRole('dialog', { name: 'Manage views' });
  await act(async () => window.history.back());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect([path(), window.location.pathname]).toEqual(['/jobs', '/jobs']);
});

it('lists the built-in views while the saved ones fail to load, and adds them later', async () => {
  const views = { response: (): unknown => failWith('FORBIDDEN') };
  const { queryClient } = openJobs('/jobs', { 'GET /job-views': () => views.response() });
  const menu = await openViewsMenu();
  expect(getItemTexts(menu)).toHaveLength(3);
  views.response = () => ({ rows: [PARTS] });
  await act(() => queryClient.invalidateQueries({ queryKey: jobViewsQueryOptions.queryKey }));
  await waitFor(() => expect(getItemTexts(menu)).toContain('Waiting for parts'));
});
