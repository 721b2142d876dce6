import type { Job, JobItem } from '@callout/contract/jobs';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ADMIN_USER, JOB, JOB_ITEM, JOB_PAGE_RESPONSES, PROFILE } from './fixtures.ts';
import { failWith, getToasts, getValue, type MockApi, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';

const TYPED_LINE: JobItem = { ...JOB_ITEM, supplier_item_id: null, sku: null, supplier_name: null };
const UPDATE_CALL = 'PUT /job-items/line-1';
const LIST_CALL = 'POST /job-items/line-1/listing';

function openJob(items: JobItem[], responses: MockApi = {}) {
  const server: { job: Job } = { job: { ...JOB, fixed_amount: null, items } };
  const page = openPage(`/jobs/${JOB.id}`, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role: 'admin' } }),
    [`GET /jobs/${JOB.id}`]: () => server.job,
    'GET /items/search': () => ({ rows: [], next_cursor: null }),
    'GET /suppliers': () => ({ rows: [], next_cursor: null }),
    ...JOB_PAGE_RESPONSES,
    ...responses,
  });
  return { ...page, server };
}

type AddedLines = { lines: { id: string; name: string; unit_price: string }[] };

async function openTypedForm() {
  await pressButton('Add Item');
  const tab = await screen.findByRole('tab', { name: 'Type your own' });
  await act(async () => fireEvent.click(tab));
  return within(await screen.findByRole('tabpanel', { name: 'Type your own' }));
}

async function typeLine(name: string, price: string) {
  typeInto('Name', name);
  typeInto('Unit price', price);
  await act(async () => fireEvent.submit(screen.getByLabelText('Name')));
}

async function openEditForm() {
  await pressButton('Edit Tap');
  await screen.findByLabelText('Unit price');
  return within(screen.getByRole('dialog', { name: 'Edit Item' }));
}

const pressEscape = async () => {
  await act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }));
};

describe('a line typed by hand', () => {
  it('is discarded only after a question when the sheet closes', async () => {
    openJob([]);
    await openTypedForm();
    typeInto('Name', 'Labour');
    await pressEscape();
    await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
    await pressButton('Keep editing');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(getValue('Name')).toBe('Labour');
    await pressButton('Close');
    await pressButton('Leave');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add Item' })).toBeNull());
  });

  it('is kept when Back closes the sheet and the person keeps editing', async () => {
    const { router, path } = openJob([]);
    await openTypedForm();
    typeInto('Name', 'Labour');
    await act(async () => router.history.back());
    await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
    await pressButton('Keep editing');
    expect(getValue('Name')).toBe('Labour');
    expect(path()).toBe(`/jobs/${JOB.id}`);
  });

  it('stays in the form if it was typed while the previous one was being saved, and gets an id of its own', async () => {
    const sent: AddedLines[] = [];
    const first = Promise.withResolvers<Job>();
    openJob([], {
      'POST /job-items': (input) => {
        sent.push(input as AddedLines);
        return sent.length === 1 ? first.promise : JOB;
      },
    });
    const panel = await openTypedForm();
    await typeLine('Labour', '95');
    typeInto('Name', 'Pipe');
    await act(async () => first.resolve({ ...JOB, items: [JOB_ITEM] }));
    await panel.findByText('1 item added. Type the next one.');
    expect([getValue('Name'), getValue('Unit price')]).toEqual(['Pipe', '']);
    await typeLine('Pipe', '12');
    await panel.findByText('2 items added. Type the next one.');
    const [labor, pipe] = sent.flatMap(({ lines }) => lines);
    expect(pipe).toMatchObject({ name: 'Pipe', unit_price: '12' });
    expect(pipe?.id).not.toBe(labor?.id);
  });
});

