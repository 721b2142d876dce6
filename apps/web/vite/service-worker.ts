import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type Rollup } from 'vite';

const SOURCE = join(import.meta.dirname, '../src/app/offline/service-worker.ts');
const START_PAGE = 'index.html';
/** Of the public folder: what the start page loads. */
const PUBLIC_FILES = ['start.js', 'icon.svg'];

interface Precached {
  readonly url: string;
  /** Null where the name itself changes with the content. */
  readonly revision: string | null;
  /** While a server is updated, one process may still answer with the file of the build before: then the worker is not installed yet. */
  readonly integrity?: string;
}

/** In development nothing is kept; what the product has installed on the same port gives way at the next visit. */
const UNINSTALL = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  await self.registration.unregister();
  for (const client of await self.clients.matchAll()) await client.navigate(client.url);
})()));
`;

/** Builds sw.js, which keeps the application's own files for opening it offline: not the public pages', which its visitors open once. */
export function serviceWorker(): Plugin {
  let publicDir = '';
  return {
    name: 'service-worker',
    enforce: 'post',
    configResolved(config) {
      publicDir = config.publicDir;
    },
    configureServer({ middlewares }) {
      middlewares.use('/sw.js', (_request, response) => {
        response.setHeader('content-type', 'text/javascript');
        response.end(UNINSTALL);
      });
    },
    async generateBundle(_options, bundle) {
      const html = bundle[START_PAGE];
      if (html?.type !== 'asset') this.error('The start page is not built yet');
      const files: Precached[] = [
        { url: `/${START_PAGE}`, revision: revisionOf(html.source), integrity: integrityOf(html.source) },
        ...PUBLIC_FILES.map((name) => ({ url: `/${name}`, revision: revisionOf(readFileSync(join(publicDir, name))) })),
        ...applicationFiles(bundle).map((name) => ({ url: `/${name}`, revision: null })),
      ];
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: await workerScript(files) });
    },
  };
}

const revisionOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex').slice(0, 16);

const integrityOf = (content: string | Uint8Array) => `sha256-${createHash('sha256').update(content).digest('base64')}`;

/** Everything the application loads, at once or later, with its styles and fonts. */
function applicationFiles(bundle: Rollup.OutputBundle): string[] {
  const entry = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.isEntry && file.moduleIds.some((id) => id.endsWith('/src/app/main.tsx')),
  );
  const found = new Set<string>();
  const queue = entry ? [entry.fileName] : [];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const file = bundle[name];
    if (file?.type !== 'chunk' || found.has(name)) continue;
    found.add(name);
    queue.push(...file.imports, ...file.dynamicImports);
  }
  const styled = Object.keys(bundle).filter((name) => /^assets\/.*\.(css|woff2)$/.test(name));
  return [...found, ...styled].toSorted();
}

async function workerScript(files: readonly Precached[]): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { PRECACHED: JSON.stringify(files), 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input: SOURCE, output: { format: 'iife', entryFileNames: 'sw.js' } },
    },
  });
  const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : 'output' in built ? built.output : [];
  const script = outputs.find((file) => file.type === 'chunk');
  if (!script) throw new Error('The service worker is in no chunk');
  return script.code;
}
