/** What is used of the cache that has the files of all kept builds. */
export type BuildCache = Pick<Cache, 'match' | 'put' | 'keys' | 'delete'>;

/** In the same cache, under URLs that nobody asks for: the files of the build that was active before, and of the newest one. */
const LAST_BUILD = '/last-build';
const NEWEST_BUILD = '/newest-build';

/** Before the first file of a build is put there: the build that becomes active at that moment must not delete what it does not know. */
export async function noteNewestBuild(cache: BuildCache, files: readonly string[]): Promise<void> {
  await cache.put(NEWEST_BUILD, Response.json(files));
}

/** Keeps the files of the active build, of the one before, which tabs may still have open, and of one that is being installed. */
export async function forgetOlderBuilds(cache: BuildCache, active: readonly string[]): Promise<void> {
  const requests = await cache.keys();
  const notes = [LAST_BUILD, NEWEST_BUILD].map((path) => new URL(path, location.href).href);
  const kept = new Set([...active, ...notes]);
  for (const note of notes) for (const file of await filesOf(cache, note)) kept.add(file);
  for (const request of requests) if (!kept.has(request.url)) await cache.delete(request);
  await cache.put(LAST_BUILD, Response.json(active));
}

const filesOf = async (cache: BuildCache, note: string) => ((await (await cache.match(note))?.json()) ?? []) as string[];
