interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

interface ChunkGroup {
  readonly name: string | ((id: string, graph: ModuleGraph) => string | null);
  readonly debugName?: string;
  readonly test?: (id: string) => boolean;
  readonly minShareCount?: number;
}

const ofPackages =
  (...names: readonly string[]) =>
  (id: string) =>
    names.some((name) => id.includes(`/node_modules/${name}/`));

const isForms = ofPackages('react-hook-form');
const isTabs = ofPackages('@base-ui/react/tabs', '@base-ui/react/accordion');
const isToast = ofPackages('@base-ui/react/toast');
const isZod = ofPackages('zod');
/** What only some pages load. */
const isOptional = (id: string) =>
  isForms(id) ||
  isTabs(id) ||
  isZod(id) ||
  ofPackages('@base-ui/react/dialog', '@base-ui/react/menu', '@dnd-kit', '@tanstack/react-virtual', '@tanstack/virtual-core')(id);

const isFramework = ofPackages(
  '@orpc',
  '@tanstack/history',
  '@tanstack/query-core',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-store',
  '@tanstack/router-core',
  '@tanstack/store',
  'zustand',
);

/** Its index imports every icon; following it would give each page all of them. Public pages import theirs one by one. */
const ICON_INDEX = '/lucide-react.mjs';

/** The modules themselves and everything they import statically, directly or not. */
function importsOf(ids: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [...ids];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id) || id.endsWith(ICON_INDEX)) continue;
    found.add(id);
    queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/** The design system and sign-in are small, and the first page needs them: they are part of the entry. */
const isBasic = (id: string) => id.includes('/src/ui/') || id.includes('/src/features/auth/');

/** What the page of a job and a running timer on any other page share: pages without a timer do without. */
const isTimer = (id: string) => ['timer-bar', 'timer-button', 'timer-commands'].some((name) => id.includes(`/features/timer/${name}.`));

/** In the script of its own page: it would start on every other one. */
const isOfOnePublicPage = (id: string) => id.endsWith('.html') || id.includes('/public/') || id.endsWith('/app/public-page.tsx');

/** A chunk of the modules for which `belongs` is true. */
function chunkOf(name: string, belongs: (id: string, graph: ModuleGraph) => boolean, minShareCount = 1): ChunkGroup {
  return { debugName: name, name: (id, graph) => (belongs(id, graph) ? name : null), minShareCount };
}

/**
 * What routes share, in a few chunks: a page makes few requests and loads no library that it does not use. Everything else is
 * in the chunk of its route. The first group that fits a module gets it, together with what the module imports.
 */
export function chunkGroups(appPage: string, publicPages: readonly string[]): ChunkGroup[] {
  const needs = (isPart: (id: string) => boolean) => (id: string, graph: ModuleGraph) => [...importsOf([id], graph)].some(isPart);
  const isLight = (id: string, graph: ModuleGraph) => !needs(isOptional)(id, graph);
  return [
    { name: 'react', test: ofPackages('react', 'react-dom', 'scheduler', 'use-sync-external-store') },
    { name: 'framework', test: isFramework },
    { name: 'toast', test: isToast },
    { name: 'tabs', test: isTabs },
    { name: 'popups', test: ofPackages('@base-ui', '@floating-ui') },
    chunkOf('public', (id, graph) => importsOf(publicPages, graph).has(id) && !isOfOnePublicPage(id)),
    chunkOf('app', (id, graph) => importsOf([appPage], graph).has(id) || (isBasic(id) && isLight(id, graph))),
    chunkOf('shared', (id, graph) => isLight(id, graph) && !isTimer(id), 2),
    chunkOf('timer', isTimer),
    chunkOf('schemas', needs(isZod), 2),
    chunkOf('forms', needs(isForms), 2),
  ];
}
