import { PointerActivationConstraints, type PointerSensorOptions } from '@dnd-kit/dom';
import { TOUCH_DELAY } from './dragging.ts';

/** Pixels a mouse moves before it drags: a hand that shakes while pressing moves nothing. */
const MOUSE_DISTANCE = 8;

/** By hand the whole row; the handle is what the keyboard and screen readers use. */
export const pointerOptions = (mouseDistance = MOUSE_DISTANCE): PointerSensorOptions => ({
  activationConstraints: ({ pointerType }) => [
    pointerType === 'mouse'
      ? new PointerActivationConstraints.Distance({ value: mouseDistance })
      : new PointerActivationConstraints.Delay(TOUCH_DELAY),
  ],
  activatorElements: (source) => [source.element, source.handle],
});

export const POINTER_OPTIONS = pointerOptions();
