import type { NewTask, Task, UpdateTaskInput } from '@callout/contract/tasks';
import type { TaskStatus } from '@callout/domain/tasks/task';
import { addToCount } from '@callout/domain/text/count-format';
import { type InfiniteData, keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { defineCommand, type Overlay, overlay } from '../../lib/commands/define-command.ts';
import { useOverlays } from '../../lib/commands/overlays.ts';
import { useCommand } from '../../lib/commands/use-command.ts';
import { applyUpdate, defineRecordQueries, type RecordCreation, type RecordUpdate, useSaveRecord } from '../../lib/record-queries.ts';
import { getDisplayTimeZone } from '../../lib/time-zone.ts';
import { toast } from '../../ui/toast.ts';
import type { StaffBooking } from '../jobs/job-fields.tsx';
import { staffNamesQueryOptions } from '../staff/staff.api.ts';

const tasks = defineRecordQueries({ key: ['tasks'], calls: api.tasks, toRow: (task) => task });

/** Screens show failed reads inline with a Retry button instead of a toast. */
const QUERY_META = { inlineErrors: true };

export const taskListQueryOptions = (status: TaskStatus) => tasks.listQueryOptions({ status });

export const taskCountQueryOptions = (status: TaskStatus) =>
  queryOptions({
    queryKey: [...tasks.keys.counts, { status }],
    queryFn: ({ signal }) => api.tasks.count({ status }, { signal }),
    placeholderData: keepPreviousData,
    meta: QUERY_META,
  });

export const useTaskList = (status: TaskStatus) => tasks.useList({ status });

/** Reads a task with its unsent changes. Cached lists hold complete tasks, so the dialog opens without waiting for the server. */
export function useTask(id: string) {
  const queryClient = useQueryClient();
  return tasks.useRecord(id, { findPlaceholder: () => tasks.findCachedRow(queryClient, id) });
}

export const useUnsentTask = tasks.useUnsentCreation;

/** Query keys of other features that show tasks. */
const RELATED_KEYS = [['calendar'], ['dashboard']];
const invalidates = [tasks.keys.lists, tasks.keys.counts, ...RELATED_KEYS];

/** Changes of one task are sent in order. */
export const getTaskLane = (id: string) => `task:${id}`;

export const createTask = defineCommand<'tasks.create', RecordCreation<NewTask, Task>>({
  ...tasks.creation,
  call: 'tasks.create',
  lane: ({ record }) => getTaskLane(record.id),
  describe: ({ record }) => `Add task ${record.title}`,
  href: () => '/todo',
  invalidates,
  success: 'Task added successfully',
  failure: 'Failed to add task: {message}',
});

export const updateTask = defineCommand<'tasks.update', RecordUpdate<UpdateTaskInput, Task>>({
  ...tasks.update,
  call: 'tasks.update',
  lane: ({ before }) => getTaskLane(before.id),
  describe: ({ before }) => `Change task ${before.title}`,
  href: () => '/todo',
  invalidates: [tasks.keys.all, ...RELATED_KEYS],
  success: 'Task updated successfully',
  failure: 'Failed to update task: {message}',
});

type TaskFields = Omit<NewTask, 'id' | 'status'>;

/** Returns a function that finds the name and color of a task's assignee. */
function useFindAssignee() {
  const queryClient = useQueryClient();
  return (staffId: string | null, before?: Task): Task['staff'] => {
    const found = queryClient.getQueryData(staffNamesQueryOptions.queryKey)?.find(({ id }) => id === staffId);
    if (found) return { id: found.id, name: found.name, hex_code: found.hex_code };
    return before?.staff_id === staffId ? (before.staff ?? null) : null;
  };
}

/** Returns a function that adds a task under an id that is created once per form, so that saving again doesn't add another one. */
export function useCreateTask(): (id: string, input: TaskFields) => Promise<Task> {
  const save = useSaveRecord(createTask, ({ record }) => record);
  const findAssignee = useFindAssignee();
  return (id, input) => {
    const now = new Date().toISOString();
    const fields = { id, ...input, status: 'active' as const };
    const stamps = { completed_at: null, created_at: now, updated_at: now, version: 1 };
    return save({ input: fields, record: { ...fields, staff: findAssignee(input.staff_id), ...stamps } });
  };
}

/** Returns a function that saves a task based on the given version. */
export function useUpdateTask(): (before: Task, version: number, input: TaskFields) => Promise<Task> {
  const save = useSaveRecord(updateTask, ({ before, changes }) => applyUpdate(before, changes));
  const findAssignee = useFindAssignee();
  return (before, version, input) =>
    save({ input: { id: before.id, version, ...input }, before, changes: { ...input, staff: findAssignee(input.staff_id, before) } });
}

export const useDeleteTask = () =>
  tasks.useDelete({ success: 'Task deleted successfully', failure: 'Failed to delete task: {message}', invalidates });

type TaskPages = InfiniteData<{ rows: Task[]; next_cursor: string | null }, string | undefined>;

interface TaskStatusChange {
  task: Task;
  status: TaskStatus;
}

/** Default duration of a task in the calendar, in hours, as a decimal string. */
export const DEFAULT_TASK_HOURS = '1';

/** Warns about clashes. The route passes it in, because tasks can't import the calendar. */
export type BookingHandler = (booking: StaffBooking) => void;

/** Returns the booking that a save added or moved. Undefined if the booking is unchanged or doesn't occupy a staff member. */
export function findNewBooking(saved: Task, before: Task | undefined, zone: string): StaffBooking | undefined {
  const { id, staff_id: staffId, calendar_date: start, calendar_duration: hours } = saved;
  if (!saved.show_in_calendar || saved.status !== 'active' || staffId === null || start === null) return undefined;
  const isUnchanged =
    before?.show_in_calendar === true &&
    before.staff_id === staffId &&
    before.calendar_date === start &&
    Number(before.calendar_duration) === Number(hours);
  return isUnchanged ? undefined : { staffId, start, hours: hours ?? DEFAULT_TASK_HOURS, zone, jobId: id };
}

const countBy = (by: number) => (count: { total: number }) => ({ total: Math.max(0, addToCount(count.total, by)) });

/** Shows a task's new values on the To Do page and in its dialog. */
export const overlayTask = (id: string, changed: Partial<Task>): Overlay[] => [
  overlay<TaskPages>(tasks.keys.lists, (list) =>
    mapRows(list, (rows) => rows.map((row) => (row.id === id ? { ...row, ...changed } : row))),
  ),
  overlay<Task>(tasks.keys.detail(id), (shown) => ({ ...shown, ...changed })),
];

/** A count can't tell whether it contains the change. If a refetch overtakes the answer, it is wrong by one until the next refetch. */
export const setTaskStatus = defineCommand<'tasks.setStatus', TaskStatusChange>({
  call: 'tasks.setStatus',
  toInput: ({ task: { id }, status }) => ({ id, status }),
  lane: ({ task }) => getTaskLane(task.id),
  describe: ({ task, status }) => `${status === 'completed' ? 'Complete' : 'Reactivate'} task: ${task.title}`,
  href: () => '/todo',
  overlays: ({ task, status }, { madeAt }) => {
    const changed = { status, completed_at: status === 'completed' ? madeAt : null };
    return [
      overlay<TaskPages>(taskListQueryOptions(task.status).queryKey, (list) => withoutRow(list, task.id)),
      overlay<TaskPages>(taskListQueryOptions(status).queryKey, (list) =>
        withInsertedRow(withoutRow(list, task.id), { ...task, ...changed }),
      ),
      overlay(taskCountQueryOptions(task.status).queryKey, countBy(-1)),
      overlay(taskCountQueryOptions(status).queryKey, countBy(1)),
    ];
  },
  cacheAnswer: (queryClient, { clashes: _clashes, ...saved }) => queryClient.setQueryData(tasks.keys.detail(saved.id), saved),
  invalidates,
  failure: 'Failed to update task: {message}',
});

/** Completes or reactivates a task and offers Undo. */
export function useSetTaskStatus(onBooked: BookingHandler) {
  const mutation = useCommand(setTaskStatus, {
    onAnswer: ({ clashes, ...task }, { status }) => {
      const undo = () => mutation.mutate({ task, status: status === 'completed' ? 'active' : 'completed' });
      toast.success(status === 'completed' ? 'Task completed' : 'Task reactivated', {
        id: `task ${task.id}`,
        action: { label: 'Undo', run: undo },
      });
      const newBooking = clashes.length > 0 ? findNewBooking(task, undefined, getDisplayTimeZone()) : undefined;
      if (newBooking) onBooked(newBooking);
    },
  });
  return mutation;
}

export function useTaskCount(status: TaskStatus): number | undefined {
  const options = taskCountQueryOptions(status);
  return useQuery({ ...options, select: useOverlays<{ total: number }>(options.queryKey) }).data?.total;
}

const mapRows = (list: TaskPages, change: (rows: Task[]) => Task[]): TaskPages => ({
  ...list,
  pages: list.pages.map((page) => ({ ...page, rows: change(page.rows) })),
});

const withoutRow = (list: TaskPages, id: string) => mapRows(list, (rows) => rows.filter((row) => row.id !== id));

/** Inserts the row by creation time, newest first, or at the end of the loaded pages if all their rows are newer. */
function withInsertedRow(list: TaskPages, row: Task): TaskPages {
  const page = list.pages.findIndex(({ rows }) => rows.some(({ created_at }) => created_at < row.created_at));
  const pageIndex = page < 0 ? list.pages.length - 1 : page;
  const insert = (rows: readonly Task[]) => {
    const index = rows.findIndex(({ created_at }) => created_at < row.created_at);
    return rows.toSpliced(index < 0 ? rows.length : index, 0, row);
  };
  return { ...list, pages: list.pages.map((other, index) => (index === pageIndex ? { ...other, rows: insert(other.rows) } : other)) };
}
