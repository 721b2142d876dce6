import type { SheetEntry } from '@callout/contract/timer';
import { elapsedText } from '@callout/domain/timer/elapsed-time';
import { daysOfWeek, dayText, hoursText, type PersonRow, type SheetRow } from '@callout/domain/timer/time-sheet';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { staffNamesQuery } from '../staff/staff.api.ts';
import { DayEntries, type SheetView } from './time-sheet-entries.tsx';

/** Where the entries of a cell fit beside the table; the classes below name the same width. */
const BESIDE = '(min-width: 85rem)';

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** A cell of a person or of one of their jobs. */
interface Selection {
  person: string;
  job: string | undefined;
  day: number;
}

const isSame = (one: Selection | undefined, other: Selection) =>
  one?.person === other.person && one.job === other.job && one.day === other.day;

/** People by days; a person opens into jobs, a cell into its entries. On paper everything is open. */
export function TimeSheetTable(view: SheetView) {
  const { sheet, week } = view;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState<Selection>();
  const opener = useRef<HTMLElement>(null);
  const isOpen = (key: string) => sheet.people.length === 1 || opened.has(key);
  const toggle = (key: string) => setOpened(toggled(opened, key));
  const select = (cell: Selection, button: HTMLElement) => {
    opener.current = button;
    setSelected(isSame(selected, cell) ? undefined : cell);
  };
  const close = () => {
    setSelected(undefined);
    opener.current?.focus();
  };
  return (
    <div className={classes('grid items-start gap-4', selected && 'min-[85rem]:grid-cols-[minmax(0,1fr)_20rem] print:block')}>
      <Card className="overflow-clip">
        <table className="w-full text-base tabular-nums print:text-xs">
          <thead>
            <tr className="border-b text-sm text-ink-2">
              <th scope="col" className="py-3 pl-5 text-left font-normal print:py-1">
                Staff
              </th>
              {daysOfWeek(week).map((date, day) => (
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
              isOpen={isOpen(person.key)}
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
                  <td key={WEEKDAYS[day]} className="px-1 text-right font-semibold" title={elapsedText(seconds)}>
                    {seconds > 0 ? hoursText(seconds) : '–'}
                  </td>
                ))}
                <td className="pr-5 text-right font-semibold" title={elapsedText(sheet.total)}>
                  {hoursText(sheet.total)}
                </td>
              </tr>
            </tfoot>
          )}
        </table>
        <Legend sheet={sheet} />
      </Card>
      {selected && <CellEntries key={JSON.stringify(selected)} {...view} selected={selected} onClose={close} />}
    </div>
  );
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

