import type { SheetEntry } from '@callout/contract/timer';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatDay, formatTime } from '@callout/domain/time/date-format';
import { localDate } from '@callout/domain/time/zoned-time';
import { elapsedText } from '@callout/domain/timer/elapsed-time';
import { dayLimits, daysOfWeek, hoursText, secondsPerDay, type TimeSheet } from '@callout/domain/timer/time-sheet';
import { timeCost } from '@callout/domain/timer/timer';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { type PillTone, StatusPill } from '../../ui/status-pill.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useMe, useProfile } from '../company/company.api.ts';
import { serverInstant } from './server-clock.ts';
import { billingText } from './time-sheet-csv.ts';

/** What every part of a time sheet is drawn from. */
export interface SheetView {
  sheet: TimeSheet<SheetEntry>;
  week: string;
  zone: string;
  /** By the server's clock. */
  now: string;
}

interface DayEntriesProps extends Omit<SheetView, 'sheet'> {
  entries: readonly SheetEntry[];
  /** From 0, Monday. */
  day: number;
}

/** The entries of one day, each with the part of it that counts on that day. */
export function DayEntries({ entries, day, week, zone, now }: DayEntriesProps) {
  const limits = dayLimits(week, zone);
  const date = daysOfWeek(week)[day] ?? week;
  return (
    <ul className="divide-y">
      {entries.map((entry) => (
        <DayEntry key={entry.id} entry={entry} date={date} zone={zone} seconds={secondsPerDay(entry, limits, now)[day] ?? 0} />
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
  const { started_at, ended_at, original_ended_at, corrected_by, hourly_rate } = entry;
  const moment = (instant: string) => momentText(instant, date, zone);
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-base font-medium tabular-nums">
          {moment(started_at)} – {ended_at ? moment(ended_at) : 'now'}
        </span>
        <span className="text-base font-medium tabular-nums" title={elapsedText(seconds)}>
          {hoursText(seconds)}
        </span>
      </div>
      <JobOfEntry entry={entry} />
      {original_ended_at && (
        <p className="text-sm text-ink-2">
          End corrected{corrected_by && ` by ${corrected_by}`}, was {moment(original_ended_at)}
        </p>
      )}
      <div className="mt-1.5 flex flex-wrap items-center justify-between gap-x-3">
        <span className="flex flex-wrap gap-1.5">
          {ended_at === null && <StatusPill tone="info" text="Running" />}
          <BillingPill entry={entry} />
        </span>
        {hourly_rate !== null && (
          <span className="text-sm text-ink-2 tabular-nums">{formatMoney(timeCost(seconds, hourly_rate), currency)}</span>
        )}
      </div>
      <CorrectEndButton entry={entry} />
    </li>
  );
}

/** On the person's own time that no line bills yet: the server refuses all other. */
function CorrectEndButton({ entry }: { entry: SheetEntry }) {
  const { staff_id } = useMe().user;
  const [correcting, setCorrecting] = useState({ isOpen: false, count: 0 });
  const setOpen = (isOpen: boolean) => setCorrecting(({ count }) => ({ isOpen, count }));
  const module = useLazyModule(
    () => import('./correct-end.tsx'),
    correcting.isOpen,
    () => setOpen(false),
  );
  if (entry.staff_id !== staff_id || entry.is_allocated) return null;
  return (
    <>
      <Button tone="accent" className="mt-1 -ml-3" onClick={() => setCorrecting(({ count }) => ({ isOpen: true, count: count + 1 }))}>
        Correct end
      </Button>
      {module && (
        <module.CorrectEnd
          key={correcting.count}
          entry={entry}
          job={`#${entry.job_number} ${entry.job_title}`}
          firstEnd={() => entry.ended_at ?? serverInstant()}
          open={correcting.isOpen}
          onOpenChange={setOpen}
        />
      )}
    </>
  );
}

/** With the day, if it is another one: 'Nov 11 1:30 AM'. */
function momentText(instant: string, date: string, zone: string): string {
  const time = formatTime(instant, zone);
  return localDate(instant, zone) === date ? time : `${formatDay(instant, zone)} ${time}`;
}

function JobOfEntry({ entry: { job_id, job_number, job_title } }: { entry: SheetEntry }) {
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

const TONES: Readonly<Record<string, PillTone>> = { Allocated: 'ok', 'Not allocated': 'warn' };

function BillingPill({ entry }: { entry: SheetEntry }) {
  const text = billingText(entry);
  return <StatusPill text={text} tone={TONES[text] ?? 'neutral'} />;
}
