import { useEffect } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { createBrowserStorage } from '../../lib/browser-storage.ts';
import { classNames } from '../../ui/class-names.ts';
import { useCan, useMe } from '../company/company.api.ts';
import type { CalendarSelection } from './calendar-view.ts';

type EventOwner = 'mine' | 'everybody';

interface CalendarStore {
  /** Last choice in the Mine/Everyone switch. Stored by staff id, because several people may share a browser. */
  readonly whose: Readonly<Record<string, EventOwner>>;
  /** Whether each person was the company's only staff member on their last visit, by staff id. */
  readonly alone: Readonly<Record<string, boolean>>;
  readonly isTrayFolded: boolean;
}

/** Stored in the browser under these names, and cleared by navigation-store.ts when the session ends. */
export const useCalendarStore = create<CalendarStore>()(
  persist((): CalendarStore => ({ whose: {}, alone: {}, isTrayFolded: false }), {
    name: 'callout-calendar',
    version: 1,
    storage: createBrowserStorage(),
  }),
);

interface MyEventsFilter {
  /** The user's staff id; undefined if there is no Mine/Everyone switch. */
  readonly myId: string | undefined;
  /** The person to display if the URL names no one; undefined means everyone. */
  readonly defaultStaffId: string | undefined;
  readonly saveChoice: (staff: string | undefined) => void;
}

/**
 * On a phone, people see their own events first, unless they can view everyone's time. A wide screen has a lane per person, so it needs no
 * switch. Neither does a person who works alone, who also sees unassigned events. `staffCount` is undefined until loaded.
 */
export function useMyEventsFilter(isWide: boolean, staffCount: number | undefined): MyEventsFilter {
  const id = useMe().user.staff_id ?? '';
  const canViewAllTime = useCan('time.viewAll');
  const owner = useCalendarStore((store) => store.whose[id]) ?? (canViewAllTime ? 'everybody' : 'mine');
  const isAlone = useWorksAlone(id, staffCount);
  if (isWide || id === '' || isAlone) return { myId: undefined, defaultStaffId: undefined, saveChoice: () => undefined };
  const saveChoice = (staff: string | undefined) => {
    if (staff === undefined || staff === id)
      useCalendarStore.setState({ whose: { ...useCalendarStore.getState().whose, [id]: staff === id ? 'mine' : 'everybody' } });
  };
  return { myId: id, defaultStaffId: owner === 'mine' ? id : undefined, saveChoice };
}

/** Returns the last visit's value until the staff list has loaded, so that the switch doesn't appear late and shift the calendar. */
function useWorksAlone(myId: string, staffCount: number | undefined): boolean {
  const wasAlone = useCalendarStore((store) => store.alone[myId]) ?? false;
  const isAlone = staffCount === undefined ? wasAlone : staffCount === 1;
  useEffect(() => {
    if (myId !== '' && isAlone !== wasAlone) useCalendarStore.setState(({ alone }) => ({ alone: { ...alone, [myId]: isAlone } }));
  }, [isAlone, wasAlone, myId]);
  return isAlone;
}

interface MyEventsSwitchProps {
  myId: string;
  selection: CalendarSelection;
  onSelect: (selection: CalendarSelection) => void;
}

/** Lets the user switch between their own and everyone's events. Neither is selected while the filter shows a colleague. */
export function MyEventsSwitch({ myId, selection, onSelect }: MyEventsSwitchProps) {
  return (
    <fieldset className="mb-2 flex rounded-control bg-sunken p-0.5">
      <legend className="sr-only">Whose events</legend>
      {[
        { label: 'Mine', staff: myId },
        { label: 'Everyone', staff: undefined },
      ].map(({ label, staff }) => (
        <button
          key={label}
          type="button"
          aria-pressed={selection.staff === staff}
          className={classNames(
            'min-h-10 flex-1 rounded-[0.375rem] px-3 text-base font-medium',
            selection.staff === staff ? 'bg-raised text-ink shadow-card' : 'text-ink-2 hover:text-ink',
          )}
          onClick={() => onSelect({ ...selection, staff })}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
