import type { Job } from '@callout/contract/jobs';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ADMIN_USER, JOB, JOB_ITEM, JOB_PAGE_RESPONSES, PROFILE } from './fixtures.ts';
import { failWith, getValue, type MockApi, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';

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
const PIPE_ITEM = { ...TAP_ITEM, id: 'item-2', name: 'Pipe', sku: 'P-1' };
const UNPRICED: Partial<Job> = { fixed_amount: null };

function openJob(change: Partial<Job>, responses: MockApi = {}, role: Role = 'admin') {
  const server = { job: { ...JOB, ...change } };
  const sent: unknown[] = [];
  const page = openPage(`/jobs/${JOB.id}`, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role } }),
    [`GET /jobs/${JOB.id}`]: () => server.job,
    'GET /items/search': () => ({ rows: [TAP_ITEM, PIPE_ITEM], next_cursor: null }),
    'GET /items/search?search=Labour': () => ({ rows: [], next_cursor: null }),
    'GET /suppliers': () => ({ rows: [], next_cursor: null }),
    'POST /job-items': (input) => {
      sent.push(input);
      return (server.job = { ...server.job, items: [...server.job.items, JOB_ITEM] });
    },
    ...JOB_PAGE_RESPONSES,
    ...responses,
  });
  return { ...page, server, sent };
}

const pressTab = async (name: string) => {
  const tab = await screen.findByRole('tab', { name });
  await act(async () => fireEvent.click(tab));
};

async function openTypedForm() {
  await pressButton('Add Item');
  await pressTab('Type your own');
  return within(await screen.findByRole('tabpanel', { name: 'Type your own' }));
}

describe('typing an item by hand', () => {
  it('adds it on Enter and empties the form for the next one', async () => {
    const { sent } = openJob(UNPRICED, {}, 'staff');
    const panel = await openTypedForm();
    typeInto('Name', 'Labour');
    typeInto('Quantity', '1.5');
    typeInto('Unit price', '$95');
    expect(await panel.findByText('$142.50')).toBeDefined();
    screen.getByLabelText('Unit price').focus();
    await act(async () => fireEvent.submit(screen.getByLabelText('Unit price')));
    await waitForToasts('Item added successfully');
    await panel.findByText('1 item added. Type the next one.');
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
    expect([getValue('Name'), getValue('Quantity'), getValue('Unit price')]).toEqual(['', '1', '']);
    const line = { name: 'Labour', quantity: 1.5, unit_price: '95', tax_inclusive: true, is_service: true };
    expect(sent).toMatchObject([{ job_id: JOB.id, lines: [line] }]);
  });

  it('keeps what was typed when saving fails, and sends the same id again', async () => {
    const ids: string[] = [];
    openJob(UNPRICED, {
      'POST /job-items': (input) => {
        ids.push((input as { lines: { id: string }[] }).lines[0]?.id ?? '');
        return failWith('FORBIDDEN', 'No');
      },
    });
    const panel = await openTypedForm();
    typeInto('Name', 'Labour');
    typeInto('Unit price', '95');
    for (const attempts of [1, 2]) {
      await act(async () => fireEvent.click(panel.getByRole('button', { name: 'Add Item' })));
      await waitFor(() => expect(ids).toHaveLength(attempts));
    }
    expect(new Set(ids).size).toBe(1);
    expect(getValue('Name')).toBe('Labour');
  });

  it('takes over a search that found nothing', async () => {
    openJob(UNPRICED);
    await pressButton('Add Item');
    fireEvent.change(await screen.findByLabelText('Search items'), { target: { value: 'Labour' } });
    await pressButton('Type “Labour” as your own');
    await waitFor(() => expect(getValue('Name')).toBe('Labour'));
  });

  it('asks before a quantity above 10,000 is saved', async () => {
    const { sent } = openJob(UNPRICED);
    const panel = await openTypedForm();
    typeInto('Name', 'Screws');
    typeInto('Quantity', '100000');
    typeInto('Unit price', '1');
    await act(async () => fireEvent.click(panel.getByRole('button', { name: 'Add Item' })));
    expect(await screen.findByRole('alertdialog', { name: 'Is the quantity really 100,000?' })).toBeDefined();
    expect(sent).toEqual([]);
    await pressButton('Use 100,000');
    await waitFor(() => expect(sent).toMatchObject([{ lines: [{ quantity: 100_000 }] }]));
  });
});

