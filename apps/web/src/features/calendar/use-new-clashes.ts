import type { ClashPair } from '@callout/domain/calendar/calendar-event';
import { milliseconds } from '@callout/domain/time/wall-time';
import { localDate } from '@callout/domain/time/zoned-time';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toast } from '../../ui/toast.ts';
import { SCHEDULING } from './calendar.api.ts';
import { plusMore, whenText } from './calendar-clashes.ts';
import { type CalendarEvent, type Clashes, clashesOf, type Schedulable } from './calendar-event.ts';
import type { ScheduleAnswer, ScheduleChange } from './calendar-schedule.api.ts';

interface NewClashesProps {
  clashes: Clashes;
  events: readonly CalendarEvent[];
  zone: string;
  /** Of what is shown: the clashes of another week are not new. */
  range: string;
}

const bookingOf = ({ start, hours, staff }: Schedulable) => `${start} ${hours} ${staff?.id ?? ''}`;

interface Known {
  readonly range: string;
  readonly events: ReadonlyMap<string, CalendarEvent>;
}

/** Says a clash that came in with a refetch and was not there before. One's own is said by the answer to the move. */
export function useNewClashes({ clashes, events, zone, range }: NewClashesProps): void {
  const queryClient = useQueryClient();
  const known = useRef<Known>(undefined);
  useEffect(() => {
    const before = known.current?.range === range ? known.current.events : undefined;
    const now = new Map(events.map((event) => [event.id, event]));
    known.current = { range, events: now };
    if (before === undefined) return;
    const mutations = queryClient.getMutationCache().findAll({ mutationKey: SCHEDULING });
    const isTakenBack = (event: Schedulable) => {
      const [was, is] = [before.get(event.id), now.get(event.id)];
      return was !== is && is !== undefined && bookingOf(is) === bookingOf(event);
    };
    const isMine = ({ earlierId, laterId }: ClashPair) =>
      mutations.some(({ state }) => {
        const { event } = state.variables as ScheduleChange;
        if (event.id !== earlierId && event.id !== laterId) return false;
        if (state.status === 'error') return isTakenBack(event);
        const named = (state.data as ScheduleAnswer | undefined)?.clashes ?? [];
        return state.status === 'pending' || named.some(({ id }) => id === earlierId || id === laterId);
      });
    // Not by the pairs: when the one it shared most time with goes, an event is paired with the next, which was there all along.
    const isNew = ({ earlierId, laterId }: ClashPair) =>
      clashesOf([before.get(earlierId), before.get(laterId)].filter((event) => event !== undefined)).size === 0;
    const text = newClashesText(
      [...clashes.values()].filter((pair) => isNew(pair) && !isMine(pair)),
      events,
      zone,
    );
    if (text) toast.blank(text);
  }, [clashes, events, zone, range, queryClient]);
}

/** One sentence, also of several: who has what at the same time, and when. */
function newClashesText(pairs: readonly ClashPair[], events: readonly CalendarEvent[], zone: string): string | undefined {
  const [first] = pairs;
  const [earlier, later] = [first?.earlierId, first?.laterId].map((id) => events.find((event) => event.id === id));
  if (!earlier || !later) return undefined;
  const end = milliseconds(earlier.end) < milliseconds(later.end) ? earlier.end : later.end;
  const when = whenText(later.start, end, zone, localDate(new Date().toISOString(), zone));
  return `${later.staff?.name ?? ''} is double-booked ${when}: ${earlier.title} and ${later.title}${plusMore(pairs.length)}.`;
}
