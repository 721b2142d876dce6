import { z } from 'zod';
import { defineCall } from './call.ts';
import { JobRow, JobStatus, jobFilters } from './jobs.ts';
import { CappedCount, countInput, pageSchema } from './lists.ts';

export const BoardFilter = countInput({ staff_id: jobFilters.staff_id, category_id: jobFilters.category_id });
export type BoardFilter = z.infer<typeof BoardFilter>;

/** The newest jobs with one status. To load more, pass `next_cursor` to `jobs.list` with `status`, the same filter and the default sort. */
export const BoardColumn = pageSchema(JobRow).extend({ status: JobStatus, total: CappedCount });
export type BoardColumn = z.infer<typeof BoardColumn>;

export const board = {
  get: defineCall('work.view')
    .route({ method: 'GET', path: '/board', summary: 'List the board columns with their counts and newest jobs', tags: ['jobs'] })
    .input(BoardFilter)
    .output(z.object({ columns: z.array(BoardColumn) })),
};
