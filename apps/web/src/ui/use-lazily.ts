import { useEffect, useRef, useState } from 'react';
import { toast } from './toast.ts';

const NOT_LOADED = 'This part of the page could not be loaded. Check the connection, or reload the page.';

/**
 * A piece of the page whose code comes when it is first wanted. Unlike React's lazy, a failure does not take the page with it:
 * it says so, calls `failed`, and the next wish tries again.
 */
export function useLazily<Piece>(load: () => Promise<Piece>, wanted: boolean, failed?: () => void): Piece | undefined {
  const [piece, setPiece] = useState<{ readonly it: Piece }>();
  const latest = useRef({ load, failed });
  useEffect(() => {
    latest.current = { load, failed };
  });
  const missing = wanted && piece === undefined;
  useEffect(() => {
    if (!missing) return undefined;
    let here = true;
    latest.current
      .load()
      .then((it) => here && setPiece({ it }))
      .catch(() => {
        if (!here) return;
        toast.error(NOT_LOADED, { id: NOT_LOADED });
        latest.current.failed?.();
      });
    return () => {
      here = false;
    };
  }, [missing]);
  return piece?.it;
}
