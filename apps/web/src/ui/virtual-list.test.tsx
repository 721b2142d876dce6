import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { VirtualList } from './virtual-list.tsx';

afterEach(() => {
  cleanup();
  window.scrollTo(0, 0);
});

function showRows(count: number): void {
  render(
    <VirtualList
      label="Rows"
      count={count}
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

it('paging away from the row with the focus keeps the focus', async () => {
  showRows(1_000);
  const row = screen.getByRole('link', { name: 'Row 3' });
  act(() => row.focus());
  await scrollTo(20_000);
  expect(screen.getByRole('link', { name: 'Row 405' })).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Row 5' })).toBeNull();
  expect(document.activeElement).toBe(row);
  fireEvent.keyDown(row, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toBe('Row 4');
});

it('Home and End go to the first and the last row, however far away', () => {
  showRows(1_000);
  act(() => screen.getByRole('link', { name: 'Row 3' }).focus());
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'End' });
  expect(document.activeElement?.textContent).toBe('Row 999');
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'ArrowUp' });
  expect(document.activeElement?.textContent).toBe('Row 998');
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Home' });
  expect(document.activeElement?.textContent).toBe('Row 0');
});

it('keys with a modifier stay the browser’s', () => {
  showRows(5);
  act(() => screen.getByRole('link', { name: 'Row 0' }).focus());
  const isFree = fireEvent.keyDown(document.activeElement ?? document.body, { key: 'End', ctrlKey: true });
  expect([isFree, document.activeElement?.textContent]).toEqual([true, 'Row 0']);
});

it('the arrow keys walk the rows', () => {
  showRows(5);
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
