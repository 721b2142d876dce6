import { BOARD_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { ViewportPoint } from '../../ui/card-drag-manager.ts';
import { showDragCursor } from '../../ui/dragging.ts';
import { PREFETCH_DELAY_MS, useLazyModule } from '../../ui/use-lazy-module.ts';
import { type Board, findCard } from './board-columns.ts';
import type { MovedCard } from './board-view.tsx';

const MOUSE_DRAG_DISTANCE_PX = 4;
/** Gap between the column chips and the dragged card above them. The card is tilted, so its corner would otherwise cover a chip. */
const GHOST_GAP_PX = 12;

const loadDragManager = async () => (await import('../../ui/card-drag-manager.ts')).createCardDragManager(MOUSE_DRAG_DISTANCE_PX);

interface DraggedCard extends MovedCard {
  readonly width: number;
  /** Pointer position relative to the card's top left corner. */
  readonly offset: ViewportPoint;
}

const COARSE_POINTER = '(pointer: coarse)';

/** True once a board has loaded the drag manager, so that the next board needn't delay loading. */
let hasSeenPointer = false;

/** Delays loading the large drag manager until the mouse moves or a timeout passes. Touch devices load it at once. */
function useShouldLoadDragManager(): boolean {
  const [shouldLoad, setShouldLoad] = useState(() => hasSeenPointer || window.matchMedia(COARSE_POINTER).matches);
  useEffect(() => {
    if (shouldLoad) {
      hasSeenPointer = true;
      return undefined;
    }
    const controller = new AbortController();
    for (const event of ['pointermove', 'pointerdown']) {
      window.addEventListener(event, () => setShouldLoad(true), { once: true, passive: true, signal: controller.signal });
    }
    const timer = setTimeout(() => setShouldLoad(true), PREFETCH_DELAY_MS);
    controller.signal.addEventListener('abort', () => clearTimeout(timer));
    return () => controller.abort();
  }, [shouldLoad]);
  return shouldLoad;
}

function findColumnAt({ x, y }: ViewportPoint): JobStatus | undefined {
  const name = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-drop]')?.dataset['drop'];
  return BOARD_STATUSES.find((status) => status === name);
}

/** Returns the dragged copy's top edge. Keeps the copy above the column chips if it would hide them, because chips are drop targets. */
function getGhostTop(top: number, height: number): number {
  const chips = document.querySelector('[data-chips]')?.getBoundingClientRect();
  const isCovering = chips !== undefined && top < chips.bottom && top + height > chips.top;
  return isCovering && chips.height > 0 ? Math.max(0, chips.top - height - GHOST_GAP_PX) : top;
}

/** Drags cards by mouse or touch. A copy follows the pointer, while the card itself stays in its column until the drop. */
export function useCardDragging(board: Board, move: (row: MovedCard['row'], from: JobStatus, to: JobStatus) => void) {
  const dragManager = useLazyModule(loadDragManager, useShouldLoadDragManager());
  const [dragged, setDragged] = useState<DraggedCard>();
  const [target, setTarget] = useState<JobStatus>();
  const ghost = useRef<HTMLDivElement>(null);
  const pointer = useRef<ViewportPoint>({ x: 0, y: 0 });

  const positionGhost = (point: ViewportPoint, offset: ViewportPoint) => {
    pointer.current = point;
    if (!ghost.current) return;
    const top = getGhostTop(point.y - offset.y, ghost.current.offsetHeight);
    ghost.current.style.transform = `translate(${point.x - offset.x}px, ${top}px)`;
  };
  const onStart = useEffectEvent((id: string, point: ViewportPoint) => {
    const found = findCard(board, id);
    const box = document.querySelector(`[data-card="${id}"]`)?.getBoundingClientRect();
    if (!found || !box) return;
    pointer.current = point;
    const offset = { x: point.x - box.left, y: point.y - box.top };
    setDragged({ row: found.row, from: found.column.status, width: box.width, offset });
    setTarget(findColumnAt(point));
  });
  const onMove = useEffectEvent((point: ViewportPoint) => {
    if (!dragged) return;
    positionGhost(point, dragged.offset);
    setTarget(findColumnAt(point));
  });
  const onEnd = useEffectEvent((point: ViewportPoint | undefined) => {
    setDragged(undefined);
    setTarget(undefined);
    const to = point && findColumnAt(point);
    if (dragged && to) move(dragged.row, dragged.from, to);
  });
  const onScroll = useEffectEvent(() => setTarget(findColumnAt(pointer.current)));

  useEffect(
    () =>
      dragManager?.subscribe({
        onStart: (id, point) => onStart(id, point),
        onMove: (point) => onMove(point),
        onEnd: (point) => onEnd(point),
      }),
    [dragManager],
  );
  useLayoutEffect(() => {
    if (dragged) positionGhost(pointer.current, dragged.offset);
  }, [dragged]);
  const isDragging = dragged !== undefined;
  useEffect(() => {
    if (!isDragging) return undefined;
    const resetCursor = showDragCursor();
    // Auto-scrolling moves the columns under a resting pointer. The drop target then changes without a pointer event.
    const updateTarget = () => onScroll();
    window.addEventListener('scroll', updateTarget, { capture: true, passive: true });
    return () => {
      resetCursor();
      window.removeEventListener('scroll', updateTarget, { capture: true });
    };
  }, [isDragging]);
  return { dragManager, dragged, target, ghost };
}
