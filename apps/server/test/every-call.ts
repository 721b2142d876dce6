import type { CallMeta } from '@callout/contract/call';
import { contract } from '@callout/contract/contract';
import type { Schema } from '@callout/contract/inner-schemas';
import { isContractProcedure, type Route } from '@orpc/contract';
import type { HttpMethod } from './test-app.ts';

export interface Call {
  /** As in code: 'customers.list'. */
  readonly name: string;
  readonly method: HttpMethod;
  /** With '{id}' in place of an id. */
  readonly path: string;
  readonly access: CallMeta['access'];
  /** Null when the call takes no input. */
  readonly input: Schema | null;
}

/** Every call of the contract, so that the guards cover a new one from the start. */
export const everyCall: readonly Call[] = Object.entries(contract).flatMap(([feature, calls]) =>
  Object.entries(calls).map(([name, procedure]) => describeCall(`${feature}.${name}`, procedure)),
);

export function describeCall(name: string, procedure: unknown): Call {
  if (!isContractProcedure(procedure)) throw new Error(`${name} is not a call`);
  const { route, meta, inputSchema } = procedure['~orpc'] as { route: Route; meta: CallMeta; inputSchema?: unknown };
  if (!route.method || !route.path) throw new Error(`${name} has no method and path`);
  return {
    name,
    method: route.method as HttpMethod,
    path: `/api${route.path}`,
    access: meta.access,
    input: (inputSchema ?? null) as Schema | null,
  };
}
