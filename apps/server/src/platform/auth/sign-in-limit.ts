import type { Limit } from '../limits/rate-limit.sql.ts';

/** Guessing a password: few tries per account, whatever address they come from. */
export const SIGN_IN_LIMIT: Limit = { attempts: 10, seconds: 5 * 60 };

export const signInKey = (email: string) => `sign-in ${email.toLowerCase()}`;
