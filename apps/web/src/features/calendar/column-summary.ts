import { calculateOverlapMinutes } from '@callout/domain/calendar/calendar-event';
import { type ColumnContents, type EventSegment, type GridColumn, getDayRange } from './calendar-layout.ts';

export interface ColumnSummary {
  readonly bookedHours: number;
  readonly taskHours: number;
  readonly clashMinutes: number;
}

/** Adds up elapsed hours and clashes on the column's day. Canceled jobs and completed tasks don't count. */
export function summarizeColumn(column: GridColumn, { boxes, overflow }: ColumnContents, zone: string): ColumnSummary {
  const all: readonly EventSegment[] = [...boxes, ...overflow.flatMap(({ hidden }) => hidden)];
  const day = getDayRange(column, zone);
  const sumHours = (segments: readonly EventSegment[]) =>
    segments.reduce((sum, { event }) => sum + calculateOverlapMinutes(event, day), 0) / 60;
  return {
    bookedHours: sumHours(all.filter(({ event }) => event.kind === 'job' && event.status !== 'canceled')),
    taskHours: sumHours(all.filter(({ event }) => event.kind === 'task' && event.isBusy)),
    clashMinutes: all.reduce((sum, { clash }) => sum + (clash?.dayMinutes ?? 0), 0),
  };
}
