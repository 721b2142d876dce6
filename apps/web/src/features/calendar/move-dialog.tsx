import type { ScheduleChange } from './calendar.api.ts';
import type { EventStaff, Schedulable } from './calendar-event.ts';

export interface MoveDialogProps {
  /** Open while there is one. */
  event: Schedulable | undefined;
  zone: string;
  people: readonly EventStaff[];
  onMove: (change: ScheduleChange) => void;
  onClose: () => void;
}

/** Date, time, duration and person of an event, for the keyboard and for exact times. */
export function MoveDialog(_props: MoveDialogProps) {
  return null;
}
