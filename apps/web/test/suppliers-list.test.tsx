import type { SupplierRow } from '@callout/contract/suppliers';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ADMIN_USER, ITEM, PROFILE, SUPPLIER } from './fixtures.ts';
import { failWith, getValue, type MockApi, openPage, pressButton, typeInto } from './open-page.tsx';

const STAFF_USER = { ...ADMIN_USER, profile: { ...PROFILE, role: 'staff' as const } };
const SUPPLIER_ROW: SupplierRow = { id: SUPPLIER.id, company_name: SUPPLIER.company_name, status: 'active', item_count: 1, matched: null };
const INACTIVE_ROW: SupplierRow = { ...SUPPLIER_ROW, id: 'other', company_name: 'Valve World', status: 'inactive', item_count: 1_001 };
const ITEMS_CALL = `GET /items?supplier_id=${SUPPLIER.id}&sort=name&order=asc`;

const buildPage = (...rows: unknown[]) => ({ rows, next_cursor: null });

function openSupplierList(path: string, responses: MockApi = {}) {
  return openPage(path, {
    'GET /me': () => ADMIN_USER,
    'GET /suppliers': () => buildPage(SUPPLIER_ROW, INACTIVE_ROW),
    'GET /suppliers?search=copper': () => buildPage({ ...SUPPLIER_ROW, matched: 'other' }),
    'GET /suppliers?search=zzz': () => buildPage(),
    [ITEMS_CALL]: () => buildPage(ITEM),
    [`GET /items?supplier_id=${SUPPLIER.id}&search=copper&sort=name&order=asc`]: () => buildPage({ ...ITEM, matched: 'name' }),
    ...responses,
  });
}

it.each([
  ['/items-services', 'Items & Services'],
  ['/items-services/suppliers', 'Suppliers'],
])('%s is titled %s and lists suppliers with their item counts', async (path, title) => {
  openSupplierList(path);
  const list = await screen.findByRole('list', { name: 'Suppliers' });
  expect(screen.getByRole('heading', { level: 1, name: title })).toBeDefined();
  expect(within(list).getByText('1 item')).toBeDefined();
  expect(within(list).getByText('1,000+ items')).toBeDefined();
  expect(within(list).getByText('Inactive')).toBeDefined();
  expect(within(list).getByRole<HTMLAnchorElement>('link', { name: 'Manage Harbour Pipes' }).pathname).toBe(
    `/items-services/suppliers/${SUPPLIER.id}`,
  );
});

it('expands a supplier to its items and keeps it expanded after going back from an item', async () => {
  const { router } = openSupplierList('/items-services', {
    [`GET /suppliers/${SUPPLIER.id}`]: () => SUPPLIER,
    [`GET /items/${ITEM.id}`]: () => ITEM,
  });
  await pressButton(/Harbour Pipes/);
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
  await pressButton(/Harbour Pipes/);
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Copper pipe 15 mm/ })).toBeNull());
});

it('keeps the search in the URL and expands the suppliers of matching items', async () => {
  const { router } = openSupplierList('/items-services');
  await screen.findByRole('list', { name: 'Suppliers' });
  typeInto('Search suppliers and items', 'copper');
  await screen.findByRole('link', { name: /^Copper pipe 15 mm/ });
  expect(router.state.location.search).toEqual({ search: 'copper' });
  expect(screen.queryByText('Valve World')).toBeNull();
  await pressButton('Clear search');
  await screen.findByText('Valve World');
  expect(router.state.location.search).toEqual({});
});

it('offers all items of a supplier that matched by city', async () => {
  openSupplierList('/items-services?search=auckland', {
    'GET /suppliers?search=auckland': () => buildPage({ ...SUPPLIER_ROW, matched: 'other' }),
    [`GET /items?supplier_id=${SUPPLIER.id}&search=auckland&sort=name&order=asc`]: () => buildPage(),
  });
  await screen.findByText('No item matches “auckland”.');
  await pressButton('Show all items');
  expect(await screen.findByRole('link', { name: /^Copper pipe 15 mm/ })).toBeDefined();
});

it('shows an empty state with a link to add a supplier', async () => {
  openSupplierList('/items-services/suppliers', { 'GET /suppliers': () => buildPage() });
  await screen.findByText('No suppliers found');
  const links = screen.getAllByRole<HTMLAnchorElement>('link', { name: 'Add Supplier' });
  expect(links.map(({ pathname }) => pathname)).toEqual(Array(2).fill('/items-services/suppliers/new'));
});

it('clears a supplier search that found nothing', async () => {
  const { router } = openSupplierList('/items-services?search=zzz');
  await screen.findByText('Nothing matches “zzz”.');
  const [, clearButton] = screen.getAllByRole('button', { name: 'Clear search' });
  await act(async () => fireEvent.click(clearButton as HTMLElement));
  await screen.findByText('Harbour Pipes');
  expect(router.state.location.search).toEqual({});
});

it('shows a loading text, then why the suppliers failed to load, with Retry', async () => {
  const response = Promise.withResolvers<void>();
  const list = { respond: (): unknown => failWith('FORBIDDEN') };
  openSupplierList('/items-services', {
    'GET /suppliers': async () => {
      await response.promise;
      return list.respond();
    },
  });
  await screen.findByRole('searchbox');
  expect(screen.getByText('Loading...')).toBeDefined();
  await act(async () => response.resolve());
  await screen.findByText('A failure on purpose');
  list.respond = () => buildPage(SUPPLIER_ROW);
  await pressButton('Retry');
  await screen.findByText('Harbour Pipes');
});

it('lets staff see suppliers and items, but not add or manage them', async () => {
  openSupplierList('/items-services', { 'GET /me': () => STAFF_USER });
  await pressButton(/Harbour Pipes/);
  await screen.findByRole('link', { name: /^Copper pipe 15 mm/ });
  expect(screen.queryByRole('link', { name: /^(?:Add|Manage)/ })).toBeNull();
  expect(screen.getByRole('link', { name: 'View Harbour Pipes' }).textContent).toBe('View');
});

it('keeps text entered for a new item while its supplier is still loading', async () => {
  const supplier = Promise.withResolvers<unknown>();
  openSupplierList('/items-services', { [`GET /suppliers/${SUPPLIER.id}`]: () => supplier.promise });
  await pressButton(/Harbour Pipes/);
  const addLink = await screen.findByRole('link', { name: 'Add Item' });
  await act(async () => fireEvent.click(addLink));
  await screen.findByRole('dialog', { name: 'Add Item' });
  typeInto('Name', 'Ball valve');
  await act(async () => supplier.resolve(SUPPLIER));
  await screen.findByText(/^Added /);
  expect(getValue('Name')).toBe('Ball valve');
});
