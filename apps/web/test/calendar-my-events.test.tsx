import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useCalendarStore } from '../src/features/calendar/my-events.tsx';
import { ADMIN_USER, MIA, PROFILE, SAM } from './fixtures.ts';
import { buildCalendarJob, fakeTodayAsTuesday, openCalendar, setViewportWidth } from './open-calendar.ts';
import { type MockApi, pressButton } from './open-page.tsx';

fakeTodayAsTuesday();
beforeEach(() => {
  useCalendarStore.setState({ whose: {}, alone: {} });
  setViewportWidth(390);
});
afterEach(() => setViewportWidth(1024));

const DAY_CALL = 'GET /calendar?from=2026-11-16T11%3A00%3A00.000Z&to=2026-11-17T11%3A00%3A00.000Z';
const myJob = buildCalendarJob(1, '16T20:00');
const colleagueJob = buildCalendarJob(2, '16T22:00', { staff: MIA });

function openCalendarAs(role: 'staff' | 'manager' | 'accountant', path = '/calendar', responses: MockApi = {}) {
  return openCalendar(
    path,
    { jobs: [myJob, colleagueJob] },
    {
      'GET /me': () => ({ ...ADMIN_USER, user: { ...ADMIN_USER.user, staff_id: SAM.id }, profile: { ...PROFILE, role } }),
      [`${DAY_CALL}&staff_id=${SAM.id}`]: () => ({ jobs: [myJob], tasks: [], is_cut: false }),
      [`${DAY_CALL}&staff_id=${MIA.id}`]: () => ({ jobs: [colleagueJob], tasks: [], is_cut: false }),
      ...responses,
    },
  );
}
const queryJob = (number: number) => screen.queryByRole('link', { name: new RegExp(`Job ${number}`) });
const getPressedState = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-pressed');
const waitForJobs = (...jobs: number[]) => waitFor(() => expect([1, 2].filter((number) => queryJob(number) !== null)).toEqual(jobs));

it('on a phone, staff see their own events first, and the browser remembers a switch to Everyone', async () => {
  const { router } = openCalendarAs('staff');
  await waitForJobs(1);
  await waitFor(() => expect(getPressedState('Mine')).toBe('true'));
  screen.getByRole('button', { name: 'Filters' });
  await pressButton('Everyone');
  await waitForJobs(1, 2);
  expect(router.state.location.search).toEqual({});
  expect(JSON.parse(localStorage.getItem('callout-calendar') ?? '')).toMatchObject({
    state: { whose: { [SAM.id]: 'everybody' } },
    version: 1,
  });
  await pressButton('Next');
  await waitFor(() => expect(router.state.location.search).toEqual({ date: '2026-11-18' }));
  expect(getPressedState('Everyone')).toBe('true');
  await pressButton('Mine');
  await waitFor(() => expect(localStorage.getItem('callout-calendar')).toContain('"mine"'));
});

it.each(['manager', 'accountant'] as const)('a %s sees everyone’s events first', async (role) => {
  openCalendarAs(role);
  await waitForJobs(1, 2);
  await waitFor(() => expect(getPressedState('Everyone')).toBe('true'));
  await pressButton('Mine');
  await waitForJobs(1);
});

it('a link to a colleague’s calendar shows only their events', async () => {
  openCalendarAs('staff', `/calendar?staff=${MIA.id}`);
  await waitForJobs(2);
  await screen.findByRole('button', { name: 'Filters, 1 active' });
  expect([getPressedState('Mine'), getPressedState('Everyone')]).toEqual(['false', 'false']);
});

it('the Mine/Everyone switch is visible while names load, and disappears if there are no colleagues', async () => {
  let respond: (names: unknown) => void = () => undefined;
  openCalendarAs('staff', '/calendar', { 'GET /staff-names': () => new Promise((resolve) => (respond = resolve)) });
  await waitForJobs(1);
  screen.getByRole('button', { name: 'Mine' });
  respond({ rows: [SAM] });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mine' })).toBeNull());
  expect(localStorage.getItem('callout-calendar')).toContain(`"alone":{"${SAM.id}":true}`);
});

it('a person who worked alone on their last visit sees the Mine/Everyone switch only after a colleague has loaded', async () => {
  useCalendarStore.setState({ alone: { [SAM.id]: true } });
  let respond: (names: unknown) => void = () => undefined;
  openCalendarAs('staff', '/calendar', { 'GET /staff-names': () => new Promise((resolve) => (respond = resolve)) });
  await waitForJobs(1, 2);
  expect(screen.queryByRole('button', { name: 'Mine' })).toBeNull();
  respond({ rows: [SAM, MIA] });
  await screen.findByRole('button', { name: 'Mine' });
  await waitForJobs(1);
  expect(useCalendarStore.getState().alone).toEqual({ [SAM.id]: false });
});

it('a person who works alone sees all events, even after choosing Mine earlier', async () => {
  useCalendarStore.setState({ whose: { [SAM.id]: 'mine' } });
  const { router } = openCalendarAs('manager', '/calendar', { 'GET /staff-names': () => ({ rows: [SAM] }) });
  await waitForJobs(1, 2);
  await pressButton('Filters');
  fireEvent.change(await screen.findByLabelText('Staff'), { target: { value: SAM.id } });
  await waitFor(() => expect(router.state.location.search).toEqual({ staff: SAM.id }));
});

it('a desktop shows everyone’s events without the Mine/Everyone switch', async () => {
  setViewportWidth(1440);
  openCalendarAs('staff', '/calendar?view=day');
  await waitForJobs(1, 2);
  expect(screen.queryByRole('button', { name: 'Mine' })).toBeNull();
});
