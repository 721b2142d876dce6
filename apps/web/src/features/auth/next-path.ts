const HOME = '/dashboard';

/** Where a sign-in leads. Only to a page of this application: a link may carry anything in `next`. */
export function nextPath(next: string | undefined): string {
  if (!next?.startsWith('/')) return HOME;
  const { origin, pathname, search, hash } = new URL(next, 'http://page');
  if (origin !== 'http://page' || pathname.startsWith('//') || pathname === '/auth') return HOME;
  return pathname + search + hash;
}
