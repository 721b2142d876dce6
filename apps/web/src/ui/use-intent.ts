import { useEffect, useRef } from 'react';

/** Long enough that rows scrolling by under a resting pointer are not meant. */
const REST_MS = 80;

/** Runs when the pointer or the focus rests on an element: what comes next can then be read ahead. */
export function useIntent(run: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancel = () => clearTimeout(timer.current);
  const start = () => {
    cancel();
    timer.current = setTimeout(run, REST_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return { onPointerEnter: start, onPointerLeave: cancel, onFocus: start, onBlur: cancel };
}
