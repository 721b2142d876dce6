import { z } from 'zod';
import { call } from './call.ts';
import { JobRow, JobStatus, jobFilters } from './jobs.ts';
import { countInput, pageOf } from './lists.ts';

export const BoardFilter = countInput({ staff_id: jobFilters.staff_id, category_id: jobFilters.category_id });
export type BoardFilter = z.infer<typeof BoardFilter>;

/** The newest jobs of a status; `next_cursor` continues with `jobs.list` in its default order, with this status and the same filter. */
export const BoardColumn = pageOf(JobRow).extend({ status: JobStatus, total: z.int() });
export type BoardColumn = z.infer<typeof BoardColumn>;

export const board = {
  get: call('work.view')
    .route({ method: 'GET', path: '/board', summary: 'The columns of the board with their counts and newest jobs', tags: ['jobs'] })
    .input(BoardFilter)
    .output(z.object({ columns: z.array(BoardColumn) })),
};