function Legend({ sheet }: Pick<SheetView, 'sheet'>) {
  const isRunning = sheet.running.includes(true);
  return (
    <p className="flex flex-wrap gap-x-6 gap-y-1 border-t px-5 py-3 text-sm text-ink-2 print:py-1">
      {sheet.unbilled.total > 0 && (
        <span className="flex items-center gap-2">
          <span aria-hidden="true" className="h-0.5 w-6 rounded-full bg-warn-ink" />
          Includes time not yet allocated
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
  person: PersonRow<SheetEntry>;
  isOpen: boolean;
  onToggle: (() => void) | undefined;
  selected: Selection | undefined;
  onSelect: (cell: Selection, button: HTMLElement) => void;
  week: string;
}

function PersonRows({ person, isOpen, onToggle, selected, onSelect, week }: PersonRowsProps) {
  const { data: colors } = useQuery({ ...staffNamesQuery, enabled: onToggle !== undefined });
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
  const cells = (row: SheetRow<SheetEntry>, job?: string) => {
    const who = job ? `${person.staff_name}, #${job}` : person.staff_name;
    return row.days.map((seconds, day) => {
      const cell = { person: person.key, job: job && row.key, day };
      return (
        <Cell
          key={WEEKDAYS[day]}
          row={row}
          day={day}
          label={`${who}, ${WEEKDAYS[day]} ${dayText(daysOfWeek(week)[day] ?? week)}`}
          isSelected={isSame(selected, cell)}
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
              aria-expanded={isOpen}
              onClick={onToggle}
              className="flex min-h-11 w-full items-center gap-3 rounded-control px-2 text-left hover:bg-sunken print:min-h-0"
            >
              <ChevronRight
                aria-hidden="true"
                className={classes('size-4 shrink-0 text-ink-3 transition-transform print:hidden', isOpen && 'rotate-90')}
              />
              {name}
            </button>
          ) : (
            <span className="flex min-h-11 items-center gap-3 px-3">{name}</span>
          )}
        </th>
        {cells(person)}
        <td className="pr-5 pl-2 text-right font-semibold" title={elapsedText(person.total)}>
          {hoursText(person.total)}
        </td>
      </tr>
      {person.jobs.map((job) => (
        <tr
          key={job.key}
          className={classes('border-t bg-canvas text-sm print:bg-transparent print:text-xs', !isOpen && 'hidden print:table-row')}
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
          {cells(job, job.job_number)}
          <td className="pr-5 pl-2 text-right" title={elapsedText(job.total)}>
            {hoursText(job.total)}
          </td>
        </tr>
      ))}
    </tbody>
  );
}

interface CellProps {
  row: SheetRow<SheetEntry>;
  day: number;
  label: string;
  isSelected: boolean;
  onSelect: (button: HTMLElement) => void;
}

function Cell({ row, day, label, isSelected, onSelect }: CellProps) {
  const seconds = row.days[day] ?? 0;
  const isRunning = row.running[day] ?? false;
  const hasUnbilled = (row.unbilled.days[day] ?? 0) > 0;
  if (seconds === 0 && !isRunning) return <td className="px-1 text-right text-ink-3">–</td>;
  const notes = [hasUnbilled && 'not all allocated', isRunning && 'timer is running'].filter(Boolean).join(', ');
  return (
    <td className="py-1 pl-1 text-right print:py-0">
      <button
        type="button"
        aria-label={`${label}: ${hoursText(seconds)}${notes && `, ${notes}`}`}
        aria-expanded={isSelected}
        title={elapsedText(seconds)}
        onClick={({ currentTarget }) => onSelect(currentTarget)}
        className={classes(
          'relative -mr-1 inline-flex min-h-10 min-w-13 items-center justify-end gap-1.5 rounded-control px-2 hover:bg-accent-soft print:min-h-0',
          isSelected && 'outline-2 -outline-offset-2 outline-accent print:outline-none',
        )}
      >
        {isRunning && <RunningDot />}
        <span className={classes(hasUnbilled && 'border-b-2 border-warn-ink')}>{hoursText(seconds)}</span>
      </button>
    </td>
  );
}

interface CellEntriesProps extends SheetView {
  selected: Selection;
  onClose: () => void;
}

function CellEntries({ sheet, week, zone, now, selected, onClose }: CellEntriesProps) {
  const panel = useRef<HTMLElement>(null);
  const closeOnEscape = useEffectEvent(({ key, defaultPrevented }: KeyboardEvent) => {
    // In a dialog over it the key closes that one.
    if (key === 'Escape' && !defaultPrevented && !document.querySelector('[data-modal]')) onClose();
  });
  useEffect(() => {
    // Beside the table nothing needs to move; below it the panel may be out of sight.
    panel.current?.focus({ preventScroll: window.matchMedia(BESIDE).matches });
    const listen = (event: KeyboardEvent) => closeOnEscape(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  const person = sheet.people.find(({ key }) => key === selected.person);
  const row: SheetRow<SheetEntry> | undefined = selected.job ? person?.jobs.find(({ key }) => key === selected.job) : person;
  const { day } = selected;
  const date = daysOfWeek(week)[day] ?? week;
  if (!person || !row) return null;
  const title = `${person.staff_name}, ${WEEKDAYS[day]} ${dayText(date)}`;
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
          <p className="text-sm text-ink-2 tabular-nums">{hoursText(row.days[day] ?? 0)} worked</p>
        </div>
        <IconButton label="Close" onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <DayEntries entries={row.entries[day] ?? []} day={day} week={week} zone={zone} now={now} />
    </section>
  );
}
