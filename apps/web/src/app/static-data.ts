import type { Capability } from '@callout/domain/roles/roles';

declare module '@tanstack/react-router' {
  /** What the shell must know of a page before the page itself is loaded. */
  interface StaticDataRouteOption {
    title?: string;
    /** Coming back by the menu, too, leads to where one was. */
    keepsScroll?: boolean;
    /** Who may see the page; everybody else reads `denied`. */
    needs?: Capability;
    denied?: string;
    /** Said when the session ends here, where the spec has words of its own for it. */
    sessionExpired?: string;
    /** The feature is not there yet; the page says so with this sentence. */
    notBuilt?: string;
  }
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** A form was opened on a page: leaving it is going back. */
    fromPage?: boolean;
  }
}
