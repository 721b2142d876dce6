import { posix } from 'node:path';
import { featureFileOf, platformLayerOf } from '../features.ts';
import { isTest, type Rule } from '../source-file.ts';

/** What an import resolves to: a path in this project, `npm:<package>` or `node:<module>`. */
function targetOf(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const [, folder, rest = ''] = /^@callout\/(domain|contract|embedded-postgres|server|web)(?:\/(.*))?$/.exec(specifier) ?? [];
  if (folder !== undefined) return `${folder === 'server' || folder === 'web' ? 'apps' : 'packages'}/${folder}/src/${rest}`;
  if (specifier.startsWith('node:')) return specifier;
  return `npm:${specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')}`;
}

interface Boundary {
  readonly from: RegExp;
  /** The only allowed imports. */
  readonly only?: RegExp;
  readonly never?: RegExp;
  readonly message: string;
}

const PRODUCT_BOUNDARIES: readonly Boundary[] = [
  {
    from: /^packages\/domain\//,
    only: /^(packages\/domain\/|npm:big\.js$)/,
    message: 'domain imports only itself and big.js: the same function must run in the form, in the transaction and in the PDF',
  },
  {
    from: /^packages\/contract\//,
    only: /^(packages\/(domain|contract)\/|npm:zod$|npm:@orpc\/contract$)/,
    message: 'contract is data: it imports only domain, zod and @orpc/contract',
  },
  {
    from: /^packages\/embedded-postgres\//,
    only: /^(packages\/embedded-postgres\/|npm:pg$|node:)/,
    message: 'embedded-postgres runs PostgreSQL for any product: it imports only itself, pg and node; pass what it needs as options',
  },
  {
    from: /^(packages|apps)\//,
    never: /^(apps\/[^/]+\/test\/|e2e\/|tools\/|bench\/|.*\.(test|spec|fixture)(\.tsx?)?$)/,
    message: 'the product never imports tests, tools or benchmarks: they are not deployed with it',
  },
];

