import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type Rollup } from 'vite';

const WORKER_SOURCE = join(import.meta.dirname, '../src/app/offline/service-worker.ts');
const START_PAGE = 'index.html';
/** Files from the public folder that the start page loads. */
const PUBLIC_FILES = ['start.js', 'icon.svg'];

interface PrecacheEntry {
  readonly url: string;
  /** Identifies the file's content. Null if the file name already contains a hash. */
  readonly revision: string | null;
  /** Makes the installation fail if a server that hasn't been updated yet returns the previous build's file. */
  readonly integrity?: string;
}

/** Served during development. Removes the service worker that a production build has installed for the same port. */
const SELF_UNREGISTERING_WORKER = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  await self.registration.unregister();
  for (const client of await self.clients.matchAll()) await client.navigate(client.url);
})()));
`;

/** Builds sw.js, which caches the app's files for offline use. Leaves out public pages, because customers open them only once. */
export function buildServiceWorker(): Plugin {
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
        response.end(SELF_UNREGISTERING_WORKER);
      });
    },
    async generateBundle(_options, bundle) {
      const html = bundle[START_PAGE];
      if (html?.type !== 'asset') this.error('The bundle does not contain index.html yet');
      const files: PrecacheEntry[] = [
        { url: `/${START_PAGE}`, revision: hashRevision(html.source), integrity: hashIntegrity(html.source) },
        ...PUBLIC_FILES.map((name) => ({ url: `/${name}`, revision: hashRevision(readFileSync(join(publicDir, name))) })),
        ...listApplicationFiles(bundle).map((name) => ({ url: `/${name}`, revision: null })),
      ];
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: await buildWorkerScript(files) });
    },
  };
}

const hashRevision = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex').slice(0, 16);

const hashIntegrity = (content: string | Uint8Array) => `sha256-${createHash('sha256').update(content).digest('base64')}`;

/** Returns all files that the application imports, statically or dynamically, as well as styles and fonts. */
function listApplicationFiles(bundle: Rollup.OutputBundle): string[] {
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
  const styleFiles = Object.keys(bundle).filter((name) => /^assets\/.*\.(css|woff2)$/.test(name));
  return [...found, ...styleFiles].toSorted();
}

async function buildWorkerScript(files: readonly PrecacheEntry[]): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { PRECACHE_MANIFEST: JSON.stringify(files), 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input: WORKER_SOURCE, output: { format: 'iife', entryFileNames: 'sw.js' } },
    },
  });
  const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : 'output' in built ? built.output : [];
  const script = outputs.find((file) => file.type === 'chunk');
  if (!script) throw new Error('The build produced no service worker chunk');
  return script.code;
}
