import type { UnscheduledJob } from '@callout/contract/calendar';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { formatDuration } from '@callout/domain/durations/duration';
import { formatCappedCount } from '@callout/domain/text/count-format';
import { Link } from '@tanstack/react-router';
import { CalendarClock, PanelRightClose, PanelRightOpen } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { getUniqueRows } from '../../lib/query-cache.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useMediaQuery, WIDE_DESKTOP_UP } from '../../ui/use-browser-state.ts';
import { JobStatusPill } from '../jobs/job-labels.tsx';
import { useUnscheduledJobs } from './calendar.api.ts';
import { type CalendarItem, getEventHours, toUnscheduledItem } from './calendar-event.ts';
import { getSuburb } from './event-box.tsx';
import type { EventDragManager } from './event-drag-manager.ts';
import { useCalendarStore } from './my-events.tsx';

type UnscheduledList = ReturnType<typeof useUnscheduledJobs>;

interface UnscheduledTrayProps {
  canMove: boolean;
  drag: EventDragManager;
  onMoveClick: (event: CalendarItem) => void;
}

/** Lists active jobs without a date: beside the calendar on a wide screen, otherwise in a sheet behind a button. */
export function UnscheduledTray(props: UnscheduledTrayProps) {
  const isWide = useMediaQuery(WIDE_DESKTOP_UP);
  const list = useUnscheduledJobs();
  const total = list.data?.pages[0]?.total;
  const [open, setOpen] = useState(false);
  const isFolded = useCalendarStore((store) => store.isTrayFolded);
  if (!isWide) {
    return (
      <>
        <Button className="px-3" onClick={() => setOpen(true)}>
          Unscheduled
          <span className="text-ink-3 tabular-nums">{total === undefined ? '' : formatCappedCount(total)}</span>
        </Button>
        <Sheet open={open} onOpenChange={setOpen} title="Unscheduled">
          <TrayCards
            {...props}
            isInSheet
            list={list}
            onMoveClick={(event) => {
              setOpen(false);
              props.onMoveClick(event);
            }}
          />
        </Sheet>
      </>
    );
  }
  const count = <span className="font-normal text-ink-3 tabular-nums">{total === undefined ? '' : formatCappedCount(total)}</span>;
  return (
    <section
      aria-label="Unscheduled"
      className={classNames('flex max-h-full shrink-0 flex-col self-start rounded-card bg-sunken', isFolded ? 'w-11' : 'w-60')}
    >
      <h2 className="text-lg font-semibold">
        <button
          type="button"
          aria-expanded={!isFolded}
          title={isFolded ? 'Show unscheduled jobs' : 'Hide unscheduled jobs'}
          className={classNames(
            'flex w-full items-center gap-2 rounded-card p-3 hover:text-accent-ink',
            isFolded && 'h-52 justify-end [writing-mode:vertical-rl]',
          )}
          onClick={() => useCalendarStore.setState({ isTrayFolded: !isFolded })}
        >
          {isFolded && <PanelRightOpen aria-hidden="true" className="order-first mb-auto size-5 shrink-0 text-ink-3" />}
          Unscheduled
          {count}
          {!isFolded && <PanelRightClose aria-hidden="true" className="ml-auto size-5 shrink-0 text-ink-3" />}
        </button>
      </h2>
      {!isFolded && (
        <>
          {props.canMove && Number(total) > 0 && (
            <p className="-mt-2 px-3 text-sm text-ink-2">Drag onto the calendar, or press Enter to pick a time.</p>
          )}
          <div className="min-h-0 overflow-y-auto p-3 pt-2">
            <TrayCards {...props} list={list} />
          </div>
        </>
      )}
    </section>
  );
}

interface TrayCardsProps extends UnscheduledTrayProps {
  list: UnscheduledList;
  /** True in the sheet, which disables dragging. The sheet covers the calendar, so a card could land on a time that the user can't see. */
  isInSheet?: boolean;
}

function TrayCards({ list, canMove, drag, isInSheet = false, onMoveClick }: TrayCardsProps) {
  return (
    <QueryView
      query={list}
      skeleton={<SkeletonRows label="Loading unscheduled jobs..." count={3} className="h-20" />}
      isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
      empty={<p className="text-base text-ink-2">No unscheduled jobs.</p>}
    >
      {({ pages }) => (
        <>
          <ul className="flex flex-col gap-2">
            {getUniqueRows(pages).map((job) => (
              <TrayCard key={job.id} job={job} canMove={canMove} canDrag={canMove && !isInSheet} drag={drag} onMoveClick={onMoveClick} />
            ))}
          </ul>
          {list.hasNextPage && (
            <Button fullWidth className="mt-2" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {list.isFetchNextPageError ? 'Failed to load more. Try again' : 'Show more'}
            </Button>
          )}
        </>
      )}
    </QueryView>
  );
}

interface TrayCardProps extends UnscheduledTrayProps {
  job: UnscheduledJob;
  canDrag: boolean;
}

/** Shows an unscheduled job. The user can click it to pick a time, drag it onto the calendar, or click its number to open the job. */
function TrayCard({ job, canMove, canDrag, drag, onMoveClick }: TrayCardProps) {
  const isDragged = useSyncExternalStore(drag.subscribe, () => drag.getState()?.event.id === job.id);
  const event = toUnscheduledItem(job);
  return (
    <li
      className={classNames(
        'relative rounded-control px-3 py-2.5 text-base select-none [-webkit-touch-callout:none]',
        isDragged ? 'bg-accent-soft outline-2 outline-accent outline-dashed' : 'bg-raised shadow-card',
        canMove && 'hover:bg-surface',
        canDrag && 'cursor-grab',
      )}
      onPointerDown={(down) => canDrag && drag.start(down.nativeEvent, event)}
    >
      {canMove && (
        <button
          type="button"
          aria-label={`Book ${job.title}…`}
          className={classNames('absolute inset-0 size-full rounded-control', canDrag && 'cursor-grab')}
          onClick={() => onMoveClick(event)}
        />
      )}
      <p className="font-medium [overflow-wrap:anywhere]">{job.title}</p>
      <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
        {[formatCustomerName(job.customer), job.address && getSuburb(job.address)].filter(Boolean).join(', ')}
      </p>
      <p className="mt-1.5 flex items-center justify-between gap-2 text-sm text-ink-2">
        <JobStatusPill status={job.status} />
        {formatDuration(getEventHours(event))}
      </p>
      <p className="mt-1 flex items-center justify-between gap-2 text-sm">
        <Link
          to="/jobs/$id"
          params={{ id: job.id }}
          draggable={false}
          className="relative inline-flex min-h-11 items-center text-accent-ink underline-offset-2 hover:underline lg:min-h-6"
        >
          #{job.job_number}
        </Link>
        {canMove && (
          <span aria-hidden="true" className="flex items-center gap-1 text-ink-3">
            <CalendarClock className="size-3.5" />
            Book…
          </span>
        )}
      </p>
    </li>
  );
}