describe('editing a line', () => {
  it('does not report the own listing of the line as a change by someone else', async () => {
    const listed = { ...TYPED_LINE, supplier_item_id: 'item-9', version: 2 };
    const versions: number[] = [];
    const { server } = openJob([TYPED_LINE], {
      [LIST_CALL]: () => (server.job = { ...server.job, items: [listed] }),
      [UPDATE_CALL]: (input) => {
        const { version } = input as { version: number };
        versions.push(version);
        if (version !== 2) return failWith('STALE_VERSION', 'Someone else has changed this record.', { current: listed });
        return { item: listed, job: server.job };
      },
    });
    await openEditForm();
    await pressButton('Save to price list');
    await waitForToasts('Item saved to your price list');
    const save = screen.getByRole('button', { name: 'Save Changes' });
    await waitFor(() => expect(document.activeElement).toBe(save));
    typeInto('Unit price', '75');
    await pressButton('Save Changes');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(versions).toEqual([2]);
    expect(getToasts()[0]).toBe('Item updated successfully');
  });

  it('saves to the price list only what is stored, so changes come first', async () => {
    openJob([TYPED_LINE]);
    const dialog = await openEditForm();
    typeInto('Unit price', '75');
    await dialog.findByText('Save your changes first, so that the price list gets the new values.');
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save to price list' }).disabled).toBe(true);
  });

  it('offers the suppliers of all pages as price lists, also one named like the company', async () => {
    const sent: unknown[] = [];
    const buildSupplier = (id: string, company_name: string) => ({ id, company_name, status: 'active' });
    openJob([TYPED_LINE], {
      'GET /suppliers': () => ({ rows: [buildSupplier('s-1', 'Mico')], next_cursor: 'next' }),
      'GET /suppliers?cursor=next': () => ({
        rows: [buildSupplier('s-2', PROFILE.company_name ?? ''), buildSupplier('s-3', 'Zip')],
        next_cursor: null,
      }),
      [LIST_CALL]: (input) => {
        sent.push(input);
        return JOB;
      },
    });
    await openEditForm();
    const choice = await screen.findByLabelText<HTMLSelectElement>('Price list');
    expect([...choice.options].map(({ text }) => text)).toEqual(['Mico', PROFILE.company_name, 'Zip']);
    await pressButton('Save to price list');
    await waitFor(() => expect(sent).toMatchObject([{ supplier_id: 's-2' }]));
  });

  it('stays open if a colleague removes the line, and saves the typed values as a new item', async () => {
    const sent: AddedLines[] = [];
    const { server, queryClient } = openJob([JOB_ITEM], {
      'POST /job-items': (input) => {
        sent.push(input as AddedLines);
        return server.job;
      },
    });
    const dialog = await openEditForm();
    typeInto('Unit price', '75');
    server.job = { ...server.job, items: [] };
    await act(async () => queryClient.invalidateQueries({ queryKey: ['jobs'] }));
    await dialog.findByText('This item has been removed. You can save your version as a new item.');
    expect(getValue('Unit price')).toBe('75');
    await pressButton('Save as new item');
    await waitForToasts('Item added successfully');
    expect(sent).toMatchObject([{ lines: [{ name: 'Tap', unit_price: '75', supplier_item_id: 'item-1' }] }]);
    expect(sent[0]?.lines[0]?.id).not.toBe('line-1');
  });

  it('shows the exact total of a line that bills time until its price changes', async () => {
    openJob([{ ...JOB_ITEM, quantity: '3', unit_price: '33.33', total_price: '100.00' }]);
    const dialog = await openEditForm();
    dialog.getByText('$100.00');
    typeInto('Quantity', '2');
    expect(await dialog.findByText('$66.66')).toBeDefined();
  });

  it.each([
    ['abc', '–'],
    ['101', '–'],
    ['10', '$103.50'],
  ])('shows for a discount of %s percent the total %s', async (typed, total) => {
    openJob([JOB_ITEM]);
    const dialog = await openEditForm();
    typeInto('Discount (optional)', typed);
    expect(await dialog.findByText(total)).toBeDefined();
  });

  it('turns a percentage into an amount with the same number', async () => {
    const sent: unknown[] = [];
    openJob([{ ...JOB_ITEM, discount_percent: '10', discount: '11.50', total_price: '103.50' }], {
      [UPDATE_CALL]: (input) => {
        sent.push(input);
        return { item: JOB_ITEM, job: JOB };
      },
    });
    const dialog = await openEditForm();
    fireEvent.change(screen.getByLabelText('Discount type'), { target: { value: 'discount_amount' } });
    await dialog.findByText('$105.00');
    await pressButton('Save Changes');
    await waitFor(() => expect(sent).toMatchObject([{ discount_percent: null, discount_amount: '10' }]));
  });
});

it('keeps a quantity that is raised while an item is being added', async () => {
  const added = Promise.withResolvers<Job>();
  const changed = Promise.withResolvers<Job>();
  const pipe = { ...JOB_ITEM, id: 'line-2', name: 'Pipe' };
  const { server } = openJob([JOB_ITEM], {
    'POST /job-items': () => added.promise,
    'POST /job-items/line-1/quantity-changes': () => changed.promise,
  });
  await openTypedForm();
  await typeLine('Pipe', '115');
  const getQuantity = () => screen.getByLabelText<HTMLInputElement>('Quantity of Tap', { selector: 'input' }).value;
  await act(async () => fireEvent.click(screen.getByLabelText('Increase quantity of Tap')));
  await waitFor(() => expect(getQuantity()).toBe('2'));
  await act(async () => added.resolve({ ...server.job, items: [JOB_ITEM, pipe] }));
  await waitForToasts('Item added successfully');
  expect(getQuantity()).toBe('2');
  server.job = { ...server.job, items: [{ ...JOB_ITEM, quantity: '2', total_price: '230.00' }, pipe] };
  await act(async () => changed.resolve(server.job));
  await screen.findByLabelText('Quantity of Pipe', { selector: 'input' });
  expect(getQuantity()).toBe('2');
});

it('offers an admin Undo after removing a discounted item', async () => {
  const discounted = { ...JOB_ITEM, discount_percent: '10', discount: '11.50', total_price: '103.50' };
  const sent: unknown[] = [];
  openJob([discounted], {
    'DELETE /job-items/line-1': () => ({ ...JOB, fixed_amount: null, items: [] }),
    'POST /job-items': (input) => {
      sent.push(input);
      return { ...JOB, items: [discounted] };
    },
  });
  await pressButton('Remove Tap');
  await pressButton('Undo');
  await waitFor(() => expect(sent).toMatchObject([{ lines: [{ id: 'line-1', discount_percent: '10' }] }]));
});
