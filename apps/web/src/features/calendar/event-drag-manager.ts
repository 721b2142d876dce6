import { showDragCursor, TOUCH_DRAG_DELAY } from '../../ui/dragging.ts';
import type { CalendarItem, EventStaff } from './calendar-event.ts';
import type { GrabOffset } from './calendar-layout.ts';

/** Distance the mouse must move to start a drag, so that an unsteady click moves nothing. */
const MOUSE_DRAG_DISTANCE_PX = 4;
/** Dragging within this distance of an edge scrolls the surface, faster the closer the pointer gets. */
const SCROLL_EDGE_PX = 56;
const MAX_SCROLL_STEP_PX = 14;

export interface DraggedEvent {
  readonly event: CalendarItem;
  readonly action: 'move' | 'resize';
  readonly grab: GrabOffset;
}

export interface DropTarget {
  /** Key of the grid column or, in the month view, the date. */
  readonly column: string;
  readonly start: string;
  readonly hours: string;
  /** The person to assign. Set only in a person's lane or the lane for unassigned events. */
  readonly staff?: EventStaff | null;
}

export interface DragState extends DraggedEvent {
  /** Undefined while the pointer is outside all drop surfaces, where a drop changes nothing. */
  readonly dropTarget: DropTarget | undefined;
}

