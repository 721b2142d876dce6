import type { Job } from '@callout/contract/jobs';
import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ADMIN_USER, JOB, JOB_ITEM, JOB_PAGE_RESPONSES } from './fixtures.ts';
import { failWith, getToasts, getValue, type MockApi, openPage, pressButton, typeInto, waitForFocus, waitForToasts } from './open-page.tsx';

const JOB_PATH = `/jobs/${JOB.id}`;
const TAP_ITEM = {
  id: 'item-1',
  name: 'Tap',
  sku: 'T-1',
  description: 'Chrome',
  tax_inclusive: true,
  is_service: false,
  selling_price: '115.00',
  supplier: { id: 'supplier-1', company_name: 'Mico' },
  matched: null,
};
const PIPE_ITEM = { ...TAP_ITEM, id: 'item-2', name: 'Pipe', sku: 'P-1', selling_price: '20.00', tax_inclusive: false };

function openJob(change: Partial<Job> = {}, extraResponses: MockApi = {}, path = JOB_PATH) {
  const server = { job: { ...JOB, ...change } };
  const page = openPage(path, {
    'GET /me': () => ADMIN_USER,
    [`GET /jobs/${JOB.id}`]: () => server.job,
    'GET /items/search': () => ({ rows: [TAP_ITEM, PIPE_ITEM], next_cursor: null }),
    'GET /items/search?search=pip': () => ({ rows: [PIPE_ITEM], next_cursor: null }),
    'GET /items/search?search=zzz': () => ({ rows: [], next_cursor: null }),
    ...JOB_PAGE_RESPONSES,
    ...extraResponses,
  });
  return { ...page, server };
}

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => setViewportWidth(1024));

const findHeading = () => screen.findByRole('heading', { level: 1, name: 'Roof repair' });
const getItemsSection = () => within(screen.getByRole('region', { name: /^Items & Services/ }));
const getQuantityField = () => getItemsSection().getByRole<HTMLInputElement>('textbox', { name: 'Quantity of Tap' });

it('prices a job without items at its fixed amount, shown like a line', async () => {
  openJob();
  await findHeading();
  for (const text of ['Fixed price', '500.00', 'No items added yet']) getItemsSection().getByText(text);
  for (const amount of ['434.78', '65.22', '$500.00']) expect(getItemsSection().getByText(amount)).toBeDefined();
});

it('updates totals optimistically, even for two changes before the server responds', async () => {
  const sent: unknown[] = [];
  const response = Promise.withResolvers<void>();
  openJob(
    { items: [JOB_ITEM] },
    {
      'POST /job-items/line-1/quantity-changes': async (input) => {
        sent.push(input);
        await response.promise;
        return { ...JOB, items: [{ ...JOB_ITEM, quantity: '3', total_price: '345.00' }] };
      },
    },
  );
  await findHeading();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Decrease quantity of Tap' }).disabled).toBe(true);
  for (const amount of ['100.00', '15.00', '$115.00']) getItemsSection().getByText(amount);
  await pressButton('Increase quantity of Tap');
  await pressButton('Increase quantity of Tap');
  await waitFor(() => expect(getItemsSection().getByText('300.00')).toBeDefined());
  expect(getItemsSection().getByText('45.00')).toBeDefined();
  await act(async () => response.resolve());
  await waitFor(() => expect(sent).toMatchObject([{ by: 1 }, { by: 1 }]));
  expect(new Set(sent.map((change) => (change as { request_id: string }).request_id)).size).toBe(2);
});

it('keeps an optimistic quantity when a refetch returns the old one', async () => {
  const response = Promise.withResolvers<void>();
  const { queryClient, server } = openJob(
    { items: [JOB_ITEM] },
    {
      'POST /job-items/line-1/quantity-changes': async () => {
        await response.promise;
        server.job = { ...JOB, items: [{ ...JOB_ITEM, quantity: '2', total_price: '230.00' }] };
        return server.job;
      },
    },
  );
  await findHeading();
  await pressButton('Increase quantity of Tap');
  // Simulates a live update about a changed job, which invalidates the same queries.
  await act(() => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'jobs' }));
  expect(getQuantityField().value).toBe('2');
  await act(async () => response.resolve());
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(getQuantityField().value).toBe('2');
});