it('adds several price list items at once', async () => {
  const { sent } = openJob(UNPRICED);
  await pressButton('Add Item');
  const several = await screen.findByLabelText('Select several');
  await act(async () => fireEvent.click(several));
  await pressButton(/^Tap/);
  await pressButton(/^Pipe/);
  await pressButton('Add 2 items');
  await waitForToasts('2 items added successfully');
  expect(sent).toMatchObject([{ lines: [{ supplier_item_id: 'item-1' }, { supplier_item_id: 'item-2' }] }]);
});

describe('the first item of a job with a fixed price', () => {
  it('comes on top if the person says so', async () => {
    const { sent } = openJob({});
    await pressButton('Add Item');
    await pressButton(/^Tap/);
    expect(sent).toEqual([]);
    await pressButton('The items come on top');
    await waitForToasts('Item added successfully');
    expect(sent).toMatchObject([{ fixed_price: 'keep' }]);
  });

  it('is not added if the person cancels', async () => {
    const { sent } = openJob({});
    await pressButton('Add Item');
    await pressButton(/^Tap/);
    await pressButton('Cancel');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(sent).toEqual([]);
  });

  it('always comes on top for staff who may not manage payments', async () => {
    const { sent } = openJob({}, {}, 'staff');
    await pressButton('Add Item');
    await screen.findByText('The items come on top of the fixed $500.00.');
    await pressButton(/^Tap/);
    await waitFor(() => expect(sent).toMatchObject([{ fixed_price: 'keep' }]));
  });
});

describe('editing a line', () => {
  it('changes its price and gives it a discount', async () => {
    const sent: unknown[] = [];
    const discounted = { ...JOB_ITEM, discount_percent: '10', discount: '10.00', total_price: '90.00', version: 2 };
    const { server } = openJob(
      { items: [JOB_ITEM] },
      {
        'PUT /job-items/line-1': (input) => {
          sent.push(input);
          server.job = { ...JOB, items: [discounted] };
          return { item: discounted, job: server.job };
        },
      },
    );
    await pressButton('Edit Tap');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Item' }));
    await dialog.findByLabelText('Name');
    typeInto('Unit price', '100');
    typeInto('Discount (optional)', '10');
    await dialog.findByText('$90.00');
    await pressButton('Save Changes');
    await waitForToasts('Item updated successfully');
    expect(sent).toMatchObject([{ version: 1, name: 'Tap', quantity: 1, unit_price: '100', discount_percent: '10', tax_inclusive: true }]);
    expect(await screen.findByText('Discount 10%: -10.00')).toBeDefined();
  });

  it('shows what a colleague changed, keeps the typed values and saves them on the second try', async () => {
    const versions: number[] = [];
    const changed = { ...JOB_ITEM, quantity: '4', version: 2 };
    openJob(
      { items: [JOB_ITEM] },
      {
        'PUT /job-items/line-1': (input) => {
          versions.push((input as { version: number }).version);
          if (versions.length > 1) return { item: changed, job: { ...JOB, items: [changed] } };
          return failWith('STALE_VERSION', 'Someone else has changed this record.', { current: changed });
        },
      },
    );
    await pressButton('Edit Tap');
    await screen.findByLabelText('Unit price');
    typeInto('Unit price', '100');
    await pressButton('Save Changes');
    await screen.findByText(/It is now: 4 × Tap at 115\.00\./);
    expect(getValue('Unit price')).toBe('100');
    await pressButton('Save Changes');
    await waitFor(() => expect(versions).toEqual([1, 2]));
  });

  it('saves a typed line to the price list', async () => {
    const sent: unknown[] = [];
    const typed = { ...JOB_ITEM, supplier_item_id: null, sku: null, supplier_name: null };
    const { server } = openJob(
      { items: [typed] },
      {
        'POST /job-items/line-1/listing': (input) => {
          sent.push(input);
          return (server.job = { ...JOB, items: [JOB_ITEM] });
        },
      },
    );
    await pressButton('Edit Tap');
    await pressButton('Save to price list');
    await waitForToasts('Item saved to your price list');
    expect(sent).toMatchObject([{ new_id: expect.any(String) }]);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save to price list' })).toBeNull());
  });

  it('is not offered to staff who may not manage payments', async () => {
    openJob({ items: [JOB_ITEM] }, {}, 'staff');
    await screen.findByRole('button', { name: 'Remove Tap' });
    expect(screen.queryByRole('button', { name: 'Edit Tap' })).toBeNull();
  });
});

