import type { Job } from '@callout/contract/jobs';
import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { type Answers, openPage, press, refuse, toastTexts, typeInto, valueOf, waitForFocus, waitForToasts } from './open-page.tsx';
import { JOB, JOB_ITEM, JOB_PARTS, OWNER } from './people.ts';

const PATH = `/jobs/${JOB.id}`;
const CHOICE = {
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
const PIPE = { ...CHOICE, id: 'item-2', name: 'Pipe', sku: 'P-1', selling_price: '20.00', tax_inclusive: false };

function openJob(change: Partial<Job> = {}, more: Answers = {}, path = PATH) {
  const server = { job: { ...JOB, ...change } };
  const page = openPage(path, {
    'GET /me': () => OWNER,
    [`GET /jobs/${JOB.id}`]: () => server.job,
    'GET /items/search': () => ({ rows: [CHOICE, PIPE], next_cursor: null }),
    'GET /items/search?search=pip': () => ({ rows: [PIPE], next_cursor: null }),
    'GET /items/search?search=zzz': () => ({ rows: [], next_cursor: null }),
    ...JOB_PARTS,
    ...more,
  });
  return { ...page, server };
}

const setWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => setWidth(1024));

const heading = () => screen.findByRole('heading', { level: 1, name: 'Roof repair' });
const items = () => within(screen.getByRole('region', { name: /^Items & Services/ }));
const quantity = () => items().getByRole<HTMLInputElement>('textbox', { name: 'Quantity of Tap' });

it('a job without items costs its fixed amount', async () => {
  openJob();
  await heading();
  items().getByText('No items added yet');
  for (const amount of ['434.78', '65.22', '$500.00']) expect(items().getByText(amount)).toBeDefined();
});

it('totals follow a quantity at once, also pressed twice before the server answers', async () => {
  const sent: unknown[] = [];
  const answer = Promise.withResolvers<void>();
  openJob(
    { items: [JOB_ITEM] },
    {
      'PUT /job-items/line-1/quantity': async (input) => {
        sent.push(input);
        await answer.promise;
        return { ...JOB, items: [{ ...JOB_ITEM, quantity: '3', total_price: '345.00' }] };
      },
    },
  );
  await heading();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Decrease quantity of Tap' }).disabled).toBe(true);
  for (const amount of ['100.00', '15.00', '$115.00']) items().getByText(amount);
  await press('Increase quantity of Tap');
  await press('Increase quantity of Tap');
  await waitFor(() => expect(items().getByText('300.00')).toBeDefined());
  expect(items().getByText('45.00')).toBeDefined();
  await act(async () => answer.resolve());
  await waitFor(() => expect(sent).toEqual([{ quantity: 2 }, { quantity: 3 }]));
});

it('a read that was answered before a quantity arrived does not take it back', async () => {
  const answer = Promise.withResolvers<void>();
  const { queryClient } = openJob(
    { items: [JOB_ITEM] },
    {
      'PUT /job-items/line-1/quantity': async () => {
        await answer.promise;
        return { ...JOB, items: [{ ...JOB_ITEM, quantity: '2', total_price: '230.00' }] };
      },
    },
  );
  await heading();
  await press('Increase quantity of Tap');
  // What lib/live.ts does when somebody has changed a job.
  await act(() => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'jobs' }));
  expect(quantity().value).toBe('2');
  await act(async () => answer.resolve());
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(quantity().value).toBe('2');
});

it('a quantity goes back to the stored one when it cannot be changed', async () => {
  openJob({ items: [JOB_ITEM] }, { 'PUT /job-items/line-1/quantity': () => refuse('FORBIDDEN', 'No') });
  await heading();
  await press('Increase quantity of Tap');
  await waitForToasts('Failed to update quantity: No');
  await waitFor(() => expect(quantity().value).toBe('1'));
});

it('a typed quantity counts when Enter is pressed or the field is left', async () => {
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
  await heading();
  fireEvent.change(quantity(), { target: { value: '12' } });
  await act(async () => fireEvent.keyDown(quantity(), { key: 'Enter' }));
  await items().findByText('$1,380.00');
  fireEvent.change(quantity(), { target: { value: '2' } });
  await act(async () => fireEvent.blur(quantity()));
  await items().findByText('$230.00');
  await waitFor(() => expect(sent).toEqual([{ quantity: 12 }, { quantity: 2 }]));
});

