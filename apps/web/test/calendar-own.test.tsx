import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useCalendarStore } from '../src/features/calendar/own-events.tsx';
import { calendarJob, fakeTuesday, openCalendar, setWidth } from './open-calendar.ts';
import { type Answers, press } from './open-page.tsx';
import { MIA, OWNER, PROFILE, SAM } from './people.ts';

fakeTuesday();
beforeEach(() => {
  useCalendarStore.setState({ whose: {}, alone: {} });
  setWidth(390);
});
afterEach(() => setWidth(1024));

const DAY = 'GET /calendar?from=2026-11-16T11%3A00%3A00.000Z&to=2026-11-17T11%3A00%3A00.000Z';
const mine = calendarJob(1, '16T20:00');
const theirs = calendarJob(2, '16T22:00', { staff: MIA });

function openAs(role: 'staff' | 'manager' | 'accountant', path = '/calendar', more: Answers = {}) {
  return openCalendar(
    path,
    { jobs: [mine, theirs] },
    {
      'GET /me': () => ({ ...OWNER, user: { ...OWNER.user, staff_id: SAM.id }, profile: { ...PROFILE, role } }),
      [`${DAY}&staff_id=${SAM.id}`]: () => ({ jobs: [mine], tasks: [], is_cut: false }),
      [`${DAY}&staff_id=${MIA.id}`]: () => ({ jobs: [theirs], tasks: [], is_cut: false }),
      ...more,
    },
  );
}
const job = (number: number) => screen.queryByRole('link', { name: new RegExp(`Job ${number}`) });
const isPressed = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-pressed');
const titles = (...jobs: number[]) => waitFor(() => expect([1, 2].filter((number) => job(number) !== null)).toEqual(jobs));

it('on a phone, somebody who works on jobs sees their own first, and everybody’s after one tap, which is kept', async () => {
  const { router } = openAs('staff');
  await titles(1);
  await waitFor(() => expect(isPressed('Mine')).toBe('true'));
  screen.getByRole('button', { name: 'Filters' });
  await press('Everybody');
  await titles(1, 2);
  expect(router.state.location.search).toEqual({});
  expect(JSON.parse(localStorage.getItem('callout-calendar') ?? '')).toMatchObject({
    state: { whose: { [SAM.id]: 'everybody' } },
    version: 1,
  });
  await press('Next');
  await waitFor(() => expect(router.state.location.search).toEqual({ date: '2026-11-18' }));
  expect(isPressed('Everybody')).toBe('true');
  await press('Mine');
  await waitFor(() => expect(localStorage.getItem('callout-calendar')).toContain('"mine"'));
});

it.each(['manager', 'accountant'] as const)('a %s sees everybody’s first', async (role) => {
  openAs(role);
  await titles(1, 2);
  await waitFor(() => expect(isPressed('Everybody')).toBe('true'));
  await press('Mine');
  await titles(1);
});

it('a link to somebody’s calendar shows theirs', async () => {
  openAs('staff', `/calendar?staff=${MIA.id}`);
  await titles(2);
  await screen.findByRole('button', { name: 'Filters, 1 set' });
  expect([isPressed('Mine'), isPressed('Everybody')]).toEqual(['false', 'false']);
});

it('the switch is there before the names, and goes only when there is nobody else', async () => {
  let answer: (names: unknown) => void = () => undefined;
  openAs('staff', '/calendar', { 'GET /staff-names': () => new Promise((resolve) => (answer = resolve)) });
  await titles(1);
  screen.getByRole('button', { name: 'Mine' });
  answer({ rows: [SAM] });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mine' })).toBeNull());
  expect(localStorage.getItem('callout-calendar')).toContain(`"alone":{"${SAM.id}":true}`);
});

it('whoever worked alone last time has no switch before the names either, and gets it when there is somebody else', async () => {
  useCalendarStore.setState({ alone: { [SAM.id]: true } });
  let answer: (names: unknown) => void = () => undefined;
  openAs('staff', '/calendar', { 'GET /staff-names': () => new Promise((resolve) => (answer = resolve)) });
  await titles(1, 2);
  expect(screen.queryByRole('button', { name: 'Mine' })).toBeNull();
  answer({ rows: [SAM, MIA] });
  await screen.findByRole('button', { name: 'Mine' });
  await titles(1);
  expect(useCalendarStore.getState().alone).toEqual({ [SAM.id]: false });
});

it('whoever works alone sees what is nobody’s yet, too, also if they once chose their own', async () => {
  useCalendarStore.setState({ whose: { [SAM.id]: 'mine' } });
  const { router } = openAs('manager', '/calendar', { 'GET /staff-names': () => ({ rows: [SAM] }) });
  await titles(1, 2);
  await press('Filters');
  fireEvent.change(await screen.findByLabelText('Staff'), { target: { value: SAM.id } });
  await waitFor(() => expect(router.state.location.search).toEqual({ staff: SAM.id }));
});

it('a desk shows everybody', async () => {
  setWidth(1440);
  openAs('staff', '/calendar?view=day');
  await titles(1, 2);
  expect(screen.queryByRole('button', { name: 'Mine' })).toBeNull();
});
