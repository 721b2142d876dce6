import type { SheetEntry } from '@callout/contract/timer';
import { formatElapsedTime } from '@callout/domain/timer/elapsed-time';
import {
  formatCivilDay,
  formatHoursAndMinutes,
  getWeekDates,
  type TimeSheetPersonRow,
  type TimeSheetRow,
} from '@callout/domain/timer/time-sheet';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { staffNamesQueryOptions } from '../staff/staff.api.ts';
import { DayEntries, type TimeSheetViewProps } from './time-sheet-entries.tsx';

/** Screens wide enough to show a cell's entries beside the table. Must match the `min-[85rem]` classes below. */
const WIDE_SCREEN_QUERY = '(min-width: 85rem)';

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** A day's cell in a person's row or in the row of one of their jobs. */
interface CellSelection {
  person: string;
  job: string | undefined;
  day: number;
}

const isSameCell = (one: CellSelection | undefined, other: CellSelection) =>
  one?.person === other.person && one.job === other.job && one.day === other.day;

/** One row per person and one column per day. A person expands into jobs, a cell into its entries. In print, all jobs are shown. */
export function TimeSheetTable(view: TimeSheetViewProps) {
  const { sheet, week } = view;
  const [expandedKeys, setExpandedKeys] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState<CellSelection>();
  const openerButton = useRef<HTMLElement>(null);
  const isExpanded = (key: string) => sheet.people.length === 1 || expandedKeys.has(key);
  const toggle = (key: string) => setExpandedKeys(withToggled(expandedKeys, key));
  const select = (cell: CellSelection, button: HTMLElement) => {
    openerButton.current = button;
    setSelected(isSameCell(selected, cell) ? undefined : cell);
  };
  const close = () => {
    setSelected(undefined);
    openerButton.current?.focus();
  };
  return (
    <div className={classNames('grid items-start gap-4', selected && 'min-[85rem]:grid-cols-[minmax(0,1fr)_20rem] print:block')}>
      <Card className="overflow-clip">
        <table className="w-full text-base tabular-nums print:text-xs">
          <thead>
            <tr className="border-b text-sm text-ink-2">
              <th scope="col" className="py-3 pl-5 text-left font-normal print:py-1">
                Staff
              </th>
              {getWeekDates(week).map((date, day) => (
                <th key={date} scope="col" className="px-1 text-right font-normal whitespace-nowrap">
                  {WEEKDAYS[day]} {Number(date.slice(8))}
                </th>
              ))}
              <th scope="col" className="pr-5 pl-2 text-right font-normal">
                Total
              </th>
            </tr>
          </thead>
          {sheet.people.map((person) => (
            <PersonRows
              key={person.key}
              person={person}
              isExpanded={isExpanded(person.key)}
              onToggle={sheet.people.length === 1 ? undefined : () => toggle(person.key)}
              selected={selected}
              onSelect={select}
              week={week}
            />
          ))}
          {sheet.people.length > 1 && (
            <tfoot>
              <tr className="border-t">
                <th scope="row" className="py-4 pl-5 text-left font-semibold print:py-1.5">
                  All staff
                </th>
                {sheet.days.map((seconds, day) => (
                  <td key={WEEKDAYS[day]} className="px-1 text-right font-semibold" title={formatElapsedTime(seconds)}>
                    {seconds > 0 ? formatHoursAndMinutes(seconds) : '–'}
                  </td>
                ))}
                <td className="pr-5 text-right font-semibold" title={formatElapsedTime(sheet.total)}>
                  {formatHoursAndMinutes(sheet.total)}
                </td>
              </tr>
            </tfoot>
          )}
        </table>
        <Legend sheet={sheet} />
      </Card>
      {selected && <CellEntriesPanel key={JSON.stringify(selected)} {...view} selected={selected} onClose={close} />}
    </div>
  );
}

function withToggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

