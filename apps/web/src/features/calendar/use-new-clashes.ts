import { type ClashPair } from '@callout/domain/calendar/calendar-event';
import { localDate } from '@callout/domain/time/zoned-time';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toast } from '../../ui/toast.ts';
import { SCHEDULING } from './calendar.api.ts';
import { minutesText, plusMore, whenText } from './calendar-clashes.ts';
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
    const text = newClashesText(
      clashes.filter((pair) => !before.has(keyOf(pair.earlierId, pair.laterId)) && !isMine(pair)),
      events,
      zone,
    );
    if (text) toast.blank(text);
  }, [clashes, events, zone, range, queryClient]);
}

/** One sentence, also of several. */
function newClashesText(pairs: readonly ClashPair[], events: readonly CalendarEvent[], zone: string): string | undefined {
  const [first] = pairs;
  const [earlier, later] = [first?.earlierId, first?.laterId].map((id) => events.find((event) => event.id === id));
  if (!first || !earlier || !later) return undefined;
  const head = pairs.length === 1 ? 'New clash' : `${pairs.length} new clashes`;
  const when = whenText(later.start, later.end, zone, localDate(new Date().toISOString(), zone));
  const overlap = `(${minutesText(first.minutes)} overlap)${plusMore(pairs.length)}`;
  return `${head}: ${later.staff?.name ?? ''} has ${earlier.title} and ${later.title}, ${when} ${overlap}.`;
}
