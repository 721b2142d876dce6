import type { Item } from '@callout/contract/items';
import type { Supplier } from '@callout/contract/suppliers';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answers, openPage, press, refuse, toastTexts, typeInto, valueOf, waitForFocus, waitForToasts } from './open-page.tsx';
import { ITEM, OWNER, PROFILE, SUPPLIER } from './people.ts';

const STAFF = { ...OWNER, profile: { ...PROFILE, role: 'staff' as const } };
const PATH = `/items-services/suppliers/${SUPPLIER.id}`;
const listCall = (filter: string) => `GET /items?supplier_id=${SUPPLIER.id}&${filter}`;
const LABOR: Item = { ...ITEM, id: '018f0000-0000-7000-8000-0000000000b2', name: 'Pipe cutting', sku: 'LAB', is_service: true };

const page = (...rows: unknown[]) => ({ rows, next_cursor: null });

/** The server's supplier and items, which tests may change under the page, and what was sent to it. */
function openSupplier(path = PATH, more: Answers = {}) {
  const server = { supplier: SUPPLIER as Supplier | null, items: [ITEM, LABOR], sent: [] as unknown[] };
  const opened = openPage(path, {
    'GET /me': () => OWNER,
    'GET /suppliers': () => page({ ...SUPPLIER, item_count: 2, matched: null }),
    [`GET /suppliers/${SUPPLIER.id}`]: () => server.supplier ?? refuse('NOT_FOUND', 'Supplier not found'),
    [`PUT /suppliers/${SUPPLIER.id}`]: (input) => {
      server.sent.push(input);
      server.supplier = { ...SUPPLIER, ...(input as Supplier), version: 2 };
      return server.supplier;
    },
    [listCall('sort=name&order=asc')]: () => page(...server.items),
    [`GET /items/${ITEM.id}`]: () => server.items.find(({ id }) => id === ITEM.id) ?? refuse('NOT_FOUND', 'Item not found'),
    'POST /items': (input) => {
      server.sent.push(input);
      server.items = [...server.items, { ...ITEM, ...(input as Item) }];
      return server.items.at(-1);
    },
    [`PUT /items/${ITEM.id}`]: (input) => {
      server.sent.push(input);
      return { ...ITEM, ...(input as Item), version: 2 };
    },
    ...more,
  });
  return { ...opened, server, search: () => opened.router.state.location.search };
}

const dialog = (name: string) => screen.findByRole('dialog', { name });
const preview = () => screen.getByText('Selling price').closest('dl')?.textContent;
const choose = (label: string) => act(async () => fireEvent.click(screen.getByLabelText(label)));
const fail = () => refuse('INTERNAL');
const UNEXPECTED = 'An unexpected error occurred. Please try again later.';

describe('a supplier', () => {
  it('of which only the name is known has no empty card', async () => {
    const bare = { ...SUPPLIER, email: null, phone: null, address: null, city: null, state: null, postal_code: null, country: null };
    openSupplier(PATH, { [`GET /suppliers/${SUPPLIER.id}`]: () => bare });
    await screen.findByText(/^Added /);
    expect(document.querySelector('main dl')).toBeNull();
  });

  it('is shown to read, with its address in one piece, and edited in place', async () => {
    const { server, search } = openSupplier();
    await screen.findByRole('link', { name: '7 Dock Road, Auckland, 1010, New Zealand' });
    await act(async () => fireEvent.click(screen.getByRole('link', { name: 'Edit' })));
    await screen.findByRole('heading', { name: 'Address Information' });
    typeInto(/^Phone/, '09 555 701');
    await choose('Inactive');
    await press('Save Changes');
    await waitForToasts('Supplier updated successfully');
    expect(server.sent).toMatchObject([{ version: 1, phone: '09 555 701', status: 'inactive', state: null }]);
    await waitFor(() => expect(search()).toEqual({}));
    await screen.findByText('Inactive');
  });

  it('that cannot be saved says why', async () => {
    openSupplier(`${PATH}?edit=true`, { [`PUT /suppliers/${SUPPLIER.id}`]: fail });
    await screen.findByLabelText('Company name');
    typeInto('Company name', 'Harbour Pipes Ltd');
    await press('Save Changes');
    await waitForToasts(`Failed to update supplier: ${UNEXPECTED}`);
    expect(valueOf('Company name')).toBe('Harbour Pipes Ltd');
  });

  it('is deleted only after a question that names the consequences', async () => {
    const remove = { answer: (): unknown => fail() };
    const { path } = openSupplier(PATH, { [`DELETE /suppliers/${SUPPLIER.id}`]: () => remove.answer() });
    const askAndDelete = async () => {
      await press('More actions');
      const entry = await screen.findByRole('menuitem', { name: 'Delete Supplier' });
      await act(async () => fireEvent.click(entry));
      const question = await screen.findByRole('alertdialog', { name: 'Delete Harbour Pipes' });
      await within(question).findByText('This also deletes its 2 items. Jobs and quotes that use them stay as they are.');
      await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Delete' })));
    };
    await askAndDelete();
    await waitForToasts(`Failed to delete supplier: ${UNEXPECTED}`);
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    remove.answer = () => ({});
    await askAndDelete();
    await waitFor(() => expect(toastTexts()[0]).toBe('Supplier deleted successfully'));
    await waitFor(() => expect(path()).toBe('/items-services'));
  });

  it.each([
    [[], 'It has no items.'],
    [[ITEM], 'This also deletes its only item. Jobs and quotes that use it stay as they are.'],
    [[ITEM, LABOR], 'This also deletes more than 2 items. Jobs and quotes that use them stay as they are.', 'more'],
  ])('says before it is deleted how many items go with it: %#', async (rows, text, next_cursor: string | null = null) => {
    openSupplier(PATH, {
      [listCall('sort=name&order=asc')]: () => ({ rows, next_cursor }),
      [listCall('sort=name&order=asc&cursor=more')]: () => new Promise(() => undefined),
    });
    await press('More actions');
    const entry = await screen.findByRole('menuitem', { name: 'Delete Supplier' });
    await act(async () => fireEvent.click(entry));
    const question = await screen.findByRole('alertdialog', { name: 'Delete Harbour Pipes' });
    expect(await within(question).findByText(text)).toBeDefined();
  });

  it('that is not there says so', async () => {
    const { server } = openSupplier();
    server.supplier = null;
    expect(await screen.findByRole('heading', { name: 'Supplier not found' })).toBeDefined();
  });
});

