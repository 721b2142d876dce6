import type { SupplierRow } from '@callout/contract/suppliers';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answers, openPage, press, refuse, typeInto, valueOf } from './open-page.tsx';
import { ITEM, OWNER, PROFILE, SUPPLIER } from './people.ts';

const STAFF = { ...OWNER, profile: { ...PROFILE, role: 'staff' as const } };
const ROW: SupplierRow = { id: SUPPLIER.id, company_name: SUPPLIER.company_name, status: 'active', item_count: 1, matched: null };
const OTHER: SupplierRow = { ...ROW, id: 'other', company_name: 'Valve World', status: 'inactive', item_count: 1_200 };
const ITEMS = `GET /items?supplier_id=${SUPPLIER.id}&sort=name&order=asc`;

const page = (...rows: unknown[]) => ({ rows, next_cursor: null });

function openList(path: string, more: Answers = {}) {
  return openPage(path, {
    'GET /me': () => OWNER,
    'GET /suppliers': () => page(ROW, OTHER),
    'GET /suppliers?search=copper': () => page({ ...ROW, matched: 'other' }),
    'GET /suppliers?search=zzz': () => page(),
    [ITEMS]: () => page(ITEM),
    [`GET /items?supplier_id=${SUPPLIER.id}&search=copper&sort=name&order=asc`]: () => page({ ...ITEM, matched: 'name' }),
    ...more,
  });
}

it.each([
  ['/items-services', 'Items & Services'],
  ['/items-services/suppliers', 'Suppliers'],
])('%s is titled %s and lists suppliers with the number of their items', async (path, title) => {
  openList(path);
  const list = await screen.findByRole('list', { name: 'Suppliers' });
  expect(screen.getByRole('heading', { level: 1, name: title })).toBeDefined();
  expect(within(list).getByText('1 item')).toBeDefined();
  expect(within(list).getByText('1,200 items')).toBeDefined();
  expect(within(list).getByText('Inactive')).toBeDefined();
  expect(within(list).getByRole<HTMLAnchorElement>('link', { name: 'Manage Harbour Pipes' }).pathname).toBe(
    `/items-services/suppliers/${SUPPLIER.id}`,
  );
});

it('a supplier opens to its items with price and pricing method, and stays open when one comes back', async () => {
  const { router } = openList('/items-services', {
    [`GET /suppliers/${SUPPLIER.id}`]: () => SUPPLIER,
    [`GET /items/${ITEM.id}`]: () => ITEM,
  });
  await press(/Harbour Pipes/);
  const item = await screen.findByRole<HTMLAnchorElement>('link', { name: /^Copper pipe 15 mm/ });
  expect(item.textContent).toContain('CP-15');
  expect(item.textContent).toContain('$142.86 (inc GST)');
  expect(item.textContent).toContain('Margin');
  expect(new URL(item.href).search).toBe(`?item=${ITEM.id}`);
  expect(new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'Add Item' }).href).search).toBe('?new=true');
  await act(async () => fireEvent.click(item));
  await screen.findByRole('dialog', { name: 'Edit Item' });
  await act(async () => router.history.back());
  expect(await screen.findByRole('link', { name: /^Copper pipe 15 mm/ })).toBeDefined();
  await press(/Harbour Pipes/);
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Copper pipe 15 mm/ })).toBeNull());
});

it('a search is in the URL and opens the suppliers that were found by their items', async () => {
  const { router } = openList('/items-services');
  await screen.findByRole('list', { name: 'Suppliers' });
  typeInto('Search suppliers and items', 'copper');
  await screen.findByRole('link', { name: /^Copper pipe 15 mm/ });
  expect(router.state.location.search).toEqual({ search: 'copper' });
  expect(screen.queryByText('Valve World')).toBeNull();
  await press('Clear search');
  await screen.findByText('Valve World');
  expect(router.state.location.search).toEqual({});
});

it('a supplier that was found by its city offers all its items', async () => {
  openList('/items-services?search=auckland', {
    'GET /suppliers?search=auckland': () => page({ ...ROW, matched: 'other' }),
    [`GET /items?supplier_id=${SUPPLIER.id}&search=auckland&sort=name&order=asc`]: () => page(),
  });
  await screen.findByText('No item matches “auckland”.');
  await press('Show all items');
  expect(await screen.findByRole('link', { name: /^Copper pipe 15 mm/ })).toBeDefined();
});

it('without suppliers it says so and offers to add one', async () => {
  openList('/items-services/suppliers', { 'GET /suppliers': () => page() });
  await screen.findByText('No suppliers found');
  const links = screen.getAllByRole<HTMLAnchorElement>('link', { name: 'Add Supplier' });
  expect(links.map(({ pathname }) => pathname)).toEqual(Array(2).fill('/items-services/suppliers/new'));
});

it('a search that finds nothing is cleared', async () => {
  const { router } = openList('/items-services?search=zzz');
  await screen.findByText('Nothing matches “zzz”.');
  const [, clear] = screen.getAllByRole('button', { name: 'Clear search' });
  await act(async () => fireEvent.click(clear as HTMLElement));
  await screen.findByText('Harbour Pipes');
  expect(router.state.location.search).toEqual({});
});

it('shows that it is loading, then a failure with Retry', async () => {
  const answer = Promise.withResolvers<void>();
  const list = { answer: (): unknown => refuse('FORBIDDEN') };
  openList('/items-services', {
    'GET /suppliers': async () => {
      await answer.promise;
      return list.answer();
    },
  });
  await screen.findByRole('searchbox');
  expect(screen.getByText('Loading...')).toBeDefined();
  await act(async () => answer.resolve());
  await screen.findByText('A failure on purpose');
  list.answer = () => page(ROW);
  await press('Retry');
  await screen.findByText('Harbour Pipes');
});

it('staff see the items and add nothing', async () => {
  openList('/items-services', { 'GET /me': () => STAFF });
  await press(/Harbour Pipes/);
  await screen.findByRole('link', { name: /^Copper pipe 15 mm/ });
  expect(screen.queryByRole('link', { name: /^(?:Add|Manage)/ })).toBeNull();
  expect(screen.getByRole('link', { name: 'View Harbour Pipes' }).textContent).toBe('View');
});

it('what is typed into a new item stays while its supplier is still being read', async () => {
  const supplier = Promise.withResolvers<unknown>();
  openList('/items-services', { [`GET /suppliers/${SUPPLIER.id}`]: () => supplier.promise });
  await press(/Harbour Pipes/);
  const add = await screen.findByRole('link', { name: 'Add Item' });
  await act(async () => fireEvent.click(add));
  await screen.findByRole('dialog', { name: 'Add Item' });
  typeInto('Name', 'Ball valve');
  await act(async () => supplier.resolve(SUPPLIER));
  await screen.findByText(/^Added /);
  expect(valueOf('Name')).toBe('Ball valve');
});
