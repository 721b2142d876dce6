/** A finger that rests this long (ms) drags; one that moves further (px) before scrolls the page. */
export const TOUCH_DELAY = { value: 200, tolerance: 8 };

/** While something is dragged, the pointer says so and selects no text. Returns how to end it. */
export function showDragging(cursor = 'cursor-grabbing'): () => void {
  document.body.classList.add('select-none', cursor);
  return () => document.body.classList.remove('select-none', cursor);
}