describe('a new supplier', () => {
  it('needs a name and a real email, and Cancel leads to Items & Services', async () => {
    openSupplier('/items-services/suppliers/new');
    await screen.findByRole('heading', { name: 'Company Information' });
    expect(screen.queryByText('Status')).toBeNull();
    typeInto(/^Email/, 'abc');
    await press('Add Supplier');
    await screen.findByText('Company name is required');
    screen.getByText('Please enter a valid email address');
    expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Cancel' }).pathname).toBe('/items-services');
  });

  it('is added under the same id when the first try failed, then shown', async () => {
    const sent: Supplier[] = [];
    const { path } = openSupplier('/items-services/suppliers/new', {
      'POST /suppliers': (input) => {
        sent.push(input as Supplier);
        return sent.length === 1 ? fail() : { ...SUPPLIER, ...(input as Supplier) };
      },
      'GET /items?supplier_id={id}&sort=name&order=asc': () => page(),
    });
    await screen.findByLabelText('Company name');
    typeInto('Company name', 'Valve World');
    await press('Add Supplier');
    await waitForToasts(`Failed to add supplier: ${UNEXPECTED}`);
    const other = path();
    await press('Add Supplier');
    await waitFor(() => expect(toastTexts()[0]).toBe('Supplier added successfully'));
    expect(sent[0]?.id).toBe(sent[1]?.id);
    expect(Object.keys(sent[0] ?? {})).not.toContain('status');
    await waitFor(() => expect(path()).not.toBe(other));
  });
});

