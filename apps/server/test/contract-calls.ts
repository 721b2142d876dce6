import type { CallMeta } from '@callout/contract/call';
import { contract } from '@callout/contract/contract';
import type { ZodSchema } from '@callout/contract/schema-traversal';
import { isContractProcedure, type Route } from '@orpc/contract';
import type { HttpMethod } from './test-app.ts';

export interface ContractCall {
  /** The feature and the call, such as 'customers.list'. */
  readonly name: string;
  readonly method: HttpMethod;
  /** The path template, such as '/api/customers/{id}'. */
  readonly path: string;
  readonly access: CallMeta['access'];
  /** Null if the call takes no input. */
  readonly input: ZodSchema | null;
}

/** Every call in the contract. Tests that loop over this list cover new calls automatically. */
export const CONTRACT_CALLS: readonly ContractCall[] = Object.entries(contract).flatMap(([feature, calls]) =>
  Object.entries(calls).map(([name, procedure]) => toContractCall(`${feature}.${name}`, procedure)),
);

export function toContractCall(name: string, procedure: unknown): ContractCall {
  if (!isContractProcedure(procedure)) throw new Error(`${name} is not a call`);
  const { route, meta, inputSchema } = procedure['~orpc'] as { route: Route; meta: CallMeta; inputSchema?: unknown };
  if (!route.method || !route.path) throw new Error(`${name} has no method and path`);
  return {
    name,
    method: route.method as HttpMethod,
    path: `/api${route.path}`,
    access: meta.access,
    input: (inputSchema ?? null) as ZodSchema | null,
  };
}