it("shows another job's fresh response while a quantity of this job is being saved", async () => {
  const response = Promise.withResolvers<Job>();
  const other = { ...JOB, id: '018f0000-0000-7000-8000-00000000ffff', title: 'Gutter repair' };
  const responses = { 'POST /job-items/line-1/quantity-changes': () => response.promise, [`GET /jobs/${other.id}`]: () => other };
  const { queryClient, router } = openJob({ items: [JOB_ITEM] }, responses);
  await findHeading();
  queryClient.setQueryData(['jobs', 'detail', other.id], { ...other, title: 'Old title' }, { updatedAt: 0 });
  await pressButton('Increase quantity of Tap');
  await act(() => router.navigate({ to: '/jobs/$id', params: { id: other.id } }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Gutter repair' })).toBeDefined();
  await act(async () => response.resolve(JOB));
});

it('rolls a quantity back when the update fails', async () => {
  openJob({ items: [JOB_ITEM] }, { 'POST /job-items/line-1/quantity-changes': () => failWith('FORBIDDEN', 'No') });
  await findHeading();
  await pressButton('Increase quantity of Tap');
  await waitForToasts('Failed to update quantity: No');
  await waitFor(() => expect(getQuantityField().value).toBe('1'));
});

it('saves a typed quantity on Enter or blur', async () => {
  const sent: unknown[] = [];
  openJob(
    { items: [JOB_ITEM] },
    {
      'PUT /job-items/line-1/quantity': (input) => {
        sent.push(input);
        const { quantity: count } = input as { quantity: number };
        return { ...JOB, items: [{ ...JOB_ITEM, quantity: String(count), total_price: `${115 * count}.00` }] };
      },
    },
  );
  await findHeading();
  fireEvent.change(getQuantityField(), { target: { value: '12' } });
  await act(async () => fireEvent.keyDown(getQuantityField(), { key: 'Enter' }));
  await getItemsSection().findByText('$1,380.00');
  fireEvent.change(getQuantityField(), { target: { value: '2' } });
  await act(async () => fireEvent.blur(getQuantityField()));
  await getItemsSection().findByText('$230.00');
  await waitFor(() => expect(sent).toEqual([{ quantity: 12 }, { quantity: 2 }]));
});

it('steps a quantity with the arrow keys from the typed value', async () => {
  const sent: unknown[] = [];
  openJob(
    { items: [JOB_ITEM] },
    {
      'PUT /job-items/line-1/quantity': (input) => {
        sent.push(input);
        const { quantity: count } = input as { quantity: number };
        return { ...JOB, items: [{ ...JOB_ITEM, quantity: String(count) }] };
      },
    },
  );
  await findHeading();
  fireEvent.change(getQuantityField(), { target: { value: '12' } });
  const event = createEvent.keyDown(getQuantityField(), { key: 'ArrowUp' });
  await act(async () => fireEvent(getQuantityField(), event));
  expect(event.defaultPrevented).toBe(true);
  await waitFor(() => expect(sent).toEqual([{ quantity: 13 }]));
});

it.each([
  ['0', 'Quantity must be at least 1. The quantity is still 1.'],
  ['1.0005', 'Quantity must be a number with up to 3 decimal places. The quantity is still 1.'],
  ['', 'Quantity must be a number with up to 3 decimal places. The quantity is still 1.'],
  ['1000001', 'Quantity must be at most 1,000,000. The quantity is still 1.'],
])('rejects the quantity %j with a message and keeps the stored one', async (typed, sentence) => {
  openJob({ items: [JOB_ITEM] });
  await findHeading();
  fireEvent.change(getQuantityField(), { target: { value: typed } });
  await act(async () => fireEvent.blur(getQuantityField()));
  expect(screen.getByRole('alert').textContent).toBe(sentence);
  expect(getQuantityField().value).toBe('1');
  getItemsSection().getByText('$115.00');
});

it('collapses items to their count and total on a phone', async () => {
  setViewportWidth(390);
  openJob({ items: [JOB_ITEM, { ...JOB_ITEM, id: 'line-2', name: 'Pipe', tax_inclusive: false, total_price: '100.00' }] });
  await findHeading();
  getItemsSection().getByText('2 items', { exact: false });
  getItemsSection().getByText('$230.00');
  expect(getItemsSection().queryByText('Tap')).toBeNull();
  getItemsSection().getByRole('button', { name: 'Add Item' });
  await pressButton('Show the items');
  for (const text of ['Tap', 'Pipe', 'Subtotal', 'GST 15%']) getItemsSection().getByText(text);
});

it('removes an item and restores it unchanged on Undo', async () => {
  const restored: unknown[] = [];
  const { server } = openJob(
    { items: [JOB_ITEM] },
    {
      'DELETE /job-items/line-1': () => (server.job = JOB),
      'POST /job-items': (input) => {
        restored.push(input);
        return (server.job = { ...JOB, items: [JOB_ITEM] });
      },
    },
  );
  await findHeading();
  await pressButton('Remove Tap');
  await waitForToasts('Item removed successfullyUndo');
  expect(getItemsSection().queryByText('Tap')).toBeNull();
  await pressButton('Undo');
  await getItemsSection().findByText('Tap');
  const line = { id: 'line-1', supplier_item_id: 'item-1', name: 'Tap', quantity: 1, unit_price: '115.00', tax_inclusive: true };
  expect(restored).toMatchObject([{ job_id: JOB.id, lines: [line], fixed_price: 'replace' }]);
});

it('moves focus from a removed item to the next one, then to Add Item', async () => {
  const pipe = { ...JOB_ITEM, id: 'line-2', name: 'Pipe' };
  const { server } = openJob(
    { items: [JOB_ITEM, pipe] },
    {
      'DELETE /job-items/line-1': () => (server.job = { ...JOB, items: [pipe] }),
      'DELETE /job-items/line-2': () => (server.job = JOB),
    },
  );
  await findHeading();
  const removeItem = async (name: string) => {
    screen.getByRole('button', { name }).focus();
    await pressButton(name);
  };
  await removeItem('Remove Tap');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove Pipe' })));
  await removeItem('Remove Pipe');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add Item' })));
});

it('an item disappears at once, is removed once, and leaves the focus on Add Item', async () => {
  const calls: unknown[] = [];
  openJob(
    { items: [JOB_ITEM] },
    {
      'DELETE /job-items/line-1': (input) => {
        calls.push(input);
        return new Promise(() => undefined);
      },
    },
  );
  await findHeading();
  const button = screen.getByRole('button', { name: 'Remove Tap' });
  button.focus();
  await pressButton('Remove Tap');
  expect(screen.queryByRole('button', { name: 'Remove Tap' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add Item' }));
  await waitFor(() => expect(calls).toHaveLength(1));
});

it('offers no Undo after removing an item that billed tracked time, because Undo could not bill the time again', async () => {
  const { server } = openJob(
    { items: [JOB_ITEM], timer: { ...JOB.timer, finished_seconds: 3600, allocated_seconds: 3600 } },
    { 'DELETE /job-items/line-1': () => (server.job = { ...JOB, timer: { ...JOB.timer, finished_seconds: 3600 } }) },
  );
  await findHeading();
  await pressButton('Remove Tap');
  await waitForToasts('Item removed successfully');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

it('keeps an item that cannot be removed and shows why', async () => {
  openJob({ items: [JOB_ITEM] }, { 'DELETE /job-items/line-1': () => failWith('FORBIDDEN', 'No') });
  await findHeading();
  await pressButton('Remove Tap');
  await waitForToasts('Failed to remove item: No');
  expect(getItemsSection().getByText('Tap')).toBeDefined();
});

it('adds an item from the price list with one click', async () => {
  const sent: { lines: { id: string }[] }[] = [];
  const responses = [() => failWith('FORBIDDEN', 'No'), () => ({ ...JOB, items: [JOB_ITEM] })];
  openJob(
    { fixed_amount: null },
    {
      'POST /job-items': (input) => {
        sent.push(input as { lines: { id: string }[] });
        return responses.shift()?.();
      },
    },
  );
  await pressButton('Add Item');
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Item' }));
  const search = await dialog.findByPlaceholderText('Search items...');
  const choice = await dialog.findByRole('button', { name: /^Tap/ });
  for (const text of ['#T-1 · Mico', 'Chrome', '$115.00', 'inc GST']) expect(choice.textContent).toContain(text);
  fireEvent.change(search, { target: { value: 'zzz' } });
  await dialog.findByText('No items found');
  fireEvent.change(search, { target: { value: '' } });
  const pressTap = async () => {
    const tap = await dialog.findByRole('button', { name: /^Tap/ });
    await act(async () => fireEvent.click(tap));
  };
  await pressTap();
  await waitFor(() => expect(sent).toHaveLength(1));
  await pressTap();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toMatchObject([{ job_id: JOB.id, lines: [{ supplier_item_id: 'item-1' }] }, { lines: [{ id: sent[0]?.lines[0]?.id }] }]);
});

const ADD_ITEM_PATH = `${JOB_PATH}/items/add`;

it('moves through the item list with arrow keys and selects the first match on Enter', async () => {
  openJob({}, {}, ADD_ITEM_PATH);
  const tap = await screen.findByRole('button', { name: /^Tap/ });
  await waitForFocus('Search items');
  const search = screen.getByLabelText('Search items');
  fireEvent.keyDown(search, { key: 'ArrowDown' });
  expect(document.activeElement).toBe(tap);
  fireEvent.keyDown(tap, { key: 'ArrowDown' });
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Pipe/ }));
  typeInto('Search items', 'pip');
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Tap/ })).toBeNull());
  await act(async () => fireEvent.keyDown(search, { key: 'Enter' }));
  await waitForFocus('Quantity');
  expect([getValue('Quantity'), getValue('Unit price')]).toEqual(['1', '20.00']);
});

