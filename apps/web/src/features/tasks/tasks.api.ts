import type { Task } from '@callout/contract/tasks';
import type { TaskStatus } from '@callout/domain/tasks/task';
import { type InfiniteData, keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { updateOptimistically } from '../../lib/query-cache.ts';
import { defineRecordQueries } from '../../lib/record-queries.ts';
import { shownTimeZone } from '../../lib/time-zone.ts';
import { toast } from '../../ui/toast.ts';
import type { TypedBooking } from '../jobs/job-fields.tsx';

const tasks = defineRecordQueries({ key: ['tasks'], calls: api.tasks, rowOf: (task) => task });

/** The screens show a failed read in place, with Retry. */
const meta = { inlineErrors: true };

/** The newest first. */
export const tasksListOptions = (status: TaskStatus) => tasks.listOptions({ status });

export const tasksCountOptions = (status: TaskStatus) =>
  queryOptions({
    queryKey: [...tasks.keys.counts, { status }],
    queryFn: ({ signal }) => api.tasks.count({ status }, { signal }),
    placeholderData: keepPreviousData,
    meta,
  });

/** A list that was seen before knows all of a task, so its dialog opens at once. */
export const taskOptions = (queryClient: QueryClient, id: string) =>
  queryOptions({ ...tasks.detailOptions(id), placeholderData: () => tasks.known(queryClient, id) });

/** The calendar and the dashboard show tasks, too. */
const others = [['calendar'], ['dashboard']];
const refreshes = [tasks.keys.lists, tasks.keys.counts, ...others];

export const useCreateTask = () =>
  tasks.useCreate({ success: 'Task added successfully', failure: 'Failed to add task: {message}', refreshes });

export const useUpdateTask = () =>
  tasks.useUpdate({
    success: 'Task updated successfully',
    failure: 'Failed to update task: {message}',
    refreshes: [tasks.keys.all, ...others],
  });

export const useDeleteTask = () =>
  tasks.useDelete({ success: 'Task deleted successfully', failure: 'Failed to delete task: {message}', refreshes });

type TaskPages = InfiniteData<{ rows: readonly Task[] }>;

interface StatusChange {
  task: Task;
  status: TaskStatus;
}

/** Of a task in the calendar without a duration. */
export const DEFAULT_HOURS = '1';

/** The calendar then knows what else takes that person's time; it comes after tasks. */
export type OnBooked = (booking: TypedBooking) => void;

/** What saving has booked; nothing when the task takes nobody's time, or the same as before. */
export function bookedBy(saved: Task, before: Task | undefined, zone: string): TypedBooking | undefined {
  const { id, staff_id: staffId, calendar_date: start, calendar_duration: hours } = saved;
  if (!saved.show_in_calendar || saved.status !== 'active' || staffId === null || start === null) return undefined;
  const isSame =
    before?.show_in_calendar === true &&
    before.staff_id === staffId &&
    before.calendar_date === start &&
    Number(before.calendar_duration) === Number(hours);
  return isSame ? undefined : { staffId, start, hours: hours ?? DEFAULT_HOURS, zone, jobId: id };
}

/** Completes a task or makes it active again: it changes lists before the server has answered, and can be taken back. */
export function useSetTaskStatus(onBooked: OnBooked) {
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: ({ task: { id }, status }: StatusChange) => api.tasks.setStatus({ id, status }),
    // One after the other: Undo must not overtake what it takes back.
    scope: { id: 'task status' },
    onMutate: (change) => showStatus(queryClient, change),
    onSuccess: ({ clashes, ...task }, { status }) => {
      queryClient.setQueryData(tasks.keys.detail(task.id), task);
      const undo = () => mutation.mutate({ task, status: status === 'completed' ? 'active' : 'completed' });
      toast.success(status === 'completed' ? 'Task completed' : 'Task reactivated', {
        id: `task ${task.id}`,
        action: { label: 'Undo', run: undo },
      });
      const booked = clashes.length > 0 ? bookedBy(task, undefined, shownTimeZone()) : undefined;
      if (booked) onBooked(booked);
    },
    onSettled: (_task, error, _change, settle) => settle?.(error),
    meta: { failure: 'Failed to update task: {message}', refreshes: others },
  });
  return mutation;
}

/** Returns what ends the optimistic change. The lists are read again after the last one: earlier they would bring back what is on its way. */
async function showStatus(queryClient: QueryClient, { task, status }: StatusChange): Promise<(error: unknown) => void> {
  const completed_at = status === 'completed' ? new Date().toISOString() : null;
  const row: Task = { ...task, status, completed_at };
  const change = <Data>(queryKey: readonly unknown[], update: (data: Data) => Data) =>
    updateOptimistically<Data>(queryClient, { queryKey, exact: true }, update, 'always');
  const countBy = (by: number) => (count: { total: number }) => ({ total: Math.max(0, count.total + by) });
  const settles = await Promise.all([
    change<TaskPages>(tasksListOptions(task.status).queryKey, (list) => withoutRow(list, task.id)),
    change<TaskPages>(tasksListOptions(status).queryKey, (list) => withRow(withoutRow(list, task.id), row)),
    change(tasksCountOptions(task.status).queryKey, countBy(-1)),
    change(tasksCountOptions(status).queryKey, countBy(1)),
  ]);
  return (error) => {
    for (const settle of settles) settle(error);
  };
}

const withoutRow = (list: TaskPages, id: string): TaskPages => ({
  ...list,
  pages: list.pages.map((page) => ({ ...page, rows: page.rows.filter((row) => row.id !== id) })),
});

/** Where it belongs by its age; below the last page that was read it is not there yet. */
function withRow(list: TaskPages, row: Task): TaskPages {
  const page = list.pages.findIndex(({ rows }) => rows.some(({ created_at }) => created_at < row.created_at));
  const at = page < 0 ? list.pages.length - 1 : page;
  const insert = (rows: readonly Task[]) => {
    const index = rows.findIndex(({ created_at }) => created_at < row.created_at);
    return rows.toSpliced(index < 0 ? rows.length : index, 0, row);
  };
  return { ...list, pages: list.pages.map((other, index) => (index === at ? { ...other, rows: insert(other.rows) } : other)) };
}
