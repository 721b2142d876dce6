import type { Item } from '@callout/contract/items';
import type { Supplier } from '@callout/contract/suppliers';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ADMIN_USER, ITEM, PROFILE, SUPPLIER } from './fixtures.ts';
import { failWith, getToasts, getValue, type MockApi, openPage, pressButton, typeInto, waitForFocus, waitForToasts } from './open-page.tsx';

const STAFF_USER = { ...ADMIN_USER, profile: { ...PROFILE, role: 'staff' as const } };
const SUPPLIER_PATH = `/items-services/suppliers/${SUPPLIER.id}`;
const buildItemsCall = (filter: string) => `GET /items?supplier_id=${SUPPLIER.id}&${filter}`;
const LABOR_ITEM: Item = { ...ITEM, id: '018f0000-0000-7000-8000-0000000000b2', name: 'Pipe cutting', sku: 'LAB', is_service: true };
const buildPage = (...rows: unknown[]) => ({ rows, next_cursor: null });

/** Opens a supplier on a mock server that records every input. Tests can change the stored supplier and items. */
function openSupplier(path = SUPPLIER_PATH, responses: MockApi = {}) {
  const server = { supplier: SUPPLIER as Supplier | null, items: [ITEM, LABOR_ITEM], sent: [] as unknown[] };
  const page = openPage(path, {
    'GET /me': () => ADMIN_USER,
    'GET /suppliers': () => buildPage({ ...SUPPLIER, item_count: 2, matched: null }),
    [`GET /suppliers/${SUPPLIER.id}`]: () => server.supplier ?? failWith('NOT_FOUND', 'Supplier not found'),
    [`PUT /suppliers/${SUPPLIER.id}`]: (input) => {
      server.sent.push(input);
      server.supplier = { ...SUPPLIER, ...(input as Supplier), version: 2 };
      return server.supplier;
    },
    [buildItemsCall('sort=name&order=asc')]: () => buildPage(...server.items),
    [`GET /items/${ITEM.id}`]: () => server.items.find(({ id }) => id === ITEM.id) ?? failWith('NOT_FOUND', 'Item not found'),
    'POST /items': (input) => {
      server.sent.push(input);
      server.items = [...server.items, { ...ITEM, ...(input as Item) }];
      return server.items.at(-1);
    },
    [`PUT /items/${ITEM.id}`]: (input) => {
      server.sent.push(input);
      return { ...ITEM, ...(input as Item), version: 2 };
    },
    ...responses,
  });
  return { ...page, server, search: () => page.router.state.location.search };
}

const findDialog = (name: string) => screen.findByRole('dialog', { name });
const getPricePreview = () => screen.getByText('Selling price').closest('dl')?.textContent;
const clickByLabel = (label: string) => act(async () => fireEvent.click(screen.getByLabelText(label)));
const failUnexpectedly = () => failWith('INTERNAL');
const UNEXPECTED_MESSAGE = 'An unexpected error occurred. Please try again later.';

