import type { Member, Person } from '../db/actor.ts';
import type { Tenant } from '../db/tenant-scope.ts';
import type { AnswerVisibility } from './answer-visibility.ts';
import type { Platform } from './platform.ts';

/** What a call knows about the request it came with. */
export interface CallContext {
  readonly platform: Platform;
  readonly ip: string;
  readonly userAgent: string;
  readonly sessionToken: string | null;
  /** Whom the page was shown to that sends the request, when it says so. */
  readonly shownTo: string | undefined;
  /** Response fields that only some roles may see; null for almost every call. */
  readonly visibility: AnswerVisibility | null;
  /** The Cookie header as it came. */
  readonly cookies: string | undefined;
  readonly setCookies: (cookies: readonly string[]) => void;
  /** Tells the browser to clear its cache, which may hold files that require signing in. */
  readonly clearBrowserCache: () => void;
  /** The only place where unexpected errors are logged. */
  readonly fault: (error: unknown) => void;
}

/** The context after the guard: the caller, their tenant and the time of the call. */
export interface GuardedContext extends CallContext {
  readonly actor: Person | null;
  readonly tenant: Tenant | null;
  readonly now: string;
}

export interface PersonContext extends GuardedContext {
  readonly actor: Person;
}

export interface MemberContext extends PersonContext {
  readonly member: Member;
  readonly tenant: Tenant;
}
