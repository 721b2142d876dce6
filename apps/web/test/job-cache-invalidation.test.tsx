import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { startOutbox } from '../src/app/unsent/start-outbox.ts';
import { boardQueryOptions, useMoveJob } from '../src/features/board/board.api.ts';
import { calendarEventsQueryOptions, unscheduledJobsQueryOptions } from '../src/features/calendar/calendar.api.ts';
import type { CalendarItem } from '../src/features/calendar/calendar-event.ts';
import { useScheduleMutation } from '../src/features/calendar/calendar-schedule.api.ts';
import {
  dashboardCountsQueryOptions,
  dashboardMoneyQueryOptions,
  jobsByCategoryQueryOptions,
  recentJobsQueryOptions,
  staffBookingsQueryOptions,
} from '../src/features/dashboard/dashboard.api.ts';
import { useMarkJobAsPaid } from '../src/features/invoices/invoices-billing.api.ts';
import { createJob, jobCountQueryOptions, jobListQueryOptions, useDeleteJob } from '../src/features/jobs/jobs.api.ts';
import { updateJob } from '../src/features/jobs/jobs-save.api.ts';
import { useCommand } from '../src/lib/commands/use-command.ts';
import { createId } from '../src/lib/create-id.ts';
import { createQueryClient } from '../src/lib/query-client.ts';
import { cleanupCallbacks } from './clean-up.ts';
import { CUSTOMER, JOB, SAM } from './fixtures.ts';
import { failWith, mockServer } from './open-page.tsx';

const [START, END] = ['2026-04-05T12:00:00.000Z', '2026-04-06T12:00:00.000Z'];
const TODAY = { today: '2026-04-06', zone: 'Pacific/Auckland' };

/** Every query that lists or counts jobs. */
const JOB_QUERIES = [
  jobListQueryOptions({ sort: 'created_at', order: 'desc' }),
  jobCountQueryOptions(),
  boardQueryOptions({}),
  calendarEventsQueryOptions({ from: START, to: END }),
  unscheduledJobsQueryOptions,
  staffBookingsQueryOptions('staff-1', START, END),
  dashboardCountsQueryOptions,
  jobsByCategoryQueryOptions('week', TODAY),
  recentJobsQueryOptions('week', 'desc', TODAY),
  dashboardMoneyQueryOptions,
].map(({ queryKey, meta = {} }) => ({ queryKey, meta }));

const { id } = JOB;
const JOB_INPUT = {
  ...JOB,
  customer_id: CUSTOMER.id,
  staff_id: SAM.id,
  booking_date: START,
  duration: '1',
  category_ids: [],
  use_alternate_address: false,
};
const BOOKED_JOB: CalendarItem = { kind: 'job', id, title: JOB.title, status: 'booked', start: START, hours: '1', staff: null, job: null };

/** Mutation hooks, keyed by the call that each one sends. */
const JOB_MUTATIONS = {
  'POST /jobs': () => {
    const { mutate } = useCommand(createJob);
    return () => mutate({ input: JOB_INPUT, record: JOB });
  },
  'PUT /jobs/{id}': () => {
    const { mutate } = useCommand(updateJob);
    return () => mutate({ input: JOB_INPUT, before: JOB, changes: {}, hourlyRate: '0' });
  },
  'DELETE /jobs/{id}': () => {
    const { mutate } = useDeleteJob();
    return () => mutate({ id });
  },
  'PUT /jobs/{id}/status': () => {
    const move = useMoveJob(async () => '', undefined);
    return () => move({ job: JOB, from: 'pending', status: 'contacted' });
  },
  'PUT /calendar/jobs/{id}': () => {
    const schedule = useScheduleMutation('UTC');
    return () => void schedule({ action: 'move', event: BOOKED_JOB, to: { start: END } }).catch(() => undefined);
  },
  'POST /payments': () => {
    const { mutate } = useMarkJobAsPaid();
    return () => mutate({ id: createId(), job_id: id, outstanding: '10.00' });
  },
};

it.each(Object.entries(JOB_MUTATIONS))('%s invalidates every query that shows jobs', async (call, useJobMutation) => {
  // Even a failed call must invalidate: whatever it was about may have changed.
  mockServer({ [call]: () => failWith('FORBIDDEN') });
  const queryClient = createQueryClient();
  cleanupCallbacks.push(startOutbox(queryClient, { person: 'mia', company: 'hart' }, null), () => queryClient.clear());
  await Promise.all(JOB_QUERIES.map((query) => queryClient.query({ ...query, queryFn: () => null })));
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
  const { result } = renderHook(useJobMutation, { wrapper });
  act(() => result.current());
  const getFreshKeys = () => JOB_QUERIES.flatMap(({ queryKey }) => (queryClient.getQueryState(queryKey)?.isInvalidated ? [] : [queryKey]));
  await waitFor(() => expect(getFreshKeys()).toEqual([]));
});
