import { useLayoutEffect, useRef } from 'react';

const siblingsOf = (row: Element | null | undefined) => [row?.nextElementSibling, row?.previousElementSibling];

/**
 * Where the focus goes when a dialog closes: to the button that opened it or, if that was deleted with its row, to the same button of the
 * next row. Otherwise someone who deletes by keyboard would start at the top of the page every time.
 */
export function useReturnFocus(open: boolean): () => HTMLElement | true {
  const origin = useRef<{ opener: HTMLElement | null; rows: (Element | null | undefined)[] }>({ opener: null, rows: [] });
  useLayoutEffect(() => {
    if (!open) return;
    const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    origin.current = { opener, rows: siblingsOf(opener?.closest('li')) };
  }, [open]);
  return () => {
    const { opener, rows } = origin.current;
    if (!opener || opener.isConnected) return true;
    const nextButton = rows.find((row) => row?.isConnected)?.querySelector<HTMLElement>('button');
    return nextButton ?? document.getElementById('main') ?? true;
  };
}
