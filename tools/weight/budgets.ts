/** Compressed with gzip, which every line can carry. 1 kB is 1024 bytes, as in the study the budgets come from. */
export const KB = 1024;

export interface Budget {
  readonly what: string;
  /** Of the route's path, such as /customers/$id/edit. */
  readonly routes: RegExp;
  /** 'all': everything the page loads; 'extra': what it loads beside the entry and the layouts around it. */
  readonly counts: 'all' | 'extra';
  readonly kB: number;
}

/** The first that fits a route is its budget. */
export const ROUTE_BUDGETS: readonly Budget[] = [
  { what: 'entry and dashboard', routes: /\/dashboard$/, counts: 'all', kB: 120 },
  { what: 'calendar', routes: /\/calendar$/, counts: 'extra', kB: 90 },
  {
    what: 'form',
    routes: /^\/(auth|onboarding|reset-password|invitation|undo-email-change)$|\/(new|edit|settings)$|\/\$\w+$/,
    counts: 'extra',
    kB: 85,
  },
  { what: 'page', routes: /^/, counts: 'extra', kB: 50 },
];

/** The app's own entry, and every other: public pages, each an entry of its own without the shell. */
export const APP_ENTRY = 'index.html';
export const APP_ENTRY_KB = 120;
export const PUBLIC_ENTRY_KB = 90;
export const CSS_BUDGET_KB = 10;
