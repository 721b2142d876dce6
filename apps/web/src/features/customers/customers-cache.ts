import type { CustomerPage, CustomerRow } from '@callout/contract/customers';
import type { InfiniteData } from '@tanstack/react-query';

export type CustomerPages = InfiniteData<CustomerPage, string | undefined>;

function mapRows(pages: CustomerPages, change: (rows: CustomerRow[]) => CustomerRow[]): CustomerPages {
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, rows: change(page.rows) })) };
}

export function withoutCustomer(pages: CustomerPages, id: string): CustomerPages {
  return mapRows(pages, (rows) => rows.filter((row) => row.id !== id));
}

/** Shows the change where the row stands; a fresh read then moves it to its place. */
export function withCustomer(pages: CustomerPages, changed: Partial<CustomerRow> & Pick<CustomerRow, 'id'>): CustomerPages {
  return mapRows(pages, (rows) => rows.map((row) => (row.id === changed.id ? { ...row, ...changed } : row)));
}
