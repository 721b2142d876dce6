import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { DataTable } from './data-table.tsx';
import { DESKTOP_UP, WIDE_DESKTOP_UP } from './use-browser-state.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('does not fetch the next page until the current refetch has finished', () => {
  const requests: unknown[] = [];
  const paging = {
    hasNextPage: true,
    isFetchingNextPage: false,
    isFetchNextPageError: false,
    fetchNextPage: async (options: unknown) => requests.push(options),
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
      rowHeight={{ desktop: 50, phone: 50 }}
      paging={{ ...paging, isFetching }}
    />
  );
  const { rerender } = render(table(true));
  expect(requests).toEqual([]);
  rerender(table(false));
  expect(requests).toEqual([{ cancelRefetch: false }]);
});

it.each([
  ['taller where names take two lines', [DESKTOP_UP], '68px'],
  ['the default height on wide desktops', [DESKTOP_UP, WIDE_DESKTOP_UP], '56px'],
])('makes rows %s', (_, matching, height) => {
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
      rowHeight={{ desktop: 56, phone: 50, narrowDesktop: 68 }}
    />,
  );
  expect(screen.getByRole('listitem').style.height).toBe(height);
});
