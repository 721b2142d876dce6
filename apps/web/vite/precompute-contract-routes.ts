import { join } from 'node:path';
import type { Plugin } from 'vite';

const FILE = join(import.meta.dirname, '../src/lib/contract-routes.ts');

/** For readers of the API's documentation only. */
const UNUSED = new Set(['summary', 'description', 'tags', 'access']);

/** A call may have the same name as something about a call. */
const isCall = (value: unknown) => typeof value === 'object' && value !== null && '~orpc' in value;

/** Runs contract-routes.ts at build time and ships only its result. */
export function precomputeContractRoutes(): Plugin {
  return {
    name: 'precompute-contract-routes',
    apply: 'build',
    async load(id) {
      if (id !== FILE) return undefined;
      const { contractRoutes } = await import('../src/lib/contract-routes.ts');
      return `export const contractRoutes = ${JSON.stringify(contractRoutes, (key, value: unknown) => (UNUSED.has(key) && !isCall(value) ? undefined : value))};`;
    },
  };
}