describe('a supplier', () => {
  it('shows no empty contact card if only the name is known', async () => {
    const nameOnly = { ...SUPPLIER, email: null, phone: null, address: null, city: null, state: null, postal_code: null, country: null };
    openSupplier(SUPPLIER_PATH, { [`GET /suppliers/${SUPPLIER.id}`]: () => nameOnly });
    await screen.findByText(/^Added /);
    expect(document.querySelector('main dl')).toBeNull();
  });

  it('shows its address on one line and can be edited in place', async () => {
    const { server, search } = openSupplier();
    await screen.findByRole('link', { name: '7 Dock Road, Auckland, 1010, New Zealand' });
    await act(async () => fireEvent.click(screen.getByRole('link', { name: 'Edit' })));
    await screen.findByRole('heading', { name: 'Address Information' });
    typeInto(/^Phone/, '09 555 701');
    await clickByLabel('Inactive');
    await pressButton('Save Changes');
    await waitForToasts('Supplier updated successfully');
    expect(server.sent).toMatchObject([{ version: 1, phone: '09 555 701', status: 'inactive', state: null }]);
    await waitFor(() => expect(search()).toEqual({}));
    await screen.findByText('Inactive');
  });

  it('shows why saving failed', async () => {
    openSupplier(`${SUPPLIER_PATH}?edit=true`, { [`PUT /suppliers/${SUPPLIER.id}`]: failUnexpectedly });
    await screen.findByLabelText('Company name');
    typeInto('Company name', 'Harbour Pipes Ltd');
    await pressButton('Save Changes');
    await waitForToasts(`Failed to update supplier: ${UNEXPECTED_MESSAGE}`);
    expect(getValue('Company name')).toBe('Harbour Pipes Ltd');
  });

  it('is deleted only after a confirmation that names the consequences', async () => {
    const remove = { respond: (): unknown => failUnexpectedly() };
    const { path } = openSupplier(SUPPLIER_PATH, { [`DELETE /suppliers/${SUPPLIER.id}`]: () => remove.respond() });
    const confirmDeletion = async () => {
      await pressButton('More actions');
      const menuItem = await screen.findByRole('menuitem', { name: 'Delete Supplier' });
      await act(async () => fireEvent.click(menuItem));
      const confirmation = await screen.findByRole('alertdialog', { name: 'Delete Harbour Pipes' });
      await within(confirmation).findByText("This also deletes its 2 items. Jobs and quotes that use them won't change.");
      await act(async () => fireEvent.click(within(confirmation).getByRole('button', { name: 'Delete' })));
    };
    await confirmDeletion();
    await waitForToasts(`Failed to delete supplier: ${UNEXPECTED_MESSAGE}`);
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    remove.respond = () => ({});
    await confirmDeletion();
    await waitFor(() => expect(getToasts()[0]).toBe('Supplier deleted successfully'));
    await waitFor(() => expect(path()).toBe('/items-services'));
  });

  it.each([
    [[], 'It has no items.'],
    [[ITEM], "This also deletes its only item. Jobs and quotes that use it won't change."],
    [[ITEM, LABOR_ITEM], "This also deletes more than 2 items. Jobs and quotes that use them won't change.", 'more'],
  ])('states in the confirmation how many items are deleted with it: %#', async (rows, text, next_cursor: string | null = null) => {
    openSupplier(SUPPLIER_PATH, {
      [buildItemsCall('sort=name&order=asc')]: () => ({ rows, next_cursor }),
      [buildItemsCall('sort=name&order=asc&cursor=more')]: () => new Promise(() => undefined),
    });
    await pressButton('More actions');
    const menuItem = await screen.findByRole('menuitem', { name: 'Delete Supplier' });
    await act(async () => fireEvent.click(menuItem));
    const confirmation = await screen.findByRole('alertdialog', { name: 'Delete Harbour Pipes' });
    expect(await within(confirmation).findByText(text)).toBeDefined();
  });

  it('shows Supplier not found if it does not exist', async () => {
    const { server } = openSupplier();
    server.supplier = null;
    expect(await screen.findByRole('heading', { name: 'Supplier not found' })).toBeDefined();
  });
});

describe('a new supplier', () => {
  it('requires a name and a valid email, and Cancel returns to Items & Services', async () => {
    openSupplier('/items-services/suppliers/new');
    await screen.findByRole('heading', { name: 'Company Information' });
    expect(screen.queryByText('Status')).toBeNull();
    typeInto(/^Email/, 'abc');
    await pressButton('Add Supplier');
    await screen.findByText('Company name is required');
    screen.getByText('Please enter a valid email address');
    expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Cancel' }).pathname).toBe('/items-services');
  });

  it('keeps its id when adding it is retried, then opens its page', async () => {
    const sent: Supplier[] = [];
    const { path } = openSupplier('/items-services/suppliers/new', {
      'POST /suppliers': (input) => {
        sent.push(input as Supplier);
        return sent.length === 1 ? failUnexpectedly() : { ...SUPPLIER, ...(input as Supplier) };
      },
      'GET /items?supplier_id={id}&sort=name&order=asc': () => buildPage(),
    });
    await screen.findByLabelText('Company name');
    typeInto('Company name', 'Valve World');
    await pressButton('Add Supplier');
    await waitForToasts(`Failed to add supplier: ${UNEXPECTED_MESSAGE}`);
    const newSupplierPath = path();
    await pressButton('Add Supplier');
    await waitFor(() => expect(getToasts()[0]).toBe('Supplier added successfully'));
    expect(sent[0]?.id).toBe(sent[1]?.id);
    expect(Object.keys(sent[0] ?? {})).not.toContain('status');
    await waitFor(() => expect(path()).not.toBe(newSupplierPath));
  });
});

