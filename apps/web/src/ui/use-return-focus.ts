import { useLayoutEffect, useRef } from 'react';

type MaybeElement = Element | null | undefined;

interface FocusOrigin {
  readonly opener: HTMLElement | null;
  readonly row: MaybeElement;
  readonly siblings: readonly MaybeElement[];
}

/** Finds the element that opened a dialog. A menu item is gone by the time its dialog closes, so returns the menu's button instead. */
function findOpener(active: Element | null): HTMLElement | null {
  const trigger = document.getElementById(active?.closest('[role="menu"]')?.getAttribute('aria-labelledby') ?? '');
  return trigger ?? (active instanceof HTMLElement ? active : null);
}

/**
 * Returns a function that finds the element to focus when a dialog closes: its opener or, if that was removed, what is left of its row, a
 * button in the next row, or the fallback. Otherwise, every deletion would send keyboard users back to the top of the page.
 */
export function useReturnFocus(
  open: boolean,
  fallbackId = 'main',
  /** Takes priority over the opener if it returns an element. */
  findPreferred?: () => HTMLElement | null,
): () => HTMLElement | true {
  const origin = useRef<FocusOrigin>({ opener: null, row: null, siblings: [] });
  useLayoutEffect(() => {
    if (!open) return;
    const opener = findOpener(document.activeElement);
    const row = opener?.closest('li');
    origin.current = { opener, row, siblings: [row?.nextElementSibling, row?.previousElementSibling] };
  }, [open]);
  return () => {
    const { opener, row, siblings } = origin.current;
    const found = findPreferred?.();
    if (found) return found;
    if (!opener) return true;
    // While a menu closes, the body has the focus, but it isn't the opener.
    if (opener.isConnected && opener !== document.body) return opener;
    const remaining = row?.isConnected ? row.querySelector<HTMLElement>('button, a[href]') : null;
    const nextButton = siblings.find((sibling) => sibling?.isConnected)?.querySelector<HTMLElement>('button');
    return remaining ?? nextButton ?? document.getElementById(fallbackId) ?? document.getElementById('main') ?? true;
  };
}
