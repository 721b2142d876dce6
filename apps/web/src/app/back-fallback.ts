const HIDDEN: ReadonlySet<string> = new Set(['/', '/dashboard', '/jobs', '/customers']);

/** The starting screens have nothing to go back to. */
export function hasBack(pathname: string): boolean {
  return !HIDDEN.has(pathname.replace(/(.)\/+$/, '$1'));
}

const FALLBACKS: readonly (readonly [RegExp, string])[] = [
  [/^\/(jobs\/new|time-sheet|invoices)$/, '/jobs'],
  [/^\/invoices\/[^/]+$/, '/invoices'],
  [/^\/(jobs|quotes)\/([^/]+)\/.+$/, '/$1/$2'],
  [/^\/(jobs|quotes|customers|staff)\/[^/]+$/, '/$1'],
  [/^\/items-services\/suppliers\/[^/]+$/, '/items-services/suppliers'],
  [/^\/items-services\/suppliers$/, '/items-services'],
];

/** Where Back leads in a tab that was opened on this very page: one level up. */
export function backFallback(pathname: string): string {
  const path = pathname.replace(/(.)\/+$/, '$1');
  const known = FALLBACKS.find(([pattern]) => pattern.test(path));
  return known ? path.replace(known[0], known[1]) : '/dashboard';
}
