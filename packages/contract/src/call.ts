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
}

const base = oc.$meta<CallMeta>({ access: 'signed-in' }).errors(commonErrors);

/** Every call of the contract starts here, so that each one must declare its access. */
export function call(access: Access) {
  return base.meta({ access });
}
