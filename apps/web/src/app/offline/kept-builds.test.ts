import { expect, test } from 'vitest';
import { type BuildCache, forgetOlderBuilds, noteNewestBuild } from './kept-builds.ts';

const urlOf = (path: string) => new URL(path, location.href).href;

/** A browser's cache, and what a worker does with it. */
function createCache() {
  const files = new Map<string, Response>();
  const urlAsked = (asked: RequestInfo | URL) => urlOf(asked instanceof Request ? asked.url : String(asked));
  const cache: BuildCache = {
    keys: async () => [...files.keys()].map((url) => new Request(url)),
    match: async (asked) => files.get(urlAsked(asked))?.clone(),
    put: async (asked, response) => void files.set(urlAsked(asked), response),
    delete: async (asked) => files.delete(urlAsked(asked)),
  };
  const put = (names: readonly string[]) => {
    for (const name of names) files.set(urlOf(name), new Response());
  };
  return {
    put,
    startInstall: (names: readonly string[]) => noteNewestBuild(cache, names.map(urlOf)),
    async install(names: readonly string[]) {
      await noteNewestBuild(cache, names.map(urlOf));
      put(names);
    },
    activate: (names: readonly string[]) => forgetOlderBuilds(cache, names.map(urlOf)),
    kept: () => [...files.keys()].map((url) => new URL(url).pathname).filter((path) => path.startsWith('/assets/')),
  };
}

const [A, B, C] = [['/assets/a.js', '/assets/same.js'], ['/assets/b.js', '/assets/same.js'], ['/assets/c.js']] as const;

test('the files of the active build and of the one before are kept', async () => {
  const cache = createCache();
  for (const build of [A, B]) {
    await cache.install(build);
    await cache.activate(build);
  }
  expect(cache.kept()).toEqual(['/assets/a.js', '/assets/same.js', '/assets/b.js']);
  await cache.install(C);
  await cache.activate(C);
  expect(cache.kept()).toEqual(['/assets/same.js', '/assets/b.js', '/assets/c.js']);
});

test('a build that becomes active while the next one is installed deletes nothing of it', async () => {
  const cache = createCache();
  await cache.install(A);
  await cache.activate(A);
  await cache.install(B);
  await cache.startInstall([...C, '/assets/late.js']);
  cache.put(C);
  await cache.activate(B);
  cache.put(['/assets/late.js']);
  expect(cache.kept()).toEqual(['/assets/a.js', '/assets/same.js', '/assets/b.js', '/assets/c.js', '/assets/late.js']);
  await cache.activate([...C, '/assets/late.js']);
  expect(cache.kept()).toEqual(['/assets/same.js', '/assets/b.js', '/assets/c.js', '/assets/late.js']);
});
