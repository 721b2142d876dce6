import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { nameFromEmail } from '@callout/domain/validation/text-rules';
import { hash, verify } from '@node-rs/argon2';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { APIError } from 'better-auth/api';
// Without Kysely, a second query builder beside drizzle.
import { betterAuth } from 'better-auth/minimal';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { z } from 'zod';
import { inTransaction } from '../db/transaction.ts';
import { isEmailTaken, isPasswordStill, isUser } from './account-changes.sql.ts';
import { accounts, sessions, users, verifications } from './auth.table.ts';
import { endSession, SESSION_DAYS, type SessionOrigin } from './session.sql.ts';
import { COOKIE_PREFIX } from './session-cookie.ts';

const DAY = 24 * 60 * 60;

/** OWASP's argon2id settings for interactive sign-in: 19 MiB, two passes. */
const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface AccountsOptions {
  readonly pool: pg.Pool;
  readonly secret: string;
  readonly appUrl: string;
  readonly passwords: Passwords;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  isMatch(storedHash: string, password: string): Promise<boolean>;
}

/** Only tests lower the cost. */
export function createPasswords(cost = ARGON): Passwords {
  return {
    hash: (password) => hash(password, cost),
    isMatch: (storedHash, password) => verify(storedHash, password),
  };
}

/** Stricter than our form's pattern, because better-auth accepts no other emails. */
export const isAccountEmail = (email: string) => z.email().safeParse(email).success;

/** better-auth handles sign-up and sign-in; sessions are read by our own single query. */
export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(options: AccountsOptions) {
  // The stored password hash that the sign-in was verified against.
  const verifiedHash = new AsyncLocalStorage<{ hash?: string }>();
  const auth = betterAuth({
    appName: 'Callout',
    baseURL: options.appUrl,
    secret: options.secret,
    telemetry: { enabled: false },
    logger: { disabled: true },
    database: drizzleAdapter(drizzle(options.pool), {
      provider: 'pg',
      schema: { user: users, session: sessions, account: accounts, verification: verifications },
      transaction: true,
    }),
    session: { expiresIn: SESSION_DAYS * DAY, updateAge: DAY },
    // We rate-limit all public calls ourselves.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      minPasswordLength: 6,
      maxPasswordLength: 128,
      password: {
        hash: (password) => options.passwords.hash(password),
        verify: ({ hash: stored, password }) => {
          const verified = verifiedHash.getStore();
          if (verified) verified.hash = stored;
          return options.passwords.isMatch(stored, password);
        },
      },
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: options.appUrl.startsWith('https://'),
      ipAddress: { ipAddressHeaders: ['x-client-ip'] },
      database: { generateId: () => randomUUID() },
    },
  });

  return {
    /** The id of the new account; null when a concurrent sign-up took this email. */
    async signUp(email: string, password: string): Promise<string | null> {
      try {
        const { user } = await auth.api.signUpEmail({ body: { email, password, name: nameFromEmail(email) } });
        // For an email in use better-auth returns a made-up account, to prevent account enumeration.
        return (await isUser(options.pool, user.id)) ? user.id : null;
      } catch (error) {
        if (await isEmailTaken(options.pool, email)) return null;
        throw error;
      }
    },

    /** The cookies of a new session, or null when the email or password is wrong. */
    async signIn(email: string, password: string, from: SessionOrigin): Promise<string[] | null> {
      if (!isAccountEmail(email)) return null;
      const headers = new Headers({ 'x-client-ip': from.ip, 'user-agent': from.userAgent });
      try {
        const verified: { hash?: string } = {};
        const answer = await verifiedHash.run(verified, () =>
          auth.api.signInEmail({ body: { email, password }, headers, returnHeaders: true }),
        );
        const { user, token } = answer.response;
        // The password may have changed, ending its sessions, between the check and this new session.
        const counts = await inTransaction(options.pool, (client) => isPasswordStill(client, user.id, verified.hash ?? ''));
        if (counts) return answer.headers.getSetCookie();
        await endSession(options.pool, token);
        return null;
      } catch (error) {
        if (error instanceof APIError && error.statusCode === 401) return null;
        throw error;
      }
    },
  };
}
