const PATHS_WITHOUT_BACK: ReadonlySet<string> = new Set(['/', '/dashboard', '/jobs', '/customers']);

export function hasBackButton(pathname: string): boolean {
  return !PATHS_WITHOUT_BACK.has(pathname.replace(/(.)\/+$/, '$1'));
}

const FALLBACK_PATHS: readonly (readonly [RegExp, string])[] = [
  [/^\/(jobs\/new|time-sheet|invoices)$/, '/jobs'],
  [/^\/invoices\/[^/]+$/, '/invoices'],
  [/^\/(jobs|quotes)\/([^/]+)\/.+$/, '/$1/$2'],
  [/^\/(jobs|quotes|customers|staff)\/[^/]+$/, '/$1'],
  [/^\/items-services\/suppliers\/[^/]+$/, '/items-services/suppliers'],
  [/^\/items-services\/suppliers$/, '/items-services'],
];

/** Returns the path of the page one level up. Back opens this page if the tab has no history. */
export function getBackFallbackPath(pathname: string): string {
  const path = pathname.replace(/(.)\/+$/, '$1');
  const match = FALLBACK_PATHS.find(([pattern]) => pattern.test(path));
  return match ? path.replace(match[0], match[1]) : '/dashboard';
}