interface SurfaceBounds {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface DropSurface {
  readonly scroller: HTMLElement;
  /** Returns the viewport rectangle that contains the events. Dragging near its edges scrolls the surface. */
  readonly bounds: () => SurfaceBounds;
  readonly findDropTarget: (x: number, y: number, dragged: DraggedEvent) => DropTarget | undefined;
}

type DropHandler = (dragged: DraggedEvent, dropTarget: DropTarget) => void;

export interface EventDragManager {
  /** Call on pointer down. The drag begins once the mouse moves far enough or the finger has rested long enough. */
  start: (down: PointerEvent, event: CalendarItem, options?: Partial<Pick<DraggedEvent, 'action' | 'grab'>>) => void;
  /** Sets the drop handler, replacing any previous one. Returns a function that removes the handler. */
  onDrop: (handler: DropHandler) => () => void;
  /** Adds a surface that accepts drops. Returns a function that removes the surface. */
  addSurface: (surface: DropSurface) => () => void;
  /** Keeps drags of events inside `root` from scrolling the page or opening links. Returns a cleanup function. */
  attach: (root: HTMLElement) => () => void;
  subscribe: (listener: () => void) => () => void;
  getState: () => DragState | undefined;
}

const NO_GRAB_OFFSET: GrabOffset = { minutes: 0, startsEarlier: false };

const isSameDropTarget = (one: DropTarget | undefined, other: DropTarget | undefined) =>
  one?.column === other?.column && one?.start === other?.start && one?.hours === other?.hours;

/** Drags events by mouse, pen or finger. Notifies subscribers only when the drop target changes, not on every pointer move. */
export function createEventDragManager(): EventDragManager {
  const surfaces = new Set<DropSurface>();
  const listeners = new Set<() => void>();
  let dropHandler: DropHandler | undefined;
  let state: DragState | undefined;
  let endCurrent: (() => void) | undefined;
  let isTouchPending = false;
  let shouldIgnoreClick = false;

  const setState = (next: DragState | undefined) => {
    state = next;
    for (const listener of listeners) listener();
  };

  const findDropTarget = (x: number, y: number, dragged: DraggedEvent) => {
    for (const surface of surfaces) {
      const dropTarget = surface.findDropTarget(x, y, dragged);
      if (dropTarget) return dropTarget;
    }
    return undefined;
  };

  const start: EventDragManager['start'] = (down, event, { action = 'move', grab = NO_GRAB_OFFSET } = {}) => {
    if (down.button !== 0 || !down.isPrimary || endCurrent) return;
    const controller = new AbortController();
    const { signal } = controller;
    const isTouch = down.pointerType === 'touch';
    isTouchPending = isTouch;
    const dragged: DraggedEvent = { event, action, grab };
    let pointer = { x: down.clientX, y: down.clientY };
    let restoreCursor: (() => void) | undefined;
    let hasMoved = false;

    const updateDropTarget = () => {
      if (!state) return;
      const dropTarget = findDropTarget(pointer.x, pointer.y, dragged);
      if (!isSameDropTarget(dropTarget, state.dropTarget)) setState({ ...dragged, dropTarget });
    };
    const autoScroll = () => {
      if (signal.aborted) return;
      for (const surface of surfaces)
        if (scrollNearEdge(surface, pointer, { x: pointer.x - down.clientX, y: pointer.y - down.clientY })) updateDropTarget();
      requestAnimationFrame(autoScroll);
    };
    const beginDrag = () => {
      isTouchPending = false;
      // Otherwise, a button released outside the window goes unnoticed. Browsers capture touches automatically.
      if (!isTouch && down.target instanceof Element) down.target.setPointerCapture(down.pointerId);
      restoreCursor = showDragCursor(action === 'resize' ? 'cursor-ns-resize' : undefined);
      setState({ ...dragged, dropTarget: findDropTarget(pointer.x, pointer.y, dragged) });
      requestAnimationFrame(autoScroll);
    };
    const timer = isTouch ? setTimeout(beginDrag, TOUCH_DRAG_DELAY.value) : undefined;
    const end = () => {
      controller.abort();
      endCurrent = undefined;
      isTouchPending = false;
      clearTimeout(timer);
      restoreCursor?.();
      if (state) setState(undefined);
    };
    endCurrent = end;
    const isOtherPointer = ({ pointerId }: PointerEvent) => pointerId !== down.pointerId;

    window.addEventListener(
      'pointermove',
      (move) => {
        if (isOtherPointer(move)) return;
        // The browser reported no release, e.g. because a system dialog took it. The event must not stick to the pointer.
        if (!isTouch && move.buttons === 0) {
          end();
          return;
        }
        pointer = { x: move.clientX, y: move.clientY };
        const distance = Math.hypot(pointer.x - down.clientX, pointer.y - down.clientY);
        const isPastThreshold = isTouch ? distance > TOUCH_DRAG_DELAY.tolerance : distance >= MOUSE_DRAG_DISTANCE_PX;
        // On a busy page, the timer may fire before an early move is handled. The timestamp tells whether the finger really rested.
        const hasRested = state && move.timeStamp - down.timeStamp >= TOUCH_DRAG_DELAY.value;
        if (isTouch && isPastThreshold && !hasRested && !hasMoved) {
          end();
          return;
        }
        if (!state && isPastThreshold) beginDrag();
        else updateDropTarget();
        // Without movement, a long press still counts as a tap, so its click isn't ignored.
        if (isPastThreshold) {
          hasMoved = true;
          shouldIgnoreClick = true;
        }
      },
      { signal },
    );
    window.addEventListener(
      'pointerup',
      (up) => {
        if (isOtherPointer(up)) return;
        const dropTarget = state?.dropTarget;
        end();
        if (dropTarget && hasMoved) dropHandler?.(dragged, dropTarget);
      },
      { signal },
    );
    window.addEventListener('pointercancel', (canceled) => isOtherPointer(canceled) || end(), { signal });
    window.addEventListener(
      'keydown',
      (key) => {
        if (key.key !== 'Escape' || !state) return;
        key.preventDefault();
        key.stopPropagation();
        end();
      },
      { signal, capture: true },
    );
  };

  return {
    start,
    onDrop: (handler) => {
      dropHandler = handler;
      return () => {
        if (dropHandler === handler) dropHandler = undefined;
      };
    },
    addSurface: (surface) => {
      surfaces.add(surface);
      return () => surfaces.delete(surface);
    },
    attach: (root) => {
      const controller = new AbortController();
      const { signal } = controller;
      // Must be registered before the touch starts, because browsers decide whether to scroll based on the listeners at that point.
      root.addEventListener('touchmove', (move) => state && move.cancelable && move.preventDefault(), { signal, passive: false });
      root.addEventListener('contextmenu', (menu) => (state || isTouchPending) && menu.preventDefault(), { signal });
      // A touch drag ends without a click, so `shouldIgnoreClick` would still be set and swallow the next tap.
      root.addEventListener(
        'pointerdown',
        () => {
          shouldIgnoreClick = false;
        },
        { signal, capture: true },
      );
      root.addEventListener('dragstart', (native) => native.preventDefault(), { signal });
      root.addEventListener(
        'click',
        (click) => {
          // Pressing Enter on a link fires a click with `detail` 0. That click isn't part of a drag, so it must not be ignored.
          if (!shouldIgnoreClick || click.detail === 0) return;
          shouldIgnoreClick = false;
          click.preventDefault();
          click.stopPropagation();
        },
        { signal, capture: true },
      );
      return () => {
        controller.abort();
        endCurrent?.();
      };
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getState: () => state,
  };
}

interface ViewportPoint {
  readonly x: number;
  readonly y: number;
}

/** Scrolls only toward the edge that the pointer moves to, so that grabbing an event near an edge doesn't scroll. Returns true if it scrolled. */
function scrollNearEdge({ scroller, bounds }: DropSurface, pointer: ViewportPoint, movement: ViewportPoint): boolean {
  const { top, bottom, left, right } = bounds();
  if (pointer.x < left || pointer.x > right) return false;
  const before = [scroller.scrollTop, scroller.scrollLeft];
  scroller.scrollBy(calculateScrollStep(pointer.x, left, right, movement.x), calculateScrollStep(pointer.y, top, bottom, movement.y));
  return scroller.scrollTop !== before[0] || scroller.scrollLeft !== before[1];
}

function calculateScrollStep(position: number, from: number, to: number, movement: number): number {
  if (Math.abs(movement) < TOUCH_DRAG_DELAY.tolerance) return 0;
  const distance = movement > 0 ? to - position : position - from;
  const step = distance < SCROLL_EDGE_PX ? Math.ceil(((SCROLL_EDGE_PX - Math.max(distance, 0)) / SCROLL_EDGE_PX) * MAX_SCROLL_STEP_PX) : 0;
  return movement > 0 ? step : -step;
}
