import type { Capability } from '@callout/domain/roles/roles';

declare module '@tanstack/react-router' {
  /** What the shell needs to know about a page before its code is loaded. */
  interface StaticDataRouteOption {
    title?: string;
    /** Opening it from the menu, too, restores the scroll position. */
    keepsScroll?: boolean;
    /** The page starts with a form: its first field to type into gets the focus, on devices with a keyboard. So does one that `?edit=true` opens. */
    focusesField?: boolean;
    /** Who may see the page; everyone else sees `denied`. */
    needs?: Capability;
    denied?: string;
    /** Shown when the session ends here, if the specification has its own text for it. */
    sessionExpired?: string;
  }
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** A form was opened on a page: leaving it is going back. */
    fromPage?: boolean;
    /** Suppliers that were opened or closed by hand in their list. */
    toggledSuppliers?: readonly string[];
  }
}