describe('the items of a paid job', () => {
  const PAID: Partial<Job> = { status: 'paid', items: [JOB_ITEM], paid_amount: '115.00' };

  it('can be changed after a question', async () => {
    openJob(PAID);
    await pressButton('Change Items');
    await screen.findByText(/^The customer has paid \$115\.00\./);
    expect(screen.queryByRole('button', { name: 'Remove Tap' })).toBeNull();
    await pressButton('Change items');
    expect(await screen.findByRole('button', { name: 'Remove Tap' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Add Item' })).toBeDefined();
  });

  it.each(['booked', 'canceled'] as const)('are locked the same way if a %s job was paid in advance', async (status) => {
    openJob({ ...PAID, status, paid_amount: '500.00' });
    await pressButton('Change Items');
    await screen.findByText('The customer has paid $500.00. If the total goes above that, the difference is due.');
    expect(screen.queryByRole('button', { name: 'Add Item' })).toBeNull();
  });

  it('can be changed without a question if only a part was paid', async () => {
    openJob({ ...PAID, status: 'booked', paid_amount: '499.99' });
    await screen.findByRole('button', { name: 'Remove Tap' });
    expect(screen.queryByRole('button', { name: 'Change Items' })).toBeNull();
  });

  it('stay as they were if the server refuses to lower the price to what was paid', async () => {
    const message = 'The customer has already paid that much. Ask an admin, manager or accountant to lower the price.';
    const refuse = () => failWith('JOB_PAID', message);
    openJob({ items: [JOB_ITEM] }, { 'DELETE /job-items/line-1': refuse }, 'staff');
    await pressButton('Remove Tap');
    await waitForToasts(`Failed to remove item: ${message}`);
    expect(await screen.findByRole('button', { name: 'Remove Tap' })).toBeDefined();
  });

  it('cannot be changed by staff, who are told to ask', async () => {
    openJob(PAID, {}, 'staff');
    await screen.findByText('This job is paid. Ask an admin, manager or accountant to change its items.');
    for (const name of ['Change Items', 'Add Item', 'Remove Tap', 'Increase quantity of Tap'])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });

  it('say in the toast that the job is no longer paid', async () => {
    openJob(PAID, { 'DELETE /job-items/line-1': () => ({ ...JOB, ...PAID, items: [], status: 'complete' }) });
    await pressButton('Change Items');
    await pressButton('Change items');
    await pressButton('Remove Tap');
    expect(await screen.findByText('Item removed successfully. The job is no longer paid in full.')).toBeDefined();
  });
});

it('asks before a typed quantity above 10,000 is saved', async () => {
  openJob({ items: [JOB_ITEM] });
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Quantity of Tap' });
  fireEvent.change(field, { target: { value: '1000000' } });
  await act(async () => fireEvent.blur(field));
  await screen.findByRole('alertdialog', { name: 'Is the quantity really 1,000,000?' });
  await pressButton('Cancel');
  await waitFor(() => expect(field.value).toBe('1'));
});
