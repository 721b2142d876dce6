import { AutoScroller, DragDropManager, Draggable, PointerSensor } from '@dnd-kit/dom';
import { pointerOptions } from './drag-sensors.ts';

/** In the window. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

interface DragHandlers {
  onStart: (id: string, at: Point) => void;
  onMove: (at: Point) => void;
  /** Without a point it was canceled, e.g. with Escape. */
  onEnd: (at: Point | undefined) => void;
}

/** Both return how to stop. */
export interface CardDragging {
  /** Lets a card be dragged. */
  register: (element: Element, id: string) => () => void;
  listen: (handlers: DragHandlers) => () => void;
}

/** Pixels from an edge in which what scrolls does so. Wider, columns that can be reached would move away under a card that is held over them. */
const EDGE = 64;
/** Of the height of a column. */
const EDGE_SHARE = 0.2;

/** What is used by itself, although it is on a card. */
const CONTROLS = 'button, input, select, textarea';

/**
 * Drags cards by mouse and by finger; the cards themselves stay where they are, and what lies under the pointer is found by the caller. The
 * only file of the board that knows the library.
 */
export function createCardDragging(mouseDistance: number): CardDragging {
  const manager = new DragDropManager({
    // It counts in shares of what scrolls, which is about as wide as the window.
    plugins: [AutoScroller.configure({ threshold: { x: Math.min(EDGE_SHARE, EDGE / window.innerWidth), y: EDGE_SHARE } })],
    sensors: [
      PointerSensor.configure({
        ...pointerOptions(mouseDistance),
        preventActivation: ({ target }) => target instanceof Element && target.closest(CONTROLS) !== null,
      }),
    ],
  });
  const { monitor } = manager;
  return {
    register: (element, id) => {
      const draggable = new Draggable({ id, element }, manager);
      return () => draggable.destroy();
    },
    listen: ({ onStart, onMove, onEnd }) => {
      const stops = [
        monitor.addEventListener('dragstart', ({ operation: { source, position } }) => {
          if (source) onStart(String(source.id), position.current);
        }),
        monitor.addEventListener('dragmove', ({ operation: { position }, to }) => onMove(to ?? position.current)),
        monitor.addEventListener('dragend', ({ operation: { position }, canceled }) => onEnd(canceled ? undefined : position.current)),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
