import { APP_ENTRY, APP_ENTRY_KB, CSS_BUDGET_KB, KB, PUBLIC_ENTRY_KB, ROUTE_BUDGETS } from './budgets.ts';

/** The part of Vite's manifest that counts: every piece by the module it starts with. */
export type Manifest = Readonly<Record<string, ManifestPiece>>;

export interface ManifestPiece {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** Compressed bytes of a file of the build. */
export interface Compressed {
  readonly gzip: number;
  readonly brotli: number;
}

export interface Weight extends Compressed {
  readonly what: string;
  readonly limit: number;
}

/** A route's parts are split off as `routes/_shell/customers.$id.tsx?tsr-split=component`: the file's segments. */
function segmentsOf(key: string): readonly string[] | undefined {
  return /\/routes\/(.+)\.tsx?\?tsr-split=/.exec(key)?.[1]?.split(/[/.]/);
}

/** What starts with _ is a layout and no part of the path. */
function routeOf(key: string): string | undefined {
  const parts = segmentsOf(key)?.filter((part) => !part.startsWith('_') && !['index', 'route', 'lazy'].includes(part));
  return parts && parts.length > 0 ? `/${parts.join('/')}` : undefined;
}

/** `_shell` is around everything in `_shell/`: no page of it shows without its layout. */
function isAround(layout: string, key: string): boolean {
  const [outer, inner] = [segmentsOf(layout), segmentsOf(key)];
  return Boolean(outer && inner && outer.at(-1)?.startsWith('_') && outer.every((part, at) => inner[at] === part));
}

function closure(manifest: Manifest, keys: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const queue = [...keys];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (reached.has(key)) continue;
    reached.add(key);
    queue.push(...(manifest[key]?.imports ?? []));
  }
  return reached;
}

/** What every route of a build weighs against its budget, and the entry and the styles. */
export function weigh(manifest: Manifest, compressed: (file: string) => Compressed): Weight[] {
  const add = (files: Iterable<string>): Compressed =>
    [...new Set(files)].map(compressed).reduce((sum, { gzip, brotli }) => ({ gzip: sum.gzip + gzip, brotli: sum.brotli + brotli }), {
      gzip: 0,
      brotli: 0,
    });
  const filesOf = (keys: Iterable<string>) => [...keys].flatMap((key) => manifest[key]?.file ?? []).filter((file) => file.endsWith('.js'));

  const keys = Object.keys(manifest);
  const entry = closure(manifest, [APP_ENTRY]);
  const ofEntries = keys
    .filter((key) => manifest[key]?.isEntry)
    .map((key): Weight => {
      const kB = key === APP_ENTRY ? APP_ENTRY_KB : PUBLIC_ENTRY_KB;
      return { what: `${key} (entry)`, ...add(filesOf(closure(manifest, [key]))), limit: kB * KB };
    });
  const routes = Map.groupBy(
    keys.filter((key) => routeOf(key) !== undefined),
    (key) => routeOf(key) ?? '',
  );
  const ofRoutes = [...routes].flatMap(([route, parts]): Weight[] => {
    const budget = ROUTE_BUDGETS.find(({ routes: fit }) => fit.test(route));
    if (!budget) return [];
    const layouts = keys.filter((key) => parts.some((part) => isAround(key, part)));
    const before = new Set([...entry, ...closure(manifest, layouts)]);
    const loaded = closure(manifest, parts);
    const counted = budget.counts === 'all' ? new Set([...before, ...loaded]) : [...loaded].filter((key) => !before.has(key));
    return [{ what: `${route} (${budget.what})`, ...add(filesOf(counted)), limit: budget.kB * KB }];
  });
  return [
    ...ofEntries,
    ...ofRoutes.toSorted((a, b) => b.gzip - a.gzip),
    {
      what: 'styles',
      ...add(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css].filter((name) => name.endsWith('.css')))),
      limit: CSS_BUDGET_KB * KB,
    },
  ];
}

const kB = (bytes: number) => (bytes / KB).toFixed(1).padStart(7);

/** One line for each weight; those over their budget say by how much. */
export function table(weights: readonly Weight[]): string {
  const width = Math.max(...weights.map(({ what }) => what.length));
  const rows = weights.map(({ what, gzip, brotli, limit }) => {
    const over = gzip > limit ? `   OVER by ${kB(gzip - limit).trim()} kB` : '';
    return `${what.padEnd(width)} ${kB(gzip)} ${kB(brotli)} ${kB(limit)}${over}`;
  });
  return [`${'kB'.padEnd(width)}    gzip  brotli  budget`, ...rows].join('\n');
}

export const overBudget = (weights: readonly Weight[]) => weights.filter(({ gzip, limit }) => gzip > limit);