describe('supplier items', () => {
  it('show cost, price and margin, and keep the sort order in the URL', async () => {
    const sorts = ['name', 'sku', 'cost_price', 'selling_price', 'profit_margin'];
    const calls = sorts.flatMap((sort) => ['asc', 'desc'].map((order) => `sort=${sort}&order=${order}`));
    const { search } = openSupplier(SUPPLIER_PATH, Object.fromEntries(calls.map((sort) => [buildItemsCall(sort), () => buildPage(ITEM)])));
    const row = await screen.findByRole('link', { name: /^Copper pipe 15 mm/ });
    expect(row.textContent).toBe('Copper pipe 15 mmCP-15$100.00$142.86 (inc GST)30.0%');
    await pressButton('Sort by Item , ascending');
    await waitFor(() => expect(search()).toEqual({ order: 'desc' }));
    for (const [label, sort] of [
      ['SKU', 'sku'],
      ['Cost', 'cost_price'],
      ['Price', 'selling_price'],
      ['Margin', 'profit_margin'],
    ]) {
      await pressButton(`Sort by ${label}`);
      await waitFor(() => expect(search()).toEqual({ sort }));
      await pressButton(`Sort by ${label} , ascending`);
      await waitFor(() => expect(search()).toEqual({ sort, order: 'desc' }));
    }
  });

  it('can be searched, and the URL contains the search term', async () => {
    const { search } = openSupplier(SUPPLIER_PATH, { [buildItemsCall('search=cut&sort=name&order=asc')]: () => buildPage() });
    await screen.findByRole('link', { name: /^Copper/ });
    typeInto('Search items', 'cut');
    await screen.findByText('Nothing matches “cut”.');
    expect(search()).toEqual({ search: 'cut' });
    screen.getByText('No items found');
  });

  it('show an empty state with a link to add one', async () => {
    const { server } = openSupplier();
    server.items = [];
    await screen.findByText('No items found');
    expect(screen.getAllByRole('link', { name: 'Add Item' })).toHaveLength(2);
  });

  it('are deleted after a confirmation', async () => {
    const remove = { respond: (): unknown => failUnexpectedly() };
    const { server } = openSupplier(SUPPLIER_PATH, { [`DELETE /items/${ITEM.id}`]: () => remove.respond() });
    const confirmItemDeletion = async () => {
      await pressButton('Delete Copper pipe 15 mm');
      const confirmation = await screen.findByRole('alertdialog', { name: 'Delete Item' });
      await act(async () => fireEvent.click(within(confirmation).getByRole('button', { name: 'Delete' })));
    };
    await confirmItemDeletion();
    await waitForToasts(`Failed to delete item: ${UNEXPECTED_MESSAGE}`);
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    remove.respond = () => {
      server.items = [LABOR_ITEM];
      return {};
    };
    await confirmItemDeletion();
    await waitFor(() => expect(getToasts()[0]).toBe('Item deleted successfully'));
    await waitFor(() => expect(screen.queryByText('Copper pipe 15 mm')).toBeNull());
  });

  it('move focus to their heading when the last match is deleted', async () => {
    const { server } = openSupplier(`${SUPPLIER_PATH}?search=copper`, {
      [buildItemsCall('search=copper&sort=name&order=asc')]: () => buildPage(...server.items.filter(({ id }) => id === ITEM.id)),
      [`DELETE /items/${ITEM.id}`]: () => ({ deleted: (server.items = [LABOR_ITEM]) }),
    });
    await pressButton('Delete Copper pipe 15 mm');
    const confirmation = await screen.findByRole('alertdialog', { name: 'Delete Item' });
    await act(async () => fireEvent.click(within(confirmation).getByRole('button', { name: 'Delete' })));
    await screen.findByText('No items found');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Items'));
  });

  it('show prices to staff without costs, margins or edit actions', async () => {
    const { cost_price: _cost, margin_percentage: _percent, markup_amount: _markup, profit_margin: _margin, ...staffItem } = ITEM;
    const { search } = openSupplier(`${SUPPLIER_PATH}?sort=cost_price`, {
      'GET /me': () => STAFF_USER,
      [buildItemsCall('sort=name&order=asc')]: () => buildPage(staffItem),
      [`GET /items/${ITEM.id}`]: () => staffItem,
    });
    const row = await screen.findByRole('link', { name: /^Copper pipe 15 mm/ });
    expect(row.textContent).toBe('Copper pipe 15 mmCP-15$142.86 (inc GST)');
    expect(screen.queryByRole('button', { name: /Cost|Margin|Delete|More|Filters/ })).toBeNull();
    expect(screen.queryByRole('link', { name: /^(Edit|Add)/ })).toBeNull();
    await act(async () => fireEvent.click(row));
    await findDialog('Item');
    expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull();
    await pressButton('Close');
    await waitFor(() => expect(search()).not.toHaveProperty('item'));
  });
});

