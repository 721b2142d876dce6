import type { RecordEvent } from '@callout/contract/comments';
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { formatJobEvent } from '../src/features/jobs/job-event-format.ts';
import { formatEventTime } from '../src/lib/record-history.tsx';
import { ADMIN_USER, JOB } from './fixtures.ts';
import { failWith, type MockApi, openPage, pressButton } from './open-page.tsx';

const HISTORY_CALL = `GET /jobs/${JOB.id}/history`;

let eventCount = 0;
function buildEvent(action: string, changes: RecordEvent['changes'] = {}, overrides: Partial<RecordEvent> = {}): RecordEvent {
  eventCount += 1;
  return { id: `event-${eventCount}`, at: '2026-04-01T01:05:00.000Z', made_at: null, who: 'Mia', action, changes, ...overrides };
}

const openJob = (history: (input: unknown) => unknown, responses: MockApi = {}) =>
  openPage(`/jobs/${JOB.id}`, {
    'GET /me': () => ADMIN_USER,
    [`GET /jobs/${JOB.id}`]: () => JOB,
    [HISTORY_CALL]: history,
    ...responses,
  });

const buildHistoryPage = (rows: RecordEvent[], next_cursor: string | null = null) => ({ rows, next_cursor });
const findHistorySection = () => screen.findByRole('region', { name: 'History' });
const findHistoryLines = async () => within(await findHistorySection()).getAllByRole('listitem');

