import { Link } from '@tanstack/react-router';
import { CalendarClock, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { UNASSIGNED } from '../jobs/job-labels.tsx';
import { minutesText, whenText } from './calendar-clashes.ts';
import type { CalendarEvent, Clashes } from './calendar-event.ts';
import type { MoreBox } from './calendar-layout.ts';
import { linkTo, lookOf, outlineOf, placeOf } from './event-box.tsx';

/** In the place of events that have no room. */
export function MoreItem({ more, onOpen }: { more: MoreBox; onOpen: () => void }) {
  const { hidden } = more;
  return (
    <li className="absolute pr-1 pb-0.5 pl-0.5" style={placeOf({ ...more, depth: 0 })}>
      <button
        type="button"
        aria-haspopup="dialog"
        className={classes(
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
  /** 'yyyy-MM-dd': what begins or ends on another one says so. */
  day: string;
  events: readonly CalendarEvent[];
  zone: string;
  clashes: Clashes;
  canMove: boolean;
  onMoveDialog: (event: CalendarEvent) => void;
}

interface MoreEventsProps extends EventListProps {
  open: boolean;
  onClose: () => void;
}

export function MoreEvents({ open, onClose, onMoveDialog, ...rest }: MoreEventsProps) {
  return (
    <Sheet open={open} onOpenChange={onClose} title="At the same time">
      <EventList
        {...rest}
        onMoveDialog={(event) => {
          onClose();
          onMoveDialog(event);
        }}
      />
    </Sheet>
  );
}

/** So many more are listed with each press. */
const PAGE = 50;

/** To read, to open and to move. */
export function EventList({ events, ...rest }: EventListProps) {
  const [shown, setShown] = useState(PAGE);
  return (
    <>
      <ul className="flex flex-col gap-2">
        {events.slice(0, shown).map((event) => (
          <EventRow key={event.id} event={event} {...rest} />
        ))}
      </ul>
      {events.length > shown && (
        <Button wide className="mt-2" onClick={() => setShown(shown + PAGE)}>
          Show more
        </Button>
      )}
    </>
  );
}

function EventRow({ event, day, zone, clashes, canMove, onMoveDialog }: Omit<EventListProps, 'events'> & { event: CalendarEvent }) {
  const clash = clashes.get(event.id);
  return (
    <li className="flex items-center gap-1">
      <Link
        {...linkTo(event)}
        className={classes(
          'relative min-h-11 min-w-0 flex-1 rounded-control py-2 pr-3 pl-4 text-base',
          lookOf(event),
          clash && 'ring-2 ring-danger',
        )}
        style={outlineOf(event)}
      >
        <span
          aria-hidden="true"
          className="absolute inset-y-1.5 left-1.5 w-1 rounded-full bg-line-strong"
          style={event.staff?.hex_code ? { backgroundColor: event.staff.hex_code } : {}}
        />
        <span className="block text-sm tabular-nums">{whenText(event.start, event.end, zone, day)}</span>
        <span className="block font-semibold [overflow-wrap:anywhere]">{event.title}</span>
        <span className="block text-sm">
          {event.staff?.name ?? UNASSIGNED} · {event.word}
        </span>
        {clash && (
          <span className="flex items-center gap-1 text-sm font-semibold text-danger-ink">
            <TriangleAlert aria-hidden="true" className="size-3.5" />
            Overlaps by {minutesText(clash.minutes)}
          </span>
        )}
      </Link>
      {canMove && (
        <IconButton label={`Move ${event.title} to…`} onClick={() => onMoveDialog(event)}>
          <CalendarClock aria-hidden="true" />
        </IconButton>
      )}
    </li>
  );
}
