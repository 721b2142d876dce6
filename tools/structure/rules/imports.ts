import { posix } from 'node:path';
import { parseFeaturePath, parsePlatformPath } from '../features.ts';
import { isTestFile, type StructureRule } from '../source-file.ts';

/** Resolves an import to a path in this project, `npm:<package>` or `node:<module>`. */
function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const [, folder, rest = ''] = /^@callout\/(domain|contract|embedded-postgres|server|web)(?:\/(.*))?$/.exec(specifier) ?? [];
  if (folder !== undefined) return `${folder === 'server' || folder === 'web' ? 'apps' : 'packages'}/${folder}/src/${rest}`;
  if (specifier.startsWith('node:')) return specifier;
  return `npm:${specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')}`;
}

interface ImportBoundary {
  readonly from: RegExp;
  /** If set, all other imports are rejected. */
  readonly only?: RegExp;
  readonly never?: RegExp;
  readonly message: string;
}

const APP_BOUNDARIES: readonly ImportBoundary[] = [
  {
    from: /^packages\/domain\//,
    only: /^(packages\/domain\/|npm:big\.js$)/,
    message: 'domain imports only itself and big.js: its functions must run in forms, in transactions and in PDFs',
  },
  {
    from: /^packages\/contract\//,
    only: /^(packages\/(domain|contract)\/|npm:zod$|npm:@orpc\/contract$)/,
    message: 'contract only declares data: it imports nothing but domain, zod and @orpc/contract',
  },
  {
    from: /^packages\/embedded-postgres\//,
    only: /^(packages\/embedded-postgres\/|npm:pg$|node:)/,
    message: 'embedded-postgres works for any app: it imports only itself, pg and node; pass everything else as options',
  },
  {
    from: /^(packages|apps)\//,
    never: /^(apps\/[^/]+\/test\/|e2e\/|tools\/|bench\/|.*\.(test|spec|fixture)(\.tsx?)?$)/,
    message: "deployed code never imports tests, tools or benchmarks: they aren't deployed",
  },
];

