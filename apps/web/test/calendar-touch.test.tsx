import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { unscheduledEvent } from '../src/features/calendar/calendar-event.ts';
import { createEventDrag, type DropPlace } from '../src/features/calendar/event-drag.ts';
import { TOUCH_DELAY } from '../src/ui/dragging.ts';
import { unscheduledJob } from './open-calendar.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

const finger = (y: number) => ({ clientX: 50, clientY: y, button: 0, isPrimary: true, pointerId: 1, pointerType: 'touch' });
let cameDownAt = 0;
const PLACE: DropPlace = { column: '', start: '2026-11-16T20:00:00.000Z', hours: '1' };

/** A card and a place to drop it on. */
function startDragging() {
  const root = document.body.appendChild(document.createElement('div'));
  const card = root.appendChild(document.createElement('button'));
  const drag = createEventDrag();
  const drops: DropPlace[] = [];
  let clicks = 0;
  drag.onDrop((_, place) => drops.push(place));
  drag.addSurface({ scroller: root, bounds: () => root.getBoundingClientRect(), findPlace: () => PLACE });
  drag.attach(root);
  card.addEventListener('pointerdown', (down) => drag.start(down, unscheduledEvent(unscheduledJob(1))));
  card.addEventListener('click', () => {
    clicks += 1;
  });
  card.addEventListener('pointerdown', ({ timeStamp }) => {
    cameDownAt = timeStamp;
  });
  fireEvent.pointerDown(card, finger(100));
  vi.advanceTimersByTime(TOUCH_DELAY.value + 100);
  expect(drag.getState()).toBeDefined();
  const end = (y: number) => {
    fireEvent.pointerUp(window, finger(y));
    fireEvent.click(card, { detail: 1 });
    return { clicks, drops: drops.length };
  };
  return { end, isDragging: () => drag.getState() !== undefined };
}

/** The finger moves some time after it came down, whenever the page sees it. */
function moveAfter(ms: number, y: number): void {
  const move = new PointerEvent('pointermove', finger(y));
  Object.defineProperty(move, 'timeStamp', { value: cameDownAt + ms });
  window.dispatchEvent(move);
}

it('a finger that presses a little long and does not move taps', () => {
  const { end } = startDragging();
  moveAfter(400, 103);
  expect(end(103)).toEqual({ clicks: 1, drops: 0 });
  expect(document.body.className).toBe('');
});

it('one that moves drops, also where it began', () => {
  const { end } = startDragging();
  moveAfter(400, 160);
  moveAfter(420, 100);
  expect(document.body.className).toBe('select-none cursor-grabbing');
  expect(end(100)).toEqual({ clicks: 0, drops: 1 });
});

it('one that moved at once scrolls, also when a busy page sees that too late', () => {
  const { end, isDragging } = startDragging();
  moveAfter(50, 160);
  expect(isDragging()).toBe(false);
  expect(end(160)).toMatchObject({ drops: 0 });
});
