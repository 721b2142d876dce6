import { overlapMinutes } from '@callout/domain/calendar/calendar-event';
import { type ColumnContents, dayOf, type GridColumn, type Segment } from './calendar-layout.ts';

/** What a lane's header says of a day. */
export interface ColumnSummary {
  readonly bookedHours: number;
  readonly taskHours: number;
  readonly clashMinutes: number;
}

/** Hours that pass on the day, in jobs that are not canceled and in tasks that are not completed. */
export function summaryOf(column: GridColumn, { boxes, more }: ColumnContents, zone: string): ColumnSummary {
  const all: readonly Segment[] = [...boxes, ...more.flatMap(({ hidden }) => hidden)];
  const day = dayOf(column, zone);
  const hoursIn = (chosen: readonly Segment[]) => chosen.reduce((sum, { event }) => sum + overlapMinutes(event, day), 0) / 60;
  return {
    bookedHours: hoursIn(all.filter(({ event }) => event.kind === 'job' && event.status !== 'canceled')),
    taskHours: hoursIn(all.filter(({ event }) => event.kind === 'task' && event.isBusy)),
    clashMinutes: all.reduce((sum, { clash }) => sum + (clash?.dayMinutes ?? 0), 0),
  };
}