it('the arrow keys count from what is being typed', async () => {
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
  await heading();
  fireEvent.change(quantity(), { target: { value: '12' } });
  const event = createEvent.keyDown(quantity(), { key: 'ArrowUp' });
  await act(async () => fireEvent(quantity(), event));
  expect(event.defaultPrevented).toBe(true);
  await waitFor(() => expect(sent).toEqual([{ quantity: 13 }]));
});

it.each([
  ['0', 'Quantity must be at least 1. Kept at 1.'],
  ['1.0005', 'Quantity must be a number with up to 3 decimal places. Kept at 1.'],
  ['', 'Quantity must be a number with up to 3 decimal places. Kept at 1.'],
  ['1000001', 'Quantity must be at most 1,000,000. Kept at 1.'],
])('the quantity %j is refused with a sentence, and the stored one stays', async (typed, sentence) => {
  openJob({ items: [JOB_ITEM] });
  await heading();
  fireEvent.change(quantity(), { target: { value: typed } });
  await act(async () => fireEvent.blur(quantity()));
  expect(screen.getByRole('alert').textContent).toBe(sentence);
  expect(quantity().value).toBe('1');
  items().getByText('$115.00');
});

it('a phone shows count and total, and opens the items', async () => {
  setWidth(390);
  openJob({ items: [JOB_ITEM, { ...JOB_ITEM, id: 'line-2', name: 'Pipe', tax_inclusive: false, total_price: '100.00' }] });
  await heading();
  items().getByText('2 items', { exact: false });
  items().getByText('$230.00');
  expect(items().queryByText('Tap')).toBeNull();
  items().getByRole('button', { name: 'Add Item' });
  await press('Show the items');
  for (const text of ['Tap', 'Pipe', 'Subtotal', 'GST 15%']) items().getByText(text);
});

it('an item is removed, and Undo adds it again as it was', async () => {
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
  await heading();
  await press('Remove Tap');
  await waitForToasts('Item removed successfullyUndo');
  expect(items().queryByText('Tap')).toBeNull();
  await press('Undo');
  await items().findByText('Tap');
  expect(restored).toEqual([{ id: 'line-1', job_id: JOB.id, supplier_item_id: 'item-1', quantity: 1, unit_price: '115.00' }]);
});

it('the focus goes on from a removed item to the next one, and then to Add Item', async () => {
  const pipe = { ...JOB_ITEM, id: 'line-2', name: 'Pipe' };
  const { server } = openJob(
    { items: [JOB_ITEM, pipe] },
    {
      'DELETE /job-items/line-1': () => (server.job = { ...JOB, items: [pipe] }),
      'DELETE /job-items/line-2': () => (server.job = JOB),
    },
  );
  await heading();
  const remove = async (name: string) => {
    screen.getByRole('button', { name }).focus();
    await press(name);
  };
  await remove('Remove Tap');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove Pipe' })));
  await remove('Remove Pipe');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add Item' })));
});

it('an item is removed once, and its button keeps the focus until then', async () => {
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
  await heading();
  const button = screen.getByRole('button', { name: 'Remove Tap' });
  button.focus();
  await press('Remove Tap');
  await press('Remove Tap');
  expect(calls).toHaveLength(1);
  expect([button.getAttribute('aria-disabled'), document.activeElement]).toEqual(['true', button]);
});