function Legend({ sheet }: Pick<TimeSheetViewProps, 'sheet'>) {
  const isRunning = sheet.running.includes(true);
  return (
    <p className="flex flex-wrap gap-x-6 gap-y-1 border-t px-5 py-3 text-sm text-ink-2 print:py-1">
      {sheet.unbilled.total > 0 && (
        <span className="flex items-center gap-2">
          <span aria-hidden="true" className="h-0.5 w-6 rounded-full bg-warn-ink" />
          Includes unbilled time
        </span>
      )}
      {isRunning && (
        <span className="flex items-center gap-2">
          <RunningDot />
          Timer is running
        </span>
      )}
      <span>Rounded to the minute; totals use exact times.</span>
    </p>
  );
}

const RunningDot = () => <span aria-hidden="true" className="inline-block size-2 shrink-0 rounded-full bg-info-ink" />;

interface PersonRowsProps {
  person: TimeSheetPersonRow<SheetEntry>;
  isExpanded: boolean;
  onToggle: (() => void) | undefined;
  selected: CellSelection | undefined;
  onSelect: (cell: CellSelection, button: HTMLElement) => void;
  week: string;
}

function PersonRows({ person, isExpanded, onToggle, selected, onSelect, week }: PersonRowsProps) {
  const { data: colors } = useQuery({ ...staffNamesQueryOptions, enabled: onToggle !== undefined });
  const color = colors?.find(({ id }) => id === person.staff_id)?.hex_code;
  const name = (
    <>
      <span aria-hidden="true" className="h-6 w-1 shrink-0 rounded-full bg-line-strong" style={color ? { backgroundColor: color } : {}} />
      <span className="[overflow-wrap:anywhere]">
        {person.staff_name}
        {person.staff_id === null && <span className="block text-sm font-normal text-ink-3">Deleted</span>}
      </span>
    </>
  );
  const renderCells = (row: TimeSheetRow<SheetEntry>, job?: string) => {
    const who = job ? `${person.staff_name}, #${job}` : person.staff_name;
    return row.days.map((seconds, day) => {
      const cell = { person: person.key, job: job && row.key, day };
      return (
        <DayCell
          key={WEEKDAYS[day]}
          row={row}
          day={day}
          label={`${who}, ${WEEKDAYS[day]} ${formatCivilDay(getWeekDates(week)[day] ?? week)}`}
          isSelected={isSameCell(selected, cell)}
          onSelect={(button) => onSelect(cell, button)}
        />
      );
    });
  };
  return (
    <tbody className="border-b last-of-type:border-b-0">
      <tr>
        <th scope="row" className="w-52 py-1 pr-1 pl-2 text-left font-medium print:w-96 print:py-0">
          {onToggle ? (
            <button
              type="button"
              aria-expanded={isExpanded}
              onClick={onToggle}
              className="flex min-h-11 w-full items-center gap-3 rounded-control px-2 text-left hover:bg-sunken print:min-h-0"
            >
              <ChevronRight
                aria-hidden="true"
                className={classNames('size-4 shrink-0 text-ink-3 transition-transform print:hidden', isExpanded && 'rotate-90')}
              />
              {name}
            </button>
          ) : (
            <span className="flex min-h-11 items-center gap-3 px-3">{name}</span>
          )}
        </th>
        {renderCells(person)}
        <td className="pr-5 pl-2 text-right font-semibold" title={formatElapsedTime(person.total)}>
          {formatHoursAndMinutes(person.total)}
        </td>
      </tr>
      {person.jobs.map((job) => (
        <tr
          key={job.key}
          className={classNames('border-t bg-canvas text-sm print:bg-transparent print:text-xs', !isExpanded && 'hidden print:table-row')}
        >
          <th scope="row" className="py-2 pr-1 pl-12 text-left font-normal [overflow-wrap:anywhere] print:py-px">
            <span className="block text-ink print:mr-1.5 print:inline">{job.job_title}</span>
            {job.job_id ? (
              <Link to="/jobs/$id" params={{ id: job.job_id }} className="text-ink-2 hover:underline">
                #{job.job_number}
              </Link>
            ) : (
              <span className="text-ink-2">#{job.job_number}, deleted</span>
            )}
          </th>
          {renderCells(job, job.job_number)}
          <td className="pr-5 pl-2 text-right" title={formatElapsedTime(job.total)}>
            {formatHoursAndMinutes(job.total)}
          </td>
        </tr>
      ))}
    </tbody>
  );
}

