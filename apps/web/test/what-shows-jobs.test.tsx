import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { boardOptions, useMoveJob } from '../src/features/board/board.api.ts';
import { calendarEventsOptions, unscheduledOptions } from '../src/features/calendar/calendar.api.ts';
import type { Schedulable } from '../src/features/calendar/calendar-event.ts';
import { useSchedule } from '../src/features/calendar/calendar-schedule.api.ts';
import {
  bookingsOptions,
  categoriesOptions,
  countsOptions,
  moneyOptions,
  recentJobsOptions,
} from '../src/features/dashboard/dashboard.api.ts';
import { useMarkAsPaid } from '../src/features/invoices/invoices-billing.api.ts';
import { jobsCountOptions, jobsListOptions, useCreateJob, useDeleteJob, useUpdateJob } from '../src/features/jobs/jobs.api.ts';
import { newId } from '../src/lib/new-id.ts';
import { createQueryClient } from '../src/lib/query-client.ts';
import { closing } from './clean-up.ts';
import { playServer, refuse } from './open-page.tsx';
import { CUSTOMER, JOB, SAM } from './people.ts';

const [FROM, TO] = ['2026-04-05T12:00:00.000Z', '2026-04-06T12:00:00.000Z'];
const DAY = { today: '2026-04-06', zone: 'Pacific/Auckland' };

/** Everything that names or counts jobs. */
const VIEWS = [
  jobsListOptions({ sort: 'created_at', order: 'desc' }),
  jobsCountOptions(),
  boardOptions({}),
  calendarEventsOptions({ from: FROM, to: TO }),
  unscheduledOptions,
  bookingsOptions('staff-1', FROM, TO),
  countsOptions,
  categoriesOptions('week', DAY),
  recentJobsOptions('week', 'desc', DAY),
  moneyOptions,
].map(({ queryKey, meta = {} }) => ({ queryKey, meta }));

const { id } = JOB;
const FIELDS = { ...JOB, customer_id: CUSTOMER.id, staff_id: SAM.id, booking_date: FROM, duration: '1', category_ids: [] };
const BOOKED: Schedulable = { kind: 'job', id, title: JOB.title, status: 'booked', start: FROM, hours: '1', staff: null, job: null };

/** By the call that each sends. */
const COMMANDS = {
  'POST /jobs': () => {
    const { mutate } = useCreateJob();
    return () => mutate(FIELDS);
  },
  'PUT /jobs/{id}': () => {
    const { mutate } = useUpdateJob();
    return () => mutate(FIELDS);
  },
  'DELETE /jobs/{id}': () => {
    const { mutate } = useDeleteJob();
    return () => mutate({ id });
  },
  'PUT /jobs/{id}/status': () => {
    const move = useMoveJob(async () => '');
    return () => move({ id, from: 'pending', status: 'contacted' });
  },
  'PUT /calendar/jobs/{id}': () => {
    const schedule = useSchedule('UTC');
    return () => void schedule({ action: 'move', event: BOOKED, to: { start: TO } }).catch(() => undefined);
  },
  'POST /payments': () => {
    const { mutate } = useMarkAsPaid();
    return () => mutate({ id: newId(), job_id: id, outstanding: '10.00' });
  },
};

it.each(Object.entries(COMMANDS))('%s refreshes all that shows jobs', async (call, useCommand) => {
  // It is the same when it fails: it may have arrived although its answer was lost.
  playServer({ [call]: () => refuse('UNAVAILABLE') });
  const queryClient = createQueryClient();
  closing.push(() => queryClient.clear());
  await Promise.all(VIEWS.map((view) => queryClient.query({ ...view, queryFn: () => null })));
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
  const { result } = renderHook(useCommand, { wrapper });
  act(() => result.current());
  const upToDate = () => VIEWS.flatMap(({ queryKey }) => (queryClient.getQueryState(queryKey)?.isInvalidated ? [] : [queryKey]));
  await waitFor(() => expect(upToDate()).toEqual([]));
});
