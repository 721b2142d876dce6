import { BOOKING_FILTERS } from '@callout/domain/jobs/booking-filter';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { ERROR_STATUS, idTakenError, limitReachedError, notFoundError, staleVersionError } from './errors.ts';
import { FilterDate, Id, OutputId, RecordVersion, requiredText, SearchTerm, SortOrder } from './fields.ts';
import { JobSort, jobFilters } from './jobs.ts';
import { idInput } from './lists.ts';

const { status, group, staff_id, category_id } = jobFilters;

/**
 * The URL parameters of the jobs list. Dates stay relative: the page converts `created` and `booked` to times when it opens the view. `from`
 * and `to` belong to the booking filter 'custom'.
 */
export const JobViewFilter = z.object({
  // PostgreSQL can't store unpaired surrogates, such as half of a cut-off emoji.
  search: SearchTerm.overwrite((text) => text.toWellFormed()).optional(),
  status,
  group,
  staff_id,
  category_id,
  created: z.enum(['day', 'week', 'month']).optional(),
  booked: z.enum(BOOKING_FILTERS).optional(),
  from: FilterDate.optional(),
  to: FilterDate.optional(),
  sort: JobSort.optional(),
  order: SortOrder.optional(),
});
export type JobViewFilter = z.infer<typeof JobViewFilter>;

export const JobView = z.object({ id: OutputId, name: z.string(), filter: JobViewFilter, version: RecordVersion });
export type JobView = z.infer<typeof JobView>;

export const JobViewName = z.object({ name: requiredText('Name', 60) });

export const NewJobView = z.object({ id: Id, ...JobViewName.shape, filter: JobViewFilter });
export type NewJobView = z.infer<typeof NewJobView>;

/** Without a filter, the view keeps its own. */
export const UpdateJobViewInput = z.object({
  id: Id,
  version: RecordVersion,
  ...JobViewName.shape,
  filter: JobViewFilter.optional(),
});
export type UpdateJobViewInput = z.infer<typeof UpdateJobViewInput>;

export const jobViewNotFoundError = notFoundError('View not found');
export const jobViewNameTakenError = {
  NAME_TAKEN: { status: ERROR_STATUS.NAME_TAKEN, message: 'You already have a view with this name.' },
} as const;

export const MAX_JOB_VIEWS = 20;
export const jobViewLimitError = limitReachedError('You can save at most 20 views.');

const jobViewTags = { tags: ['jobs'] };

/** Each person has their own views. */
export const jobViews = {
  list: defineCall('work.view')
    .route({ method: 'GET', path: '/job-views', summary: 'List my saved views of the jobs list by name', ...jobViewTags })
    .output(z.object({ rows: z.array(JobView) })),

  create: defineCall('work.view')
    .route({
      method: 'POST',
      path: '/job-views',
      summary: 'Save a view of the jobs list under a client-generated id',
      ...jobViewTags,
      successStatus: 201,
    })
    .input(NewJobView)
    .output(JobView)
    .errors({ ...idTakenError, ...jobViewNameTakenError, ...jobViewLimitError }),

  update: defineCall('work.view')
    .route({
      method: 'PUT',
      path: '/job-views/{id}',
      summary: 'Rename one of my views or replace its filter, given its current version',
      ...jobViewTags,
    })
    .input(UpdateJobViewInput)
    .output(JobView)
    .errors({ ...jobViewNotFoundError, ...jobViewNameTakenError, ...staleVersionError(JobView) }),

  remove: defineCall('work.view')
    .route({ method: 'DELETE', path: '/job-views/{id}', summary: 'Delete one of my views', ...jobViewTags })
    .input(idInput)
    .output(z.object({}))
    .errors(jobViewNotFoundError),
};
