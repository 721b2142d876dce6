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
  /** What of the answer only some roles may see; null for almost every call. */
  readonly visibility: AnswerVisibility | null;
  /** The Cookie header as it came. */
  readonly cookies: string | undefined;
  readonly setCookies: (cookies: readonly string[]) => void;
  /** The browser forgets what it kept of us, such as files that only the signed-in may see. */
  readonly clearBrowserCache: () => void;
  /** An unexpected fault goes to the log here and nowhere else. */
  readonly fault: (error: unknown) => void;
}

/** After the guard: who is calling, into which company they are let, and the one moment they call at. */
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
