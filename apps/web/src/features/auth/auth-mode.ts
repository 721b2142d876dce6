export const AUTH_MODES = ['sign-in', 'create-account', 'reset-password'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

/** What the address of /auth may hold. `reset` and `token` come from the mailed link, `next` is where the person wanted to go. */
export interface AuthSearch {
  mode?: AuthMode | undefined;
  reset?: true | undefined;
  token?: string | undefined;
  next?: string | undefined;
}
