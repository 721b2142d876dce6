import type { Task } from '@callout/contract/tasks';
import { formatBooking } from '@callout/domain/jobs/booking-format';
import { TASK_COLOR_LABELS } from '@callout/domain/tasks/task';
import { formatDate } from '@callout/domain/time/date-format';
import { Link } from '@tanstack/react-router';
import { CalendarDays, Check, Trash2 } from 'lucide-react';
import { UnsentMark } from '../../lib/commands/unsent-mark.tsx';
import { classNames } from '../../ui/class-names.ts';
import { MoreMenu } from '../../ui/menu.tsx';
import { AssignedStaff } from '../jobs/job-labels.tsx';
import { TASK_HEX_COLORS } from './task-color.ts';
import { getTaskLane, useUnsentTask } from './tasks.api.ts';

interface TaskItemProps {
  task: Task;
  /** Today's date in `zone`, 'yyyy-MM-dd'. */
  today: string;
  zone: string;
  onToggle: (element: HTMLElement) => void;
  onDelete: () => void;
}

export function TaskItem({ task, today, zone, onToggle, onDelete }: TaskItemProps) {
  const { id, title, description, color, status } = task;
  const isDone = status === 'completed';
  const isUnsent = useUnsentTask(id) !== undefined;
  return (
    <li className="relative flex items-start gap-1 py-1.5 pr-2 pl-3 hover:bg-sunken lg:pl-4">
      <span
        aria-hidden="true"
        className={classNames('absolute inset-y-2 left-0 w-1 rounded-r-full', isDone && 'opacity-40')}
        style={{ backgroundColor: TASK_HEX_COLORS[color] }}
      />
      <TaskCheckbox task={title} checked={isDone} onToggle={onToggle} />
      <div className="min-w-0 flex-1 py-2.5 lg:py-2">
        <Link
          to="/todo"
          search={{ task: id }}
          state={{ fromPage: true }}
          className={classNames(
            'text-lg font-medium [overflow-wrap:anywhere] after:absolute after:inset-y-0 after:right-12 after:left-14 after:-outline-offset-2 focus-visible:outline-none focus-visible:after:outline-2 lg:text-base',
            isDone && 'text-ink-3 line-through',
          )}
        >
          {title}
        </Link>
        <span className="sr-only">{TASK_COLOR_LABELS[color]}</span>
        {description && <p className="line-clamp-2 text-base text-ink-2 [overflow-wrap:anywhere]">{description}</p>}
        <TaskFacts task={task} today={today} zone={zone} />
      </div>
      <UnsentMark lane={getTaskLane(id)} className="relative py-3.5 lg:py-2.5" />
      {!isUnsent && (
        <span className="relative">
          <TaskMenu task={task} onDelete={onDelete} />
        </span>
      )}
    </li>
  );
}

interface TaskCheckboxProps {
  task: string;
  checked: boolean;
  onToggle: (element: HTMLElement) => void;
}

/** A checkbox with a thumb-sized hit area. Its accessible name stays the same whether it is checked or not. */
function TaskCheckbox({ task, checked, onToggle }: TaskCheckboxProps) {
  return (
    <span className="relative flex h-11 w-[min(2.75rem,48px)] shrink-0 items-center justify-center lg:size-9">
      <input
        type="checkbox"
        aria-label={`Completed: ${task}`}
        title={checked ? 'Reactivate' : 'Complete'}
        checked={checked}
        onChange={({ target }) => onToggle(target)}
        className="peer absolute inset-0 m-0 size-full cursor-pointer appearance-none rounded-control"
      />
      <span className="pointer-events-none flex size-6 items-center justify-center rounded-full border-2 border-ink-3 text-transparent peer-checked:border-accent peer-checked:bg-accent peer-checked:text-on-accent peer-hover:border-accent lg:size-5">
        <Check aria-hidden="true" strokeWidth={3} className="size-3.5 lg:size-3" />
      </span>
    </span>
  );
}

function TaskFacts({ task, today, zone }: Pick<TaskItemProps, 'task' | 'today' | 'zone'>) {
  const { show_in_calendar: isInCalendar, calendar_date: start, calendar_duration: hours, completed_at: completedAt, staff } = task;
  const when = isInCalendar && start ? formatBooking(start, hours ?? '1', today, zone) : undefined;
  if (!when && !staff && !completedAt) return null;
  return (
    <p className="mt-0.5 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm text-ink-3">
      {when && (
        <span className="flex items-center gap-1.5 tabular-nums">
          <CalendarDays aria-hidden="true" className="size-3.5" />
          {when.day}, {when.time}
        </span>
      )}
      {staff && <AssignedStaff staff={staff} wraps />}
      {completedAt && <span>Completed {formatDate(completedAt, zone)}</span>}
    </p>
  );
}

function TaskMenu({ task: { title }, onDelete }: { task: Task; onDelete: () => void }) {
  const label = `More actions for ${title}`;
  return <MoreMenu label={label} items={[{ label: 'Delete', icon: Trash2, tone: 'danger', onSelect: onDelete }]} />;
}
