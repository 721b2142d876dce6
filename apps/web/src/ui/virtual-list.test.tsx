import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { VirtualList } from './virtual-list.tsx';

afterEach(() => {
  cleanup();
  window.scrollTo(0, 0);
});

function renderRows(count: number): void {
  render(
    <VirtualList
      label="Rows"
      count={count}
      total={count}
      rowHeight={50}
      rowKey={String}
      renderRow={(index) => (
        <a href={`#${index}`} data-row="">
          Row {index}
        </a>
      )}
    />,
  );
}

const scrollTo = (top: number) =>
  act(async () => {
    window.scrollTo(0, top);
    fireEvent.scroll(window);
  });

it('keeps the focus when the focused row is scrolled out of view', async () => {
  renderRows(1_000);
  const row = screen.getByRole('link', { name: 'Row 3' });
  act(() => row.focus());
  await scrollTo(20_000);
  expect(screen.getByRole('link', { name: 'Row 405' })).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Row 5' })).toBeNull();
  expect(document.activeElement).toBe(row);
  fireEvent.keyDown(row, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toBe('Row 4');
});

it('moves to the first and last row with Home and End, even if those rows are not rendered', () => {
  renderRows(1_000);
  act(() => screen.getByRole('link', { name: 'Row 3' }).focus());
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'End' });
  expect(document.activeElement?.textContent).toBe('Row 999');
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'ArrowUp' });
  expect(document.activeElement?.textContent).toBe('Row 998');
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Home' });
  expect(document.activeElement?.textContent).toBe('Row 0');
});

it('ignores key presses with a modifier', () => {
  renderRows(5);
  act(() => screen.getByRole('link', { name: 'Row 0' }).focus());
  const wasNotPrevented = fireEvent.keyDown(document.activeElement ?? document.body, { key: 'End', ctrlKey: true });
  expect([wasNotPrevented, document.activeElement?.textContent]).toEqual([true, 'Row 0']);
});

it('moves between rows with the arrow keys', () => {
  renderRows(5);
  act(() => screen.getByRole('link', { name: 'Row 0' }).focus());
  for (const [key, expected] of [
    ['ArrowDown', 'Row 1'],
    ['ArrowDown', 'Row 2'],
    ['ArrowUp', 'Row 1'],
  ] as const) {
    fireEvent.keyDown(document.activeElement ?? document.body, { key });
    expect(document.activeElement?.textContent).toBe(expected);
  }
});
