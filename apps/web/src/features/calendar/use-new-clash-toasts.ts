import type { ClashPair } from '@callout/domain/calendar/calendar-event';
import { toEpochMs } from '@callout/domain/time/wall-time';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { UNSENT } from '../../lib/commands/outbox.ts';
import { toast } from '../../ui/toast.ts';
import { type CalendarEvent, type CalendarItem, type ClashMap, findEventClashes } from './calendar-event.ts';
import { formatDatedTimeRange, formatMoreSuffix } from './calendar-format.ts';
import { type ScheduleChange, type ScheduleResult, scheduleJob, scheduleTask } from './calendar-schedule.api.ts';

interface NewClashToastsOptions {
  clashes: ClashMap;
  events: readonly CalendarEvent[];
  zone: string;
  /** Identifies the displayed dates. Clashes that appear because the user opened another week aren't new. */
  range: string;
}

const getBookingKey = ({ start, hours, staff }: CalendarItem) => `${start} ${hours} ${staff?.id ?? ''}`;

interface SeenEvents {
  readonly range: string;
  readonly events: ReadonlyMap<string, CalendarEvent>;
}

/** Announces clashes caused by colleagues. Clashes caused by the user's own move are reported with that move. */
export function useNewClashToasts({ clashes, events, zone, range }: NewClashToastsOptions): void {
  const queryClient = useQueryClient();
  const lastSeen = useRef<SeenEvents>(undefined);
  useEffect(() => {
    const before = lastSeen.current?.range === range ? lastSeen.current.events : undefined;
    const now = new Map(events.map((event) => [event.id, event]));
    lastSeen.current = { range, events: now };
    if (before === undefined) return;
    const mutations = [scheduleJob, scheduleTask].flatMap(({ call }) => queryClient.getMutationCache().findAll({ mutationKey: [call] }));
    const isRolledBack = (event: CalendarItem) => {
      const [previous, current] = [before.get(event.id), now.get(event.id)];
      return previous !== current && current !== undefined && getBookingKey(current) === getBookingKey(event);
    };
    const isMine = ({ earlierId, laterId }: ClashPair) =>
      mutations.some(({ state }) => {
        const { event } = state.variables as ScheduleChange;
        if (event.id !== earlierId && event.id !== laterId) return false;
        if (state.status === 'error') return isRolledBack(event);
        if (state.status === 'pending' || state.data === UNSENT) return true;
        const reported = (state.data as Pick<ScheduleResult, 'clashes'> | undefined)?.clashes ?? [];
        return reported.some(({ id }) => id === earlierId || id === laterId);
      });
    // Comparing pairs isn't enough. When an event's longest overlap ends, the next pair can be an overlap that existed all along.
    const isNew = ({ earlierId, laterId }: ClashPair) =>
      findEventClashes([before.get(earlierId), before.get(laterId)].filter((event) => event !== undefined)).size === 0;
    const text = formatNewClashes(
      [...clashes.values()].filter((pair) => isNew(pair) && !isMine(pair)),
      events,
      zone,
    );
    if (text) toast.blank(text);
  }, [clashes, events, zone, range, queryClient]);
}

/** Formats one sentence that names the first clash and counts the rest. Returns undefined if there are no clashes. */
function formatNewClashes(pairs: readonly ClashPair[], events: readonly CalendarEvent[], zone: string): string | undefined {
  const [first] = pairs;
  const [earlier, later] = [first?.earlierId, first?.laterId].map((id) => events.find((event) => event.id === id));
  if (!earlier || !later) return undefined;
  const end = toEpochMs(earlier.end) < toEpochMs(later.end) ? earlier.end : later.end;
  const when = formatDatedTimeRange(later.start, end, zone, toLocalDate(new Date().toISOString(), zone));
  return `${later.staff?.name ?? ''} is double-booked ${when}: ${earlier.title} and ${later.title}${formatMoreSuffix(pairs.length)}.`;
}
