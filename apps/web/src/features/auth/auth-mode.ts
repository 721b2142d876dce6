export const AUTH_MODES = ['sign-in', 'create-account', 'reset-password'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

/** What the address of /auth may hold. `reset` and `token` come from the mailed link, `next` is where the person wanted to go. */
export interface AuthSearch {
  mode?: AuthMode | undefined;
  reset?: true | undefined;
  token?: string | undefined;
  next?: string | undefined;
}

const HOME = '/dashboard';

/** Where a sign-in leads. Only to a page of this application: a link may carry anything in `next`. */
export function nextPath(next: string | undefined): string {
  if (!next?.startsWith('/')) return HOME;
  const { origin, pathname, search, hash } = new URL(next, 'http://page');
  if (origin !== 'http://page' || pathname.startsWith('//') || pathname === '/auth') return HOME;
  return pathname + search + hash;
}
