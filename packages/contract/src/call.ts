import type { Capability } from '@callout/domain/roles/roles';
import { oc } from '@orpc/contract';
import { commonErrors } from './errors.ts';

/**
 * Who may make a call. The server enforces it before the handler runs; the page hides controls by the same rule.
 * 'signed-in' needs a person, with or without a company; 'system-admin' the one account that runs this server; a capability
 * needs a member of a company whose role has it.
 */
export type Access = 'public' | 'signed-in' | 'system-admin' | Capability;

export interface CallMeta {
  readonly access: Access;
  /** Public calls are limited per network; those of a public page per network and link, so that its visitors cannot lock out each other. */
  readonly limit?: 'per link';
}

const base = oc.$meta<CallMeta>({ access: 'signed-in' }).errors(commonErrors);

/** Every call of the contract starts here, so that each one must declare its access. */
export function call(access: Access) {
  return base.meta({ access });
}

/** A call of a public page: whoever has the link may make it. Its handler is a `linkQuery` or `linkMutation`, which opens the link and counts the call. */
export function linkCall() {
  return base.meta({ access: 'public', limit: 'per link' });
}
