import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { DataTable } from './data-table.tsx';

afterEach(cleanup);

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
