import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toast } from './toast.ts';
import { Toasts } from './toasts.tsx';

beforeEach(() => {
  window.happyDOM.setViewport({ width: 1440, height: 900 });
  vi.useFakeTimers();
  render(<Toasts />);
});

afterEach(async () => {
  await advanceTime(60_000);
  cleanup();
  vi.useRealTimers();
  window.happyDOM.setViewport({ width: 1024, height: 768 });
});

const advanceTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Shows the toasts and waits until they are on screen. */
async function showToasts(...toasts: readonly (() => string)[]): Promise<string[]> {
  const ids: string[] = [];
  act(() => {
    for (const showToast of toasts) ids.push(showToast());
  });
  await advanceTime(50);
  return ids;
}

const TEXT_PATTERN = /saved|failed|moved|sending|failure/i;
const getTexts = () => screen.queryAllByText(TEXT_PATTERN).map((element) => element.textContent);

test('dismisses success toasts after 2 seconds, error and blank toasts after 4, and loading toasts never', async () => {
  const [sending = ''] = await showToasts(
    () => toast.loading('sending'),
    () => toast.success('saved'),
    () => toast.error('failed'),
  );
  await advanceTime(2_000);
  expect(getTexts()).toEqual(['failed', 'sending']);
  await showToasts(() => toast.blank('moved'));
  await advanceTime(2_100);
  expect(getTexts()).toEqual(['moved', 'sending']);
  await advanceTime(60_000);
  expect(getTexts()).toEqual(['sending']);
  act(() => toast.dismiss(sending));
  await advanceTime(500);
  expect(getTexts()).toEqual([]);
});

test('merges identical toasts and restarts their timer', async () => {
  await showToasts(() => toast.error('failed'));
  await advanceTime(3_000);
  await showToasts(
    () => toast.error('failed'),
    () => toast.error('failed'),
  );
  expect(getTexts()).toEqual(['failed']);
  await advanceTime(3_000);
  expect(getTexts()).toEqual(['failed']);
});

test('dismisses only the errors of the action that succeeded', async () => {
  await showToasts(
    () => toast.error('saving failed', { subject: 'settings' }),
    () => toast.error('upload failed', { subject: 'logo' }),
    () => toast.error('reading failed'),
  );
  await showToasts(() => toast.success('saved', { subject: 'settings' }));
  await advanceTime(500);
  expect(getTexts()).toEqual(['saved', 'reading failed', 'upload failed']);
});

test('replaces an earlier error of the same action', async () => {
  await showToasts(
    () => toast.error('saving failed', { subject: 'settings' }),
    () => toast.error('upload failed', { subject: 'logo' }),
  );
  await showToasts(() => toast.error('saving failed again', { subject: 'settings' }));
  await advanceTime(500);
  expect(getTexts()).toEqual(['saving failed again', 'upload failed']);
  await showToasts(() => toast.error('saving failed again', { subject: 'settings' }));
  await advanceTime(500);
  expect(getTexts()).toEqual(['saving failed again', 'upload failed']);
});

test('dismisses no errors on a success without a subject', async () => {
  await showToasts(() => toast.error('reading failed'));
  await showToasts(() => toast.success('saved'));
  await advanceTime(500);
  expect(getTexts()).toEqual(['saved', 'reading failed']);
});

test('pauses the timers while the pointer is on a toast', async () => {
  await showToasts(() => toast.success('saved'));
  fireEvent.mouseEnter(screen.getByRole('region', { name: 'Messages' }));
  await advanceTime(30_000);
  expect(getTexts()).toEqual(['saved']);
  fireEvent.mouseLeave(screen.getByRole('region', { name: 'Messages' }));
  await advanceTime(2_500);
  expect(getTexts()).toEqual([]);
});

test('pauses the timers while F6 has moved the focus to a toast', async () => {
  await showToasts(() => toast.success('saved'));
  fireEvent.keyDown(window, { key: 'F6' });
  await advanceTime(30_000);
  expect(getTexts()).toEqual(['saved']);
});

const getVisibleErrors = () =>
  screen
    .queryAllByRole('alert')
    .filter((card) => !card.hasAttribute('data-limited'))
    .map((card) => card.textContent);
const showFiveErrors = () => showToasts(...[1, 2, 3, 4, 5].map((number) => () => toast.error(`failure ${number}`)));

test('displays at most three toasts, newest first, and the others for their full time afterwards', async () => {
  await showFiveErrors();
  expect(getVisibleErrors()).toEqual(['failure 5', 'failure 4', 'failure 3']);
  await advanceTime(4_100);
  expect(getVisibleErrors()).toEqual(['failure 2', 'failure 1']);
  await advanceTime(3_500);
  expect(getVisibleErrors()).toEqual(['failure 2', 'failure 1']);
  await advanceTime(1_000);
  expect(getVisibleErrors()).toEqual([]);
});

test.each([
  [390, ['failure 5']],
  [1024, ['failure 5', 'failure 4']],
])('displays as many toasts as fit into the top bar of a screen that is %i px wide', async (width, visible) => {
  cleanup();
  window.happyDOM.setViewport({ width, height: 800 });
  render(<Toasts />);
  await showFiveErrors();
  expect(getVisibleErrors()).toEqual(visible);
});

async function pushSuccessAside(msOnScreen: number): Promise<void> {
  cleanup();
  window.happyDOM.setViewport({ width: 390, height: 800 });
  render(<Toasts />);
  await showToasts(() => toast.success('saved'));
  await advanceTime(msOnScreen);
  await showToasts(() => toast.error('failed'));
  await advanceTime(4_200);
}

test('does not show a success again that was noticed before a newer toast pushed it aside', async () => {
  await pushSuccessAside(1_200);
  expect(getTexts()).toEqual([]);
});

test('shows a success again that was pushed aside before anyone could notice it', async () => {
  await pushSuccessAside(100);
  expect(getTexts()).toEqual(['saved']);
});

test("runs a toast's action once and closes the toast", async () => {
  const undo = vi.fn<() => void>();
  await showToasts(() => toast.blank('moved', { action: { label: 'Undo', run: undo } }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await advanceTime(500);
  expect(undo).toHaveBeenCalledTimes(1);
  expect(getTexts()).toEqual([]);
});

test('announces an error immediately', async () => {
  await showToasts(() => toast.error('failed'));
  expect(screen.getByRole('alert').textContent).toBe('failed');
});
