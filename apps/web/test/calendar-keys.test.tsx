import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useShortcutSettings } from '../src/app/shell/shortcuts.tsx';
import { calendarJob, fakeTuesday, openCalendar, setWidth } from './open-calendar.ts';

fakeTuesday();
beforeEach(() => {
  setWidth(1440);
  act(() => useShortcutSettings.getState().setSingleKeys(true));
});
afterEach(() => setWidth(1024));

const title = (name: string) => screen.findByRole('heading', { level: 1, name });
const type = (key: string, target: Element = document.body, more: object = {}) =>
  act(async () => void fireEvent.keyDown(target, { key, ...more }));

it('single keys change the view and the date', async () => {
  const { router } = openCalendar('/calendar');
  await title('Nov 16 – 22, 2026');
  await type('ArrowRight');
  await title('Nov 23 – 29, 2026');
  await type('d');
  await title('Tue, Nov 24, 2026');
  await type('j');
  await title('Wed, Nov 25, 2026');
  await type('k');
  await type('ArrowLeft');
  await title('Mon, Nov 23, 2026');
  await type('m');
  await title('November 2026');
  await type('w');
  await type('t');
  await title('Nov 16 – 22, 2026');
  expect(router.state.location.search).toEqual({});
});

it.each(['week', 'month'])('arrow keys on an event of a %s do not leave it, other keys do what they do', async (view) => {
  const { router } = openCalendar(`/calendar?view=${view}`, { jobs: [calendarJob(1, '16T20:00')] });
  const event = await screen.findByRole('link', { name: /Job 1/ });
  const before = router.state.location.href;
  await type('ArrowRight', event);
  await type('ArrowLeft', screen.getByRole('button', { name: 'Move Job 1 to…' }));
  expect(router.state.location.href).toBe(before);
  await type('j', event);
  expect(router.state.location.href).not.toBe(before);
});

it('are silent in a field, in a dialog, with a modifier, as the second key of G, and when they are turned off', async () => {
  const { router, path } = openCalendar('/calendar');
  await title('Nov 16 – 22, 2026');
  await type('m', screen.getByLabelText('Status'));
  await type('m', document.body, { ctrlKey: true });
  await type('M', document.body, { shiftKey: true });
  act(() => useShortcutSettings.getState().setSingleKeys(false));
  await type('m');
  act(() => useShortcutSettings.getState().setSingleKeys(true));
  await type('?', document.body, { shiftKey: true });
  const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  screen.getByText('Calendar: day, week, month');
  await type('m', help);
  expect(router.state.location.href).toBe('/calendar');
  fireEvent.keyDown(help, { key: 'Escape' });
  await type('g');
  await type('t');
  expect(router.state.location.search).toEqual({});
  expect(path()).not.toBe('/calendar');
});
