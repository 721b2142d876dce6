import type { Schedulable } from './calendar-event.ts';
import type { EventDrag } from './event-drag.ts';

export interface UnscheduledTrayProps {
  canMove: boolean;
  /** `onPointerDown={(down) => drag.start(down.nativeEvent, unscheduledEvent(job))}` makes a card draggable onto the grid. */
  drag: EventDrag;
  onMoveDialog: (event: Schedulable) => void;
}

/** Jobs to do that have no date yet. */
export function UnscheduledTray(_props: UnscheduledTrayProps) {
  return null;
}
