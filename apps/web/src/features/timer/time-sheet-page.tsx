import type { SheetEntry } from '@callout/contract/timer';
import { formatMoney } from '@callout/domain/money/money-format';
import { findTimeZoneOption } from '@callout/domain/time/time-zones';
import { addWeeks, buildTimeSheet, formatHoursAndMinutes, formatWeek, type TimeSheet } from '@callout/domain/timer/time-sheet';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Clock, Download, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { downloadCsv } from '../../lib/download-csv.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { buildChoices, SelectField } from '../../ui/select-field.tsx';
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan, useProfile } from '../company/company.api.ts';
import { FORMER_STAFF_LABEL, staffNamesQueryOptions } from '../staff/staff.api.ts';
import { getServerInstant, useServerInstant } from './server-clock.ts';
import { buildTimeSheetCsv } from './time-sheet-csv.ts';
import { TimeSheetDayView } from './time-sheet-day-view.tsx';
import { EntryDialogs } from './time-sheet-entries.tsx';
import { TimeSheetTable } from './time-sheet-table.tsx';
import { type TimeSheetResponse, timeSheetQueryOptions, useTimeSheet } from './timer-sheet.api.ts';

export interface TimeSheetFilter {
  /** The week's Monday, 'yyyy-MM-dd'. */
  week: string;
  /** Staff member's id; undefined means everyone. */
  staff: string | undefined;
}

interface TimeSheetPageProps {
  filter: TimeSheetFilter;
  thisWeek: string;
  onFilterChange: (filter: TimeSheetFilter) => void;
}

export function TimeSheetPage({ filter, thisWeek, onFilterChange }: TimeSheetPageProps) {
  const canViewAll = useCan('time.viewAll');
  const { week } = filter;
  const staff = canViewAll ? filter.staff : undefined;
  const query = useTimeSheet(week, staff);
  const download = () => {
    if (query.data) downloadCsv(`time-sheet-${week}.csv`, buildTimeSheetCsv(query.data, getServerInstant()));
  };
  const hasEntries = (query.data?.entries.length ?? 0) > 0;
  return (
    <div className="[page:landscape]">
      <PrintHeader filter={{ week, staff }} zone={query.data?.timezone} />
      <div className="print:hidden">
        <PageHeader
          title="Time sheet"
          note={<TimeZoneNote zone={query.data?.timezone} />}
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
          <WeekNavigation filter={{ week, staff }} thisWeek={thisWeek} onWeekChange={(next) => onFilterChange({ ...filter, week: next })} />
          {canViewAll && <StaffFilter staff={staff} onStaffChange={(id) => onFilterChange({ ...filter, staff: id })} />}
        </div>
      </div>
      <EntryDialogs>
        <QueryView
          query={query}
          isInCard
          skeleton={<TimeSheetSkeleton />}
          isEmpty={({ entries }) => entries.length === 0}
          empty={<EmptyTimeSheet isThisWeek={week === thisWeek} />}
        >
          {(response) => <LoadedTimeSheet key={`${week} ${staff}`} response={response} />}
        </QueryView>
      </EntryDialogs>
    </div>
  );
}

function LoadedTimeSheet({ response }: { response: TimeSheetResponse }) {
  const isRunning = response.entries.some(({ ended_at }) => ended_at === null);
  const serverInstant = useServerInstant(isRunning);
  const now = isRunning ? serverInstant : response.server_time;
  const sheet = buildTimeSheet(response.entries, { week: response.week, zone: response.timezone, now });
  const [isDesktop, isPrinting] = [useMediaQuery(DESKTOP_UP), useMediaQuery('print')];
  const view = { sheet, week: response.week, zone: response.timezone, now };
  return (
    <>
      <TimeSheetSummary sheet={sheet} />
      {isDesktop || isPrinting ? <TimeSheetTable {...view} /> : <TimeSheetDayView {...view} />}
    </>
  );
}

interface WeekNavigationProps {
  filter: TimeSheetFilter;
  thisWeek: string;
  onWeekChange: (week: string) => void;
}