describe('the items of a supplier', () => {
  it('show cost, price and margin, and sort by every column in the URL', async () => {
    const sorts = ['name', 'sku', 'cost_price', 'selling_price', 'profit_margin'];
    const calls = sorts.flatMap((sort) => ['asc', 'desc'].map((order) => `sort=${sort}&order=${order}`));
    const { search } = openSupplier(PATH, Object.fromEntries(calls.map((filter) => [listCall(filter), () => page(ITEM)])));
    const row = await screen.findByRole('link', { name: /^Copper pipe 15 mm/ });
    expect(row.textContent).toBe('Copper pipe 15 mmCP-15$100.00$142.86 (inc GST)30.0%');
    await press('Sort by Item , ascending');
    await waitFor(() => expect(search()).toEqual({ order: 'desc' }));
    for (const [label, sort] of [
      ['SKU', 'sku'],
      ['Cost', 'cost_price'],
      ['Price', 'selling_price'],
      ['Margin', 'profit_margin'],
    ]) {
      await press(`Sort by ${label}`);
      await waitFor(() => expect(search()).toEqual({ sort }));
      await press(`Sort by ${label} , ascending`);
      await waitFor(() => expect(search()).toEqual({ sort, order: 'desc' }));
    }
  });

  it('are searched in the URL', async () => {
    const { search } = openSupplier(PATH, { [listCall('search=cut&sort=name&order=asc')]: () => page() });
    await screen.findByRole('link', { name: /^Copper/ });
    typeInto('Search items', 'cut');
    await screen.findByText('Nothing matches “cut”.');
    expect(search()).toEqual({ search: 'cut' });
    screen.getByText('No items found');
  });

  it('without any say so and offer to add one', async () => {
    const { server } = openSupplier();
    server.items = [];
    await screen.findByText('No items found');
    expect(screen.getAllByRole('link', { name: 'Add Item' })).toHaveLength(2);
  });

  it('are deleted after a question', async () => {
    const remove = { answer: (): unknown => fail() };
    const { server } = openSupplier(PATH, { [`DELETE /items/${ITEM.id}`]: () => remove.answer() });
    const confirm = async () => {
      await press('Delete Copper pipe 15 mm');
      const question = await screen.findByRole('alertdialog', { name: 'Delete Item' });
      await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Delete' })));
    };
    await confirm();
    await waitForToasts(`Failed to delete item: ${UNEXPECTED}`);
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    remove.answer = () => {
      server.items = [LABOR];
      return {};
    };
    await confirm();
    await waitFor(() => expect(toastTexts()[0]).toBe('Item deleted successfully'));
    await waitFor(() => expect(screen.queryByText('Copper pipe 15 mm')).toBeNull());
  });

  it('leave the focus at their heading when the last one that matches is deleted', async () => {
    const { server } = openSupplier(`${PATH}?search=copper`, {
      [listCall('search=copper&sort=name&order=asc')]: () => page(...server.items.filter(({ id }) => id === ITEM.id)),
      [`DELETE /items/${ITEM.id}`]: () => ({ deleted: (server.items = [LABOR]) }),
    });
    await press('Delete Copper pipe 15 mm');
    const question = await screen.findByRole('alertdialog', { name: 'Delete Item' });
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Delete' })));
    await screen.findByText('No items found');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Items'));
  });

  it('show staff prices without costs, margins or anything to edit', async () => {
    const { cost_price: _cost, margin_percentage: _percent, markup_amount: _markup, profit_margin: _margin, ...seen } = ITEM;
    const { search } = openSupplier(`${PATH}?sort=cost_price`, {
      'GET /me': () => STAFF,
      [listCall('sort=name&order=asc')]: () => page(seen),
      [`GET /items/${ITEM.id}`]: () => seen,
    });
    const row = await screen.findByRole('link', { name: /^Copper pipe 15 mm/ });
    expect(row.textContent).toBe('Copper pipe 15 mmCP-15$142.86 (inc GST)');
    expect(screen.queryByRole('button', { name: /Cost|Margin|Delete|More/ })).toBeNull();
    expect(screen.queryByRole('link', { name: /^(Edit|Add)/ })).toBeNull();
    await act(async () => fireEvent.click(row));
    await dialog('Item');
    expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull();
    await press('Close');
    await waitFor(() => expect(search()).not.toHaveProperty('item'));
  });
});

it('the dialog of an item that loads late focuses its name', async () => {
  let answer: () => void = () => undefined;
  openSupplier(`${PATH}?item=${ITEM.id}`, {
    [listCall('sort=name&order=asc')]: () => page(),
    [`GET /items/${ITEM.id}`]: () =>
      new Promise((resolve) => {
        answer = () => resolve(ITEM);
      }),
  });
  const sheet = await dialog('Edit Item');
  await waitFor(() => expect(document.activeElement).toBe(within(sheet).getByRole('button', { name: 'Close' })));
  await act(async () => answer());
  await waitForFocus('Name');
});

