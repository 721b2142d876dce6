import type { Capability } from '@callout/domain/roles/roles';
import { oc } from '@orpc/contract';
import { commonErrors } from './errors.ts';

/**
 * Determines who may make a call. The server checks access before the handler runs, and the page hides controls by the same rule.
 * 'signed-in' includes people without a company; 'system-admin' is the one account that runs this server; a capability requires a company
 * member with a role that includes it.
 */
export type CallAccess = 'public' | 'signed-in' | 'system-admin' | Capability;

export interface CallMeta {
  readonly access: CallAccess;
  /** Public calls are rate-limited per network. 'per link' limits them per network and link, so that visitors can't lock each other out. */
  readonly rateLimit?: 'per link';
}

const baseCall = oc.$meta<CallMeta>({ access: 'signed-in' }).errors(commonErrors);

/** Starts the definition of a call, which must declare its access. */
export function defineCall(access: CallAccess) {
  return baseCall.meta({ access });
}

/** Defines a call that anyone with a public link may make, handled by a `publicLinkQuery` or `publicLinkMutation`. */
export function definePublicLinkCall() {
  return baseCall.meta({ access: 'public', rateLimit: 'per link' });
}
