import { useLayoutEffect, useRef } from 'react';

/** Rows that still stand beside this one. */
const neighbours = (row: Element | null | undefined) => [row?.nextElementSibling, row?.previousElementSibling];

/**
 * Where the focus goes when a dialog closes: to what opened it or, when that is gone with its row, to the same button of the row beside it.
 * Without that a person who deletes by keyboard starts again at the top of the page every time.
 */
export function useWayBack(open: boolean): () => HTMLElement | true {
  const way = useRef<{ opener: HTMLElement | null; rows: (Element | null | undefined)[] }>({ opener: null, rows: [] });
  useLayoutEffect(() => {
    if (!open) return;
    const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    way.current = { opener, rows: neighbours(opener?.closest('li')) };
  }, [open]);
  return () => {
    const { opener, rows } = way.current;
    if (!opener || opener.isConnected) return true;
    const beside = rows.find((row) => row?.isConnected)?.querySelector<HTMLElement>('button');
    return beside ?? document.getElementById('main') ?? true;
  };
}
