import { isDurationHours } from '@callout/domain/durations/duration';
import { TASK_COLORS, TASK_STATUSES } from '@callout/domain/tasks/task';
import { z } from 'zod';
import { call } from './call.ts';
import { withClashes } from './clash.ts';
import { idTaken, notFound, staleVersion } from './errors.ts';
import { Id, Instant, inputInstant, OutputId, optionalLines, requiredText, Version } from './fields.ts';
import { StaffOfJob } from './jobs.ts';
import { byId, Count, listInput, pageOf } from './lists.ts';

export const TaskColor = z.enum(TASK_COLORS, 'Please choose a color');
export const TaskStatus = z.enum(TASK_STATUSES, 'Please choose a status');

export const StaffOfTask = StaffOfJob.pick({ id: true, name: true, hex_code: true });

export const Task = z.object({
  id: OutputId,
  title: z.string(),
  description: z.string().nullable(),
  color: TaskColor,
  show_in_calendar: z.boolean(),
  calendar_date: Instant.nullable(),
  /** Hours. */
  calendar_duration: z.string().nullable(),
  staff_id: OutputId.nullable(),
  staff: StaffOfTask.nullable(),
  status: TaskStatus,
  completed_at: Instant.nullable(),
  created_at: Instant,
  updated_at: Instant,
  version: Version,
});
export type Task = z.infer<typeof Task>;

export const DURATION_STEPS = 'Duration must be at least 0.5 hours, in steps of 0.25';

const taskFields = {
  title: requiredText('Title', 200),
  description: optionalLines('Description', 10_000),
  color: TaskColor.default('yellow'),
  show_in_calendar: z.boolean().default(false),
  calendar_date: inputInstant('Date').nullable().default(null),
  calendar_duration: z
    .string()
    .trim()
    .max(10)
    .nullable()
    .default(null)
    .refine((hours) => hours === null || isDurationHours(hours), DURATION_STEPS),
  staff_id: Id.nullable().default(null),
};

const withDate = <Schema extends z.ZodType<{ show_in_calendar: boolean; calendar_date: string | null }>>(schema: Schema) =>
  schema.refine(({ show_in_calendar, calendar_date }) => !show_in_calendar || calendar_date !== null, {
    error: 'Date is required',
    path: ['calendar_date'],
  });

/** Shown in the calendar, a task needs a date; without a duration it takes an hour. */
export const NewTask = withDate(z.object({ id: Id, ...taskFields, status: z.literal('active', 'A new task is active').default('active') }));
export type NewTask = z.infer<typeof NewTask>;

export const TaskChange = withDate(z.object({ id: Id, version: Version, ...taskFields }));
export type TaskChange = z.infer<typeof TaskChange>;

const taskFilters = { status: TaskStatus.optional(), staff_id: Id.optional() };

export const TASK_SORTS = ['created_at'] as const;
export const TaskListInput = listInput(taskFilters, z.enum(TASK_SORTS).default('created_at'), 'desc').omit({ search: true });

export const taskNotFound = notFound('Task not found');

const taskTags = { tags: ['tasks'] };

export const tasks = {
  list: call('work.view')
    .route({ method: 'GET', path: '/tasks', summary: 'A page of tasks, the newest first', ...taskTags })
    .input(TaskListInput)
    .output(pageOf(Task)),

  count: call('work.view')
    .route({ method: 'GET', path: '/tasks/count', summary: 'How many tasks match the filter', ...taskTags })
    .input(z.object(taskFilters))
    .output(Count),

  get: call('work.view')
    .route({ method: 'GET', path: '/tasks/{id}', summary: 'One task', ...taskTags })
    .input(byId)
    .output(Task)
    .errors(taskNotFound),

  create: call('jobs.work')
    .route({ method: 'POST', path: '/tasks', summary: 'Add a task under a client-made id', ...taskTags, successStatus: 201 })
    .input(NewTask)
    .output(Task)
    .errors(idTaken),

  update: call('jobs.work')
    .route({ method: 'PUT', path: '/tasks/{id}', summary: 'Change a task from a version', ...taskTags })
    .input(TaskChange)
    .output(Task)
    .errors({ ...taskNotFound, ...staleVersion(Task) }),

  /** A repeat changes nothing: the time of completion stays. An active task answers with what else takes its person's time. */
  setStatus: call('jobs.work')
    .route({ method: 'PUT', path: '/tasks/{id}/status', summary: 'Complete a task, or make it active again', ...taskTags })
    .input(z.object({ id: Id, status: TaskStatus }))
    .output(Task.extend(withClashes))
    .errors(taskNotFound),

  remove: call('jobs.work')
    .route({ method: 'DELETE', path: '/tasks/{id}', summary: 'Delete a task', ...taskTags })
    .input(byId)
    .output(z.object({}))
    .errors(taskNotFound),
};
