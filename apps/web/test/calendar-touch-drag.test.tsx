import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toUnscheduledItem } from '../src/features/calendar/calendar-event.ts';
import { createEventDragManager, type DropTarget } from '../src/features/calendar/event-drag-manager.ts';
import { TOUCH_DRAG_DELAY } from '../src/ui/dragging.ts';
import { buildUnscheduledJob } from './open-calendar.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

const createTouchPoint = (y: number) => ({ clientX: 50, clientY: y, button: 0, isPrimary: true, pointerId: 1, pointerType: 'touch' });
let pointerDownTime = 0;
const DROP_TARGET: DropTarget = { column: '', start: '2026-11-16T20:00:00.000Z', hours: '1' };

/** Holds a finger on a card until dragging starts. The surface under the card accepts every drop. */
function startTouchDrag() {
  const root = document.body.appendChild(document.createElement('div'));
  const card = root.appendChild(document.createElement('button'));
  const drag = createEventDragManager();
  const drops: DropTarget[] = [];
  let clicks = 0;
  drag.onDrop((_, target) => drops.push(target));
  drag.addSurface({ scroller: root, bounds: () => root.getBoundingClientRect(), findDropTarget: () => DROP_TARGET });
  drag.attach(root);
  card.addEventListener('pointerdown', (down) => drag.start(down, toUnscheduledItem(buildUnscheduledJob(1))));
  card.addEventListener('click', () => {
    clicks += 1;
  });
  card.addEventListener('pointerdown', ({ timeStamp }) => {
    pointerDownTime = timeStamp;
  });
  fireEvent.pointerDown(card, createTouchPoint(100));
  vi.advanceTimersByTime(TOUCH_DRAG_DELAY.value + 100);
  expect(drag.getState()).toBeDefined();
  const release = (y: number) => {
    fireEvent.pointerUp(window, createTouchPoint(y));
    fireEvent.click(card, { detail: 1 });
    return { clicks, drops: drops.length };
  };
  return { release, isDragging: () => drag.getState() !== undefined };
}

/** Dispatches a touch move that happened `ms` milliseconds after touchdown, even if the page handles it later. */
function moveFingerAfter(ms: number, y: number): void {
  const move = new PointerEvent('pointermove', createTouchPoint(y));
  Object.defineProperty(move, 'timeStamp', { value: pointerDownTime + ms });
  window.dispatchEvent(move);
}

it('a long press without movement is a tap', () => {
  const { release } = startTouchDrag();
  moveFingerAfter(400, 103);
  expect(release(103)).toEqual({ clicks: 1, drops: 0 });
  expect(document.body.className).toBe('');
});

it('a long press with movement is a drop, even back at the start', () => {
  const { release } = startTouchDrag();
  moveFingerAfter(400, 160);
  moveFingerAfter(420, 100);
  expect(document.body.className).toBe('select-none cursor-grabbing');
  expect(release(100)).toEqual({ clicks: 0, drops: 1 });
});

it('a touch that moves immediately scrolls, even if a busy page handles the touch late', () => {
  const { release, isDragging } = startTouchDrag();
  moveFingerAfter(50, 160);
  expect(isDragging()).toBe(false);
  expect(release(160)).toMatchObject({ drops: 0 });
});
