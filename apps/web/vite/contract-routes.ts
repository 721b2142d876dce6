import { join } from 'node:path';
import type { Plugin } from 'vite';

const NAME = 'virtual:contract-routes';
const CONTRACT = join(import.meta.dirname, '../../../packages/contract/src/contract.ts');

type Calls = Record<string, Record<string, { '~orpc': { route: { method?: string; path?: string } } }>>;

/** Method and path of every call, by feature and name. */
export function routesOf(contract: Calls): Record<string, Record<string, [method: string, path: string]>> {
  const each = <From, To>(record: Record<string, From>, change: (value: From, name: string) => To): Record<string, To> =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
  return each(contract, (calls, feature) =>
    each(calls, (call, name): [string, string] => {
      const { method, path } = call['~orpc'].route;
      if (method === undefined || path === undefined) throw new Error(`The call ${feature}.${name} does not say its method and path`);
      return [method, path];
    }),
  );
}

/** The contract as methods and paths only: its schemas, and zod with them, stay out of the page's first load. */
export function contractRoutes(): Plugin {
  return {
    name: 'contract-routes',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      this.addWatchFile(CONTRACT);
      const { contract } = await import('@callout/contract/contract');
      return `export const routes = ${JSON.stringify(routesOf(contract))};`;
    },
  };
}
