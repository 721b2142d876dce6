import type { Member, Person } from '../db/actor.ts';
import type { Command } from '../db/commands.sql.ts';
import type { Tenant } from '../db/tenant-scope.ts';
import type { CommandHeaders } from './command-headers.ts';
import type { Platform } from './platform.ts';
import type { PageSlot } from './rendered-pages.ts';
import type { ResponseRedactor } from './response-redactor.ts';

/** Per-request data and services available to every call. */
export interface CallContext {
  readonly platform: Platform;
  readonly ip: string;
  readonly userAgent: string;
  readonly sessionToken: string | null;
  /** The id of the user that the requesting page was rendered for. Undefined if the request doesn't contain it. */
  readonly expectedUserId: string | undefined;
  /** Reads the headers of a command. Throws INVALID_INPUT if they are malformed. */
  readonly readCommandHeaders: () => CommandHeaders;
  /** Removes response fields that the caller's role may not see. Null for most calls, which have no such fields. */
  readonly redactor: ResponseRedactor | null;
  readonly cookieHeader: string | undefined;
  readonly page: PageSlot;
  readonly setCookies: (cookies: readonly string[]) => void;
  /** Makes the browser clear its HTTP cache, which may contain files that require signing in. */
  readonly clearBrowserCache: () => void;
  /** Logs an unexpected error. This is the only function that logs faults, so each one is logged once. */
  readonly logFault: (error: unknown) => void;
}

/** The context of a call that has passed the guard. `now` stays the same for the whole call. */
export interface GuardedContext extends CallContext {
  readonly actor: Person | null;
  readonly tenant: Tenant | null;
  /** The command to run at most once, if the request has an idempotency key. */
  readonly command: Command | null;
  /** When the caller's closed company will be deleted; null while it is open. */
  readonly companyDeletesAt: string | null;
  readonly now: string;
}

export interface PersonContext extends GuardedContext {
  readonly actor: Person;
}

export interface MemberContext extends PersonContext {
  readonly member: Member;
  readonly tenant: Tenant;
}
