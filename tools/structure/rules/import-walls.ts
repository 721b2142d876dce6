import { posix } from 'node:path';
import { featurePlace, platformLayer } from '../features.ts';
import { isTest, type Rule } from '../rule.ts';

/** Where an import leads: a path of the house, `npm:<package>` or `node:<module>`. */
export function targetOf(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const own = /^@callout\/(domain|contract|embedded-postgres|server|web)(?:\/(.*))?$/.exec(specifier);
  if (own) {
    const [, part = '', rest = ''] = own;
    return `${part === 'server' || part === 'web' ? 'apps' : 'packages'}/${part}/src/${rest}`;
  }
  if (specifier.startsWith('node:')) return specifier;
  return `npm:${specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')}`;
}

interface Wall {
  readonly from: RegExp;
  /** Nothing but these. */
  readonly only?: RegExp;
  readonly never?: RegExp;
  readonly says: string;
}

const PRODUCT_WALLS: readonly Wall[] = [
  {
    from: /^packages\/domain\//,
    only: /^(packages\/domain\/|npm:big\.js$)/,
    says: 'domain imports only itself and big.js: the same function must run in the form, in the transaction and in the PDF',
  },
  {
    from: /^packages\/contract\//,
    only: /^(packages\/(domain|contract)\/|npm:zod$|npm:@orpc\/contract$)/,
    says: 'contract is data: it imports only domain, zod and @orpc/contract',
  },
  {
    from: /^packages\/embedded-postgres\//,
    only: /^(packages\/embedded-postgres\/|npm:pg$|node:)/,
    says: 'embedded-postgres runs PostgreSQL for any product: it imports only itself, pg and node; hand in what it needs as options',
  },
  {
    from: /^(packages|apps)\//,
    never: /^(apps\/[^/]+\/test\/|e2e\/|tools\/|bench\/|.*\.(test|spec|fixture)(\.tsx?)?$)/,
    says: 'the product never imports tests, tools or benchmarks: they are not there when it runs',
  },
];

