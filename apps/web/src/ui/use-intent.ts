import { useEffect, useRef } from 'react';

/** Long enough to ignore rows that scroll past the pointer. */
const HOVER_MS = 80;

/** Runs when the pointer or the focus stays on an element, to prefetch what a click will need. */
export function useIntent(run: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancel = () => clearTimeout(timer.current);
  const start = () => {
    cancel();
    timer.current = setTimeout(run, HOVER_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return { onPointerEnter: start, onPointerLeave: cancel, onFocus: start, onBlur: cancel };
}
