import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useShortcutSettings } from '../src/app/shell/shortcuts.tsx';
import { buildCalendarJob, fakeTodayAsTuesday, openCalendar, setViewportWidth } from './open-calendar.ts';

fakeTodayAsTuesday();
beforeEach(() => {
  setViewportWidth(1440);
  act(() => useShortcutSettings.getState().setSingleKeys(true));
});
afterEach(() => setViewportWidth(1024));

const findTitle = (name: string) => screen.findByRole('heading', { level: 1, name });
const pressKey = (key: string, target: Element = document.body, modifiers: object = {}) =>
  act(async () => void fireEvent.keyDown(target, { key, ...modifiers }));

it('single-key shortcuts change the view and the date', async () => {
  const { router } = openCalendar('/calendar');
  await findTitle('Nov 16 – 22, 2026');
  await pressKey('ArrowRight');
  await findTitle('Nov 23 – 29, 2026');
  await pressKey('d');
  await findTitle('Tue, Nov 24, 2026');
  await pressKey('j');
  await findTitle('Wed, Nov 25, 2026');
  await pressKey('k');
  await pressKey('ArrowLeft');
  await findTitle('Mon, Nov 23, 2026');
  await pressKey('m');
  await findTitle('November 2026');
  await pressKey('w');
  await pressKey('t');
  await findTitle('Nov 16 – 22, 2026');
  expect(router.state.location.search).toEqual({});
});

it.each(['week', 'month'])('arrow keys on an event do not change the %s, but other shortcuts still work', async (view) => {
  const { router } = openCalendar(`/calendar?view=${view}`, { jobs: [buildCalendarJob(1, '16T20:00')] });
  const event = await screen.findByRole('link', { name: /Job 1/ });
  const hrefBefore = router.state.location.href;
  await pressKey('ArrowRight', event);
  await pressKey('ArrowLeft', screen.getByRole('button', { name: 'Move Job 1 to…' }));
  expect(router.state.location.href).toBe(hrefBefore);
  await pressKey('j', event);
  expect(router.state.location.href).not.toBe(hrefBefore);
});

it('single-key shortcuts are ignored in fields and dialogs, with a modifier, after G, and when turned off', async () => {
  const { router, path } = openCalendar('/calendar');
  await findTitle('Nov 16 – 22, 2026');
  await pressKey('m', screen.getByLabelText('Status'));
  await pressKey('m', document.body, { ctrlKey: true });
  await pressKey('M', document.body, { shiftKey: true });
  act(() => useShortcutSettings.getState().setSingleKeys(false));
  await pressKey('m');
  act(() => useShortcutSettings.getState().setSingleKeys(true));
  await pressKey('?', document.body, { shiftKey: true });
  const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  screen.getByText('Calendar: day, week, month');
  await pressKey('m', help);
  expect(router.state.location.href).toBe('/calendar');
  fireEvent.keyDown(help, { key: 'Escape' });
  await pressKey('g');
  await pressKey('t');
  expect(router.state.location.search).toEqual({});
  expect(path()).not.toBe('/calendar');
});