const WALLS: readonly Wall[] = [
  { from: /^packages\//, never: /^apps\//, says: 'packages know nobody below them: move what you need up' },
  {
    from: /^(packages\/(domain|contract)|apps\/web)\//,
    never: /^packages\/embedded-postgres\//,
    says: 'only the server runs a database: domain, contract and the page never import embedded-postgres',
  },
  {
    from: /^apps\/server\//,
    never: /^apps\/web\//,
    says: 'the server never imports the page: what both need belongs to domain or contract',
  },
  {
    from: /^apps\/web\//,
    never: /^apps\/server\//,
    says: 'the page never imports the server: what both need belongs to domain or contract',
  },
  {
    from: /^apps\/server\/src\/platform\//,
    never: /^apps\/server\/src\/(features\/|app\.|main\.)/,
    says: 'platform knows no feature: hand the feature in from app.ts',
  },
  {
    from: /^apps\/server\/src\/features\//,
    never: /^apps\/server\/src\/(app\.|main\.)/,
    says: 'a feature is put together by app.ts, it does not reach back up to it',
  },
  {
    from: /^apps\/web\/src\/ui\//,
    never: /^(apps\/web\/src\/(?!ui\/)|packages\/|npm:@orpc\/)/,
    says: 'ui is the design system: it knows no feature, no call and no business word; hand in what it shows as props',
  },
  {
    from: /^apps\/web\/src\/lib\//,
    never: /^apps\/web\/src\/(features|app)\//,
    says: 'lib is below the features: it imports none of them, nor the app',
  },
  {
    from: /^apps\/web\/src\/features\//,
    never: /^apps\/web\/src\/app\//,
    says: 'features are composed by the app, they do not import it',
  },
  {
    from: /^apps\/web\/src\/features\/(?!.*\.api\.tsx?$)/,
    never: /^apps\/web\/src\/lib\/(api-client|client|api)(\.tsx?)?$/,
    says: 'only <feature>.api.ts makes calls: there stands what each one refreshes',
  },
  {
    from: /^apps\/web\/src\/app\//,
    never: /^apps\/web\/src\/features\/[^/]+\/public\//,
    says: 'public pages are an entry of their own, without the shell and its weight: the app does not import them',
  },
  {
    from: /^e2e\//,
    never: /^apps\//,
    says: 'browser tests see the product from outside: they import domain, contract and e2e/support only',
  },
];

const crosses = (wall: Wall, from: string, to: string) =>
  wall.from.test(from) && ((wall.only && !wall.only.test(to)) || (wall.never?.test(to) ?? false));

export const importWalls: Rule = {
  name: 'import-walls',
  look: ({ path, imports }) => {
    const walls = isTest(path) ? WALLS : [...WALLS, ...PRODUCT_WALLS];
    return imports.flatMap(({ specifier, index }) => {
      const to = targetOf(path, specifier);
      return walls.filter((wall) => crosses(wall, path, to)).map((wall) => ({ index, says: `imports '${specifier}': ${wall.says}` }));
    });
  },
};

export const packagesByName: Rule = {
  name: 'packages-by-name',
  look: ({ path, imports }) =>
    imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .filter(({ specifier }) => {
        const part = /^(packages|apps)\/[^/]+\//;
        const [from, to] = [part.exec(path)?.[0], part.exec(targetOf(path, specifier))?.[0]];
        return to?.startsWith('packages/') && from !== to;
      })
      .map(({ specifier, index }) => ({
        index,
        says: `imports '${specifier}': a package is imported by its name (@callout/domain/…), so that its wall shows`,
      })),
};

export const platformOrder: Rule = {
  name: 'platform-order',
  look: ({ path, imports }) => {
    const from = platformLayer(path);
    // A test may start the whole server to look at one layer of it.
    if (!from || isTest(path)) return [];
    if (from.rank < 0) {
      return [
        { index: 0, says: `'${from.folder}' is not in the list of platform layers (tools/structure/features.ts): give it its place` },
      ];
    }
    return imports.flatMap(({ specifier, index }) => {
      const to = platformLayer(targetOf(path, specifier));
      if (!to || to.rank <= from.rank) return [];
      return [{ index, says: `imports '${specifier}': ${to.folder} is above ${from.folder}; take the parts you need as parameters` }];
    });
  },
};

const MINT = 'apps/server/src/platform/db/mint-tenant.ts';
/** Who lets somebody into a company: sign-in, public links and the queue. A new one is a decision, made here. */
const MINTERS = new Set([
  'apps/server/src/platform/auth/session.sql.ts',
  'apps/server/src/platform/auth/new-company.ts',
  'apps/server/src/platform/auth/public-links.sql.ts',
  'apps/server/src/platform/queue/task-tenant.ts',
  'apps/server/src/features/staff/invitations.sql.ts',
]);

export const tenantsAreMinted: Rule = {
  name: 'tenants-are-minted',
  look: ({ path, imports }) =>
    imports
      .filter(({ specifier }) => targetOf(path, specifier) === MINT && !MINTERS.has(path) && !isTest(path))
      .map(({ specifier, index }) => ({
        index,
        says: `imports '${specifier}': only sign-in, public links and the queue let somebody into a company; take the Tenant from them`,
      })),
};

export const featureOrder: Rule = {
  name: 'feature-order',
  look: ({ path, imports }) => {
    const from = featurePlace(path);
    if (!from) return [];
    return imports.flatMap(({ specifier, index }) => {
      const to = featurePlace(targetOf(path, specifier));
      if (!to || to.app !== from.app || to.feature === from.feature) return [];
      const named = `imports '${specifier}': `;
      if (to.rank >= from.rank) {
        return [
          {
            index,
            says: `${named}${to.feature} comes after ${from.feature} in the one order of features; join them in a route or from the later one`,
          },
        ];
      }
      if (!isTest(path) && /\.handlers(\.ts)?$/.test(to.inside)) {
        return [{ index, says: `${named}handlers are the wire of their feature; import the use case or the .sql.ts instead` }];
      }
      return [];
    });
  },
};
