import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { DataTable } from './data-table.tsx';
import { DESK_UP, WIDE_UP } from './use-browser-state.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('does not ask for the next page while a refetch is under way, which that would cancel, and asks when it has ended', () => {
  const asked: unknown[] = [];
  const paging = {
    hasNextPage: true,
    isFetchingNextPage: false,
    isFetchNextPageError: false,
    fetchNextPage: async (options: unknown) => asked.push(options),
  };
  const table = (isFetching: boolean) => (
    <DataTable
      label="People"
      rows={[{ id: 'ana' }]}
      columns={[{ label: 'Name', width: '1fr', cell: ({ id }) => id }]}
      renderLink={({ id }, { children, ...props }) => (
        <a href={`#${id}`} {...props}>
          {children}
        </a>
      )}
      renderCard={({ id }) => id}
      rowHeight={{ desk: 50, phone: 50 }}
      paging={{ ...paging, isFetching }}
    />
  );
  const { rerender } = render(table(true));
  expect(asked).toEqual([]);
  rerender(table(false));
  expect(asked).toEqual([{ cancelRefetch: false }]);
});

it.each([
  ['higher where names take two lines', [DESK_UP], '68px'],
  ['as high as usual where there is room', [DESK_UP, WIDE_UP], '56px'],
])('a row is %s', (_, matching, height) => {
  vi.stubGlobal('matchMedia', (query: string) => Object.assign(new EventTarget(), { matches: matching.includes(query), media: query }));
  render(
    <DataTable
      label="People"
      rows={[{ id: 'ana' }]}
      columns={[{ label: 'Name', width: '1fr', cell: ({ id }) => id }]}
      renderLink={({ id }, { children, ...props }) => (
        <a href={`#${id}`} {...props}>
          {children}
        </a>
      )}
      renderCard={({ id }) => id}
      rowHeight={{ desk: 56, phone: 50, narrowDesk: 68 }}
    />,
  );
  expect(screen.getByRole('listitem').style.height).toBe(height);
});
