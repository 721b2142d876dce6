import type { SheetEntry } from '@callout/contract/timer';
import { formatMoney } from '@callout/domain/money/money-text';
import { listedTimeZone } from '@callout/domain/time/time-zones';
import { addWeeks, hoursText, type TimeSheet, timeSheet, weekText } from '@callout/domain/timer/time-sheet';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Clock, Download, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { downloadCsv } from '../../lib/csv.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan, useProfile } from '../company/company.api.ts';
import { staffNamesQuery } from '../staff/staff.api.ts';
import { serverInstant, useServerSecond } from './server-clock.ts';
import { timeSheetCsv } from './time-sheet-csv.ts';
import { TimeSheetDays } from './time-sheet-days.tsx';
import { TimeSheetTable } from './time-sheet-table.tsx';
import { type SheetAnswer, timeSheetOptions } from './timer-sheet.api.ts';

export interface SheetChoice {
  /** Its Monday, 'yyyy-MM-dd'. */
  week: string;
  /** Whose; everybody's without. */
  staff: string | undefined;
}

interface TimeSheetPageProps {
  choice: SheetChoice;
  thisWeek: string;
  onChoice: (choice: SheetChoice) => void;
}

export function TimeSheetPage({ choice, thisWeek, onChoice }: TimeSheetPageProps) {
  const seesAll = useCan('time.viewAll');
  const { week } = choice;
  const staff = seesAll ? choice.staff : undefined;
  const query = useQuery(timeSheetOptions(week, staff));
  const download = () => {
    if (query.data) downloadCsv(`time-sheet-${week}.csv`, timeSheetCsv(query.data, serverInstant()));
  };
  const hasEntries = (query.data?.entries.length ?? 0) > 0;
  return (
    <div className="[page:landscape]">
      <PrintHead choice={{ week, staff }} zone={query.data?.timezone} />
      <div className="print:hidden">
        <PageHeader
          title="Time sheet"
          actions={
            <>
              <Button disabled={!hasEntries} onClick={() => window.print()}>
                <Printer aria-hidden="true" />
                Print
              </Button>
              <Button disabled={!hasEntries} onClick={download}>
                <Download aria-hidden="true" />
                Export CSV
              </Button>
            </>
          }
        />
        <div className="mb-4 flex flex-wrap items-center gap-2">
          <WeekButtons choice={{ week, staff }} thisWeek={thisWeek} onWeek={(next) => onChoice({ ...choice, week: next })} />
          {seesAll && <PersonChoice staff={staff} onStaff={(id) => onChoice({ ...choice, staff: id })} />}
        </div>
      </div>
      <QueryView
        query={query}
        inCard
        skeleton={<SheetSkeleton />}
        isEmpty={({ entries }) => entries.length === 0}
        empty={<NoTime isThisWeek={week === thisWeek} />}
      >
        {(answer) => <LoadedSheet key={`${week} ${staff}`} answer={answer} />}
      </QueryView>
    </div>
  );
}

function LoadedSheet({ answer }: { answer: SheetAnswer }) {
  const isRunning = answer.entries.some(({ ended_at }) => ended_at === null);
  const second = useServerSecond(isRunning);
  const now = isRunning ? second : answer.server_time;
  const sheet = timeSheet(answer.entries, { week: answer.week, zone: answer.timezone, now });
  const [isDesk, isPaper] = [useMediaQuery(DESK_UP), useMediaQuery('print')];
  const view = { sheet, week: answer.week, zone: answer.timezone, now };
  return (
    <>
      <Summary sheet={sheet} />
      {isDesk || isPaper ? <TimeSheetTable {...view} /> : <TimeSheetDays {...view} />}
    </>
  );
}

interface WeekButtonsProps {
  choice: SheetChoice;
  thisWeek: string;
  onWeek: (week: string) => void;
}