describe('job history', () => {
  it.each<[string, RecordEvent['changes'], string]>([
    [
      'created',
      { status: [null, 'booked'], booking_date: [null, '2026-04-05T20:00:00.000Z'], assigned_to: [null, 'Sam'] },
      'created the job for Apr 6, 8:00 AM, assigned to Sam',
    ],
    ['created', {}, 'created the job'],
    ['created', { status: [null, 'pending'], quote: [null, 'Q418205'] }, 'accepted quote Q418205, which created the job'],
    [
      'created',
      { copied_from: [null, 'J26030007'], assigned_to: [null, 'Sam'] },
      'created the job as a copy of #J26030007, assigned to Sam',
    ],
    ['copied', { copied_to: [null, 'J26040001'] }, 'copied the job to #J26040001'],
    ['edited', { booking_date: [null, '2026-11-16T20:00:00.000Z'] }, 'booked it for Nov 17, 9:00 AM'],
    [
      'edited',
      { booking_date: ['2026-11-16T20:00:00.000Z', '2027-01-03T20:00:00.000Z'] },
      'moved the booking from Nov 17, 9:00 AM to Jan 4, 2027 9:00 AM',
    ],
    [
      'edited',
      { description: ['a', 'b'], status: ['pending', 'booked'], booking_date: [null, '2026-11-16T20:00:00.000Z'] },
      'booked it for Nov 17, 9:00 AM, changed the status from Pending to Booked and changed the description',
    ],
    ['edited', { status: ['pending', 'booked'] }, 'changed the status from Pending to Booked'],
    ['edited', { assigned_to: ['Sam', 'Josh'] }, 'reassigned it from Sam to Josh'],
    ['edited', { assigned_to: [null, 'Josh'] }, 'assigned it to Josh'],
    ['edited', { assigned_to: ['Josh', null], hourly_rate: [null, '150.00'] }, 'unassigned Josh and set the hourly rate to $150.00'],
    ['edited', { customer: ['Ruiz Ltd', null] }, 'deleted the customer Ruiz Ltd'],
    ['edited', { customer: [null, 'Bo Li'] }, 'set the customer to Bo Li'],
    ['edited', { title: ['Tap', 'Sink'], description: ['a', 'b'] }, 'renamed it from “Tap” to “Sink” and changed the description'],
    [
      'edited',
      { duration: ['1', '2.5'], fixed_amount: [null, '1500.00'], categories: ['Drains', null] },
      'changed the duration from 1 hour to 2.5 hours, set the fixed amount to $1,500.00 and removed the category Drains',
    ],
    [
      'edited',
      { address: ['1 High Street', '2 Low Street\nAuckland'] },
      'changed the address from 1 High Street to 2 Low Street, Auckland',
    ],
    ['edited', { job_type: ['fixed', 'hourly'] }, 'changed the job type from Fixed to Hourly'],
    ['items', { item_added: [null, '2 × Tap'] }, 'added 2 × Tap'],
    ['items', { item_removed: ['2 × Tap', null] }, 'removed 2 × Tap'],
    ['items', { item_quantity: ['1 × Tap', '3 × Tap'] }, 'changed the quantity of Tap from 1 to 3'],
    ['items', { item_changed: ['2 × Tap at 10.10', '2 × Tap at 12.00'] }, 'changed 2 × Tap at 10.10 to 2 × Tap at 12.00'],
    ['items', { item_changed: ['2.5 × Tap at 10.10', '2.5 × Tap at 10.10 (Discount 10%: -2.53)'] }, 'gave Tap a 10% discount ($2.53)'],
    ['items', { item_changed: ['1 × Tap at 5,000.00', '1 × Tap at 5,000.00 (Discount: -1,000.00)'] }, 'gave Tap a discount of $1,000.00'],
    ['items', { item_changed: ['1 × Tap at 9.00 (Discount: -1.00)', '1 × Tap at 9.00'] }, 'removed the discount on Tap'],
    [
      'items',
      { item_changed: ['1 × Tap at 9.00 (Discount: -1.00)', '1 × Tap at 9.00 (Discount 50%: -4.50)'] },
      'changed the discount on Tap to 50% ($4.50)',
    ],
    ['comment_edited', { comment: ['Leaks', 'Leaked'] }, 'changed a comment from “Leaks” to “Leaked”'],
    ['comment_edited', { comment: ['', 'See photo'] }, 'added text to a comment: “See photo”'],
    ['comment_edited', { comment: ['See photo', ''] }, "removed a comment's text: “See photo”"],
    ['comment_deleted', { comment: ['Wrong job', null] }, 'deleted a comment: “Wrong job”'],
    [
      'comment_deleted',
      { comment: ['Wrong job', null], files: ['leak.png', null], author: ['Sam', null] },
      "deleted Sam's comment: “Wrong job” with the files leak.png",
    ],
    ['timer_started', {}, 'started the timer'],
    ['timer_paused', {}, 'paused the timer'],
    ['timer_paused', { timer_of: [null, 'Sam'] }, "paused Sam's timer"],
    [
      'timer_paused',
      { billed_until: ['2026-04-05T20:00:00.000Z', '2026-04-05T21:00:00.000Z'] },
      'paused the timer at Apr 6, 8:00 AM, but time until Apr 6, 9:00 AM was already allocated',
    ],
    ['timer_paused', { billed_until: ['2026-04-05T20:00:10.000Z', '2026-04-05T20:00:20.000Z'] }, 'paused the timer'],
    ['time_added', { period: ['2026-04-05T20:00:00.000Z', '2026-04-05T21:30:00.000Z'] }, 'added 1h 30m of work, starting Apr 6, 8:00 AM'],
    [
      'time_added',
      { period: ['2026-04-05T20:00:00.000Z', '2026-04-05T21:00:00.000Z'], time_of: [null, 'Sam'] },
      'added 1h of work by Sam, starting Apr 6, 8:00 AM',
    ],
    [
      'time_removed',
      { period: ['2026-04-05T20:00:00.000Z', '2026-04-05T21:00:00.000Z'], time_of: [null, 'Sam'] },
      'deleted 1h of work by Sam, starting Apr 6, 8:00 AM',
    ],
    [
      'time_changed',
      {
        started_at: ['2026-04-05T20:00:00.000Z', '2026-04-05T19:00:00.000Z'],
        ended_at: ['2026-04-05T21:00:00.000Z', '2026-04-05T22:00:00.000Z'],
      },
      'changed time added by hand: start from Apr 6, 8:00 AM to Apr 6, 7:00 AM and end from Apr 6, 9:00 AM to Apr 6, 10:00 AM',
    ],
    [
      'time_changed',
      { ended_at: ['2026-04-05T21:00:00.000Z', '2026-04-05T22:00:00.000Z'], time_of: [null, 'Sam'] },
      "changed Sam's time: end from Apr 6, 9:00 AM to Apr 6, 10:00 AM",
    ],
    ['edited', { hourly_rate_confirmed: [null, 'yes'] }, "chose the job's own hourly rate"],
    ['edited', { hourly_rate_confirmed: ['yes', null] }, "chose the assigned person's hourly rate"],
    ['time_allocated', { seconds: [null, '5400'], item_added: [null, '2 × Labour'] }, 'added 2 × Labour for 1h 30m of tracked time'],
    [
      'time_corrected',
      { ended_at: ['2026-04-01T07:30:00.000Z', '2026-04-01T04:00:00.000Z'] },
      'corrected the end time from Apr 1, 8:30 PM to Apr 1, 5:00 PM',
    ],
    ['edited', { secret_code: ['018f0000-0000-7000-8000-000000000001', '2026-04-01T07:30:00.000Z'] }, 'changed the secret code'],
    ['invoiced', { invoice_number: [null, 'INV-2026-0187'], total_amount: [null, '1150.00'] }, 'issued INV-2026-0187 for $1,150.00'],
    [
      'invoiced',
      { invoice_number: ['INV-2026-0187', 'INV-2026-0190'], total_amount: ['115.00', '230.00'] },
      'issued INV-2026-0190 for $230.00, replacing INV-2026-0187',
    ],
    ['credited', { credit_note: ['INV-2026-0187', 'CN-2026-0003'], reason: [null, null] }, 'canceled INV-2026-0187 with CN-2026-0003'],
    [
      'credited',
      { credit_note: ['INV-2026-0187', 'CN-2026-0003'], reason: [null, 'Wrong customer'] },
      'canceled INV-2026-0187 with CN-2026-0003: Wrong customer',
    ],
    [
      'payment_recorded',
      { amount: [null, '50.00'], paid_on: [null, '2026-04-04'], method: [null, 'bank_transfer'] },
      'recorded a payment of $50.00 (Bank transfer), paid on Apr 4, 2026',
    ],
    ['payment_reversed', { amount: ['50.00', null], paid_on: ['2026-04-04', null] }, 'reversed the payment of $50.00 from Apr 4, 2026'],
    [
      'invoice-mailed',
      { invoice_number: [null, 'INV-2026-0187'], recipient: [null, 'jane@example.com'] },
      'sent INV-2026-0187 to jane@example.com',
    ],
    [
      'reminded',
      { invoice_number: [null, 'INV-2026-0187'], recipient: [null, 'jane@example.com'] },
      'sent a reminder for INV-2026-0187 to jane@example.com',
    ],
    [
      'mail-failed',
      { invoice_number: [null, 'INV-2026-0187'], recipient: [null, 'jane@example.com'], problem: [null, 'Mailbox full.'] },
      "couldn't deliver INV-2026-0187 to jane@example.com: Mailbox full.",
    ],
    ['something_new', {}, 'changed the job'],
  ])('describes the event %s with changes %j as "%s"', (action, changes, text) => {
    expect(formatJobEvent(buildEvent(action, changes), { zone: 'Pacific/Auckland', currency: 'NZD' })).toBe(text);
  });

  it("formats event times in the company's time zone", () => {
    const now = '2026-04-01T05:00:00.000Z';
    const time = (at: string) => formatEventTime(at, now, 'Pacific/Auckland');
    expect(time('2026-03-31T20:04:00.000Z')).toBe('Today 9:04 AM');
    expect(time('2026-03-30T20:04:00.000Z')).toBe('Mar 31 9:04 AM');
    expect(time('2025-03-30T20:04:00.000Z')).toBe('Mar 31, 2025 9:04 AM');
  });

  it('shows the five newest events, then all loaded ones, then older pages', async () => {
    const events = Array.from({ length: 7 }, (_, index) => buildEvent('timer_started', {}, { who: `Person ${index}` }));
    openJob(() => buildHistoryPage(events, 'older'), { [`${HISTORY_CALL}?cursor=older`]: () => buildHistoryPage([buildEvent('created')]) });
    await screen.findByText('Person 0');
    expect((await findHistoryLines()).map((line) => line.textContent)).toHaveLength(5);
    await pressButton('Show all');
    expect(await findHistoryLines()).toHaveLength(7);
    await pressButton('Show older');
    await waitFor(async () => expect(await findHistoryLines()).toHaveLength(8));
    expect((await findHistoryLines()).at(-1)?.textContent).toContain('Mia created the job');
    expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
  });

  it('reloads when a colleague changes the job', async () => {
    const server = { rows: [buildEvent('created')] };
    const { queryClient } = openJob(() => buildHistoryPage(server.rows));
    await screen.findByText('Mia');
    server.rows = [buildEvent('timer_started', {}, { who: 'Sam' }), ...server.rows];
    await act(() => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'jobs' }));
    await waitFor(async () => expect((await findHistoryLines())[0]?.textContent).toContain('Sam started the timer'));
  });

  it('shows a load error without hiding the job and reloads on Retry', async () => {
    const server = { fails: true };
    openJob(() => (server.fails ? failWith('FORBIDDEN', 'No history for you') : buildHistoryPage([buildEvent('created')])));
    const section = await findHistorySection();
    await within(section).findByText('No history for you');
    screen.getByRole('heading', { level: 1, name: 'Roof repair' });
    server.fails = false;
    await pressButton(/Retry|Try again/);
    await within(section).findByText('Mia');
    expect(await findHistoryLines()).toHaveLength(1);
  });
});
