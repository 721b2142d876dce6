import type { Capability } from '@callout/domain/roles/roles';

declare module '@tanstack/react-router' {
  /** Properties of a page that the shell needs before the page's code has loaded. */
  interface StaticDataRouteOption {
    title?: string;
    /** True if the scroll position is restored on every visit, not only after Back, Forward or a reload. */
    restoresScroll?: boolean;
    /** True if the first text field gets the focus on devices with a mouse. Always the case for forms opened with `?edit=true`. */
    focusesFirstField?: boolean;
    /** Capability required to see the page; everyone else sees `deniedMessage`. */
    needs?: Capability;
    deniedMessage?: string;
    /** Shown instead of the usual message if the session expires on this page. */
    sessionExpiredMessage?: string;
  }
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** True if the form or dialog was opened from the page behind it, so that closing it goes back in history. */
    fromPage?: boolean;
    /** True if the job was just copied from another one, so that its page asks for a date at once. */
    isNewCopy?: boolean;
    /** Ids of the suppliers that the user has expanded or collapsed in the list. */
    toggledSuppliers?: readonly string[];
  }
}
