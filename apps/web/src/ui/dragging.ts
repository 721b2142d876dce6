/** Time in ms that a touch must last to start a drag. If the finger moves further than `tolerance` px earlier, the page scrolls. */
export const TOUCH_DRAG_DELAY = { value: 200, tolerance: 8 };

/** Shows the drag cursor and disables text selection. Returns a function that restores both. */
export function showDragCursor(cursor = 'cursor-grabbing'): () => void {
  document.body.classList.add('select-none', cursor);
  return () => document.body.classList.remove('select-none', cursor);
}
