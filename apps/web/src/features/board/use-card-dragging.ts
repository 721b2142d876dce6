import { BOARD_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Point } from '../../ui/card-dragging.ts';
import { showDragging } from '../../ui/dragging.ts';
import { PREFETCH_DELAY_MS, useLazyModule } from '../../ui/use-lazy-module.ts';
import { type Board, findCard } from './board-columns.ts';
import type { MovedCard } from './board-view.tsx';

/** Pixels a mouse moves before it drags. */
const MOUSE_DISTANCE = 4;
/** Pixels between the chips and the copy of a card above them; it is tilted. */
const GHOST_GAP = 12;

const loadDragging = async () => (await import('../../ui/card-dragging.ts')).createCardDragging(MOUSE_DISTANCE);

interface DraggedCard extends MovedCard {
  readonly width: number;
  /** From the pointer to the corner of the card. */
  readonly offset: Point;
}

/** Every press of a finger may be the one that drags. */
const FINGER = '(pointer: coarse)';

/** Once there was a pointer, the next board need not wait for one. */
let hadPointer = false;

/** What drags is heavy: it comes with the first sign of a mouse, or when the page has been there for a while; for a finger at once. */
function usePointerSign(): boolean {
  const [hasPointer, setPointer] = useState(() => hadPointer || window.matchMedia(FINGER).matches);
  useEffect(() => {
    if (hasPointer) {
      hadPointer = true;
      return undefined;
    }
    const stop = new AbortController();
    for (const event of ['pointermove', 'pointerdown']) {
      window.addEventListener(event, () => setPointer(true), { once: true, passive: true, signal: stop.signal });
    }
    const timer = setTimeout(() => setPointer(true), PREFETCH_DELAY_MS);
    stop.signal.addEventListener('abort', () => clearTimeout(timer));
    return () => stop.abort();
  }, [hasPointer]);
  return hasPointer;
}

/** The column, or its chip on a phone, that lies under the pointer. */
function columnAt({ x, y }: Point): JobStatus | undefined {
  const name = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-drop]')?.dataset['drop'];
  return BOARD_STATUSES.find((status) => status === name);
}

/** Where the copy of a card is shown: on the chips it could be dropped on, they could not be seen; it is then above them. */
function clearOfChips(top: number, height: number): number {
  const chips = document.querySelector('[data-chips]')?.getBoundingClientRect();
  const isCovering = chips !== undefined && top < chips.bottom && top + height > chips.top;
  return isCovering && chips.height > 0 ? Math.max(0, chips.top - height - GHOST_GAP) : top;
}

/** By mouse and by finger. The dragged card stays where it was until it is dropped; a copy of it follows the pointer. */
export function useCardDragging(board: Board, move: (row: MovedCard['row'], from: JobStatus, to: JobStatus) => void) {
  const dragging = useLazyModule(loadDragging, usePointerSign());
  const [dragged, setDragged] = useState<DraggedCard>();
  const [target, setTarget] = useState<JobStatus>();
  const ghost = useRef<HTMLDivElement>(null);
  const pointer = useRef<Point>({ x: 0, y: 0 });

  const place = (at: Point, offset: Point) => {
    pointer.current = at;
    if (!ghost.current) return;
    const top = clearOfChips(at.y - offset.y, ghost.current.offsetHeight);
    ghost.current.style.transform = `translate(${at.x - offset.x}px, ${top}px)`;
  };
  const onStart = useEffectEvent((id: string, at: Point) => {
    const found = findCard(board, id);
    const box = document.querySelector(`[data-card="${id}"]`)?.getBoundingClientRect();
    if (!found || !box) return;
    pointer.current = at;
    const offset = { x: at.x - box.left, y: at.y - box.top };
    setDragged({ row: found.row, from: found.column.status, width: box.width, offset });
    setTarget(columnAt(at));
  });
  const onMove = useEffectEvent((at: Point) => {
    if (!dragged) return;
    place(at, dragged.offset);
    setTarget(columnAt(at));
  });
  const onEnd = useEffectEvent((at: Point | undefined) => {
    setDragged(undefined);
    setTarget(undefined);
    const to = at && columnAt(at);
    if (dragged && to) move(dragged.row, dragged.from, to);
  });
  const onScroll = useEffectEvent(() => setTarget(columnAt(pointer.current)));

  useEffect(
    () => dragging?.listen({ onStart: (id, at) => onStart(id, at), onMove: (at) => onMove(at), onEnd: (at) => onEnd(at) }),
    [dragging],
  );
  useLayoutEffect(() => {
    if (dragged) place(pointer.current, dragged.offset);
  }, [dragged]);
  const isDragging = dragged !== undefined;
  useEffect(() => {
    if (!isDragging) return undefined;
    const stopShowing = showDragging();
    // The columns move under a pointer that rests near an edge.
    const findAgain = () => onScroll();
    window.addEventListener('scroll', findAgain, { capture: true, passive: true });
    return () => {
      stopShowing();
      window.removeEventListener('scroll', findAgain, { capture: true });
    };
  }, [isDragging]);
  return { dragging, dragged, target, ghost };
}
