import type { Job } from '@callout/contract/jobs';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN_USER, JOB, PROFILE } from './fixtures.ts';
import { buildHourlyJob, freezeClock, getServerTime } from './mock-timer.ts';
import { failWith, getToasts, type MockApi, openPage, pressButton, waitForToasts } from './open-page.tsx';

beforeEach(freezeClock);
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

const LABOR_ITEM = {
  id: '018f0000-0000-7000-8000-0000000000d1',
  name: 'Labour',
  sku: 'SV-1',
  description: null,
  tax_inclusive: true,
  is_service: true,
  selling_price: '60.00',
  supplier: { id: 'supplier-1', company_name: 'Our own services' },
  matched: null,
};

/** Builds a job with 5400 unallocated seconds at 60.00 an hour. */
const buildUnallocatedJob = () =>
  buildHourlyJob({ finished_seconds: 9000, allocated_seconds: 3600, hourly_rate: '60.00', timer_status: 'paused' });

async function openAllocateDialog(responses: MockApi = {}, change: Partial<Job> = {}, panel = 'Job Timer') {
  const server: { job: Job; sent: unknown[] } = { job: { ...buildUnallocatedJob(), ...change }, sent: [] };
  openPage(`/jobs/${JOB.id}`, {
    'GET /me': () => ADMIN_USER,
    'GET /timer': () => ({ timer: null, server_time: getServerTime() }),
    [`GET /jobs/${JOB.id}`]: () => server.job,
    'GET /items/search': () => ({ rows: [LABOR_ITEM], next_cursor: null }),
    'POST /time-allocations': (input) => {
      server.sent.push(input);
      server.job = buildHourlyJob({ finished_seconds: 9000, allocated_seconds: 9000, timer_status: 'paused' }, change);
      return server.job;
    },
    ...responses,
  });
  await screen.findByRole('region', { name: panel });
  await pressButton('Allocate');
  return { server, dialog: await findAllocateDialog() };
}

const findAllocateDialog = async () => within(await screen.findByRole('dialog', { name: 'Allocate Time Cost' }));
const getAllocateButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Allocate Time Cost' });
const chooseLaborItem = async () => {
  const item = await screen.findByRole('button', { name: /^Labour/ });
  await act(async () => fireEvent.click(item));
};
const enterQuantity = (text: string) => {
  const field = screen.getByLabelText('Quantity');
  fireEvent.change(field, { target: { value: text } });
  return field as HTMLInputElement;
};

it('bills only the unallocated time, as the chosen item', async () => {
  const { server, dialog } = await openAllocateDialog();
  dialog.getByText('1h 30m');
  dialog.getByText('$90.00');
  expect(getAllocateButton().disabled).toBe(true);
  await chooseLaborItem();
  dialog.getByText('#SV-1 · Our own services');
  enterQuantity('3');
  dialog.getByText('$30.00');
  expect(dialog.getAllByText('$90.00')).toHaveLength(2);
  await pressButton('Allocate Time Cost');
  await waitForToasts('Time cost allocated successfully');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.sent).toEqual([{ id: expect.any(String), job_id: JOB.id, supplier_item_id: LABOR_ITEM.id, quantity: 3 }]);
  screen.getByText('All time on this job has been allocated.');
});

it('rejects a fractional quantity of the allocated item and keeps the entered text', async () => {
  const { server, dialog } = await openAllocateDialog();
  await chooseLaborItem();
  const field = enterQuantity('2,5');
  fireEvent.blur(field);
  expect([field.value, field.getAttribute('aria-invalid')]).toEqual(['2.5', 'true']);
  dialog.getByText('Quantity must be a whole number');
  dialog.getByText('–');
  await pressButton('Allocate Time Cost');
  expect([document.activeElement, server.sent]).toEqual([field, []]);
  enterQuantity('3');
  expect(dialog.queryByText('Quantity must be a whole number')).toBeNull();
  await pressButton('Allocate Time Cost');
  await waitFor(() => expect(server.sent).toMatchObject([{ quantity: 3 }]));
});

it.each(['', '0', '-2', 'abc'])('treats a quantity of "%s" as 1', async (text) => {
  const { dialog } = await openAllocateDialog();
  await chooseLaborItem();
  const field = enterQuantity(text);
  expect(dialog.getAllByText('$90.00')).toHaveLength(3);
  fireEvent.blur(field);
  expect(field.value).toBe('1');
});