const BOUNDARIES: readonly ImportBoundary[] = [
  { from: /^packages\//, never: /^apps\//, message: 'packages never import apps: move shared code into a package' },
  {
    from: /^(packages\/(domain|contract)|apps\/web)\//,
    never: /^packages\/embedded-postgres\//,
    message: 'only the server runs a database: domain, contract and the web app never import embedded-postgres',
  },
  {
    from: /^apps\/server\//,
    never: /^apps\/web\//,
    message: 'the server never imports the web app: move shared code to domain or contract',
  },
  {
    from: /^apps\/web\//,
    never: /^apps\/server\//,
    message: 'the web app never imports the server: move shared code to domain or contract',
  },
  {
    from: /^apps\/server\/src\/platform\//,
    never: /^apps\/server\/src\/(features\/|app\.|main\.)/,
    message: 'platform is independent of the features: pass them in from app.ts',
  },
  {
    from: /^apps\/server\/src\/features\//,
    never: /^apps\/server\/src\/(app\.|main\.)/,
    message: 'app.ts composes the features: a feature never imports it',
  },
  {
    from: /^apps\/web\/src\/ui\//,
    never: /^(apps\/web\/src\/(?!ui\/)|packages\/|npm:@orpc\/)/,
    message: 'ui is the design system, without features, API calls or business words: pass data in as props',
  },
  {
    from: /^apps\/web\/src\/lib\//,
    never: /^apps\/web\/src\/(features|app|public-pages)\//,
    message: 'lib is a lower layer than the features, the app and the public pages: it never imports them',
  },
  {
    from: /^apps\/web\/src\/public-pages\//,
    never: /^apps\/web\/src\/(features|app)\//,
    message: 'public-pages is shared by the public pages of all features: pass data in as props',
  },
  {
    from: /^apps\/web\/src\/features\//,
    never: /^apps\/web\/src\/app\//,
    message: 'the app composes the features: a feature never imports it',
  },
  {
    from: /^apps\/web\/src\/features\/(?!.*\.api\.tsx?$)/,
    never: /^apps\/web\/src\/lib\/(api-client|client|api)(\.tsx?)?$/,
    message: 'only <feature>.api.ts calls the API: it declares which queries each call invalidates',
  },
  {
    from: /^apps\/web\/src\/(app\/|features\/[^/]+\/(?!public\/))/,
    never: /^apps\/web\/src\/(features\/[^/]+\/public|public-pages)\//,
    message: 'public pages are a separate, lightweight entry: the app never imports them',
  },
  {
    from: /^e2e\//,
    never: /^apps\//,
    message: 'browser tests use the app from the outside: they import only domain, contract and e2e/support',
  },
];

/** This file creates a Tenant, which grants access to a company's data. Think twice before allowing another file to import it. */
const MINT_TENANT_FILE = 'apps/server/src/platform/db/mint-tenant.ts';
const TENANT_MINTING_FILES = new Set([
  'apps/server/src/platform/auth/session.sql.ts',
  'apps/server/src/platform/auth/public-links.sql.ts',
  'apps/server/src/platform/queue/task.ts',
  'apps/server/src/features/staff/invitations.sql.ts',
]);

const findWorkspace = (path: string) => /^(packages|apps)\/[^/]+\//.exec(path)?.[0];

export const IMPORT_RULES: readonly StructureRule[] = [
  {
    name: 'import-boundaries',
    checkImport: ({ specifier }, path) => {
      const target = resolveImport(path, specifier);
      const crossed = [...BOUNDARIES, ...(isTestFile(path) ? [] : APP_BOUNDARIES)].find(
        ({ from, only, never }) => from.test(path) && ((only && !only.test(target)) || never?.test(target)),
      );
      return crossed && `imports '${specifier}': ${crossed.message}`;
    },
  },
  {
    name: 'packages-by-name',
    checkImport: ({ specifier }, path) => {
      const workspace = findWorkspace(resolveImport(path, specifier));
      if (!specifier.startsWith('.') || !workspace?.startsWith('packages/') || workspace === findWorkspace(path)) return undefined;
      return `imports '${specifier}': import packages by name (@callout/domain/…), so that the boundary is visible`;
    },
  },
  {
    name: 'platform-order',
    // Tests are exempt, because they may start the whole server to check one of its layers.
    appliesTo: (path) => !isTestFile(path),
    checkFile: ({ path }) => {
      const layer = parsePlatformPath(path);
      return layer?.rank === -1
        ? `'${layer.folder}' is not in the list of platform layers: add it to tools/structure/features.ts`
        : undefined;
    },
    checkImport: ({ specifier }, path) => {
      const [from, to] = [parsePlatformPath(path), parsePlatformPath(resolveImport(path, specifier))];
      if (!from || !to || from.rank < 0 || to.rank <= from.rank) return undefined;
      return `imports '${specifier}': ${to.folder} is above ${from.folder}; take dependencies on it as parameters`;
    },
  },
  {
    name: 'tenant-access',
    appliesTo: (path) => !TENANT_MINTING_FILES.has(path) && !isTestFile(path),
    checkImport: ({ specifier }, path) =>
      resolveImport(path, specifier) === MINT_TENANT_FILE
        ? `imports '${specifier}': only sign-in, public links and the queue grant access to a company; get the Tenant from them`
        : undefined,
  },
  {
    name: 'feature-order',
    checkImport: ({ specifier }, path) => {
      const [from, to] = [parseFeaturePath(path), parseFeaturePath(resolveImport(path, specifier))];
      if (!from || !to || to.app !== from.app || to.feature === from.feature) return undefined;
      if (to.rank >= from.rank) {
        return `imports '${specifier}': ${to.feature} comes after ${from.feature} in the order of features; combine them in a route or in the later one`;
      }
      const isHandlers = /\.handlers(\.ts)?$/.test(to.relativePath);
      return isHandlers && !isTestFile(path)
        ? `imports '${specifier}': handlers are for the API only; import the use case or the .sql.ts instead`
        : undefined;
    },
  },
];
