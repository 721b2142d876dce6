import { join } from 'node:path';
import type { Plugin } from 'vite';

const CONTRACT_ROUTES_FILE = join(import.meta.dirname, '../src/lib/contract-routes.ts');

/** Fields of a route that only the API documentation needs. */
const DOCUMENTATION_FIELDS = new Set(['summary', 'description', 'tags', 'access']);

/** Checks the value instead of the key, because a call may have the same name as a documentation field. */
const isCall = (value: unknown) => typeof value === 'object' && value !== null && '~orpc' in value;

/** Evaluates contract-routes.ts at build time, so that the bundle contains only the result. */
export function precomputeContractRoutes(): Plugin {
  return {
    name: 'precompute-contract-routes',
    apply: 'build',
    async load(id) {
      if (id !== CONTRACT_ROUTES_FILE) return undefined;
      const { contractRoutes } = await import('../src/lib/contract-routes.ts');
      return `export const contractRoutes = ${JSON.stringify(contractRoutes, (key, value: unknown) => (DOCUMENTATION_FIELDS.has(key) && !isCall(value) ? undefined : value))};`;
    },
  };
}
