const HOME_PATH = '/dashboard';

/** Returns the path to open after sign-in. Ignores URLs of other sites, because an attacker can put any `next` into a link. */
export function getPathAfterSignIn(next: string | undefined): string {
  if (!next?.startsWith('/')) return HOME_PATH;
  const { origin, pathname, search, hash } = new URL(next, 'http://page');
  if (origin !== 'http://page' || pathname.startsWith('//') || pathname === '/auth') return HOME_PATH;
  return pathname + search + hash;
}
