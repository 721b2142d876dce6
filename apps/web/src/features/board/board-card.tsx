import type { JobRow } from '@callout/contract/jobs';
import { customerLabel } from '@callout/domain/customers/customer';
import { BOARD_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import { formatDay } from '@callout/domain/time/date-format';
import { Link } from '@tanstack/react-router';
import { EllipsisVertical, Timer } from 'lucide-react';
import { createContext, memo, use, useEffect, useRef } from 'react';
import { useShownTimeZone } from '../../lib/time-zone.ts';
import { IconButton } from '../../ui/button.tsx';
import type { CardDragging } from '../../ui/card-dragging.ts';
import { classes } from '../../ui/classes.ts';
import { Menu } from '../../ui/menu.tsx';
import { statusPill } from '../jobs/job-filter.ts';
import { NOT_SCHEDULED, UNASSIGNED } from '../jobs/job-labels.tsx';

/** What drags the cards, once it is loaded. */
export const DraggingContext = createContext<CardDragging | undefined>(undefined);

/** Id of the sentence that tells how a card is moved with the keyboard. */
export const HOW_TO_MOVE = 'how-to-move-cards';

/** 'leaving' has been moved and fades; 'lifted' is on its way. */
export type CardState = 'leaving' | 'lifted' | undefined;

interface BoardCardProps {
  row: JobRow;
  status: JobStatus;
  state: CardState;
  onMove: (row: JobRow, from: JobStatus, to: JobStatus) => void;
}

export const BoardCard = memo(function BoardCard({ row, status, state, onMove }: BoardCardProps) {
  const card = useRef<HTMLDivElement>(null);
  const dragging = use(DraggingContext);
  const { id, title } = row;
  const isLeaving = state === 'leaving';
  useEffect(() => (card.current && !isLeaving ? dragging?.register(card.current, id) : undefined), [dragging, id, isLeaving]);
  return (
    <div
      ref={card}
      inert={isLeaving}
      className={classes(
        'relative rounded-control bg-surface dark:bg-raised shadow-card transition-[opacity,box-shadow] duration-160 select-none [-webkit-touch-callout:none] hover:shadow-float',
        isLeaving && 'opacity-0',
        state === 'lifted' && 'opacity-50 ring-2 ring-accent',
      )}
    >
      <Link
        to="/jobs/$id"
        params={{ id }}
        {...(!isLeaving && { 'data-card': id })}
        aria-describedby={HOW_TO_MOVE}
        className="block rounded-control"
      >
        <CardFace row={row} />
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
            label: `Move to ${statusPill(to).text}`,
            onSelect: () => onMove(row, status, to),
          }))}
        />
      </div>
    </div>
  );
});

/** What a card shows; also the copy that follows the pointer. */
export function CardFace({ row }: { row: JobRow }) {
  const { title, job_number: number, customer, staff, booking_date: date, timer_status: timer } = row;
  const zone = useShownTimeZone();
  // A job without a day has nobody yet, more often than not.
  const person = staff?.name ?? (date ? UNASSIGNED : undefined);
  return (
    <span className="relative block py-3 pr-3 pl-4">
      <span
        aria-hidden="true"
        data-stripe=""
        className="absolute inset-y-2 left-0 w-1 rounded-r-full bg-line-strong/40"
        style={staff?.hex_code ? { backgroundColor: staff.hex_code } : {}}
      />
      <span
        className={classes(
          'line-clamp-3 text-base font-medium text-ink [overflow-wrap:anywhere]',
          timer ? 'pr-14 lg:pr-12' : 'pr-8 lg:pr-7',
        )}
      >
        {title}
      </span>
      {timer && <TimerMark status={timer} />}
      <span className="mt-0.5 line-clamp-2 text-sm text-ink-2 [overflow-wrap:anywhere]">{customerLabel(customer)}</span>
      <span className="mt-1.5 flex flex-wrap items-baseline gap-x-2 text-xs text-ink-3">
        <span className="flex min-w-0 grow basis-20 flex-wrap items-baseline gap-x-1">
          <span className="whitespace-nowrap tabular-nums">{date ? formatDay(date, zone) : NOT_SCHEDULED}</span>
          {person !== undefined && (
            <>
              <span aria-hidden="true">·</span>
              <span className="[overflow-wrap:anywhere]">{person}</span>
            </>
          )}
        </span>
        <span className="tabular-nums">#{number}</span>
      </span>
    </span>
  );
}

function TimerMark({ status }: { status: 'started' | 'paused' }) {
  const text = status === 'started' ? 'Timer running' : 'Timer paused';
  return (
    <span title={text} className="absolute top-3 right-9 lg:right-8">
      <Timer aria-hidden="true" className={classes('size-4.5', status === 'started' ? 'text-accent' : 'text-ink-3')} />
      <span className="sr-only">{text}</span>
    </span>
  );
}
