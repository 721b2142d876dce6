import { z } from 'zod';
import { call } from './call.ts';
import { inputInstant, OutputId, SortOrder } from './fields.ts';
import { JobRow } from './jobs.ts';

/** Jobs made between two instants; all of them without. */
const Period = z.object({ created_from: inputInstant('From').optional(), created_to: inputInstant('To').optional() });

const dashboardTags = { tags: ['dashboard'] };

export const MAX_RECENT_JOBS = 20;

export const dashboard = {
  counts: call('work.view')
    .route({ method: 'GET', path: '/dashboard/counts', summary: 'The numbers of the tiles', ...dashboardTags })
    .output(z.object({ customers: z.int(), active_jobs: z.int(), tasks: z.int(), staff: z.int(), categories: z.int() })),

  /** A job counts once in each of its categories. Canceled jobs do not count. */
  categories: call('work.view')
    .route({ method: 'GET', path: '/dashboard/categories', summary: 'How many jobs each category has, the most first', ...dashboardTags })
    .input(Period)
    .output(z.object({ rows: z.array(z.object({ id: OutputId, name: z.string(), jobs: z.int() })) })),

  /** By booking date; jobs without one come last. */
  recentJobs: call('work.view')
    .route({ method: 'GET', path: '/dashboard/jobs', summary: 'Jobs made in a period, by booking date', ...dashboardTags })
    .input(Period.extend({ order: SortOrder.default('desc') }))
    .output(z.object({ rows: z.array(JobRow.omit({ matched: true })), total: z.int() })),

  /** Exact money in the company's currency. */
  money: call('payments.manage')
    .route({
      method: 'GET',
      path: '/dashboard/money',
      summary: 'What customers owe, what is late, and work that was not invoiced yet',
      ...dashboardTags,
    })
    .output(
      z.object({
        currency: z.string().nullable(),
        outstanding: z.object({ amount: z.string(), invoices: z.int() }),
        overdue: z.object({ amount: z.string(), invoices: z.int() }),
        /** Complete jobs without an open invoice, at their totals. */
        uninvoiced: z.object({ amount: z.string(), jobs: z.int() }),
      }),
    ),
};
