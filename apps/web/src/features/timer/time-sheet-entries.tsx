import type { SheetEntry } from '@callout/contract/timer';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatDay, formatTime } from '@callout/domain/time/date-format';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { formatElapsedTime } from '@callout/domain/timer/elapsed-time';
import {
  calculateSecondsPerDay,
  formatHoursAndMinutes,
  getDayBoundaries,
  getWeekDates,
  type TimeSheet,
} from '@callout/domain/timer/time-sheet';
import { calculateTimeCost } from '@callout/domain/timer/timer';
import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useState } from 'react';
import { UnsentMark } from '../../lib/commands/unsent-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { type PillTone, StatusPill } from '../../ui/status-pill.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useCan, useMe, useProfile } from '../company/company.api.ts';
import { getServerInstant } from './server-clock.ts';
import { formatBillingStatus } from './time-sheet-csv.ts';
import { TIMER_LANE } from './timer-commands.api.ts';

export interface TimeSheetViewProps {
  sheet: TimeSheet<SheetEntry>;
  week: string;
  zone: string;
  /** The current instant by the server's clock. */
  now: string;
}

interface DayEntriesProps extends Omit<TimeSheetViewProps, 'sheet'> {
  entries: readonly SheetEntry[];
  /** Day of the week; 0 is Monday. */
  day: number;
}

/** Lists the entries of one day, each with only the time that falls on that day. */
export function DayEntries({ entries, day, week, zone, now }: DayEntriesProps) {
  const bounds = getDayBoundaries(week, zone);
  const date = getWeekDates(week)[day] ?? week;
  return (
    <ul className="divide-y">
      {entries.map((entry) => (
        <DayEntry key={entry.id} entry={entry} date={date} zone={zone} seconds={calculateSecondsPerDay(entry, bounds, now)[day] ?? 0} />
      ))}
    </ul>
  );
}

interface DayEntryProps {
  entry: SheetEntry;
  date: string;
  zone: string;
  seconds: number;
}

function DayEntry({ entry, date, zone, seconds }: DayEntryProps) {
  const currency = useProfile()?.currency;
  const { started_at, ended_at, original_ended_at, corrected_by, added_by, hourly_rate } = entry;
  const formatInstant = (instant: string) => formatEntryTime(instant, date, zone);
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-base font-medium tabular-nums">
          {formatInstant(started_at)} – {ended_at ? formatInstant(ended_at) : 'now'}
        </span>
        <span className="text-base font-medium tabular-nums" title={formatElapsedTime(seconds)}>
          {formatHoursAndMinutes(seconds)}
        </span>
      </div>
      <EntryJob entry={entry} />
      {added_by && <p className="text-sm text-ink-2">Added by hand{added_by !== entry.staff_name && ` by ${added_by}`}</p>}
      {original_ended_at && (
        <p className="text-sm text-ink-2">
          End corrected{corrected_by && ` by ${corrected_by}`}, was {formatInstant(original_ended_at)}
        </p>
      )}
      <div className="mt-1.5 flex flex-wrap items-center justify-between gap-x-3">
        <span className="flex flex-wrap gap-1.5">
          {ended_at === null && <StatusPill tone="info" text="Running" />}
          <BillingPill entry={entry} />
          <UnsentMark lane={TIMER_LANE} id={entry.id} className="self-center" />
        </span>
        {hourly_rate !== null && (
          <span className="text-sm text-ink-2 tabular-nums">about {formatMoney(calculateTimeCost(seconds, hourly_rate), currency)}</span>
        )}
      </div>
      <ChangeEntryButton entry={entry} />
    </li>
  );
}

/** Offers what the server allows: time added by hand can be changed or deleted, and recorded time ends when its person says. */
function ChangeEntryButton({ entry }: { entry: SheetEntry }) {
  const isMine = useMe().user.staff_id === entry.staff_id;
  const canEditAll = useCan('time.editAll');
  const openDialog = use(EntryDialogContext);
  const isAddedByHand = entry.added_by !== null;
  if (entry.is_allocated || !(isMine || (isAddedByHand && canEditAll))) return null;
  return (
    <Button tone="accent" className="mt-1 -ml-3" onClick={() => openDialog(entry)}>
      {isAddedByHand ? 'Change time' : 'Correct end'}
    </Button>
  );
}

const EntryDialogContext = createContext<(entry: SheetEntry) => void>(() => undefined);

/** Opens the dialogs that change an entry. They are outside of the list, because the entry leaves it when it gets another day or is deleted. */
export function EntryDialogs({ children }: { children: ReactNode }) {
  const [{ entry, isOpen, count }, setChanging] = useState<{ entry?: SheetEntry; isOpen: boolean; count: number }>({
    isOpen: false,
    count: 0,
  });
  const setOpen = (open: boolean) => setChanging((last) => ({ ...last, isOpen: open }));
  const [openDialog] = useState(
    () => (changed: SheetEntry) => setChanging((last) => ({ entry: changed, isOpen: true, count: last.count + 1 })),
  );
  const isAddedByHand = entry !== undefined && entry.added_by !== null;
  const changeModule = useLazyModule(
    () => import('./change-time-dialog.tsx'),
    isOpen && isAddedByHand,
    () => setOpen(false),
  );
  const correctModule = useLazyModule(
    () => import('./correct-end-dialog.tsx'),
    isOpen && !isAddedByHand,
    () => setOpen(false),
  );
  const dialog = { open: isOpen, onOpenChange: setOpen };
  return (
    <EntryDialogContext value={openDialog}>
      {children}
      {entry && isAddedByHand && changeModule && <changeModule.ChangeTimeDialog key={count} entry={entry} {...dialog} />}
      {entry && !isAddedByHand && correctModule && (
        <correctModule.CorrectEndDialog
          key={count}
          entry={entry}
          job={`#${entry.job_number} ${entry.job_title}`}
          getInitialEnd={() => entry.ended_at ?? getServerInstant()}
          {...dialog}
        />
      )}
    </EntryDialogContext>
  );
}

/** Formats a time of day, with the date if it differs from `date`: 'Nov 11 1:30 AM'. */
function formatEntryTime(instant: string, date: string, zone: string): string {
  const time = formatTime(instant, zone);
  return toLocalDate(instant, zone) === date ? time : `${formatDay(instant, zone)} ${time}`;
}

function EntryJob({ entry: { job_id, job_number, job_title } }: { entry: SheetEntry }) {
  return (
    <p className="text-base text-ink-2 [overflow-wrap:anywhere]">
      {job_title}{' '}
      {job_id ? (
        <Link to="/jobs/$id" params={{ id: job_id }} className="font-medium text-accent-ink tabular-nums hover:underline">
          #{job_number}
        </Link>
      ) : (
        <span className="tabular-nums">#{job_number}</span>
      )}
    </p>
  );
}

const BILLING_TONES: Readonly<Record<string, PillTone>> = { Allocated: 'ok', Unbilled: 'warn' };

function BillingPill({ entry }: { entry: SheetEntry }) {
  const text = formatBillingStatus(entry);
  return <StatusPill text={text} tone={BILLING_TONES[text] ?? 'neutral'} />;
}