function WeekNavigation({ filter: { week, staff }, thisWeek, onWeekChange }: WeekNavigationProps) {
  const queryClient = useQueryClient();
  const buildStepProps = (weeks: number) => {
    const next = addWeeks(week, weeks);
    return {
      onClick: () => onWeekChange(next),
      /** Prefetches the week. A failure is ignored, because opening the week retries the request and reports errors. */
      onPointerEnter: () => void queryClient.query(timeSheetQueryOptions(next, staff)).catch(() => undefined),
    };
  };
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1">
      <IconButton label="Previous week" title="Previous week (←)" {...buildStepProps(-1)}>
        <ChevronLeft aria-hidden="true" />
      </IconButton>
      <span aria-live="polite" className="min-w-0 text-center text-base font-medium whitespace-nowrap tabular-nums sm:min-w-36">
        {formatWeek(week)}
      </span>
      <IconButton label="Next week" title="Next week (→)" {...buildStepProps(1)}>
        <ChevronRight aria-hidden="true" />
      </IconButton>
      <Button className="ml-1" title="This week (W)" disabled={week === thisWeek} onClick={() => onWeekChange(thisWeek)}>
        This week
      </Button>
    </div>
  );
}

const EVERYONE = '';

function StaffFilter({ staff, onStaffChange }: { staff: string | undefined; onStaffChange: (id: string | undefined) => void }) {
  const people = useQuery(staffNamesQueryOptions).data;
  return (
    <SelectField
      label="Staff"
      hideLabel
      className="w-full sm:w-56"
      value={staff ?? EVERYONE}
      onChange={({ target }) => onStaffChange(target.value === EVERYONE ? undefined : target.value)}
      choices={[{ value: EVERYONE, label: 'All staff' }, ...buildChoices(people, staff, FORMER_STAFF_LABEL)]}
    />
  );
}

function PrintHeader({ filter: { week, staff }, zone }: { filter: TimeSheetFilter; zone: string | undefined }) {
  const profile = useProfile();
  const canViewAll = useCan('time.viewAll');
  const { data: people } = useQuery({ ...staffNamesQueryOptions, enabled: canViewAll });
  const person = people?.find(({ id }) => id === staff)?.name;
  return (
    <div className="mb-3 hidden items-baseline justify-between gap-6 print:flex">
      <p className="text-xl font-semibold">{[profile?.company_name, person].filter(Boolean).join(' · ')}</p>
      <p className="text-base">
        Time sheet, {formatWeek(week)}
        {zone && ` (${findTimeZoneOption(zone)?.label ?? zone} time)`}
      </p>
    </div>
  );
}

function TimeSheetSummary({ sheet }: { sheet: TimeSheet<SheetEntry> }) {
  const currency = useProfile()?.currency;
  const { total, allocated, unbilled } = sheet;
  const other = total - allocated - unbilled.total;
  return (
    <Card className="mb-4 overflow-clip print:mb-2">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(6rem,100%),1fr))] gap-px bg-line">
        <SummaryFigure label="Worked" detail={other > 0 && `${formatHoursAndMinutes(other)} at a fixed price`}>
          {formatHoursAndMinutes(total)}
        </SummaryFigure>
        <SummaryFigure label="Allocated to jobs">{formatHoursAndMinutes(allocated)}</SummaryFigure>
        <SummaryFigure
          label="Unbilled"
          tone={unbilled.total > 0 ? 'text-warn-ink' : ''}
          // Billing rounds once for all weeks of a job, so the weeks' amounts may not add up to the bill.
          detail={unbilled.total > 0 && `about ${formatMoney(sheet.unbilled_amount, currency)}`}
        >
          {formatHoursAndMinutes(unbilled.total)}
        </SummaryFigure>
      </div>
    </Card>
  );
}

interface SummaryFigureProps {
  label: string;
  detail?: ReactNode;
  tone?: string;
  children: string;
}

function SummaryFigure({ label, detail, tone, children }: SummaryFigureProps) {
  return (
    <dl className="bg-surface px-3 py-3 sm:px-5 sm:py-4 print:py-1.5">
      <dt className="text-sm text-ink-2">{label}</dt>
      <dd className={classNames('flex flex-wrap items-baseline justify-between gap-x-3 tabular-nums', tone)}>
        <span className="text-xl font-semibold sm:text-2xl">{children}</span>
        {detail && <span className="text-sm font-medium">{detail}</span>}
      </dd>
    </dl>
  );
}

function EmptyTimeSheet({ isThisWeek }: { isThisWeek: boolean }) {
  return (
    <EmptyState
      icon={Clock}
      message={isThisWeek ? 'No time recorded this week' : 'No time recorded for this week'}
      hint="Time appears here when someone starts a timer on a job or adds time to it."
      action={<LinkButton to="/jobs">Jobs</LinkButton>}
    />
  );
}

function TimeSheetSkeleton() {
  return (
    <>
      <Skeleton className="mb-4 h-20 rounded-card sm:h-22" />
      <Card className="overflow-clip">
        <SkeletonRows label="Loading time sheet" count={6} className="h-14" />
      </Card>
    </>
  );
}
