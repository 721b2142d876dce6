import { Link } from '@tanstack/react-router';
import { CalendarClock, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { UNASSIGNED_LABEL } from '../jobs/job-labels.tsx';
import type { CalendarEvent, ClashMap } from './calendar-event.ts';
import { formatDatedTimeRange, formatMinutes } from './calendar-format.ts';
import type { OverflowBox } from './calendar-layout.ts';
import { getBoxStyle, getEventClasses, getEventLink, getOutlineStyle } from './event-box.tsx';

/** Stands in for overlapping events that don't fit, and opens a list of them. */
export function OverflowButton({ box, onOpen }: { box: OverflowBox; onOpen: () => void }) {
  const { hidden } = box;
  return (
    <li className="absolute pr-1 pb-0.5 pl-0.5" style={getBoxStyle({ ...box, depth: 0 })}>
      <button
        type="button"
        aria-haspopup="dialog"
        className={classNames(
          'flex size-full flex-col items-center justify-start rounded-md border border-dashed bg-surface pt-1 text-xs font-medium text-ink-2 hover:bg-sunken',
          hidden.some(({ clash }) => clash) && 'border-danger text-danger-ink',
        )}
        onClick={onOpen}
      >
        <span className="sticky top-[calc(var(--head-height)+0.25rem)] leading-4">+{hidden.length} more</span>
      </button>
    </li>
  );
}

interface EventListProps {
  /** A date as 'yyyy-MM-dd'. Events that start or end on another day also show that date. */
  day: string;
  events: readonly CalendarEvent[];
  zone: string;
  clashes: ClashMap;
  canMove: boolean;
  onMoveClick: (event: CalendarEvent) => void;
}

interface OverflowSheetProps extends EventListProps {
  open: boolean;
  onClose: () => void;
}

export function OverflowSheet({ open, onClose, onMoveClick, ...rest }: OverflowSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onClose} title="At the same time">
      <EventList
        {...rest}
        onMoveClick={(event) => {
          onClose();
          onMoveClick(event);
        }}
      />
    </Sheet>
  );
}

const EVENTS_PER_PAGE = 50;

export function EventList({ events, ...rest }: EventListProps) {
  const [visibleCount, setVisibleCount] = useState(EVENTS_PER_PAGE);
  return (
    <>
      <ul className="flex flex-col gap-2">
        {events.slice(0, visibleCount).map((event) => (
          <EventRow key={event.id} event={event} {...rest} />
        ))}
      </ul>
      {events.length > visibleCount && (
        <Button fullWidth className="mt-2" onClick={() => setVisibleCount(visibleCount + EVENTS_PER_PAGE)}>
          Show more
        </Button>
      )}
    </>
  );
}

function EventRow({ event, day, zone, clashes, canMove, onMoveClick }: Omit<EventListProps, 'events'> & { event: CalendarEvent }) {
  const clash = clashes.get(event.id);
  return (
    <li className="flex items-center gap-1">
      <Link
        {...getEventLink(event)}
        className={classNames(
          'relative min-h-11 min-w-0 flex-1 rounded-control py-2 pr-3 pl-4 text-base',
          getEventClasses(event),
          clash && 'ring-2 ring-danger',
        )}
        style={getOutlineStyle(event)}
      >
        <span
          aria-hidden="true"
          className="absolute inset-y-1.5 left-1.5 w-1 rounded-full bg-line-strong"
          style={event.staff?.hex_code ? { backgroundColor: event.staff.hex_code } : {}}
        />
        <span className="block text-sm tabular-nums">{formatDatedTimeRange(event.start, event.end, zone, day)}</span>
        <span className="block font-semibold [overflow-wrap:anywhere]">{event.title}</span>
        <span className="block text-sm">
          {event.staff?.name ?? UNASSIGNED_LABEL} · {event.statusLabel}
        </span>
        {clash && (
          <span className="flex items-center gap-1 text-sm font-semibold text-danger-ink">
            <TriangleAlert aria-hidden="true" className="size-3.5" />
            Overlaps by {formatMinutes(clash.minutes)}
          </span>
        )}
      </Link>
      {canMove && (
        <IconButton label={`Move ${event.title} to…`} onClick={() => onMoveClick(event)}>
          <CalendarClock aria-hidden="true" />
        </IconButton>
      )}
    </li>
  );
}
