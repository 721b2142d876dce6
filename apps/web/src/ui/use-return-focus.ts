import { useLayoutEffect, useRef } from 'react';

type MaybeElement = Element | null | undefined;

interface Origin {
  readonly opener: HTMLElement | null;
  readonly row: MaybeElement;
  readonly siblings: readonly MaybeElement[];
}

/** The entry of a menu is gone when the dialog closes; the button that opened the menu is not. */
function openerOf(active: Element | null): HTMLElement | null {
  const trigger = document.getElementById(active?.closest('[role="menu"]')?.getAttribute('aria-labelledby') ?? '');
  return trigger ?? (active instanceof HTMLElement ? active : null);
}

/**
 * Where the focus goes when a dialog closes: to the button that opened it or, if that is gone, to what is left of its row, or to the same
 * button of the next row, or to the element with this id. Otherwise someone who deletes by keyboard would start at the top of the page every time.
 */
export function useReturnFocus(
  open: boolean,
  fallbackId = 'main',
  /** Comes before all of that where it finds something. */
  find?: () => HTMLElement | null,
): () => HTMLElement | true {
  const origin = useRef<Origin>({ opener: null, row: null, siblings: [] });
  useLayoutEffect(() => {
    if (!open) return;
    const opener = openerOf(document.activeElement);
    const row = opener?.closest('li');
    origin.current = { opener, row, siblings: [row?.nextElementSibling, row?.previousElementSibling] };
  }, [open]);
  return () => {
    const { opener, row, siblings } = origin.current;
    const found = find?.();
    if (found) return found;
    if (!opener) return true;
    // Nothing had the focus while a menu was closing: the page is not what opened it.
    if (opener.isConnected && opener !== document.body) return opener;
    const left = row?.isConnected ? row.querySelector<HTMLElement>('button, a[href]') : null;
    const nextButton = siblings.find((sibling) => sibling?.isConnected)?.querySelector<HTMLElement>('button');
    return left ?? nextButton ?? document.getElementById(fallbackId) ?? document.getElementById('main') ?? true;
  };
}
