import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { deriveNameFromEmail } from '@callout/domain/validation/text-rules';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { APIError } from 'better-auth/api';
// The minimal build omits Kysely, which we don't need because we use drizzle.
import { betterAuth } from 'better-auth/minimal';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { z } from 'zod';
import { runInTransaction } from '../db/transaction.ts';
import { hasUser, isEmailTaken, isPasswordUnchanged } from './account-changes.sql.ts';
import { accounts, sessions, users, verifications } from './auth.table.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { endSession, SESSION_DAYS, type SessionOrigin } from './session.sql.ts';
import { COOKIE_PREFIX } from './session-cookie.ts';

const DAY_SECONDS = 24 * 60 * 60;

export interface AccountServiceOptions {
  readonly pool: pg.Pool;
  readonly secret: string;
  readonly appUrl: string;
  readonly passwordHasher: PasswordHasher;
}

/** Data that better-auth's password callbacks share with the call that they run in. */
interface PasswordCall {
  readonly ip: string;
  /** The hash of a new password. better-auth asks for it inside its transaction, where hashing would hold a connection. */
  readonly newHash?: string;
  /** The stored hash that the password was compared with. */
  verifiedHash?: string;
}

/** Returns true if better-auth accepts the email address. Its check is stricter than the form's pattern. */
export const isValidAccountEmail = (email: string) => z.email().safeParse(email).success;

/** Sign-up and sign-in through better-auth. Sessions are read by our own query instead, in `findSession`. */
export type AccountService = ReturnType<typeof createAccountService>;

export function createAccountService(options: AccountServiceOptions) {
  const { passwordHasher } = options;
  const passwordCalls = new AsyncLocalStorage<PasswordCall>();
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
    session: { expiresIn: SESSION_DAYS * DAY_SECONDS, updateAge: DAY_SECONDS },
    // Turned off because our public calls have their own rate limits.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      minPasswordLength: 6,
      maxPasswordLength: 128,
      password: {
        hash: async (password) => {
          const { ip = '', newHash } = passwordCalls.getStore() ?? {};
          return newHash ?? passwordHasher.hash(password, ip);
        },
        verify: ({ hash: stored, password }) => {
          const call = passwordCalls.getStore();
          if (call) call.verifiedHash = stored;
          return passwordHasher.verify(stored, password, call?.ip ?? '');
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
    /** Returns the new user's id, or null if a concurrent sign-up took this email address. */
    async signUp(email: string, password: string, ip: string): Promise<string | null> {
      const newHash = await passwordHasher.hash(password, ip);
      try {
        const body = { email, password, name: deriveNameFromEmail(email) };
        const { user } = await passwordCalls.run({ ip, newHash }, () => auth.api.signUpEmail({ body }));
        // To prevent account enumeration, better-auth returns a fake user if the address is taken, so check that the user exists.
        return (await hasUser(options.pool, user.id)) ? user.id : null;
      } catch (error) {
        if (await isEmailTaken(options.pool, email)) return null;
        throw error;
      }
    },

    /** Returns the new session's token, or null if the email or password is wrong. */
    async signIn(email: string, password: string, from: SessionOrigin): Promise<string | null> {
      if (!isValidAccountEmail(email)) return null;
      const headers = new Headers({ 'x-client-ip': from.ip, 'user-agent': from.userAgent });
      try {
        const call: PasswordCall = { ip: from.ip };
        const { user, token } = await passwordCalls.run(call, () => auth.api.signInEmail({ body: { email, password }, headers }));
        // If the password was changed after it was verified, every older session has been ended, so this new session must end too.
        const isCurrent = await runInTransaction(options.pool, (client) => isPasswordUnchanged(client, user.id, call.verifiedHash ?? ''));
        if (isCurrent) return token;
        await endSession(options.pool, token);
        return null;
      } catch (error) {
        if (error instanceof APIError && error.statusCode === 401) return null;
        throw error;
      }
    },
  };
}
