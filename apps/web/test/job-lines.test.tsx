import type { Job } from '@callout/contract/jobs';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ADMIN_USER, JOB, JOB_ITEM, JOB_PAGE_RESPONSES, PROFILE } from './fixtures.ts';
import { failWith, type MockApi, openPage, pressButton, waitForToasts } from './open-page.tsx';

const TAP_ITEM = {
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

function openJob(change: Partial<Job>, responses: MockApi = {}, role: Role = 'admin', path = `/jobs/${JOB.id}`) {
  const server = { job: { ...JOB, ...change } };
  const page = openPage(path, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role } }),
    [`GET /jobs/${JOB.id}`]: () => server.job,
    'GET /items/search': () => ({ rows: [TAP_ITEM], next_cursor: null }),
    'GET /items/search?search=zzz': () => ({ rows: [], next_cursor: null }),
    ...JOB_PAGE_RESPONSES,
    ...responses,
  });
  return { ...page, server };
}

const findQuantityField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Quantity of Tap' });

it('shows a large quantity without a comma, because deleting the last digit of 1,250 would leave 1.25', async () => {
  openJob({ items: [{ ...JOB_ITEM, quantity: '1250', total_price: '143750.00' }] });
  expect((await findQuantityField()).value).toBe('1250');
});

describe('fractional quantity copied from a quote', () => {
  const FRACTIONAL_LINE = { ...JOB_ITEM, quantity: '2.5', total_price: '287.50' };

  function openFractionalLine() {
    const sent: number[] = [];
    const { server } = openJob(
      { items: [FRACTIONAL_LINE] },
      {
        'POST /job-items/line-1/quantity-changes': (input) => {
          const { by } = input as { by: number };
          sent.push(by);
          const count = Math.max(1, Number(server.job.items[0]?.quantity) + by);
          server.job = { ...server.job, items: [{ ...FRACTIONAL_LINE, quantity: String(count), total_price: `${115 * count}` }] };
          return server.job;
        },
        'PUT /job-items/line-1/quantity': (input) => {
          const { quantity: count } = input as { quantity: number };
          sent.push(count);
          server.job = { ...server.job, items: [{ ...FRACTIONAL_LINE, quantity: String(count), total_price: `${115 * count}` }] };
          return server.job;
        },
      },
    );
    return sent;
  }

  it('keeps its fraction when increased or decreased', async () => {
    const sent = openFractionalLine();
    expect((await findQuantityField()).value).toBe('2.5');
    await pressButton('Increase quantity of Tap');
    await waitFor(async () => expect((await findQuantityField()).value).toBe('3.5'));
    await pressButton('Decrease quantity of Tap');
    await waitFor(() => expect(sent).toEqual([1, -1]));
    expect((await findQuantityField()).value).toBe('2.5');
  });

  it('does not go below 1', async () => {
    const sent = openFractionalLine();
    await findQuantityField();
    await pressButton('Decrease quantity of Tap');
    await pressButton('Decrease quantity of Tap');
    await waitFor(() => expect(sent).toEqual([-1, -1]));
    expect((await findQuantityField()).value).toBe('1');
  });

  it.each(['1.25', '1,25'])('accepts a fractional quantity typed as %s', async (typed) => {
    const sent = openFractionalLine();
    const field = await findQuantityField();
    fireEvent.change(field, { target: { value: typed } });
    await act(async () => fireEvent.blur(field));
    await waitFor(() => expect(sent).toEqual([1.25]));
  });

  it('restores the fractional quantity when Undo adds a removed item back', async () => {
    const restored: unknown[] = [];
    const { server } = openJob(
      { items: [FRACTIONAL_LINE] },
      {
        'DELETE /job-items/line-1': () => (server.job = JOB),
        'POST /job-items': (input) => {
          restored.push(input);
          return (server.job = { ...JOB, items: [FRACTIONAL_LINE] });
        },
      },
    );
    await findQuantityField();
    await pressButton('Remove Tap');
    await pressButton('Undo');
    await waitFor(() => expect(restored).toMatchObject([{ lines: [{ id: 'line-1', quantity: 2.5 }] }]));
  });
});

