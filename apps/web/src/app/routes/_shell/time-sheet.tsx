import { addWeeks, currentWeek, weekOf } from '@callout/domain/timer/time-sheet';
import { createFileRoute } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useCompanyTimeZone } from '../../../features/company/company.api.ts';
import { type SheetChoice, TimeSheetPage } from '../../../features/timer/time-sheet-page.tsx';
import { dateParam, idParam, present } from '../../search-params.ts';
import { isTypedInto, useShortcutSettings } from '../../shell/shortcuts.tsx';

export const Route = createFileRoute('/_shell/time-sheet')({
  staticData: { title: 'Time sheet', needs: 'jobs.work' },
  validateSearch: (search) => present({ week: dateParam(search, 'week'), staff: idParam(search, 'staff') }),
  component: TimeSheetRoute,
});

function TimeSheetRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const zone = useCompanyTimeZone();
  const [openedAt] = useState(() => new Date().toISOString());
  const thisWeek = currentWeek(openedAt, zone);
  const choice: SheetChoice = { week: search.week ? weekOf(search.week) : thisWeek, staff: search.staff };
  const choose = ({ week, staff }: SheetChoice) =>
    void navigate({ search: present({ week: week === thisWeek ? undefined : week, staff }), replace: true });
  useWeekKeys((weeks) => choose({ ...choice, week: weeks === undefined ? thisWeek : addWeeks(choice.week, weeks) }));
  return <TimeSheetPage choice={choice} thisWeek={thisWeek} onChoice={choose} />;
}

const KEYS: Readonly<Record<string, number | undefined>> = { ArrowLeft: -1, ArrowRight: 1, w: undefined };

/** The arrows go a week back or on, W to this week, unless single keys are turned off. */
function useWeekKeys(go: (weeks: number | undefined) => void): void {
  const singleKeys = useShortcutSettings((settings) => settings.singleKeys);
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (!Object.hasOwn(KEYS, event.key) || event.ctrlKey || event.metaKey || event.shiftKey || isTypedInto(event)) return;
    event.preventDefault();
    go(KEYS[event.key]);
  });
  useEffect(() => {
    if (!singleKeys) return undefined;
    const listen = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [singleKeys]);
}
