import { readFileSync } from 'node:fs';
import type { Plugin, Rollup } from 'vite';

/** The chunks that the server preloads for one page. */
interface PageChunks {
  /** Path pattern in the router's notation, such as '/customers/$id'. */
  readonly path: string;
  /** True if the page requires sign-in and appears inside the shell. */
  readonly in_shell: boolean;
  /** Heading of a list or an empty form. '' if the heading depends on data. */
  readonly title: string;
  readonly urls: readonly string[];
}

const ROUTES_FOLDER = '/src/app/routes/';
const COMPONENT_SUFFIX = '?tsr-split=component';
const SHELL_ROUTE = '_shell';

/** Writes page-chunks.json, which the server uses to add preload tags to the HTML, so that chunks load before any script runs. */
export function emitPageChunks(): Plugin {
  return {
    name: 'page-chunks',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const routes = chunks.flatMap((chunk) =>
        chunk.moduleIds.flatMap((id) => (findRouteName(id) ? [{ id, route: findRouteName(id), chunk }] : [])),
      );
      const shell = routes.find(({ route }) => route === SHELL_ROUTE)?.chunk;
      const entry = chunks.find(({ isEntry, moduleIds }) => isEntry && moduleIds.some((id) => id.endsWith('/src/app/main.tsx')));
      if (!shell || !entry) this.error('No chunk contains the entry or the shell');
      const entryFiles = collectChunkFiles([entry], bundle);
      const pages = routes.flatMap(({ id, route = '', chunk }): PageChunks[] => {
        if (route === SHELL_ROUTE || route.startsWith('__')) return [];
        const isInShell = route.startsWith(`${SHELL_ROUTE}/`);
        const files = collectChunkFiles(isInShell ? [shell, chunk] : [chunk], bundle);
        const urls = [...files].filter((file) => !entryFiles.has(file)).map((file) => `/${file}`);
        return [{ path: toUrlPath(route), in_shell: isInShell, title: readPageTitle(id), urls }];
      });
      this.emitFile({ type: 'asset', fileName: 'page-chunks.json', source: JSON.stringify(pages) });
    },
  };
}

/** Returns the route's name if the module is a route's component: '_shell/customers.$id' for routes/_shell/customers.$id.tsx. */
function findRouteName(id: string): string | undefined {
  const [, file] = id.split(ROUTES_FOLDER);
  return file?.endsWith(COMPONENT_SUFFIX) ? file.slice(0, -COMPONENT_SUFFIX.length).replace(/\.tsx?$/, '') : undefined;
}

/** Reads the title of a list or form page from its `staticData`. Record pages use the record's name instead. */
function readPageTitle(id: string): string {
  const source = readFileSync(id.slice(0, -COMPONENT_SUFFIX.length), 'utf8');
  const isKnown = !id.includes('$') && /restoresScroll: true|focusesFirstField: true/.test(source);
  return (isKnown && /title: '([^']+)'/.exec(source)?.[1]) || '';
}

function toUrlPath(route: string): string {
  return `/${route
    .replace(`${SHELL_ROUTE}/`, '')
    .replaceAll('.', '/')
    .replace(/\/?index$/, '')}`;
}

/** Returns the files of these chunks and of all chunks they import statically. */
function collectChunkFiles(chunks: readonly Rollup.OutputChunk[], bundle: Rollup.OutputBundle): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [...chunks];
  for (let chunk = queue.pop(); chunk; chunk = queue.pop()) {
    if (found.has(chunk.fileName)) continue;
    found.add(chunk.fileName);
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') queue.push(imported);
    }
  }
  return found;
}
