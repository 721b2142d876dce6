import { z } from 'zod';
import { defineCall } from './call.ts';
import { inputInstant, OutputId, SortOrder } from './fields.ts';
import { JobRow } from './jobs.ts';
import { CappedCount } from './lists.ts';

/** The period in which jobs were created. Either bound may be omitted. */
const CreatedPeriod = z.object({ created_from: inputInstant('From').optional(), created_to: inputInstant('To').optional() });

const dashboardTags = { tags: ['dashboard'] };

export const MAX_RECENT_JOBS = 20;

export const dashboard = {
  counts: defineCall('work.view')
    .route({ method: 'GET', path: '/dashboard/counts', summary: 'Get the counts on the dashboard tiles', ...dashboardTags })
    .output(z.object({ customers: z.int(), active_jobs: z.int(), tasks: z.int(), staff: z.int(), categories: z.int() })),

  /** A job counts once in each of its categories; canceled jobs are excluded. */
  categories: defineCall('work.view')
    .route({ method: 'GET', path: '/dashboard/categories', summary: 'Count the jobs in each category, largest first', ...dashboardTags })
    .input(CreatedPeriod)
    .output(
      z.object({
        rows: z.array(z.object({ id: OutputId, name: z.string(), jobs: z.int() })),
        /** Jobs without any category, which are in no row. */
        uncategorized: z.int(),
      }),
    ),

  /** Sorted by booking date; jobs without one come last. */
  recentJobs: defineCall('work.view')
    .route({ method: 'GET', path: '/dashboard/jobs', summary: 'List the jobs created in a period by booking date', ...dashboardTags })
    .input(CreatedPeriod.extend({ order: SortOrder.default('desc') }))
    .output(z.object({ rows: z.array(JobRow.omit({ matched: true })), total: CappedCount })),

  /** Amounts are decimal strings in the company's currency. */
  money: defineCall('payments.manage')
    .route({
      method: 'GET',
      path: '/dashboard/money',
      summary: 'Get what customers owe, what is overdue or not sent, and the work not yet invoiced',
      ...dashboardTags,
    })
    .output(
      z.object({
        currency: z.string().nullable(),
        outstanding: z.object({ amount: z.string(), invoices: z.int() }),
        overdue: z.object({ amount: z.string(), invoices: z.int() }),
        /** Invoices that were issued, but neither emailed nor handed over. They are part of what is outstanding, but never overdue. */
        unsent: z.object({ amount: z.string(), invoices: z.int() }),
        /** Complete jobs without an open invoice, with the sum of their totals. */
        uninvoiced: z.object({ amount: z.string(), jobs: z.int() }),
      }),
    ),
};