it('the item dialog focuses the name once the item has loaded', async () => {
  let respond: () => void = () => undefined;
  openSupplier(`${SUPPLIER_PATH}?item=${ITEM.id}`, {
    [buildItemsCall('sort=name&order=asc')]: () => buildPage(),
    [`GET /items/${ITEM.id}`]: () =>
      new Promise((resolve) => {
        respond = () => resolve(ITEM);
      }),
  });
  const itemDialog = await findDialog('Edit Item');
  await waitFor(() => expect(document.activeElement).toBe(within(itemDialog).getByRole('button', { name: 'Close' })));
  await act(async () => respond());
  await waitForFocus('Name');
});

describe('the Add Item dialog', () => {
  it('starts with the defaults and sends only the amount of the chosen pricing method', async () => {
    const { server, search } = openSupplier(`${SUPPLIER_PATH}?new=true`);
    await findDialog('Add Item');
    await waitForFocus('Name');
    expect([getValue('Cost price'), getValue('Margin percentage')]).toEqual(['0', '30']);
    expect(screen.getByLabelText<HTMLInputElement>('Price includes GST').checked).toBe(true);
    expect(screen.queryByLabelText('Fixed price')).toBeNull();
    expect(getPricePreview()).toBe('Selling price$0.00 (inc GST)Profit margin—');
    typeInto('Cost price', '100');
    await waitFor(() => expect(getPricePreview()).toBe('Selling price$142.86 (inc GST)Profit margin30.0%'));
    await clickByLabel('Markup');
    expect(screen.queryByLabelText('Margin percentage')).toBeNull();
    expect(getPricePreview()).toBe('Selling price—Profit margin—');
    typeInto('Markup amount', '25.50');
    await waitFor(() => expect(getPricePreview()).toBe('Selling price$125.50 (inc GST)Profit margin20.3%'));
    typeInto('Name', 'Ball valve');
    typeInto('SKU', 'BV-1');
    await pressButton('Add Item');
    await waitForToasts('Item added successfully');
    expect(server.sent).toMatchObject([
      {
        supplier_id: SUPPLIER.id,
        cost_price: '100',
        pricing_method: 'markup',
        markup_amount: '25.50',
        margin_percentage: null,
        fixed_price: null,
      },
    ]);
    await waitFor(() => expect(search()).toEqual({}));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await screen.findByText('Ball valve');
  });

  it('shows an error on each missing or invalid field', async () => {
    const { server } = openSupplier(`${SUPPLIER_PATH}?new=true`);
    await findDialog('Add Item');
    typeInto('Cost price', '-1');
    typeInto('Margin percentage', '100.1');
    await pressButton('Add Item');
    await screen.findByText('Name is required');
    screen.getByText('SKU is required');
    screen.getByText('Cost price must be 0 or more, with up to 2 decimal places');
    screen.getByText('Margin percentage must be a number from 0 to 100, with up to 1 decimal place');
    await clickByLabel('Fixed');
    typeInto('Name', 'Ball valve');
    typeInto('SKU', 'BV-1');
    typeInto('Cost price', '');
    await pressButton('Add Item');
    await screen.findByText('Cost price is required');
    typeInto('Cost price', '5');
    await pressButton('Add Item');
    await screen.findByText('Fixed price is required');
    expect(server.sent).toEqual([]);
  });

  it('shows a taken SKU on its field and any other failure as a toast', async () => {
    const add = { respond: (): unknown => failWith('SKU_TAKEN', 'An item with this SKU already exists') };
    openSupplier(`${SUPPLIER_PATH}?new=true`, { 'POST /items': () => add.respond() });
    await findDialog('Add Item');
    typeInto('Name', 'Ball valve');
    typeInto('SKU', 'CP-15');
    await pressButton('Add Item');
    await screen.findByText('An item with this SKU already exists');
    await waitForFocus('SKU');
    expect(getToasts()).toEqual([]);
    add.respond = failUnexpectedly;
    await pressButton('Add Item');
    await waitForToasts(`Failed to add item: ${UNEXPECTED_MESSAGE}`);
    expect(getValue('Name')).toBe('Ball valve');
  });

  it('asks before discarding entered text', async () => {
    const { search } = openSupplier(`${SUPPLIER_PATH}?new=true`);
    await findDialog('Add Item');
    typeInto('Name', 'Ball valve');
    await pressButton('Cancel');
    await pressButton('Keep editing');
    expect(getValue('Name')).toBe('Ball valve');
    await pressButton('Cancel');
    await pressButton('Leave');
    await waitFor(() => expect(search()).toEqual({}));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('the Edit Item dialog', () => {
  it('opens from the row of an item and saves a change', async () => {
    const { server, search } = openSupplier();
    const editLink = await screen.findByRole('link', { name: 'Edit Copper pipe 15 mm' });
    await act(async () => fireEvent.click(editLink));
    await findDialog('Edit Item');
    expect(search()).toEqual({ item: ITEM.id });
    await clickByLabel('Fixed');
    typeInto('Fixed price', '99');
    await clickByLabel('This is a service');
    await waitFor(() => expect(getPricePreview()).toBe('Selling price$99.00 (inc GST)Profit margin100.0%'));
    await pressButton('Save Changes');
    await waitForToasts('Item updated successfully');
    expect(server.sent).toMatchObject([{ version: 1, fixed_price: '99', margin_percentage: null, is_service: true }]);
    await waitFor(() => expect(search()).toEqual({}));
  });

  it('shows that the SKU is taken or why saving failed', async () => {
    const save = { respond: (): unknown => failWith('SKU_TAKEN', 'An item with this SKU already exists') };
    openSupplier(`${SUPPLIER_PATH}?item=${ITEM.id}`, { [`PUT /items/${ITEM.id}`]: () => save.respond() });
    await findDialog('Edit Item');
    await screen.findByLabelText('SKU');
    typeInto('SKU', 'LAB');
    await pressButton('Save Changes');
    expect(await screen.findByText('An item with this SKU already exists')).toBeDefined();
    save.respond = failUnexpectedly;
    await pressButton('Save Changes');
    await waitForToasts(`Failed to update item: ${UNEXPECTED_MESSAGE}`);
  });

  it.each(['018f0000-0000-7000-8000-00000000ffff', 'nonsense'])(
    'closes for unknown item %s and adds no page to the history',
    async (id) => {
      const { search, router } = openSupplier(`${SUPPLIER_PATH}?item=${id}`, {
        [`GET /items/${id}`]: () => failWith(id === 'nonsense' ? 'INVALID_INPUT' : 'NOT_FOUND', 'Item not found'),
      });
      await waitFor(() => expect(search()).toEqual({}));
      expect(router.history.canGoBack()).toBe(false);
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    },
  );

  it('offers to save an item that someone else deleted as a new item', async () => {
    const { server, queryClient } = openSupplier(`${SUPPLIER_PATH}?item=${ITEM.id}`);
    await screen.findByLabelText('SKU');
    typeInto('Name', 'Copper pipe 15 mm, 3 m');
    server.items = [LABOR_ITEM];
    await act(async () => queryClient.invalidateQueries({ queryKey: ['suppliers'] }));
    await screen.findByText('This item has been deleted. You can save your version as a new item.');
    await pressButton('Save as new item');
    await waitForToasts('Item added successfully');
    expect(server.sent).toMatchObject([{ supplier_id: SUPPLIER.id, name: 'Copper pipe 15 mm, 3 m' }]);
  });
});
