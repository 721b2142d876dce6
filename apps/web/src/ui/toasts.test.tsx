import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toast } from './toast.ts';
import { Toasts } from './toasts.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toasts />);
});

afterEach(async () => {
  await pass(60_000);
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Shows toasts and waits until they are on screen. */
async function show(...toasts: readonly (() => string)[]): Promise<string[]> {
  const ids: string[] = [];
  act(() => {
    for (const one of toasts) ids.push(one());
  });
  await pass(50);
  return ids;
}

const TEXTS = /saved|failed|moved|sending|failure/i;
const texts = () => screen.queryAllByText(TEXTS).map((element) => element.textContent);

test('a success disappears after 2 seconds, an error and a blank one after 4, loading stays', async () => {
  const [sending = ''] = await show(
    () => toast.loading('sending'),
    () => toast.success('saved'),
    () => toast.error('failed'),
  );
  await pass(2_000);
  expect(texts()).toEqual(['failed', 'sending']);
  await show(() => toast.blank('moved'));
  await pass(2_100);
  expect(texts()).toEqual(['moved', 'sending']);
  await pass(60_000);
  expect(texts()).toEqual(['sending']);
  act(() => toast.dismiss(sending));
  await pass(500);
  expect(texts()).toEqual([]);
});

test('identical toasts are one, with a new clock', async () => {
  await show(() => toast.error('failed'));
  await pass(3_000);
  await show(
    () => toast.error('failed'),
    () => toast.error('failed'),
  );
  expect(texts()).toEqual(['failed']);
  await pass(3_000);
  expect(texts()).toEqual(['failed']);
});

test('a success removes the errors of the same action and no others', async () => {
  await show(
    () => toast.error('saving failed', { subject: 'settings' }),
    () => toast.error('upload failed', { subject: 'logo' }),
    () => toast.error('reading failed'),
  );
  await show(() => toast.success('saved', { subject: 'settings' }));
  await pass(500);
  expect(texts()).toEqual(['saved', 'reading failed', 'upload failed']);
});

test('a second error of the same action replaces the first', async () => {
  await show(
    () => toast.error('saving failed', { subject: 'settings' }),
    () => toast.error('upload failed', { subject: 'logo' }),
  );
  await show(() => toast.error('saving failed again', { subject: 'settings' }));
  await pass(500);
  expect(texts()).toEqual(['saving failed again', 'upload failed']);
  await show(() => toast.error('saving failed again', { subject: 'settings' }));
  await pass(500);
  expect(texts()).toEqual(['saving failed again', 'upload failed']);
});

test('a success of no named action removes nothing', async () => {
  await show(() => toast.error('reading failed'));
  await show(() => toast.success('saved'));
  await pass(500);
  expect(texts()).toEqual(['saved', 'reading failed']);
});

test('the clocks stop while the pointer is on a toast', async () => {
  await show(() => toast.success('saved'));
  fireEvent.mouseEnter(screen.getByRole('region', { name: 'Messages' }));
  await pass(30_000);
  expect(texts()).toEqual(['saved']);
  fireEvent.mouseLeave(screen.getByRole('region', { name: 'Messages' }));
  await pass(2_500);
  expect(texts()).toEqual([]);
});

test('the clocks stop while the focus is on a toast, which F6 reaches', async () => {
  await show(() => toast.success('saved'));
  fireEvent.keyDown(window, { key: 'F6' });
  await pass(30_000);
  expect(texts()).toEqual(['saved']);
});

test('at most three are visible, the newest first', async () => {
  await show(...[1, 2, 3, 4, 5].map((number) => () => toast.error(`failure ${number}`)));
  const visible = screen.getAllByRole('alert').filter((card) => !card.hasAttribute('data-limited'));
  expect(visible.map((card) => card.textContent)).toEqual(['failure 5', 'failure 4', 'failure 3']);
});

test('the button of a toast does its work once and closes it', async () => {
  const undo = vi.fn<() => void>();
  await show(() => toast.blank('moved', { action: { label: 'Undo', run: undo } }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await pass(500);
  expect(undo).toHaveBeenCalledTimes(1);
  expect(texts()).toEqual([]);
});

test('an error is announced at once', async () => {
  await show(() => toast.error('failed'));
  expect(screen.getByRole('alert').textContent).toBe('failed');
});
