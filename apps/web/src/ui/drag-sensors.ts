import { PointerActivationConstraints, type PointerSensorOptions } from '@dnd-kit/dom';
import { TOUCH_DRAG_DELAY } from './dragging.ts';

/** Distance the mouse must move before a drag starts, so that a shaky click moves nothing. */
const MOUSE_DRAG_DISTANCE_PX = 8;

/** Lets mouse and touch users drag the whole row. Keyboard and screen reader users drag the row by its handle. */
export const createPointerSensorOptions = (mouseDistance = MOUSE_DRAG_DISTANCE_PX): PointerSensorOptions => ({
  activationConstraints: ({ pointerType }) => [
    pointerType === 'mouse'
      ? new PointerActivationConstraints.Distance({ value: mouseDistance })
      : new PointerActivationConstraints.Delay(TOUCH_DRAG_DELAY),
  ],
  activatorElements: (source) => [source.element, source.handle],
});

export const POINTER_SENSOR_OPTIONS = createPointerSensorOptions();
