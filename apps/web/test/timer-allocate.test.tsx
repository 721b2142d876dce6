import type { Job } from '@callout/contract/jobs';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Answers, openPage, press, refuse, waitForToasts } from './open-page.tsx';
import { JOB, OWNER } from './people.ts';
import { hourlyJob, serverTime, stopClock } from './timers.ts';

beforeEach(stopClock);
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

const CHOICE = {
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

/** 5400 seconds at 60 an hour are not allocated yet. */
const job = () => hourlyJob({ finished_seconds: 9000, allocated_seconds: 3600, hourly_rate: '60.00', timer_status: 'paused' });

async function openDialog(more: Answers = {}, change: Partial<Job> = {}, panel = 'Job Timer') {
  const server: { job: Job; sent: unknown[] } = { job: { ...job(), ...change }, sent: [] };
  openPage(`/jobs/${JOB.id}`, {
    'GET /me': () => OWNER,
    'GET /timer': () => ({ timer: null, server_time: serverTime() }),
    [`GET /jobs/${JOB.id}`]: () => server.job,
    'GET /items/search': () => ({ rows: [CHOICE], next_cursor: null }),
    'POST /time-allocations': (input) => {
      server.sent.push(input);
      server.job = hourlyJob({ finished_seconds: 9000, allocated_seconds: 9000, timer_status: 'paused' }, change);
      return server.job;
    },
    ...more,
  });
  await screen.findByRole('region', { name: panel });
  await press('Allocate');
  return { server, dialog: await findDialog() };
}

const findDialog = async () => within(await screen.findByRole('dialog', { name: 'Allocate Time Cost' }));
const allocateButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Allocate Time Cost' });
const pick = async () => {
  const item = await screen.findByRole('button', { name: /^Labour/ });
  await act(async () => fireEvent.click(item));
};
const setQuantity = (text: string) => {
  const field = screen.getByLabelText('Quantity');
  fireEvent.change(field, { target: { value: text } });
  return field as HTMLInputElement;
};

it('bills only the time that is not allocated yet, as the chosen item', async () => {
  const { server, dialog } = await openDialog();
  dialog.getByText('1h 30m');
  dialog.getByText('$90.00');
  expect(allocateButton().disabled).toBe(true);
  await pick();
  dialog.getByText('#SV-1 · Our own services');
  setQuantity('3');
  dialog.getByText('$30.00');
  expect(dialog.getAllByText('$90.00')).toHaveLength(2);
  await press('Allocate Time Cost');
  await waitForToasts('Time cost allocated successfully');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.sent).toEqual([{ id: expect.any(String), job_id: JOB.id, supplier_item_id: CHOICE.id, quantity: 3 }]);
  screen.getByText('All time on this job has been allocated.');
});

it('refuses a quantity that is not whole, and leaves what was typed', async () => {
  const { server, dialog } = await openDialog();
  await pick();
  const field = setQuantity('2,5');
  fireEvent.blur(field);
  expect([field.value, field.getAttribute('aria-invalid')]).toEqual(['2.5', 'true']);
  dialog.getByText('Quantity must be a whole number');
  dialog.getByText('–');
  await press('Allocate Time Cost');
  expect([document.activeElement, server.sent]).toEqual([field, []]);
  setQuantity('3');
  expect(dialog.queryByText('Quantity must be a whole number')).toBeNull();
  await press('Allocate Time Cost');
  await waitFor(() => expect(server.sent).toMatchObject([{ quantity: 3 }]));
});

it.each(['', '0', '-2', 'abc'])('takes a quantity of "%s" as 1', async (text) => {
  const { dialog } = await openDialog();
  await pick();
  const field = setQuantity(text);
  expect(dialog.getAllByText('$90.00')).toHaveLength(3);
  fireEvent.blur(field);
  expect(field.value).toBe('1');
});

it('goes back to the list with Change, and starts anew when it is opened again', async () => {
  const { dialog } = await openDialog();
  await pick();
  await press('Change');
  await dialog.findByRole('button', { name: /^Labour/ });
  await pick();
  setQuantity('4');
  await press('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('Allocate');
  await findDialog();
  await pick();
  expect(screen.getByLabelText<HTMLInputElement>('Quantity').value).toBe('1');
});

it('says that it is being saved', async () => {
  const answer = Promise.withResolvers<Job>();
  const { dialog } = await openDialog({ 'POST /time-allocations': () => answer.promise });
  await pick();
  await press('Allocate Time Cost');
  const button = await dialog.findByRole('button', { name: 'Processing...' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await act(async () => answer.resolve(job()));
  await waitForToasts('Time cost allocated successfully');
});

it('that failed says why, keeps what was chosen, and is the same allocation when tried again', async () => {
  const sent: { id: string }[] = [];
  await openDialog({
    'POST /time-allocations': (input) => {
      sent.push(input as { id: string });
      return refuse('NOTHING_TO_ALLOCATE', 'All time on this job has been allocated already.');
    },
  });
  await pick();
  setQuantity('2');
  await press('Allocate Time Cost');
  await waitForToasts('Failed to allocate time cost: All time on this job has been allocated already.');
  expect(screen.getByLabelText<HTMLInputElement>('Quantity').value).toBe('2');
  await press('Allocate Time Cost');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.id).toBe(sent[0]?.id);
});

it('bills the last hours of a completed job, which has no timer any more', async () => {
  const { server } = await openDialog({}, { status: 'complete' }, 'Unallocated Time');
  await pick();
  await act(async () => fireEvent.click(allocateButton()));
  await waitForToasts('Time cost allocated successfully');
  expect(server.sent).toMatchObject([{ job_id: JOB.id, supplier_item_id: CHOICE.id, quantity: 1 }]);
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Unallocated Time' })).toBeNull());
  expect(screen.queryByRole('region', { name: 'Job Timer' })).toBeNull();
});