describe('the dialog of a new item', () => {
  it('starts from the defaults, shows one amount and its price, and sends only that amount', async () => {
    const { server, search } = openSupplier(`${PATH}?new=true`);
    await dialog('Add Item');
    await waitForFocus('Name');
    expect([valueOf('Cost price'), valueOf('Margin percentage')]).toEqual(['0', '30']);
    expect(screen.getByLabelText<HTMLInputElement>('Price includes GST').checked).toBe(true);
    expect(screen.queryByLabelText('Fixed price')).toBeNull();
    expect(preview()).toBe('Selling price$0.00 (inc GST)Profit margin—');
    typeInto('Cost price', '100');
    await waitFor(() => expect(preview()).toBe('Selling price$142.86 (inc GST)Profit margin30.0%'));
    await choose('Markup');
    expect(screen.queryByLabelText('Margin percentage')).toBeNull();
    expect(preview()).toBe('Selling price—Profit margin—');
    typeInto('Markup amount', '25.50');
    await waitFor(() => expect(preview()).toBe('Selling price$125.50 (inc GST)Profit margin20.3%'));
    typeInto('Name', 'Ball valve');
    typeInto('SKU', 'BV-1');
    await press('Add Item');
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

  it('says beside each field what is missing or wrong', async () => {
    const { server } = openSupplier(`${PATH}?new=true`);
    await dialog('Add Item');
    typeInto('Cost price', '-1');
    typeInto('Margin percentage', '100.1');
    await press('Add Item');
    await screen.findByText('Name is required');
    screen.getByText('SKU is required');
    screen.getByText('Cost price must be 0 or more, with up to 2 decimal places');
    screen.getByText('Margin percentage must be a number from 0 to 100, with up to 1 decimal place');
    await choose('Fixed');
    typeInto('Name', 'Ball valve');
    typeInto('SKU', 'BV-1');
    typeInto('Cost price', '');
    await press('Add Item');
    await screen.findByText('Cost price is required');
    typeInto('Cost price', '5');
    await press('Add Item');
    await screen.findByText('Fixed price is required');
    expect(server.sent).toEqual([]);
  });

  it('says beside the SKU that it is taken, and names any other failure', async () => {
    const add = { answer: (): unknown => refuse('SKU_TAKEN', 'An item with this SKU already exists') };
    openSupplier(`${PATH}?new=true`, { 'POST /items': () => add.answer() });
    await dialog('Add Item');
    typeInto('Name', 'Ball valve');
    typeInto('SKU', 'CP-15');
    await press('Add Item');
    await screen.findByText('An item with this SKU already exists');
    await waitForFocus('SKU');
    expect(toastTexts()).toEqual([]);
    add.answer = fail;
    await press('Add Item');
    await waitForToasts(`Failed to add item: ${UNEXPECTED}`);
    expect(valueOf('Name')).toBe('Ball valve');
  });

  it('asks before what was typed is left', async () => {
    const { search } = openSupplier(`${PATH}?new=true`);
    await dialog('Add Item');
    typeInto('Name', 'Ball valve');
    await press('Cancel');
    await press('Keep editing');
    expect(valueOf('Name')).toBe('Ball valve');
    await press('Cancel');
    await press('Leave');
    await waitFor(() => expect(search()).toEqual({}));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('the dialog of an item', () => {
  it('opens from its row, and saves a change', async () => {
    const { server, search } = openSupplier();
    const edit = await screen.findByRole('link', { name: 'Edit Copper pipe 15 mm' });
    await act(async () => fireEvent.click(edit));
    await dialog('Edit Item');
    expect(search()).toEqual({ item: ITEM.id });
    await choose('Fixed');
    typeInto('Fixed price', '99');
    await choose('This is a service');
    await waitFor(() => expect(preview()).toBe('Selling price$99.00 (inc GST)Profit margin100.0%'));
    await press('Save Changes');
    await waitForToasts('Item updated successfully');
    expect(server.sent).toMatchObject([{ version: 1, fixed_price: '99', margin_percentage: null, is_service: true }]);
    await waitFor(() => expect(search()).toEqual({}));
  });

  it('says that a SKU is taken or why a change failed', async () => {
    const save = { answer: (): unknown => refuse('SKU_TAKEN', 'An item with this SKU already exists') };
    openSupplier(`${PATH}?item=${ITEM.id}`, { [`PUT /items/${ITEM.id}`]: () => save.answer() });
    await dialog('Edit Item');
    await screen.findByLabelText('SKU');
    typeInto('SKU', 'LAB');
    await press('Save Changes');
    expect(await screen.findByText('An item with this SKU already exists')).toBeDefined();
    save.answer = fail;
    await press('Save Changes');
    await waitForToasts(`Failed to update item: ${UNEXPECTED}`);
  });

  it.each(['018f0000-0000-7000-8000-00000000ffff', 'nonsense'])('for %s, which is not there, gives way to the page', async (id) => {
    const { search, router } = openSupplier(`${PATH}?item=${id}`, {
      [`GET /items/${id}`]: () => refuse(id === 'nonsense' ? 'INVALID_INPUT' : 'NOT_FOUND', 'Item not found'),
    });
    const steps = router.history.length;
    await waitFor(() => expect(search()).toEqual({}));
    expect(router.history.length).toBe(steps);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('that someone else deletes can be saved as a new item', async () => {
    const { server, queryClient } = openSupplier(`${PATH}?item=${ITEM.id}`);
    await screen.findByLabelText('SKU');
    typeInto('Name', 'Copper pipe 15 mm, 3 m');
    server.items = [LABOR];
    await act(async () => queryClient.invalidateQueries({ queryKey: ['suppliers'] }));
    await screen.findByText('This item has been deleted. You can save your version as a new item.');
    await press('Save as new item');
    await waitForToasts('Item added successfully');
    expect(server.sent).toMatchObject([{ supplier_id: SUPPLIER.id, name: 'Copper pipe 15 mm, 3 m' }]);
  });
});