it('adds an item with a custom quantity and price and returns to the job', async () => {
  const sent: unknown[] = [];
  const responses = [() => failWith('FORBIDDEN', 'No'), () => ({ ...JOB, items: [JOB_ITEM] })];
  const { path } = openJob(
    { fixed_amount: null },
    {
      'POST /job-items': (input) => {
        sent.push(input);
        return responses.shift()?.();
      },
    },
    ADD_ITEM_PATH,
  );
  expect(await screen.findByText('No item selected')).toBeDefined();
  await pressButton(/^Tap/);
  typeInto('Quantity', '3');
  typeInto('Unit price', '$33.33');
  await screen.findByText('$99.99');
  const add = screen.getByRole('button', { name: 'Add Item' });
  await act(async () => fireEvent.click(add));
  await waitFor(() => expect(getToasts()[0]).toMatch(/^Failed to add item: /));
  expect(getValue('Quantity')).toBe('3');
  await act(async () => fireEvent.click(add));
  await waitFor(() => expect(path()).toBe(JOB_PATH));
  const { id } = (sent[0] as { lines: { id: string }[] }).lines[0] ?? {};
  const added = { job_id: JOB.id, lines: [{ id, supplier_item_id: 'item-1', quantity: 3, unit_price: '33.33' }] };
  expect(sent).toEqual([added, added]);
});

