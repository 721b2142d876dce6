import type { Task } from '@callout/contract/tasks';
import type { TaskStatus } from '@callout/domain/tasks/task';
import { formatCount } from '@callout/domain/text/count-text';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronDown, ListTodo, Plus } from 'lucide-react';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { uniqueRows } from '../../lib/query-cache.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { timeZoneText, useOwnTimeZone, useShownTimeZone } from '../../lib/time-zone.ts';
import { useToday } from '../../lib/use-today.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { TaskItem } from './task-item.tsx';
import { type OnBooked, tasksCountOptions, tasksListOptions, useDeleteTask, useSetTaskStatus } from './tasks.api.ts';

/** What is to be done, and what was done. The dialogs of a task are part of the page's URL. */
export function TodoPage({ onBooked }: { onBooked: OnBooked }) {
  const active = useQuery(tasksCountOptions('active')).data?.total;
  const completed = useQuery(tasksCountOptions('completed')).data?.total;
  // Deferred like the list itself, which would push what is below it down.
  const isListLoading = useDeferredValue(useInfiniteQuery(tasksListOptions('active')).isLoading);
  const [showsCompleted, setShowsCompleted] = useState(false);
  const ownZone = useOwnTimeZone();
  const headings = useId();
  const panel = useId();
  const deletion = useTaskDeletion(`${headings}-active`);
  const add = (
    <LinkButton to="/todo" search={{ add: 'true' }} state={{ fromPage: true }} tone="primary">
      <Plus aria-hidden="true" />
      Add Task
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="To Do" subtitle={ownZone && timeZoneText(ownZone)} actions={add} />
      <section aria-labelledby={`${headings}-active`}>
        <h2 id={`${headings}-active`} tabIndex={-1} className="mb-2 flex items-baseline gap-2 text-lg font-semibold outline-none">
          Active Tasks <Count total={active} />
        </h2>
        <TaskList
          status="active"
          heading={`${headings}-active`}
          onDelete={deletion.ask}
          onBooked={onBooked}
          empty={
            <EmptyState
              icon={ListTodo}
              sentence="No active tasks"
              hint={completed ? 'Everything is done.' : 'Jot down what you need to remember: a call, an order, an errand.'}
              action={!completed && add}
            />
          }
        />
      </section>
      <section aria-labelledby={`${headings}-completed`} className="mt-6" hidden={isListLoading}>
        <h2 id={`${headings}-completed`} tabIndex={-1} className="outline-none">
          <button
            type="button"
            aria-expanded={showsCompleted}
            aria-controls={panel}
            onClick={() => setShowsCompleted(!showsCompleted)}
            className="-ml-2 flex min-h-11 items-center gap-2 rounded-control px-2 text-lg font-semibold hover:bg-sunken lg:min-h-9"
          >
            <ChevronDown
              aria-hidden="true"
              className={classes('size-5 text-ink-3 transition-transform duration-160', !showsCompleted && '-rotate-90')}
            />
            Completed Tasks <Count total={completed} />
          </button>
        </h2>
        <div id={panel} hidden={!showsCompleted} className="mt-2">
          {showsCompleted && (
            <TaskList
              status="completed"
              heading={`${headings}-completed`}
              onDelete={deletion.ask}
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

function Count({ total }: { total: number | undefined }) {
  if (total === undefined) return null;
  return <span className="text-sm font-normal text-ink-3 tabular-nums">{formatCount(total)}</span>;
}

interface TaskListProps {
  status: TaskStatus;
  /** Of the heading, which gets the focus when the last task leaves the list. */
  heading: string;
  onDelete: (task: Task) => void;
  onBooked: OnBooked;
  empty: ReactNode;
}

/** Its attribute finds the next task to focus when one leaves the list. */
function TaskList({ status, heading, onDelete, onBooked, empty }: TaskListProps) {
  const list = useInfiniteQuery(tasksListOptions(status));
  const { mutate: setStatus } = useSetTaskStatus(onBooked);
  const zone = useShownTimeZone();
  const today = useToday(zone);
  const toggle = (task: Task, element: HTMLElement) => {
    const row = element.closest('li');
    const next = row?.nextElementSibling ?? row?.previousElementSibling;
    (next?.querySelector<HTMLElement>('input') ?? document.getElementById(heading))?.focus();
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
              {uniqueRows(pages).map((task) => (
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
                {centralMessage(list.error)}
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
  const [asked, setAsked] = useState<Task>();
  const [isAsking, setAsking] = useState(false);
  return {
    ask: (task: Task) => {
      setAsked(task);
      setAsking(true);
    },
    dialog: asked && (
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete task?"
        description={`“${asked.title}” will be deleted. This action cannot be undone.`}
        confirmLabel={remove.isPending ? 'Deleting…' : 'Delete'}
        busy={remove.isPending}
        fallbackFocusId={fallbackFocusId}
        onConfirm={() => remove.mutate(asked, { onSettled: () => setAsking(false) })}
      />
    ),
  };
}
