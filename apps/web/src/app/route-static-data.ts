import type { Capability } from '@callout/domain/roles/roles';

declare module '@tanstack/react-router' {
  /** Properties of a page that the shell needs before the page's code has loaded. */
  interface StaticDataRouteOption {
    title?: string;
    /** Restores the scroll position even if the page is opened from the menu. */
    restoresScroll?: boolean;
    /** Focuses the first text field on devices with a keyboard. Forms opened with `?edit=true` always do. */
    focusesFirstField?: boolean;
    /** Capability required to see the page; everyone else sees `deniedMessage`. */
    needs?: Capability;
    deniedMessage?: string;
    /** Replaces the usual message when the session expires on this page. */
    sessionExpiredMessage?: string;
  }
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** True if the form or dialog was opened from the page behind it, so closing it goes back in history. */
    fromPage?: boolean;
    /** Ids of the suppliers that the user has expanded or collapsed in the list. */
    toggledSuppliers?: readonly string[];
  }
}
