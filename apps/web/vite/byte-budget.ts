import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** What counts of a piece of the build. */
export interface Piece {
  readonly fileName: string;
  readonly isEntry: boolean;
  /** The path of the route whose page starts here. */
  readonly route: string | undefined;
  readonly imports: readonly string[];
  /** Compressed. */
  readonly bytes: number;
}

const KB = 1024;
/** The first screen is the entry, the shell and the dashboard. */
const FIRST_SCREEN = new Set(['/_shell', '/_shell/dashboard']);
const FIRST_SCREEN_LIMIT = 120 * KB;
export const CSS_LIMIT = 10 * KB;

/** Compressed JavaScript a route may add to the entry. */
const LIMITS: readonly (readonly [RegExp, number])[] = [
  [/^\/(quote|invoice)\//, 10 * KB],
  [/calendar$/, 90 * KB],
  [/^\/(auth|onboarding)$|\/(new|edit|add|settings)$|\/\$id$/, 85 * KB],
  [/.*/, 50 * KB],
];

function closure(pieces: ReadonlyMap<string, Piece>, from: string, into = new Set<string>()): Set<string> {
  const piece = pieces.get(from);
  if (!piece || into.has(from)) return into;
  into.add(from);
  for (const next of piece.imports) closure(pieces, next, into);
  return into;
}

const line = (what: string, bytes: number, limit: number) => `${what}: ${(bytes / KB).toFixed(1)} kB of ${limit / KB} kB`;

export interface BudgetReport {
  readonly lines: readonly string[];
  readonly over: readonly string[];
}

/** What each route loads besides the entry, against its limit. */
export function checkBudget(all: readonly Piece[]): BudgetReport {
  const pieces = new Map(all.map((piece) => [piece.fileName, piece]));
  const sum = (names: Iterable<string>) => [...names].reduce((bytes, name) => bytes + (pieces.get(name)?.bytes ?? 0), 0);
  const entry = new Set(all.filter((piece) => piece.isEntry).flatMap((piece) => [...closure(pieces, piece.fileName)]));
  const first = all.filter(({ route }) => route !== undefined && FIRST_SCREEN.has(route));
  const firstScreen = new Set([...entry, ...first.flatMap(({ fileName }) => [...closure(pieces, fileName)])]);
  const rows: [string, number, number][] = [['entry, shell and dashboard', sum(firstScreen), FIRST_SCREEN_LIMIT]];
  for (const piece of all) {
    const { route } = piece;
    if (route === undefined) continue;
    const own = sum([...closure(pieces, piece.fileName)].filter((name) => !entry.has(name)));
    const limit = LIMITS.find(([pattern]) => pattern.test(route))?.[1] ?? 0;
    rows.push([route, own, limit]);
  }
  return {
    lines: rows.toSorted((a, b) => b[1] - a[1]).map((row) => line(...row)),
    over: rows.filter(([, bytes, limit]) => bytes > limit).map((row) => line(...row)),
  };
}

const ROUTE_FILE = /\/routes(\/.+)\.tsx?\?tsr-split=component/;

/** jobs.$id.edit and jobs/$id/edit are the same route. */
function routeOf(module: string | null): string | undefined {
  return ROUTE_FILE.exec(module ?? '')?.[1]
    ?.replaceAll('.', '/')
    .replace(/\/index$/, '');
}

/** Fails the build when a page grows too heavy for a bad line. */
export function byteBudget(): Plugin {
  return {
    name: 'byte-budget',
    apply: 'build',
    enforce: 'post',
    writeBundle(_options, bundle) {
      const parts = Object.values(bundle);
      const pieces = parts
        .filter((part) => part.type === 'chunk')
        .map(({ fileName, isEntry, facadeModuleId, imports, code }) => {
          return { fileName, isEntry, route: routeOf(facadeModuleId), imports, bytes: gzipSync(code, { level: 9 }).length };
        });
      const styles = parts.filter((part) => part.type === 'asset' && part.fileName.endsWith('.css'));
      const css = styles.reduce((bytes, part) => bytes + gzipSync('source' in part ? part.source : '').length, 0);
      const { lines, over } = checkBudget(pieces);
      this.info(['compressed JavaScript by route', ...lines, line('css', css, CSS_LIMIT)].join('\n  '));
      const broken = css > CSS_LIMIT ? [...over, line('css', css, CSS_LIMIT)] : over;
      if (broken.length > 0) this.error(`Over the byte budget:\n  ${broken.join('\n  ')}`);
    },
  };
}
