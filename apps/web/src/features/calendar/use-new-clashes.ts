import { type ClashPair } from '@callout/domain/calendar/calendar-event';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toast } from '../../ui/toast.ts';
import { SCHEDULING } from './calendar.api.ts';
import { minutesText, timesText } from './calendar-clashes.ts';
import type { CalendarEvent } from './calendar-event.ts';
import type { ScheduleAnswer, ScheduleChange } from './calendar-schedule.api.ts';

const keyOf = (oneId: string, otherId: string) => [oneId, otherId].toSorted().join(' ');

interface NewClashesProps {
  clashes: readonly ClashPair[];
  events: readonly CalendarEvent[];
  zone: string;
  /** Of what is shown: the clashes of another week are not new. */
  range: string;
}

/** Says a clash that came in with a refetch and was not there before. One's own is said by the answer to the move. */
export function useNewClashes({ clashes, events, zone, range }: NewClashesProps): void {
  const queryClient = useQueryClient();
  const known = useRef<{ range: string; keys: ReadonlySet<string> }>(undefined);
  useEffect(() => {
    const before = known.current?.range === range ? known.current.keys : undefined;
    known.current = { range, keys: new Set([...(before ?? []), ...clashes.map(({ earlierId, laterId }) => keyOf(earlierId, laterId))]) };
    const mutations = queryClient.getMutationCache().findAll({ mutationKey: SCHEDULING });
    const isMine = ({ earlierId, laterId }: ClashPair) =>
      mutations.some(({ state }) => {
        const { event } = state.variables as ScheduleChange;
        const named = (state.data as ScheduleAnswer | undefined)?.clashes ?? [];
        const isOneOfThem = event.id === earlierId || event.id === laterId;
        return isOneOfThem && (state.status === 'pending' || named.some(({ id }) => id === earlierId || id === laterId));
      });
    if (before === undefined) return;
    for (const pair of clashes) {
      if (before.has(keyOf(pair.earlierId, pair.laterId)) || isMine(pair)) continue;
      const text = newClashText(pair, events, zone);
      if (text) toast.blank(text);
    }
  }, [clashes, events, zone, range, queryClient]);
}

function newClashText({ earlierId, laterId, minutes }: ClashPair, events: readonly CalendarEvent[], zone: string): string | undefined {
  const [earlier, later] = [earlierId, laterId].map((id) => events.find((event) => event.id === id));
  if (!earlier || !later) return undefined;
  const times = timesText(later.start, later.end, zone);
  return `New clash: ${later.staff?.name ?? ''} has ${earlier.title} and ${later.title}, ${times}. They overlap by ${minutesText(minutes)}.`;
}
