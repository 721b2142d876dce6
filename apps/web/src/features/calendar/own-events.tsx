import { useEffect } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { browserStorage } from '../../lib/browser-storage.ts';
import { classes } from '../../ui/classes.ts';
import { useCan, useMe } from '../company/company.api.ts';
import type { CalendarChoice } from './calendar-view.ts';

type Whose = 'mine' | 'everybody';

interface CalendarStore {
  /** By staff member: several people may use one browser. */
  readonly whose: Readonly<Record<string, Whose>>;
  /** By staff member: whether nobody else is in their company, as far as this browser has seen. */
  readonly alone: Readonly<Record<string, boolean>>;
  readonly isTrayFolded: boolean;
}

/** Removed from the browser when the session ends: see navigation-store.ts. */
export const useCalendarStore = create<CalendarStore>()(
  persist((): CalendarStore => ({ whose: {}, alone: {}, isTrayFolded: false }), {
    name: 'callout-calendar',
    version: 1,
    storage: browserStorage(),
  }),
);

interface OwnEvents {
  /** The person's own staff id, where they can switch between their own events and everybody's. */
  readonly id: string | undefined;
  /** Whose events are shown when the URL does not say. */
  readonly shown: string | undefined;
  readonly keep: (staff: string | undefined) => void;
}

/**
 * A phone in a van shows its owner's own day first; those who see other people's hours plan for everybody. A desk has a lane for each.
 * Whoever works alone has nothing to switch, and sees what is nobody's yet as well. `staffCount`: how many people there are, once it is known.
 */
export function useOwnEvents(isWide: boolean, staffCount: number | undefined): OwnEvents {
  const id = useMe().user.staff_id ?? '';
  const looksAfterOthers = useCan('time.viewAll');
  const whose = useCalendarStore((store) => store.whose[id]) ?? (looksAfterOthers ? 'everybody' : 'mine');
  const isAlone = useIsAlone(id, staffCount);
  if (isWide || id === '' || isAlone) return { id: undefined, shown: undefined, keep: () => undefined };
  const keep = (staff: string | undefined) => {
    if (staff === undefined || staff === id)
      useCalendarStore.setState({ whose: { ...useCalendarStore.getState().whose, [id]: staff === id ? 'mine' : 'everybody' } });
  };
  return { id, shown: whose === 'mine' ? id : undefined, keep };
}

/** Until the people are known it is what it was last time: the switch would push the calendar down, or leave a gap. */
function useIsAlone(ownId: string, staffCount: number | undefined): boolean {
  const before = useCalendarStore((store) => store.alone[ownId]) ?? false;
  const isAlone = staffCount === undefined ? before : staffCount === 1;
  useEffect(() => {
    if (ownId !== '' && isAlone !== before) useCalendarStore.setState(({ alone }) => ({ alone: { ...alone, [ownId]: isAlone } }));
  }, [isAlone, before, ownId]);
  return isAlone;
}

interface WhoseSwitchProps {
  ownId: string;
  choice: CalendarChoice;
  onChoice: (choice: CalendarChoice) => void;
}

/** Neither is chosen while the filter shows somebody else. */
export function WhoseSwitch({ ownId, choice, onChoice }: WhoseSwitchProps) {
  return (
    <fieldset className="mb-2 flex rounded-control bg-sunken p-0.5">
      <legend className="sr-only">Whose</legend>
      {[
        { label: 'Mine', staff: ownId },
        { label: 'Everybody', staff: undefined },
      ].map(({ label, staff }) => (
        <button
          key={label}
          type="button"
          aria-pressed={choice.staff === staff}
          className={classes(
            'min-h-10 flex-1 rounded-[0.375rem] px-3 text-base font-medium',
            choice.staff === staff ? 'bg-raised text-ink shadow-card' : 'text-ink-2 hover:text-ink',
          )}
          onClick={() => onChoice({ ...choice, staff })}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
