import { isValidDurationHours } from '@callout/domain/durations/duration';
import { TASK_COLORS, TASK_STATUSES } from '@callout/domain/tasks/task';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { clashFields } from './clash.ts';
import { idTakenError, notFoundError, staleVersionError } from './errors.ts';
import { Id, Instant, inputInstant, OutputId, optionalLongText, RecordVersion, requiredText } from './fields.ts';
import { JobStaffMember } from './jobs.ts';
import { idInput, listInput, pageSchema, RecordCount } from './lists.ts';

export const TaskColor = z.enum(TASK_COLORS, 'Please choose a color');
export const TaskStatus = z.enum(TASK_STATUSES, 'Please choose a status');

export const TaskStaffMember = JobStaffMember.pick({ id: true, name: true, hex_code: true });

export const Task = z.object({
  id: OutputId,
  title: z.string(),
  description: z.string().nullable(),
  color: TaskColor,
  show_in_calendar: z.boolean(),
  calendar_date: Instant.nullable(),
  /** Hours as a decimal string. */
  calendar_duration: z.string().nullable(),
  staff_id: OutputId.nullable(),
  staff: TaskStaffMember.nullable(),
  status: TaskStatus,
  completed_at: Instant.nullable(),
  created_at: Instant,
  updated_at: Instant,
  version: RecordVersion,
});
export type Task = z.infer<typeof Task>;

export const INVALID_DURATION_MESSAGE = 'Duration must be at least 0.5 hours, in steps of 0.25';

const taskFields = {
  title: requiredText('Title', 200),
  description: optionalLongText('Description', 10_000),
  color: TaskColor.default('yellow'),
  show_in_calendar: z.boolean().default(false),
  calendar_date: inputInstant('Date').nullable().default(null),
  calendar_duration: z
    .string()
    .trim()
    .max(10)
    .nullable()
    .default(null)
    .refine((hours) => hours === null || isValidDurationHours(hours), INVALID_DURATION_MESSAGE),
  staff_id: Id.nullable().default(null),
};

const withDateRule = <Schema extends z.ZodType<{ show_in_calendar: boolean; calendar_date: string | null }>>(schema: Schema) =>
  schema.refine(({ show_in_calendar, calendar_date }) => !show_in_calendar || calendar_date !== null, {
    error: 'Date is required',
    path: ['calendar_date'],
  });

/** A task needs a date to be shown in the calendar. Without a duration, it takes up one hour there. */
export const NewTask = withDateRule(
  z.object({ id: Id, ...taskFields, status: z.literal('active', 'A new task must be active').default('active') }),
);
export type NewTask = z.infer<typeof NewTask>;

export const UpdateTaskInput = withDateRule(z.object({ id: Id, version: RecordVersion, ...taskFields }));
export type UpdateTaskInput = z.infer<typeof UpdateTaskInput>;

const taskFilters = { status: TaskStatus.optional(), staff_id: Id.optional() };

export const TASK_SORTS = ['created_at'] as const;
export const TaskListInput = listInput(taskFilters, z.enum(TASK_SORTS).default('created_at'), 'desc').omit({ search: true });

export const taskNotFoundError = notFoundError('Task not found');

const taskTags = { tags: ['tasks'] };

export const tasks = {
  list: defineCall('work.view')
    .route({ method: 'GET', path: '/tasks', summary: 'List tasks, newest first', ...taskTags })
    .input(TaskListInput)
    .output(pageSchema(Task)),

  count: defineCall('work.view')
    .route({ method: 'GET', path: '/tasks/count', summary: 'Count the tasks that match a filter', ...taskTags })
    .input(z.object(taskFilters))
    .output(RecordCount),

  get: defineCall('work.view')
    .route({ method: 'GET', path: '/tasks/{id}', summary: 'Get a task', ...taskTags })
    .input(idInput)
    .output(Task)
    .errors(taskNotFoundError),

  create: defineCall('jobs.work')
    .route({ method: 'POST', path: '/tasks', summary: 'Add a task under a client-generated id', ...taskTags, successStatus: 201 })
    .input(NewTask)
    .output(Task)
    .errors(idTakenError),

  update: defineCall('jobs.work')
    .route({ method: 'PUT', path: '/tasks/{id}', summary: 'Update a task, given its current version', ...taskTags })
    .input(UpdateTaskInput)
    .output(Task)
    .errors({ ...taskNotFoundError, ...staleVersionError(Task) }),

  /** Idempotent: completing a task again doesn't change its completion time. Reactivating a task returns its clashes. */
  setStatus: defineCall('jobs.work')
    .route({ method: 'PUT', path: '/tasks/{id}/status', summary: 'Complete a task, or make it active again', ...taskTags })
    .input(z.object({ id: Id, status: TaskStatus }))
    .output(Task.extend(clashFields))
    .errors(taskNotFoundError),

  remove: defineCall('jobs.work')
    .route({ method: 'DELETE', path: '/tasks/{id}', summary: 'Delete a task', ...taskTags })
    .input(idInput)
    .output(z.object({}))
    .errors(taskNotFoundError),
};
