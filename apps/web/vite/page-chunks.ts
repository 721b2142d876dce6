import { readFileSync } from 'node:fs';
import type { Plugin, Rollup } from 'vite';

/** What the server tells the browser to load at once for a page. */
interface PageChunks {
  /** As the router writes it: '/customers/$id'. */
  readonly path: string;
  /** Whether it needs a signed-in person, and is shown in the shell. */
  readonly in_shell: boolean;
  /** Its heading, where that is known before the page is: on lists and empty forms. */
  readonly title: string;
  readonly urls: readonly string[];
}

const ROUTES = '/src/app/routes/';
const COMPONENT = '?tsr-split=component';
const SHELL = '_shell';

/** Writes the chunks of each page beside the build, so that its HTML can name them before any script has run. */
export function pageChunks(): Plugin {
  return {
    name: 'page-chunks',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const routes = chunks.flatMap((chunk) => chunk.moduleIds.flatMap((id) => (routeOf(id) ? [{ id, route: routeOf(id), chunk }] : [])));
      const shell = routes.find(({ route }) => route === SHELL)?.chunk;
      const entry = chunks.find(({ isEntry, moduleIds }) => isEntry && moduleIds.some((id) => id.endsWith('/src/app/main.tsx')));
      if (!shell || !entry) this.error('The entry or the shell is in no chunk');
      const known = closureOf([entry], bundle);
      const pages = routes.flatMap(({ id, route = '', chunk }): PageChunks[] => {
        if (route === SHELL || route.startsWith('__')) return [];
        const isInShell = route.startsWith(`${SHELL}/`);
        const files = closureOf(isInShell ? [shell, chunk] : [chunk], bundle);
        const urls = [...files].filter((file) => !known.has(file)).map((file) => `/${file}`);
        return [{ path: pathOf(route), in_shell: isInShell, title: titleOf(id), urls }];
      });
      this.emitFile({ type: 'asset', fileName: 'page-chunks.json', source: JSON.stringify(pages) });
    },
  };
}

/** 'customers.$id' for the component of the file routes/_shell/customers.$id.tsx. */
function routeOf(id: string): string | undefined {
  const [, file] = id.split(ROUTES);
  return file?.endsWith(COMPONENT) ? file.slice(0, -COMPONENT.length).replace(/\.tsx?$/, '') : undefined;
}

/** Of the `staticData` of lists and forms; the page of a record starts with the name of that. */
function titleOf(id: string): string {
  const source = readFileSync(id.slice(0, -COMPONENT.length), 'utf8');
  const isKnown = !id.includes('$') && /keepsScroll: true|focusesField: true/.test(source);
  return (isKnown && /title: '([^']+)'/.exec(source)?.[1]) || '';
}

function pathOf(route: string): string {
  return `/${route
    .replace(`${SHELL}/`, '')
    .replaceAll('.', '/')
    .replace(/\/?index$/, '')}`;
}

/** The files of these chunks and of everything they import at once. */
function closureOf(chunks: readonly Rollup.OutputChunk[], bundle: Rollup.OutputBundle): ReadonlySet<string> {
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
