import type { Task } from '@callout/contract/tasks';
import type { TaskStatus } from '@callout/domain/tasks/task';
import { formatCappedCount } from '@callout/domain/text/count-format';
import { ChevronDown, ListTodo, Plus } from 'lucide-react';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { getUniqueRows } from '../../lib/query-cache.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { useToday } from '../../lib/use-today.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { TaskItem } from './task-item.tsx';
import { type BookingHandler, useDeleteTask, useSetTaskStatus, useTaskCount, useTaskList } from './tasks.api.ts';

export function TodoPage({ onBooked }: { onBooked: BookingHandler }) {
  const active = useTaskCount('active');
  const completed = useTaskCount('completed');
  // Completed tasks stay hidden until the active list has rendered, because that would push them down. Deferred like that list.
  const isListLoading = useDeferredValue(useTaskList('active').isLoading);
  const [isCompletedOpen, setCompletedOpen] = useState(false);
  const idPrefix = useId();
  const panelId = useId();
  const deletion = useTaskDeletion(`${idPrefix}-active`);
  const add = (
    <LinkButton to="/todo" search={{ add: 'true' }} state={{ fromPage: true }} tone="primary">
      <Plus aria-hidden="true" />
      Add Task
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="To Do" note={<TimeZoneNote />} actions={add} />
      <section aria-labelledby={`${idPrefix}-active`}>
        <h2 id={`${idPrefix}-active`} tabIndex={-1} className="mb-2 flex items-baseline gap-2 text-lg font-semibold outline-none">
          Active Tasks <TaskCount total={active} />
        </h2>
        <TaskList
          status="active"
          headingId={`${idPrefix}-active`}
          onDelete={deletion.confirm}
          onBooked={onBooked}
          empty={
            <EmptyState
              icon={ListTodo}
              message="No active tasks"
              hint={completed ? 'Everything is done.' : 'Jot down what you need to remember: a call, an order, an errand.'}
              action={!completed && add}
            />
          }
        />
      </section>
      <section aria-labelledby={`${idPrefix}-completed`} className="mt-6" hidden={isListLoading}>
        <h2 id={`${idPrefix}-completed`} tabIndex={-1} className="outline-none">
          <button
            type="button"
            aria-expanded={isCompletedOpen}
            aria-controls={panelId}
            onClick={() => setCompletedOpen(!isCompletedOpen)}
            className="-ml-2 flex min-h-11 items-center gap-2 rounded-control px-2 text-lg font-semibold hover:bg-sunken lg:min-h-9"
          >
            <ChevronDown
              aria-hidden="true"
              className={classNames('size-5 text-ink-3 transition-transform duration-160', !isCompletedOpen && '-rotate-90')}
            />
            Completed Tasks <TaskCount total={completed} />
          </button>
        </h2>
        <div id={panelId} hidden={!isCompletedOpen} className="mt-2">
          {isCompletedOpen && (
            <TaskList
              status="completed"
              headingId={`${idPrefix}-completed`}
              onDelete={deletion.confirm}
              onBooked={onBooked}
              empty={<p className="px-4 py-6 text-base text-ink-2 lg:px-5">No completed tasks</p>}
            />
          )}
        </div>
      </section>
      {deletion.dialog}
    </>
  );
}

function TaskCount({ total }: { total: number | undefined }) {
  if (total === undefined) return null;
  return <span className="text-sm font-normal text-ink-3 tabular-nums">{formatCappedCount(total)}</span>;
}

interface TaskListProps {
  status: TaskStatus;
  /** Id of the heading that receives focus when the last task leaves the list. */
  headingId: string;
  onDelete: (task: Task) => void;
  onBooked: BookingHandler;
  empty: ReactNode;
}

function TaskList({ status, headingId, onDelete, onBooked, empty }: TaskListProps) {
  const list = useTaskList(status);
  const { mutate: setStatus } = useSetTaskStatus(onBooked);
  const zone = useDisplayTimeZone();
  const today = useToday(zone);
  const toggle = (task: Task, element: HTMLElement) => {
    const row = element.closest('li');
    const next = row?.nextElementSibling ?? row?.previousElementSibling;
    (next?.querySelector<HTMLElement>('input') ?? document.getElementById(headingId))?.focus();
    setStatus({ task, status: status === 'active' ? 'completed' : 'active' });
  };
  return (
    <Card>
      <QueryView
        query={list}
        skeleton={<SkeletonRows label="Loading tasks" count={status === 'active' ? 5 : 2} className="h-16" />}
        isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
        empty={empty}
      >
        {({ pages }) => (
          <>
            <ul aria-label={status === 'active' ? 'Active Tasks' : 'Completed Tasks'} className="divide-y">
              {getUniqueRows(pages).map((task) => (
                <TaskItem
                  key={task.id}
                  task={task}
                  today={today}
                  zone={zone}
                  onToggle={(element) => toggle(task, element)}
                  onDelete={() => onDelete(task)}
                />
              ))}
            </ul>
            {list.isFetchNextPageError && (
              <p role="alert" className="px-4 pt-3 text-base text-danger-ink lg:px-5">
                {getReadErrorMessage(list.error)}
              </p>
            )}
            {list.hasNextPage && (
              <div className="border-t p-2">
                <Button tone="accent" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  Show more
                </Button>
              </div>
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}

function useTaskDeletion(fallbackFocusId: string) {
  const remove = useDeleteTask();
  const [task, setTask] = useState<Task>();
  const [isConfirming, setConfirming] = useState(false);
  return {
    confirm: (chosen: Task) => {
      setTask(chosen);
      setConfirming(true);
    },
    dialog: task && (
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Delete task?"
        description={`“${task.title}” will be deleted. This action cannot be undone.`}
        confirmLabel={remove.isPending ? 'Deleting…' : 'Delete'}
        busy={remove.isPending}
        fallbackFocusId={fallbackFocusId}
        onConfirm={() => remove.mutate(task, { onSettled: () => setConfirming(false) })}
      />
    ),
  };
}