describe('toast after adding an item', () => {
  const ITEM_TOTALS = { subtotal: '100.00', tax_amount: '15.00', total_amount: '115.00' };

  async function addTap(change: Partial<Job>) {
    const page = openJob(change, {
      'POST /job-items': () => (page.server.job = { ...page.server.job, items: [JOB_ITEM], totals: ITEM_TOTALS }),
      'DELETE /job-items/{id}': () => (page.server.job = JOB),
    });
    await pressButton('Add Item');
    await pressButton(/^Tap/);
    return page;
  }

  it('explains that items replace the fixed price and offers Undo', async () => {
    await addTap({});
    const readDescription = async (name: string) => {
      const id = (await screen.findByRole('button', { name })).getAttribute('aria-describedby') ?? '';
      return document.getElementById(id)?.textContent;
    };
    expect(await readDescription('The items replace the fixed $500.00')).toBe('The customer pays $115.00');
    expect(await readDescription('The items come on top')).toBe('The customer pays $615.00');
    await pressButton('The items replace the fixed $500.00');
    await waitForToasts('Item added successfully. The job is now priced by its items: $115.00 instead of $500.00.Undo');
    await pressButton('Undo');
    await waitForToasts('Item removed successfully');
    expect(await screen.findByText('Fixed price')).toBeDefined();
  });

  it('does not mention the price when no fixed price was replaced', async () => {
    await addTap({ fixed_amount: null, totals: { subtotal: '0.00', tax_amount: '0.00', total_amount: '0.00' } });
    await waitForToasts('Item added successfully');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('does not mention the price when the job was already priced by its items', async () => {
    await addTap({ items: [{ ...JOB_ITEM, id: 'line-2', name: 'Pipe' }] });
    await waitForToasts('Item added successfully');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });
});

describe('empty price list', () => {
  const EMPTY_PRICE_LIST = { 'GET /items/search': () => ({ rows: [], next_cursor: null }) };

  it('links an admin to the price list', async () => {
    openJob({}, EMPTY_PRICE_LIST);
    await pressButton('Add Item');
    const sheet = within(await screen.findByRole('dialog', { name: 'Add Item' }));
    await sheet.findByText('No items found');
    expect(sheet.getByRole('link', { name: 'Items & Services' }).getAttribute('href')).toBe('/items-services');
  });

  it('tells staff members who can add items', async () => {
    openJob({}, EMPTY_PRICE_LIST, 'staff');
    await pressButton('Add Item');
    const sheet = within(await screen.findByRole('dialog', { name: 'Add Item' }));
    await sheet.findByText('Your price list is empty. An admin, manager or accountant can add items to it.');
    expect(sheet.queryByRole('link', { name: 'Items & Services' })).toBeNull();
  });

  it('does not suggest adding items when only the search finds nothing', async () => {
    openJob({});
    await pressButton('Add Item');
    const sheet = within(await screen.findByRole('dialog', { name: 'Add Item' }));
    fireEvent.change(await sheet.findByLabelText('Search items'), { target: { value: 'zzz' } });
    await sheet.findByText('No items found');
    expect(sheet.queryByRole('link', { name: 'Items & Services' })).toBeNull();
  });
});

describe('adding an item to a paid job on its own page', () => {
  const PAID_JOB: Partial<Job> = { status: 'paid', paid_amount: '500.00', items: [JOB_ITEM] };
  const openAddItemPage = async (responses: MockApi, role: Role) => {
    const page = openJob(PAID_JOB, responses, role, `/jobs/${JOB.id}/items/add`);
    await pressButton(/^Tap/);
    return page;
  };

  it('asks first, like the job page, and adds nothing if the answer is no', async () => {
    const sent: unknown[] = [];
    const { path } = await openAddItemPage(
      {
        'POST /job-items': (input) => {
          sent.push(input);
          return { ...JOB, items: [JOB_ITEM] };
        },
      },
      'accountant',
    );
    await pressButton('Add Item');
    const question = within(await screen.findByRole('alertdialog', { name: 'Change the items of a paid job?' }));
    question.getByText(/^The customer has paid \$500\.00\./);
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Cancel' })));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(sent).toEqual([]);
    await pressButton('Add Item');
    await pressButton('Change items');
    await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
    expect(sent).toHaveLength(1);
  });

  it('tells staff whom to ask', async () => {
    await openAddItemPage({}, 'staff');
    await screen.findByText('This job is paid. Ask an admin, manager or accountant to change its items.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add Item' }).disabled).toBe(true);
  });
});

it.each<[string, Partial<Job>]>([
  ['a discounted item', { fixed_amount: null, items: [{ ...JOB_ITEM, discount_percent: '10', discount: '11.50', total_price: '103.50' }] }],
  ['the last item of a job with a fixed price', { items: [JOB_ITEM] }],
])('tells staff who can restore %s, because the server would refuse their Undo', async (_what, change) => {
  openJob(change, { [`DELETE /job-items/${JOB_ITEM.id}`]: () => ({ ...JOB, ...change, items: [] }) }, 'staff');
  await pressButton('Remove Tap');
  await waitForToasts('Item removed successfully. Only an admin, manager or accountant can add it again at this price.');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

describe("the line that holds the job's fixed price", () => {
  const change: Partial<Job> = {
    items: [
      { ...JOB_ITEM, is_fixed_price: true },
      { ...JOB_ITEM, id: 'line-2', name: 'Pipe' },
    ],
  };

  it('cannot be changed or removed by staff, who are told whom to ask', async () => {
    openJob(change, {}, 'staff');
    await screen.findByText('Fixed price. Ask an admin, manager or accountant to change it.');
    expect(screen.queryByRole('button', { name: 'Remove Tap' })).toBeNull();
    expect(screen.queryByRole('textbox', { name: 'Quantity of Tap' })).toBeNull();
    screen.getByRole('button', { name: 'Remove Pipe' });
  });

  it('is still the fixed price when an accountant removes and restores it', async () => {
    const sent: unknown[] = [];
    const { server } = openJob(
      change,
      {
        'DELETE /job-items/line-1': () => ({ ...JOB, items: change.items?.slice(1) ?? [] }),
        'POST /job-items': (input) => {
          sent.push(input);
          return server.job;
        },
      },
      'accountant',
    );
    await screen.findByText('Fixed price');
    await pressButton('Remove Tap');
    await pressButton('Undo');
    await waitFor(() => expect(sent).toMatchObject([{ lines: [{ id: 'line-1', is_fixed_price: true }] }]));
  });
});

it('tells staff the lowest price of an item, and shows at the price why a lower one was refused', async () => {
  const message = 'The list price is 115.00 inc GST. Ask an admin, manager or accountant to lower it.';
  const refuse = () => failWith('INVALID_INPUT', 'Please check the highlighted fields.', { fields: { unit_price: message } });
  openJob({ items: [JOB_ITEM] }, { 'POST /job-items': refuse }, 'staff', `/jobs/${JOB.id}/items/add`);
  await pressButton(/^Tap/);
  await screen.findByText('inc GST, at least $115.00');
  fireEvent.change(screen.getByLabelText('Unit price'), { target: { value: '90' } });
  await pressButton('Add Item');
  await waitFor(() => expect(screen.getByLabelText('Unit price').getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getByLabelText<HTMLInputElement>('Unit price').value).toBe('90');
});