interface DayCellProps {
  row: TimeSheetRow<SheetEntry>;
  day: number;
  label: string;
  isSelected: boolean;
  onSelect: (button: HTMLElement) => void;
}

function DayCell({ row, day, label, isSelected, onSelect }: DayCellProps) {
  const seconds = row.days[day] ?? 0;
  const isRunning = row.running[day] ?? false;
  const hasUnbilled = (row.unbilled.days[day] ?? 0) > 0;
  if (seconds === 0 && !isRunning) return <td className="px-1 text-right text-ink-3">–</td>;
  const notes = [hasUnbilled && 'includes unbilled time', isRunning && 'timer is running'].filter(Boolean).join(', ');
  return (
    <td className="py-1 pl-1 text-right print:py-0">
      <button
        type="button"
        aria-label={`${label}: ${formatHoursAndMinutes(seconds)}${notes && `, ${notes}`}`}
        aria-expanded={isSelected}
        title={formatElapsedTime(seconds)}
        onClick={({ currentTarget }) => onSelect(currentTarget)}
        className={classNames(
          'relative -mr-1 inline-flex min-h-10 min-w-13 items-center justify-end gap-1.5 rounded-control px-2 hover:bg-accent-soft print:min-h-0',
          isSelected && 'outline-2 -outline-offset-2 outline-accent print:outline-none',
        )}
      >
        {isRunning && <RunningDot />}
        <span className={classNames(hasUnbilled && 'border-b-2 border-warn-ink')}>{formatHoursAndMinutes(seconds)}</span>
      </button>
    </td>
  );
}

interface CellEntriesPanelProps extends TimeSheetViewProps {
  selected: CellSelection;
  onClose: () => void;
}

function CellEntriesPanel({ sheet, week, zone, now, selected, onClose }: CellEntriesPanelProps) {
  const panel = useRef<HTMLElement>(null);
  const closeOnEscape = useEffectEvent(({ key, defaultPrevented }: KeyboardEvent) => {
    // If a dialog is open, Escape closes only the dialog.
    if (key === 'Escape' && !defaultPrevented && !document.querySelector('[data-modal]')) onClose();
  });
  useEffect(() => {
    // Beside the table, the panel is always visible. Below the table, the page may have to scroll to it.
    panel.current?.focus({ preventScroll: window.matchMedia(WIDE_SCREEN_QUERY).matches });
    const listen = (event: KeyboardEvent) => closeOnEscape(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  const person = sheet.people.find(({ key }) => key === selected.person);
  const row: TimeSheetRow<SheetEntry> | undefined = selected.job ? person?.jobs.find(({ key }) => key === selected.job) : person;
  const { day } = selected;
  const date = getWeekDates(week)[day] ?? week;
  if (!person || !row) return null;
  const title = `${person.staff_name}, ${WEEKDAYS[day]} ${formatCivilDay(date)}`;
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={title}
      className="rounded-card bg-surface shadow-card outline-none min-[85rem]:sticky min-[85rem]:top-[calc(var(--header-height)+1rem)] min-[85rem]:max-h-[calc(100dvh-var(--header-height)-2rem)] min-[85rem]:overflow-y-auto print:hidden"
    >
      <div className="flex items-start justify-between gap-3 border-b py-3 pr-2 pl-4">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold [overflow-wrap:anywhere]">{title}</h2>
          <p className="text-sm text-ink-2 tabular-nums">{formatHoursAndMinutes(row.days[day] ?? 0)} worked</p>
        </div>
        <IconButton label="Close" onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <DayEntries entries={row.entries[day] ?? []} day={day} week={week} zone={zone} now={now} />
    </section>
  );
}
