import { expect, test } from 'vitest';
import { type BuildCache, evictOldBuilds, recordNewestBuild } from './build-cache.ts';

const toUrl = (path: string) => new URL(path, location.href).href;

/** Creates an in-memory fake of the browser's Cache. */
function createFakeCache() {
  const files = new Map<string, Response>();
  const getUrl = (request: RequestInfo | URL) => toUrl(request instanceof Request ? request.url : String(request));
  const cache: BuildCache = {
    keys: async () => [...files.keys()].map((url) => new Request(url)),
    match: async (request) => files.get(getUrl(request))?.clone(),
    put: async (request, response) => void files.set(getUrl(request), response),
    delete: async (request) => files.delete(getUrl(request)),
  };
  const put = (names: readonly string[]) => {
    for (const name of names) files.set(toUrl(name), new Response());
  };
  return {
    put,
    startInstall: (names: readonly string[]) => recordNewestBuild(cache, names.map(toUrl)),
    async install(names: readonly string[]) {
      await recordNewestBuild(cache, names.map(toUrl));
      put(names);
    },
    activate: (names: readonly string[]) => evictOldBuilds(cache, names.map(toUrl)),
    listAssets: () => [...files.keys()].map((url) => new URL(url).pathname).filter((path) => path.startsWith('/assets/')),
  };
}

const [A, B, C] = [['/assets/a.js', '/assets/same.js'], ['/assets/b.js', '/assets/same.js'], ['/assets/c.js']] as const;

test('evicts every build except the active and the previous one', async () => {
  const cache = createFakeCache();
  for (const build of [A, B]) {
    await cache.install(build);
    await cache.activate(build);
  }
  expect(cache.listAssets()).toEqual(['/assets/a.js', '/assets/same.js', '/assets/b.js']);
  await cache.install(C);
  await cache.activate(C);
  expect(cache.listAssets()).toEqual(['/assets/same.js', '/assets/b.js', '/assets/c.js']);
});

test('keeps the files of a build that is still installing when another one activates', async () => {
  const cache = createFakeCache();
  await cache.install(A);
  await cache.activate(A);
  await cache.install(B);
  await cache.startInstall([...C, '/assets/late.js']);
  cache.put(C);
  await cache.activate(B);
  cache.put(['/assets/late.js']);
  expect(cache.listAssets()).toEqual(['/assets/a.js', '/assets/same.js', '/assets/b.js', '/assets/c.js', '/assets/late.js']);
  await cache.activate([...C, '/assets/late.js']);
  expect(cache.listAssets()).toEqual(['/assets/same.js', '/assets/b.js', '/assets/c.js', '/assets/late.js']);
});