function WeekButtons({ choice: { week, staff }, thisWeek, onWeek }: WeekButtonsProps) {
  const queryClient = useQueryClient();
  const step = (weeks: number) => {
    const next = addWeeks(week, weeks);
    return {
      onClick: () => onWeek(next),
      /** A guess: when it fails, the sheet itself asks again and says so. */
      onPointerEnter: () => void queryClient.query(timeSheetOptions(next, staff)).catch(() => undefined),
    };
  };
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1">
      <IconButton label="Previous week" title="Previous week (←)" {...step(-1)}>
        <ChevronLeft aria-hidden="true" />
      </IconButton>
      <span aria-live="polite" className="min-w-0 text-center text-base font-medium whitespace-nowrap tabular-nums sm:min-w-36">
        {weekText(week)}
      </span>
      <IconButton label="Next week" title="Next week (→)" {...step(1)}>
        <ChevronRight aria-hidden="true" />
      </IconButton>
      <Button className="ml-1" title="This week (W)" disabled={week === thisWeek} onClick={() => onWeek(thisWeek)}>
        This week
      </Button>
    </div>
  );
}

const EVERYONE = '';

function PersonChoice({ staff, onStaff }: { staff: string | undefined; onStaff: (id: string | undefined) => void }) {
  const people = useQuery(staffNamesQuery).data ?? [];
  return (
    <SelectField
      label="Staff"
      hideLabel
      className="w-full sm:w-56"
      value={staff ?? EVERYONE}
      onChange={({ target }) => onStaff(target.value === EVERYONE ? undefined : target.value)}
      choices={[{ value: EVERYONE, label: 'All staff' }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  );
}

/** On paper only: whose hours these are. */
function PrintHead({ choice: { week, staff }, zone }: { choice: SheetChoice; zone: string | undefined }) {
  const profile = useProfile();
  const seesAll = useCan('time.viewAll');
  const { data: people } = useQuery({ ...staffNamesQuery, enabled: seesAll });
  const person = people?.find(({ id }) => id === staff)?.name;
  return (
    <div className="mb-3 hidden items-baseline justify-between gap-6 print:flex">
      <p className="text-xl font-semibold">{[profile?.company_name, person].filter(Boolean).join(' · ')}</p>
      <p className="text-base">
        Time sheet, {weekText(week)}
        {zone && ` (${listedTimeZone(zone)?.label ?? zone} time)`}
      </p>
    </div>
  );
}

function Summary({ sheet }: { sheet: TimeSheet<SheetEntry> }) {
  const currency = useProfile()?.currency;
  const { total, allocated, unbilled } = sheet;
  const other = total - allocated - unbilled.total;
  return (
    <Card className="mb-4 overflow-clip print:mb-2">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(6rem,100%),1fr))] gap-px bg-line">
        <Figure label="Worked" detail={other > 0 && `${hoursText(other)} at a fixed price`}>
          {hoursText(total)}
        </Figure>
        <Figure label="Allocated to jobs">{hoursText(allocated)}</Figure>
        <Figure
          label="Not yet allocated"
          tone={unbilled.total > 0 ? 'text-warn-ink' : ''}
          detail={unbilled.total > 0 && formatMoney(sheet.unbilled_amount, currency)}
        >
          {hoursText(unbilled.total)}
        </Figure>
      </div>
    </Card>
  );
}

interface FigureProps {
  label: string;
  detail?: ReactNode;
  tone?: string;
  children: string;
}

function Figure({ label, detail, tone, children }: FigureProps) {
  return (
    <dl className="bg-surface px-3 py-3 sm:px-5 sm:py-4 print:py-1.5">
      <dt className="text-sm text-ink-2">{label}</dt>
      <dd className={classes('flex flex-wrap items-baseline justify-between gap-x-3 tabular-nums', tone)}>
        <span className="text-xl font-semibold sm:text-2xl">{children}</span>
        {detail && <span className="text-sm font-medium">{detail}</span>}
      </dd>
    </dl>
  );
}

function NoTime({ isThisWeek }: { isThisWeek: boolean }) {
  return (
    <EmptyState
      icon={Clock}
      sentence={isThisWeek ? 'No time recorded this week' : 'No time was recorded in this week'}
      hint="Time appears here as soon as a timer is started on a job."
      action={<LinkButton to="/jobs">Jobs</LinkButton>}
    />
  );
}

function SheetSkeleton() {
  return (
    <>
      <Skeleton className="mb-4 h-20 rounded-card sm:h-22" />
      <Card className="overflow-clip">
        <SkeletonRows label="Loading time sheet" count={6} className="h-14" />
      </Card>
    </>
  );
}
