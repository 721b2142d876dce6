import { fileURLToPath } from 'node:url';
import { minifyContractRouter } from '@orpc/contract';
import type { Plugin } from 'vite';

const NAME = 'virtual:contract-routes';
const CONTRACT = fileURLToPath(new URL('../../../packages/contract/src/contract.ts', import.meta.url));

/** The contract as paths and methods only: its schemas, and zod with them, stay out of the page's first load. */
export function contractRoutes(): Plugin {
  return {
    name: 'contract-routes',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      this.addWatchFile(CONTRACT);
      const { contract } = await import('@callout/contract/contract');
      return `export const routes = ${JSON.stringify(minifyContractRouter(contract))};`;
    },
  };
}