it('a line that billed time is removed without Undo, because its time can be billed again', async () => {
  const { server } = openJob(
    { items: [JOB_ITEM], timer: { ...JOB.timer, finished_seconds: 3600, allocated_seconds: 3600 } },
    { 'DELETE /job-items/line-1': () => (server.job = { ...JOB, timer: { ...JOB.timer, finished_seconds: 3600 } }) },
  );
  await heading();
  await press('Remove Tap');
  await waitForToasts('Item removed successfully');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

it('an item that cannot be removed stays, and says why', async () => {
  openJob({ items: [JOB_ITEM] }, { 'DELETE /job-items/line-1': () => refuse('FORBIDDEN', 'No') });
  await heading();
  await press('Remove Tap');
  await waitForToasts('Failed to remove item: No');
  expect(items().getByText('Tap')).toBeDefined();
});

it('items are added from the price lists with one press', async () => {
  const sent: { id: string }[] = [];
  const answers = [() => refuse('INTERNAL'), () => ({ ...JOB, items: [JOB_ITEM] })];
  openJob(
    {},
    {
      'POST /job-items': (input) => {
        sent.push(input as { id: string });
        return answers.shift()?.();
      },
    },
  );
  await press('Add Item');
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
  expect(sent).toMatchObject([{ job_id: JOB.id, supplier_item_id: 'item-1' }, { id: sent[0]?.id }]);
});

const ADD = `${PATH}/items/add`;

it('the list is used with the keyboard: arrows move, Enter in the search takes the first', async () => {
  openJob({}, {}, ADD);
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
  expect([valueOf('Quantity'), valueOf('Unit price')]).toEqual(['1', '20.00']);
});

it('an item is added with its own quantity and price, and leads back to the job', async () => {
  const sent: unknown[] = [];
  const answers = [() => refuse('INTERNAL'), () => ({ ...JOB, items: [JOB_ITEM] })];
  const { path } = openJob(
    {},
    {
      'POST /job-items': (input) => {
        sent.push(input);
        return answers.shift()?.();
      },
    },
    ADD,
  );
  expect(await screen.findByText('No item selected')).toBeDefined();
  await press(/^Tap/);
  typeInto('Quantity', '3');
  typeInto('Unit price', '$33.33');
  await screen.findByText('$99.99');
  const add = screen.getByRole('button', { name: 'Add Item' });
  await act(async () => fireEvent.click(add));
  await waitFor(() => expect(toastTexts()[0]).toMatch(/^Failed to add item: /));
  expect(valueOf('Quantity')).toBe('3');
  await act(async () => fireEvent.click(add));
  await waitFor(() => expect(path()).toBe(PATH));
  const line = { job_id: JOB.id, supplier_item_id: 'item-1', quantity: 3, unit_price: '33.33' };
  expect(sent).toMatchObject([line, { ...line, id: (sent[0] as { id: string }).id }]);
});

it('another item keeps the typed quantity', async () => {
  openJob({}, {}, ADD);
  await press(/^Tap/);
  typeInto('Quantity', '3');
  await press(/^Pipe/);
  await waitFor(() => expect([valueOf('Quantity'), valueOf('Unit price')]).toEqual(['3', '20.00']));
});

it.each([
  ['Quantity', '0', 'Quantity must be at least 1'],
  ['Quantity', '1.5', 'Quantity must be a whole number'],
  ['Quantity', '1,5', 'Quantity must be a whole number'],
  ['Quantity', '1 5', 'Quantity must be a whole number'],
  ['Quantity', '', 'Quantity is required'],
  ['Unit price', '-1', 'Unit price must be 0 or more, with up to 2 decimal places'],
  ['Unit price', '1.001', 'Unit price must be 0 or more, with up to 2 decimal places'],
])('an item is not added with %s %j', async (label, typed, sentence) => {
  openJob({}, {}, ADD);
  await press(/^Tap/);
  typeInto(label, typed);
  await press('Add Item');
  expect(await screen.findByText(sentence)).toBeDefined();
});

it('an item may cost nothing; on a phone the form comes after the list', async () => {
  setWidth(390);
  const { path } = openJob({}, { 'POST /job-items': (input) => ({ ...JOB, title: (input as { unit_price: string }).unit_price }) }, ADD);
  await press(/^Tap/);
  await press('Change');
  expect(screen.queryByLabelText('Quantity')).toBeNull();
  await press(/^Tap/);
  typeInto('Unit price', '0');
  await press('Add Item');
  await waitFor(() => expect(path()).toBe(PATH));
});

it('an item of a job that is not there cannot be added', async () => {
  openJob({}, { [`GET /jobs/${JOB.id}`]: () => refuse('NOT_FOUND', 'Job not found') }, ADD);
  expect(await screen.findByRole('heading', { name: 'Job not found' })).toBeDefined();
});

it('an item that was changed in a price list is read again', async () => {
  const found = { rows: [CHOICE] };
  const { queryClient } = openJob({}, { 'GET /items/search': () => ({ ...found, next_cursor: null }) });
  await heading();
  await press('Add Item');
  await screen.findByRole('button', { name: new RegExp(`^${CHOICE.name}`) });
  found.rows = [{ ...CHOICE, name: 'Mixer tap' }];
  // What lib/live.ts does when somebody has changed a price list.
  await act(() => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'suppliers' }));
  expect(await screen.findByRole('button', { name: /^Mixer tap/ })).toBeDefined();
});
