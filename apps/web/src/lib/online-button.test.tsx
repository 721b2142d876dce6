import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { toastManager } from '../ui/toast.ts';
import { useOfflineState } from './offline-state.ts';
import { OnlineButton } from './online-button.tsx';

afterEach(() => {
  cleanup();
  useOfflineState.setState(useOfflineState.getInitialState(), true);
});

const REASON = "You're offline. This needs a connection.";

test('is disabled with a reason while offline, and says it when pressed', () => {
  const [send, submit] = [vi.fn(), vi.fn((event: Event) => event.preventDefault())];
  const addToast = vi.spyOn(toastManager, 'add');
  render(
    <form ref={(form) => form?.addEventListener('submit', submit)}>
      <OnlineButton type="submit" onClick={send}>
        Send
      </OnlineButton>
    </form>,
  );
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });
  expect([button.title, button.getAttribute('aria-disabled')]).toEqual(['', null]);
  act(() => useOfflineState.setState({ isReachable: false }));
  expect([button.title, button.getAttribute('aria-disabled')]).toEqual([REASON, 'true']);
  fireEvent.click(button);
  expect([send.mock.calls.length, submit.mock.calls.length]).toEqual([0, 0]);
  expect(addToast).toHaveBeenCalledWith(expect.objectContaining({ description: REASON }));
  act(() => useOfflineState.setState({ isReachable: true }));
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect([send.mock.calls.length, submit.mock.calls.length]).toEqual([1, 1]);
});
