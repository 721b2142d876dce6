import type { Job, JobItem } from '@callout/contract/jobs';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answers, openPage, press, refuse, waitForToasts } from './open-page.tsx';
import { CUSTOMER, GAS, JOB, OWNER, PROFILE } from './people.ts';

const PATH = `/jobs/${JOB.id}`;
const TAP: JobItem = {
  id: 'line-1',
  supplier_item_id: 'item-1',
  name: 'Tap',
  description: null,
  sku: 'T-1',
  supplier_name: 'Mico',
  tax_inclusive: true,
  is_service: false,
  quantity: '1',
  unit_price: '115.00',
  cost_price: null,
  total_price: '115.00',
  version: 1,
};
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

function openJob(change: Partial<Job> = {}, more: Answers = {}, role: Role = 'admin') {
  const server = { job: { ...JOB, ...change } };
  const page = openPage(PATH, {
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, role } }),
    [`GET /jobs/${JOB.id}`]: () => server.job,
    [`GET /comments?job_id=${JOB.id}`]: () => ({ rows: [] }),
    [`PUT /jobs/${JOB.id}/status`]: (input) => {
      server.job = { ...server.job, ...(input as Job) };
      return server.job;
    },
    ...more,
  });
  return { ...page, server };
}

const href = async (name: string | RegExp) => (await screen.findByRole<HTMLAnchorElement>('link', { name })).getAttribute('href');
const heading = () => screen.findByRole('heading', { level: 1, name: 'Roof repair' });

describe('a job', () => {
  it('says where, when and whom to call', async () => {
    openJob();
    await heading();
    expect(await href('Get Directions')).toBe('https://www.google.com/maps/dir/?api=1&destination=1%20High%20Street');
    expect(await href('Call Ana Rossi')).toBe('tel:021555123');
    expect(await href('ana@example.com')).toBe('mailto:ana@example.com');
    expect(await href('Ana Rossi')).toBe(`/customers/${CUSTOMER.id}`);
    for (const text of [
      '#J26030042',
      'Booked',
      'Two tiles are missing.',
      'Sam Leota',
      'Drains',
      'Apr 6, 2026 8:00 AM',
      '2 hours · Auckland time',
    ]) {
      screen.getByText(text);
    }
    expect(document.title).toBe('Roof repair · Callout');
  });

  it('names what it does not have', async () => {
    openJob({
      customer: null,
      customer_id: null,
      staff: null,
      staff_id: null,
      categories: [],
      booking_date: null,
      duration: null,
      address: null,
    });
    await heading();
    for (const text of ['No Customer', 'Unassigned', 'Uncategorized', 'Not scheduled', 'No address'])
      expect(screen.getByText(text)).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Get Directions' })).toBeNull();
  });

  it('shows the hourly rate of an hourly job, and all its categories', async () => {
    openJob({ job_type: 'hourly', categories: [...JOB.categories, GAS] });
    await heading();
    expect(screen.getByText('$85.00/hr')).toBeDefined();
    expect(screen.getByText('Drains, Gas')).toBeDefined();
  });

  it('is completed, and then paid for', async () => {
    openJob();
    await press('Complete Job');
    await waitForToasts('Job marked as complete');
    await screen.findByText('Complete');
    expect(screen.queryByRole('button', { name: 'Complete Job' })).toBeNull();
    expect(await href('Payment')).toBe(`${PATH}/payment`);
  });

  it('that cannot be completed says why', async () => {
    openJob({}, { [`PUT /jobs/${JOB.id}/status`]: () => refuse('FORBIDDEN', 'No') });
    await press('Complete Job');
    await waitForToasts('Failed to complete job: No');
    expect(screen.getByText('Booked')).toBeDefined();
  });

  it.each(['accountant', 'staff'] as const)('is not edited by the role %s', async (role) => {
    openJob({}, {}, role);
    await heading();
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
    screen.getByRole('button', { name: 'Add Item' });
  });

  it('is edited by managers', async () => {
    openJob({}, {}, 'manager');
    expect(await href('Edit')).toBe(`${PATH}/edit`);
  });

  it('that is not there says so', async () => {
    openJob({}, { [`GET /jobs/${JOB.id}`]: () => refuse('NOT_FOUND', 'Job not found') });
    await screen.findByRole('heading', { name: 'Job not found' });
    expect(await href('All jobs')).toBe('/jobs');
  });
});

describe('the items of a job', () => {
  const items = () => within(screen.getByRole('region', { name: /^Items & Services/ }));

  it('without any it costs its fixed amount', async () => {
    openJob();
    await heading();
    items().getByText('No items added yet');
    for (const amount of ['$434.78', '$65.22', '$500.00']) expect(items().getByText(amount)).toBeDefined();
  });

  it('follow a quantity at once, also pressed twice before the server answers', async () => {
    const sent: unknown[] = [];
    const answer = Promise.withResolvers<void>();
    openJob(
      { items: [TAP] },
      {
        'PUT /job-items/line-1/quantity': async (input) => {
          sent.push(input);
          await answer.promise;
          return { ...JOB, items: [{ ...TAP, quantity: '3', total_price: '345.00' }] };
        },
      },
    );
    await heading();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'One less Tap' }).disabled).toBe(true);
    for (const amount of ['$100.00', '$15.00']) items().getByText(amount);
    await press('One more Tap');
    await press('One more Tap');
    await waitFor(() => expect(items().getByText('$300.00')).toBeDefined());
    expect(items().getByText('$45.00')).toBeDefined();
    await act(async () => answer.resolve());
    await waitFor(() => expect(sent).toEqual([{ quantity: 2 }, { quantity: 3 }]));
  });

  it('go back to the stored quantity when it cannot be changed', async () => {
    openJob({ items: [TAP] }, { 'PUT /job-items/line-1/quantity': () => refuse('FORBIDDEN', 'No') });
    await heading();
    await press('One more Tap');
    await waitForToasts('Failed to update quantity: No');
    await waitFor(() => expect(items().getByRole('status').textContent).toBe('1'));
  });

  it('are removed', async () => {
    const { server } = openJob({ items: [TAP] }, { 'DELETE /job-items/line-1': () => (server.job = JOB) });
    await heading();
    await press('Remove Tap');
    await waitForToasts('Item removed successfully');
    expect(items().queryByText('Tap')).toBeNull();
  });

  it('that cannot be removed stay, and say why', async () => {
    openJob({ items: [TAP] }, { 'DELETE /job-items/line-1': () => refuse('FORBIDDEN', 'No') });
    await heading();
    await press('Remove Tap');
    await waitForToasts('Failed to remove item: No');
    expect(items().getByText('Tap')).toBeDefined();
  });

  it('are added from the price lists with one press', async () => {
    const sent: { id: string }[] = [];
    const answers = [() => refuse('INTERNAL'), () => ({ ...JOB, items: [TAP] })];
    openJob(
      {},
      {
        'GET /items/search': () => ({ rows: [CHOICE], next_cursor: null }),
        'GET /items/search?search=zzz': () => ({ rows: [], next_cursor: null }),
        'POST /job-items': (input) => {
          sent.push(input as { id: string });
          return answers.shift()?.();
        },
      },
    );
    await press('Add Item');
    const dialog = within(await screen.findByRole('dialog', { name: 'Add Item' }));
    const search = dialog.getByPlaceholderText('Search items...');
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
});
