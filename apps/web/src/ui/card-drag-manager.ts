import { AutoScroller, DragDropManager, Draggable, PointerSensor } from '@dnd-kit/dom';
import { createPointerSensorOptions } from './drag-sensors.ts';

/** Coordinates in pixels, relative to the viewport. */
export interface ViewportPoint {
  readonly x: number;
  readonly y: number;
}

interface DragHandlers {
  onStart: (id: string, point: ViewportPoint) => void;
  onMove: (point: ViewportPoint) => void;
  /** `point` is undefined if the drag was canceled, e.g. with Escape. */
  onEnd: (point: ViewportPoint | undefined) => void;
}

/** Both methods return an unsubscribe function. */
export interface CardDragManager {
  register: (element: Element, id: string) => () => void;
  subscribe: (handlers: DragHandlers) => () => void;
}

/** Distance from an edge at which dragging scrolls. A larger distance would scroll columns away while a card is dragged over them. */
const EDGE_PX = 64;
/** Height of the vertical scroll zones as a fraction of the window, and the maximum width of the horizontal zones. */
const EDGE_FRACTION = 0.2;

/** Controls on a card that don't start a drag when pressed. */
const INTERACTIVE_SELECTOR = 'button, input, select, textarea';

/**
 * Drags cards by mouse and touch. Cards stay in place, and the caller finds the drop target under the pointer. Keeps dnd-kit out of the
 * rest of the board.
 */
export function createCardDragManager(mouseDistance: number): CardDragManager {
  const manager = new DragDropManager({
    // AutoScroller expects fractions of the scrolling element, which is about as wide as the window, so divide by its width.
    plugins: [AutoScroller.configure({ threshold: { x: Math.min(EDGE_FRACTION, EDGE_PX / window.innerWidth), y: EDGE_FRACTION } })],
    sensors: [
      PointerSensor.configure({
        ...createPointerSensorOptions(mouseDistance),
        preventActivation: ({ target }) => target instanceof Element && target.closest(INTERACTIVE_SELECTOR) !== null,
      }),
    ],
  });
  const { monitor } = manager;
  return {
    register: (element, id) => {
      const draggable = new Draggable({ id, element }, manager);
      return () => draggable.destroy();
    },
    subscribe: ({ onStart, onMove, onEnd }) => {
      const unsubscribers = [
        monitor.addEventListener('dragstart', ({ operation: { source, position } }) => {
          if (source) onStart(String(source.id), position.current);
        }),
        monitor.addEventListener('dragmove', ({ operation: { position }, to }) => onMove(to ?? position.current)),
        monitor.addEventListener('dragend', ({ operation: { position }, canceled }) => onEnd(canceled ? undefined : position.current)),
      ];
      return () => {
        for (const unsubscribe of unsubscribers) unsubscribe();
      };
    },
  };
}
