import type { JobRow } from '@callout/contract/jobs';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { BOARD_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import { formatDay } from '@callout/domain/time/date-format';
import { Link } from '@tanstack/react-router';
import { EllipsisVertical, Timer } from 'lucide-react';
import { createContext, memo, use, useEffect, useRef } from 'react';
import { UnsentMark } from '../../lib/commands/unsent-mark.tsx';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { IconButton } from '../../ui/button.tsx';
import type { CardDragManager } from '../../ui/card-drag-manager.ts';
import { classNames } from '../../ui/class-names.ts';
import { Menu } from '../../ui/menu.tsx';
import { NOT_SCHEDULED_LABEL, UNASSIGNED_LABEL } from '../jobs/job-labels.tsx';
import { getJobStatusPill } from '../jobs/job-list-filter.ts';
import { getJobLane } from '../jobs/jobs.api.ts';

/** Provides the drag manager to cards; undefined while the drag manager loads. */
export const CardDragContext = createContext<CardDragManager | undefined>(undefined);

/** Element id of the keyboard instructions, which describe every card to screen readers. */
export const MOVE_INSTRUCTIONS_ID = 'how-to-move-cards';

/** 'leaving' while a moved card fades out; 'lifted' while a card is dragged or moved by keyboard. */
export type BoardCardState = 'leaving' | 'lifted' | undefined;

interface BoardCardProps {
  row: JobRow;
  status: JobStatus;
  state: BoardCardState;
  onMove: (row: JobRow, from: JobStatus, to: JobStatus) => void;
}

export const BoardCard = memo(function BoardCard({ row, status, state, onMove }: BoardCardProps) {
  const card = useRef<HTMLDivElement>(null);
  const dragManager = use(CardDragContext);
  const { id, title } = row;
  const isLeaving = state === 'leaving';
  useEffect(() => (card.current && !isLeaving ? dragManager?.register(card.current, id) : undefined), [dragManager, id, isLeaving]);
  return (
    <div
      ref={card}
      inert={isLeaving}
      className={classNames(
        'relative rounded-control bg-surface dark:bg-raised shadow-card transition-[opacity,box-shadow] duration-160 select-none [-webkit-touch-callout:none] hover:shadow-float',
        isLeaving && 'opacity-0',
        state === 'lifted' && 'opacity-50 ring-2 ring-accent',
      )}
    >
      <Link
        to="/jobs/$id"
        params={{ id }}
        {...(!isLeaving && { 'data-card': id })}
        aria-describedby={MOVE_INSTRUCTIONS_ID}
        className="block rounded-control"
      >
        <BoardCardContent row={row} />
      </Link>
      <div className="absolute top-0 right-0 lg:top-0.5 lg:right-0.5">
        <Menu
          label={`Move ${title} to…`}
          trigger={
            <IconButton label={`Move ${title} to…`} title="Move to…" className="text-ink-3 lg:min-h-8 lg:w-8">
              <EllipsisVertical aria-hidden="true" />
            </IconButton>
          }
          items={BOARD_STATUSES.filter((other) => other !== status).map((to) => ({
            label: `Move to ${getJobStatusPill(to).text}`,
            onSelect: () => onMove(row, status, to),
          }))}
        />
      </div>
    </div>
  );
});

/** Shows the job. Used by the card and by the copy that follows the pointer during a drag. */
export function BoardCardContent({ row }: { row: JobRow }) {
  const { id, title, job_number: number, customer, staff, booking_date: date, timer_status: timer } = row;
  const zone = useDisplayTimeZone();
  // Most jobs without a date are also unassigned, so an "Unassigned" label would be noise.
  const person = staff?.name ?? (date ? UNASSIGNED_LABEL : undefined);
  return (
    <span className="relative block py-3 pr-3 pl-4">
      <span
        aria-hidden="true"
        data-stripe=""
        className="absolute inset-y-2 left-0 w-1 rounded-r-full bg-line-strong/40"
        style={staff?.hex_code ? { backgroundColor: staff.hex_code } : {}}
      />
      <span
        className={classNames(
          'line-clamp-3 text-base font-medium text-ink [overflow-wrap:anywhere]',
          timer ? 'pr-14 lg:pr-12' : 'pr-8 lg:pr-7',
        )}
      >
        {title}
      </span>
      {timer && <TimerBadge status={timer} />}
      <span className="mt-0.5 line-clamp-2 text-sm text-ink-2 [overflow-wrap:anywhere]">{formatCustomerName(customer)}</span>
      <span className="mt-1.5 flex flex-wrap items-baseline gap-x-2 text-xs text-ink-3">
        <span className="flex min-w-0 grow basis-20 flex-wrap items-baseline gap-x-1">
          <span className="whitespace-nowrap tabular-nums">{date ? formatDay(date, zone) : NOT_SCHEDULED_LABEL}</span>
          {person !== undefined && (
            <>
              <span aria-hidden="true">·</span>
              <span className="[overflow-wrap:anywhere]">{person}</span>
            </>
          )}
        </span>
        <UnsentMark lane={getJobLane(id)} className="self-center" />
        <span className="tabular-nums">#{number}</span>
      </span>
    </span>
  );
}

function TimerBadge({ status }: { status: 'started' | 'paused' }) {
  const text = status === 'started' ? 'Timer running' : 'Timer paused';
  return (
    <span title={text} className="absolute top-3 right-9 lg:right-8">
      <Timer aria-hidden="true" className={classNames('size-4.5', status === 'started' ? 'text-accent' : 'text-ink-3')} />
      <span className="sr-only">{text}</span>
    </span>
  );
}
