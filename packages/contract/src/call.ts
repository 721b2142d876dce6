import type { Capability } from '@callout/domain/roles/roles';
import { oc } from '@orpc/contract';
import { commonErrors } from './errors.ts';

/**
 * Determines who may make a call. The server checks access before the handler runs, and pages hide controls by the same rule. 'signed-in'
 * includes people without a company. 'system-admin' is the system administrator, the one account that runs this server. A capability
 * requires a company member with a role that includes it.
 */
export type CallAccess = 'public' | 'signed-in' | 'system-admin' | Capability;

export interface CallMeta {
  readonly access: CallAccess;
  /** Public calls are rate-limited per network. 'per link' counts each link separately, so that one visitor can't lock out another. */
  readonly rateLimit?: 'per link';
  /** True if members may make the call while their company is closed. */
  readonly isOpenWhenClosed?: true;
  /** True if the call may take minutes. All others are answered before the page gives up. */
  readonly isSlow?: true;
  /** True if the answer contains a secret that must not be stored. Idempotency keys are then ignored. */
  readonly hasSecretAnswer?: true;
}

const baseCall = oc.$meta<CallMeta>({ access: 'signed-in' }).errors(commonErrors);

/** Starts the definition of a call. Every call must declare who may make it. */
export function defineCall(access: CallAccess) {
  return baseCall.meta({ access });
}

/** Starts the definition of a call that members may also make in the week before their company is deleted. */
export function defineClosedCompanyCall(access: Capability) {
  return baseCall.meta({ access, isOpenWhenClosed: true });
}

/** Starts the definition of a call that has no deadline. */
export function defineSlowCall(access: CallAccess) {
  return baseCall.meta({ access, isSlow: true });
}

/** Starts the definition of a call whose answer contains a secret that must not be stored, so that a retry runs it again. */
export function defineSecretCall(access: Capability) {
  return baseCall.meta({ access, hasSecretAnswer: true });
}

/** Starts the definition of a call for anyone with a public link. Handle it with a `publicLinkQuery` or `publicLinkMutation`. */
export function definePublicLinkCall() {
  return baseCall.meta({ access: 'public', rateLimit: 'per link' });
}
