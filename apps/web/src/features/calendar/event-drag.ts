import { showDragging, TOUCH_DELAY } from '../../ui/dragging.ts';
import type { EventStaff, Schedulable } from './calendar-event.ts';
import type { Grab } from './calendar-layout.ts';

/** Pixels a mouse moves before it drags: a hand that shakes while pressing moves nothing. */
const MOUSE_DISTANCE = 4;
/** Near the edge of what scrolls it scrolls along, the faster the nearer. */
const EDGE = 56;
const MAX_SCROLL_STEP = 14;

export interface Dragged {
  readonly event: Schedulable;
  readonly action: 'move' | 'resize';
  readonly grab: Grab;
}

/** Where it would be dropped. */
export interface DropPlace {
  /** The column or day it stands in. */
  readonly column: string;
  readonly start: string;
  readonly hours: string;
  /** Only where the place decides whose it is. */
  readonly staff?: EventStaff | null;
}

export interface DragState extends Dragged {
  /** None outside of every surface: dropped there, nothing changes. */
  readonly place: DropPlace | undefined;
}

interface Bounds {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Something to drop on. */
export interface DropSurface {
  readonly scroller: HTMLElement;
  /** The part of it where events are; near its edges it scrolls. */
  readonly bounds: () => Bounds;
  readonly findPlace: (x: number, y: number, dragged: Dragged) => DropPlace | undefined;
}

type DropHandler = (dragged: Dragged, place: DropPlace) => void;

export interface EventDrag {
  /** To be called by `onPointerDown` of what can be dragged; nothing moves before the pointer does, or the finger has rested. */
  start: (down: PointerEvent, event: Schedulable, how?: Partial<Pick<Dragged, 'action' | 'grab'>>) => void;
  /** There is one handler. Returns how to take it away. */
  onDrop: (handler: DropHandler) => () => void;
  /** Returns how to take it away. */
  addSurface: (surface: DropSurface) => () => void;
  /** Around everything that can be dragged: a drag there neither scrolls nor clicks. Returns how to stop. */
  attach: (root: HTMLElement) => () => void;
  subscribe: (changed: () => void) => () => void;
  getState: () => DragState | undefined;
}

const AT_START: Grab = { minutes: 0, continues: false };

const isSamePlace = (one: DropPlace | undefined, other: DropPlace | undefined) =>
  one?.column === other?.column && one?.start === other?.start && one?.hours === other?.hours;

/** Drags events by mouse, pen and finger. Only the place of the ghost is state: what is on screen renders when that changes, not with each move. */
export function createEventDrag(): EventDrag {
  const surfaces = new Set<DropSurface>();
  const listeners = new Set<() => void>();
  let handleDrop: DropHandler | undefined;
  let state: DragState | undefined;
  let endCurrent: (() => void) | undefined;
  let isTouchPending = false;
  let ignoresClick = false;

  const setState = (next: DragState | undefined) => {
    state = next;
    for (const changed of listeners) changed();
  };

  const findPlace = (x: number, y: number, dragged: Dragged) => {
    for (const surface of surfaces) {
      const place = surface.findPlace(x, y, dragged);
      if (place) return place;
    }
    return undefined;
  };

  const start: EventDrag['start'] = (down, event, { action = 'move', grab = AT_START } = {}) => {
    if (down.button !== 0 || !down.isPrimary || endCurrent) return;
    const stop = new AbortController();
    const { signal } = stop;
    const isTouch = down.pointerType === 'touch';
    isTouchPending = isTouch;
    const dragged: Dragged = { event, action, grab };
    let at = { x: down.clientX, y: down.clientY };
    let endDragging: (() => void) | undefined;
    let hasMoved = false;

    const follow = () => {
      if (!state) return;
      const place = findPlace(at.x, at.y, dragged);
      if (!isSamePlace(place, state.place)) setState({ ...dragged, place });
    };
    const scrollAlong = () => {
      if (signal.aborted) return;
      for (const surface of surfaces) if (scrollNearEdge(surface, at, { x: at.x - down.clientX, y: at.y - down.clientY })) follow();
      requestAnimationFrame(scrollAlong);
    };
    const activate = () => {
      isTouchPending = false;
      endDragging = showDragging(action === 'resize' ? 'cursor-ns-resize' : undefined);
      setState({ ...dragged, place: findPlace(at.x, at.y, dragged) });
      requestAnimationFrame(scrollAlong);
    };
    const timer = isTouch ? setTimeout(activate, TOUCH_DELAY.value) : undefined;
    const end = () => {
      stop.abort();
      endCurrent = undefined;
      isTouchPending = false;
      clearTimeout(timer);
      endDragging?.();
      if (state) setState(undefined);
    };
    endCurrent = end;
    const isOther = ({ pointerId }: PointerEvent) => pointerId !== down.pointerId;

    window.addEventListener(
      'pointermove',
      (move) => {
        if (isOther(move)) return;
        at = { x: move.clientX, y: move.clientY };
        const distance = Math.hypot(at.x - down.clientX, at.y - down.clientY);
        const isFar = isTouch ? distance > TOUCH_DELAY.tolerance : distance >= MOUSE_DISTANCE;
        // A busy page can see what the finger did before it rested long enough only afterwards: that finger scrolls, too.
        const hasRested = state && move.timeStamp - down.timeStamp >= TOUCH_DELAY.value;
        if (isTouch && isFar && !hasRested && !hasMoved) {
          end();
          return;
        }
        if (!state && isFar) activate();
        else follow();
        // A finger that rests a little long and lets go has tapped.
        if (isFar) {
          hasMoved = true;
          ignoresClick = true;
        }
      },
      { signal },
    );
    window.addEventListener(
      'pointerup',
      (up) => {
        if (isOther(up)) return;
        const place = state?.place;
        end();
        if (place && hasMoved) handleDrop?.(dragged, place);
      },
      { signal },
    );
    window.addEventListener('pointercancel', (canceled) => isOther(canceled) || end(), { signal });
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
      handleDrop = handler;
      return () => {
        if (handleDrop === handler) handleDrop = undefined;
      };
    },
    addSurface: (surface) => {
      surfaces.add(surface);
      return () => surfaces.delete(surface);
    },
    attach: (root) => {
      const stop = new AbortController();
      const { signal } = stop;
      // There before a finger comes down: browsers ask nobody else before they scroll.
      root.addEventListener('touchmove', (move) => state && move.cancelable && move.preventDefault(), { signal, passive: false });
      root.addEventListener('contextmenu', (menu) => (state || isTouchPending) && menu.preventDefault(), { signal });
      // A finger that drags makes no click: the next tap is one that counts.
      root.addEventListener(
        'pointerdown',
        () => {
          ignoresClick = false;
        },
        { signal, capture: true },
      );
      root.addEventListener('dragstart', (native) => native.preventDefault(), { signal });
      root.addEventListener(
        'click',
        (click) => {
          // Enter on a link counts 0 clicks.
          if (!ignoresClick || click.detail === 0) return;
          ignoresClick = false;
          click.preventDefault();
          click.stopPropagation();
        },
        { signal, capture: true },
      );
      return () => {
        stop.abort();
        endCurrent?.();
      };
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    getState: () => state,
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Whether it scrolled: only to where the pointer has moved, as an event may be taken near an edge. */
function scrollNearEdge({ scroller, bounds }: DropSurface, at: Point, moved: Point): boolean {
  const { top, bottom, left, right } = bounds();
  if (at.x < left || at.x > right) return false;
  const before = [scroller.scrollTop, scroller.scrollLeft];
  scroller.scrollBy(scrollStep(at.x, left, right, moved.x), scrollStep(at.y, top, bottom, moved.y));
  return scroller.scrollTop !== before[0] || scroller.scrollLeft !== before[1];
}

function scrollStep(at: number, from: number, to: number, moved: number): number {
  if (Math.abs(moved) < TOUCH_DELAY.tolerance) return 0;
  const distance = moved > 0 ? to - at : at - from;
  const step = distance < EDGE ? Math.ceil(((EDGE - Math.max(distance, 0)) / EDGE) * MAX_SCROLL_STEP) : 0;
  return moved > 0 ? step : -step;
}