it('returns to the item list on Change and resets the dialog when it is reopened', async () => {
  const { dialog } = await openAllocateDialog();
  await chooseLaborItem();
  await pressButton('Change');
  await dialog.findByRole('button', { name: /^Labour/ });
  await chooseLaborItem();
  enterQuantity('4');
  await pressButton('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await pressButton('Allocate');
  await findAllocateDialog();
  await chooseLaborItem();
  expect(screen.getByLabelText<HTMLInputElement>('Quantity').value).toBe('1');
});

it('shows Processing... while the allocation is saved', async () => {
  const response = Promise.withResolvers<Job>();
  const { dialog } = await openAllocateDialog({ 'POST /time-allocations': () => response.promise });
  await chooseLaborItem();
  await pressButton('Allocate Time Cost');
  const button = await dialog.findByRole('button', { name: 'Processing...' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await act(async () => response.resolve(buildUnallocatedJob()));
  await waitForToasts('Time cost allocated successfully');
});

it('shows why allocating failed, keeps the chosen item and retries with the same id', async () => {
  const sent: { id: string }[] = [];
  await openAllocateDialog({
    'POST /time-allocations': (input) => {
      sent.push(input as { id: string });
      return failWith('NOTHING_TO_ALLOCATE', 'All time on this job has already been allocated.');
    },
  });
  await chooseLaborItem();
  enterQuantity('2');
  await pressButton('Allocate Time Cost');
  await waitForToasts('Failed to allocate time cost: All time on this job has already been allocated.');
  expect(screen.getByLabelText<HTMLInputElement>('Quantity').value).toBe('2');
  await pressButton('Allocate Time Cost');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.id).toBe(sent[0]?.id);
});

it('can allocate again after an earlier attempt with another item was saved but its response was lost', async () => {
  const sent: { id: string }[] = [];
  await openAllocateDialog({
    'POST /time-allocations': (input) => {
      sent.push(input as { id: string });
      if (sent.length === 1) throw new TypeError('Failed to fetch');
      return sent.length === 2 ? failWith('ID_TAKEN', 'A record with this id already exists.') : buildUnallocatedJob();
    },
  });
  await chooseLaborItem();
  await pressButton('Allocate Time Cost');
  await waitFor(() => expect(getToasts()[0]).toMatch(/^Failed to allocate time cost: /));
  await pressButton('Change');
  await pressButton('Bill as Labour at $60.00/hr');
  await pressButton('Allocate Time Cost');
  await waitFor(() => expect(getToasts().join()).toContain('The time was already allocated, to the item you chose first.'));
  await pressButton('Allocate Time Cost');
  await waitForToasts('Time cost allocated successfully');
  expect(sent[1]?.id).toBe(sent[0]?.id);
  expect(sent[2]?.id).not.toBe(sent[0]?.id);
});

it('bills the remaining time of a completed job, which no longer has a timer', async () => {
  const { server } = await openAllocateDialog({}, { status: 'complete' }, 'Unbilled Time');
  await chooseLaborItem();
  await act(async () => fireEvent.click(getAllocateButton()));
  await waitForToasts('Time cost allocated successfully');
  expect(server.sent).toMatchObject([{ job_id: JOB.id, supplier_item_id: LABOR_ITEM.id, quantity: 1 }]);
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Unbilled Time' })).toBeNull());
  expect(screen.queryByRole('region', { name: 'Job Timer' })).toBeNull();
});

describe('a line that is not in the price list', () => {
  it('bills the time as labor at the shown rate, with no price list at all', async () => {
    const { server, dialog } = await openAllocateDialog({ 'GET /items/search': () => ({ rows: [], next_cursor: null }) });
    expect((await screen.findByLabelText<HTMLInputElement>('Name')).value).toBe('Labour');
    expect(dialog.queryByText('No items found')).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Change' })).toBeNull();
    fireEvent.change(screen.getByLabelText('Hourly rate'), { target: { value: '80' } });
    dialog.getByText('Cost at $80.00/hr');
    expect(dialog.getAllByText('$120.00')).toHaveLength(3);
    await pressButton('Allocate Time Cost');
    await waitForToasts('Time cost allocated successfully');
    const typed = { name: 'Labour', hourly_rate: '80', tax_inclusive: true };
    expect(server.sent).toEqual([{ id: expect.any(String), job_id: JOB.id, supplier_item_id: null, ...typed, quantity: 1 }]);
  });

  it("cannot be billed by staff below the job's rate", async () => {
    const staffUser = { ...ADMIN_USER, profile: { ...PROFILE, role: 'staff' } };
    const { server, dialog } = await openAllocateDialog({ 'GET /me': () => staffUser });
    await pressButton('Bill as Labour at $60.00/hr');
    expect(document.activeElement).toBe(screen.getByLabelText('Hourly rate'));
    fireEvent.change(screen.getByLabelText('Hourly rate'), { target: { value: '59.99' } });
    await pressButton('Allocate Time Cost');
    dialog.getByText('The hourly rate is 60.00. Ask an admin, manager or accountant to lower it.');
    expect(server.sent).toEqual([]);
    fireEvent.change(screen.getByLabelText('Hourly rate'), { target: { value: '60' } });
    await pressButton('Allocate Time Cost');
    await waitForToasts('Time cost allocated successfully');
  });

  it('costs nothing at a rate of 0 that was confirmed for the job or typed', async () => {
    const { timer } = buildUnallocatedJob();
    const change = { hourly_rate: '0.00', hourly_rate_confirmed: true, timer: { ...timer, hourly_rate: '0.00' } };
    const { dialog } = await openAllocateDialog({}, change);
    dialog.getByText('Cost at $0.00/hr');
    await pressButton('Bill as Labour at $0.00/hr');
    expect(screen.getByLabelText<HTMLInputElement>('Hourly rate').value).toBe('0.00');
    dialog.getByText('Cost at $0.00/hr');
    fireEvent.change(screen.getByLabelText('Hourly rate'), { target: { value: '' } });
    dialog.getByText('No hourly rate yet');
  });

  it('asks for a rate if no one has one, and keeps the typed name', async () => {
    const { timer } = buildUnallocatedJob();
    const { server, dialog } = await openAllocateDialog({}, { timer: { ...timer, hourly_rate: '0' } });
    dialog.getByText('No hourly rate yet');
    await pressButton('Bill as Labour');
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Call-out' } });
    await pressButton('Allocate Time Cost');
    dialog.getByText('Hourly rate is required');
    fireEvent.change(screen.getByLabelText('Hourly rate'), { target: { value: '-5' } });
    await pressButton('Allocate Time Cost');
    dialog.getByText('Hourly rate must be 0 or more, with up to 2 decimal places');
    expect([screen.getByLabelText<HTMLInputElement>('Name').value, server.sent]).toEqual(['Call-out', []]);
  });
});