it('keeps the typed quantity when another item is selected', async () => {
  openJob({}, {}, ADD_ITEM_PATH);
  await pressButton(/^Tap/);
  typeInto('Quantity', '3');
  await pressButton(/^Pipe/);
  await waitFor(() => expect([getValue('Quantity'), getValue('Unit price')]).toEqual(['3', '20.00']));
});

it.each([
  ['Quantity', '0', 'Quantity must be at least 1'],
  ['Quantity', '1.0005', 'Quantity must be a number with up to 3 decimal places'],
  ['Quantity', '1 5', 'Quantity must be a number with up to 3 decimal places'],
  ['Quantity', '', 'Quantity is required'],
  ['Unit price', '-1', 'Unit price must be 0 or more, with up to 2 decimal places'],
  ['Unit price', '1.001', 'Unit price must be 0 or more, with up to 2 decimal places'],
])('rejects an item with %s %j', async (label, typed, sentence) => {
  openJob({}, {}, ADD_ITEM_PATH);
  await pressButton(/^Tap/);
  typeInto(label, typed);
  await pressButton('Add Item');
  expect(await screen.findByText(sentence)).toBeDefined();
});

it('accepts a price of 0 and shows the form after the list on a phone', async () => {
  setViewportWidth(390);
  const { path } = openJob(
    { fixed_amount: null },
    { 'POST /job-items': () => ({ ...JOB, items: [{ ...JOB_ITEM, unit_price: '0.00', total_price: '0.00' }] }) },
    ADD_ITEM_PATH,
  );
  await pressButton(/^Tap/);
  await pressButton('Change');
  expect(screen.queryByLabelText('Quantity')).toBeNull();
  await pressButton(/^Tap/);
  typeInto('Unit price', '0');
  await pressButton('Add Item');
  await waitFor(() => expect(path()).toBe(JOB_PATH));
});

it('shows a not-found page when adding an item to a missing job', async () => {
  openJob({}, { [`GET /jobs/${JOB.id}`]: () => failWith('NOT_FOUND', 'Job not found') }, ADD_ITEM_PATH);
  expect(await screen.findByRole('heading', { name: 'Job not found' })).toBeDefined();
});

it('reloads the item list when a price list changes', async () => {
  const found = { rows: [TAP_ITEM] };
  const { queryClient } = openJob({}, { 'GET /items/search': () => ({ ...found, next_cursor: null }) });
  await findHeading();
  await pressButton('Add Item');
  await screen.findByRole('button', { name: new RegExp(`^${TAP_ITEM.name}`) });
  found.rows = [{ ...TAP_ITEM, name: 'Mixer tap' }];
  // Simulates a live update about a changed price list, which invalidates the same queries.
  await act(() => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'suppliers' }));
  expect(await screen.findByRole('button', { name: /^Mixer tap/ })).toBeDefined();
});