const BOUNDARIES: readonly Boundary[] = [
  { from: /^packages\//, never: /^apps\//, message: 'packages never import apps: move what you need into a package' },
  {
    from: /^(packages\/(domain|contract)|apps\/web)\//,
    never: /^packages\/embedded-postgres\//,
    message: 'only the server runs a database: domain, contract and the page never import embedded-postgres',
  },
  {
    from: /^apps\/server\//,
    never: /^apps\/web\//,
    message: 'the server never imports the page: what both need belongs to domain or contract',
  },
  {
    from: /^apps\/web\//,
    never: /^apps\/server\//,
    message: 'the page never imports the server: what both need belongs to domain or contract',
  },
  {
    from: /^apps\/server\/src\/platform\//,
    never: /^apps\/server\/src\/(features\/|app\.|main\.)/,
    message: 'platform knows no feature: pass the feature in from app.ts',
  },
  {
    from: /^apps\/server\/src\/features\//,
    never: /^apps\/server\/src\/(app\.|main\.)/,
    message: 'app.ts composes the features: a feature never imports it',
  },
  {
    from: /^apps\/web\/src\/ui\//,
    never: /^(apps\/web\/src\/(?!ui\/)|packages\/|npm:@orpc\/)/,
    message: 'ui is the design system: it knows no features, API calls or business words; pass what it shows as props',
  },
  {
    from: /^apps\/web\/src\/lib\//,
    never: /^apps\/web\/src\/(features|app|public-pages)\//,
    message: 'lib is below the features, the app and the public pages: it imports none of them',
  },
  {
    from: /^apps\/web\/src\/public-pages\//,
    never: /^apps\/web\/src\/(features|app)\//,
    message: 'public-pages is what the public pages of features share: it knows no feature; pass what it shows as props',
  },
  {
    from: /^apps\/web\/src\/features\//,
    never: /^apps\/web\/src\/app\//,
    message: 'the app composes the features: a feature never imports it',
  },
  {
    from: /^apps\/web\/src\/features\/(?!.*\.api\.tsx?$)/,
    never: /^apps\/web\/src\/lib\/(api-client|client|api)(\.tsx?)?$/,
    message: 'only <feature>.api.ts calls the API: it says what each call refreshes',
  },
  {
    from: /^apps\/web\/src\/(app\/|features\/[^/]+\/(?!public\/))/,
    never: /^apps\/web\/src\/(features\/[^/]+\/public|public-pages)\//,
    message: 'public pages are a separate entry without the weight of the app: the app never imports them',
  },
  {
    from: /^e2e\//,
    never: /^apps\//,
    message: 'browser tests use the product from outside: they import only domain, contract and e2e/support',
  },
];

/** Where somebody gets access to a company: sign-in, public links and the queue. Think twice before adding one. */
const MINT_TENANT = 'apps/server/src/platform/db/mint-tenant.ts';
const MAY_MINT_TENANT = new Set([
  'apps/server/src/platform/auth/session.sql.ts',
  'apps/server/src/platform/auth/public-links.sql.ts',
  'apps/server/src/platform/queue/task.ts',
  'apps/server/src/features/staff/invitations.sql.ts',
]);

const workspaceOf = (path: string) => /^(packages|apps)\/[^/]+\//.exec(path)?.[0];

export const IMPORT_RULES: readonly Rule[] = [
  {
    name: 'import-boundaries',
    checkImport: ({ specifier }, path) => {
      const target = targetOf(path, specifier);
      const crossed = [...BOUNDARIES, ...(isTest(path) ? [] : PRODUCT_BOUNDARIES)].find(
        ({ from, only, never }) => from.test(path) && ((only && !only.test(target)) || never?.test(target)),
      );
      return crossed && `imports '${specifier}': ${crossed.message}`;
    },
  },
  {
    name: 'packages-by-name',
    checkImport: ({ specifier }, path) => {
      const workspace = workspaceOf(targetOf(path, specifier));
      if (!specifier.startsWith('.') || !workspace?.startsWith('packages/') || workspace === workspaceOf(path)) return undefined;
      return `imports '${specifier}': import a package by its name (@callout/domain/…), so that the boundary is visible`;
    },
  },
  {
    name: 'platform-order',
    // A test may start the whole server to check one layer of it.
    appliesTo: (path) => !isTest(path),
    checkFile: ({ path }) => {
      const layer = platformLayerOf(path);
      return layer?.rank === -1
        ? `'${layer.folder}' is not in the list of platform layers: add it to tools/structure/features.ts`
        : undefined;
    },
    checkImport: ({ specifier }, path) => {
      const [from, to] = [platformLayerOf(path), platformLayerOf(targetOf(path, specifier))];
      if (!from || !to || from.rank < 0 || to.rank <= from.rank) return undefined;
      return `imports '${specifier}': ${to.folder} is above ${from.folder}; take what you need from it as parameters`;
    },
  },
  {
    name: 'tenant-access',
    appliesTo: (path) => !MAY_MINT_TENANT.has(path) && !isTest(path),
    checkImport: ({ specifier }, path) =>
      targetOf(path, specifier) === MINT_TENANT
        ? `imports '${specifier}': only sign-in, public links and the queue give access to a company; take the Tenant from them`
        : undefined,
  },
  {
    name: 'feature-order',
    checkImport: ({ specifier }, path) => {
      const [from, to] = [featureFileOf(path), featureFileOf(targetOf(path, specifier))];
      if (!from || !to || to.app !== from.app || to.feature === from.feature) return undefined;
      if (to.rank >= from.rank) {
        return `imports '${specifier}': ${to.feature} comes after ${from.feature} in the order of features; combine them in a route or in the later one`;
      }
      const isHandlers = /\.handlers(\.ts)?$/.test(to.relativePath);
      return isHandlers && !isTest(path)
        ? `imports '${specifier}': handlers are for the API only; import the use case or the .sql.ts instead`
        : undefined;
    },
  },
];
