import type { Job } from '@callout/contract/jobs';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answers, openPage, press, waitForToasts } from './open-page.tsx';
import { JOB, JOB_ITEM, JOB_PARTS, OWNER, PROFILE } from './people.ts';

const CHOICE = {
  id: 'item-1',
  name: 'Tap',
  sku: 'T-1',
  description: null,
  tax_inclusive: true,
  is_service: false,
  selling_price: '115.00',
  supplier: { id: 'supplier-1', company_name: 'Mico' },
  matched: null,
};

function openJob(change: Partial<Job>, more: Answers = {}, role: Role = 'admin') {
  const server = { job: { ...JOB, ...change } };
  const page = openPage(`/jobs/${JOB.id}`, {
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, role } }),
    [`GET /jobs/${JOB.id}`]: () => server.job,
    'GET /items/search': () => ({ rows: [CHOICE], next_cursor: null }),
    'GET /items/search?search=zzz': () => ({ rows: [], next_cursor: null }),
    ...JOB_PARTS,
    ...more,
  });
  return { ...page, server };
}

const quantity = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Quantity of Tap' });

it('a large quantity is shown without a comma: with its last digit deleted, 1,250 would be read as 1.25', async () => {
  openJob({ items: [{ ...JOB_ITEM, quantity: '1250', total_price: '143750.00' }] });
  expect((await quantity()).value).toBe('1250');
});

describe('a fraction that came from a quote', () => {
  const HALVES = { ...JOB_ITEM, quantity: '2.5', total_price: '287.50' };

  function openHalves() {
    const sent: number[] = [];
    const { server } = openJob(
      { items: [HALVES] },
      {
        'PUT /job-items/line-1/quantity': (input) => {
          const { quantity: count } = input as { quantity: number };
          sent.push(count);
          server.job = { ...server.job, items: [{ ...HALVES, quantity: String(count), total_price: `${115 * count}` }] };
          return server.job;
        },
      },
    );
    return sent;
  }

  it('is kept by plus and minus', async () => {
    const sent = openHalves();
    expect((await quantity()).value).toBe('2.5');
    await press('Increase quantity of Tap');
    await waitFor(() => expect(sent).toEqual([3.5]));
    await press('Decrease quantity of Tap');
    await waitFor(() => expect(sent).toEqual([3.5, 2.5]));
    expect((await quantity()).value).toBe('2.5');
  });

  it('is never less than 1', async () => {
    const sent = openHalves();
    await quantity();
    await press('Decrease quantity of Tap');
    await press('Decrease quantity of Tap');
    await waitFor(() => expect(sent).toEqual([1.5, 1]));
  });

  it.each(['1.25', '1,25'])('can be typed as %s', async (typed) => {
    const sent = openHalves();
    const field = await quantity();
    fireEvent.change(field, { target: { value: typed } });
    await act(async () => fireEvent.blur(field));
    await waitFor(() => expect(sent).toEqual([1.25]));
  });

  it('comes back with Undo when its item was removed', async () => {
    const restored: unknown[] = [];
    const { server } = openJob(
      { items: [HALVES] },
      {
        'DELETE /job-items/line-1': () => (server.job = JOB),
        'POST /job-items': (input) => {
          restored.push(input);
          return (server.job = { ...JOB, items: [HALVES] });
        },
      },
    );
    await quantity();
    await press('Remove Tap');
    await press('Undo');
    await waitFor(() => expect(restored).toMatchObject([{ id: 'line-1', quantity: 2.5 }]));
  });
});

describe('the toast of an item that was added', () => {
  const ITEM_TOTALS = { subtotal: '100.00', tax_amount: '15.00', total_amount: '115.00' };

  async function addTap(change: Partial<Job>) {
    const page = openJob(change, {
      'POST /job-items': () => (page.server.job = { ...page.server.job, items: [JOB_ITEM], totals: ITEM_TOTALS }),
      'DELETE /job-items/{id}': () => (page.server.job = JOB),
    });
    await press('Add Item');
    await press(/^Tap/);
  }

  it('says that the items replace the fixed price, and takes the item back', async () => {
    await addTap({});
    await waitForToasts('Item added successfully. The job is now priced by its items: $115.00 instead of $500.00.Undo');
    await press('Undo');
    await waitForToasts('Item removed successfully');
    expect(await screen.findByText('No items added yet')).toBeDefined();
  });

  it('says nothing more when no price was replaced', async () => {
    await addTap({ fixed_amount: null, totals: { subtotal: '0.00', tax_amount: '0.00', total_amount: '0.00' } });
    await waitForToasts('Item added successfully');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('says nothing more when the items counted already', async () => {
    await addTap({ items: [{ ...JOB_ITEM, id: 'line-2', name: 'Pipe' }] });
    await waitForToasts('Item added successfully');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });
});

describe('a company without items', () => {
  const NONE = { 'GET /items/search': () => ({ rows: [], next_cursor: null }) };

  it('is led to its price list', async () => {
    openJob({}, NONE);
    await press('Add Item');
    const sheet = within(await screen.findByRole('dialog', { name: 'Add Item' }));
    await sheet.findByText('No items found');
    expect(sheet.getByRole('link', { name: 'Items & Services' }).getAttribute('href')).toBe('/items-services');
  });

  it('tells staff who can add some', async () => {
    openJob({}, NONE, 'staff');
    await press('Add Item');
    const sheet = within(await screen.findByRole('dialog', { name: 'Add Item' }));
    await sheet.findByText('Your price list is empty. An admin, manager or accountant can add items to it.');
    expect(sheet.queryByRole('link')).toBeNull();
  });

  it('is not meant when only a search finds nothing', async () => {
    openJob({});
    await press('Add Item');
    const sheet = within(await screen.findByRole('dialog', { name: 'Add Item' }));
    fireEvent.change(await sheet.findByLabelText('Search items'), { target: { value: 'zzz' } });
    await sheet.findByText('No items found');
    expect(sheet.queryByRole('link')).toBeNull();
  });
});
