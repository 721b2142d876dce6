/** The part of the Cache API used to cache builds. One cache holds the files of several builds. */
export type BuildCache = Pick<Cache, 'match' | 'put' | 'keys' | 'delete'>;

/** URLs of two cache entries that list the files of the previous build and of the newest build. No page requests these URLs. */
const PREVIOUS_BUILD_URL = '/last-build';
const NEWEST_BUILD_URL = '/newest-build';

/** Records the files of a new build. Call before caching the files; otherwise another build that activates would evict them. */
export async function recordNewestBuild(cache: BuildCache, files: readonly string[]): Promise<void> {
  await cache.put(NEWEST_BUILD_URL, Response.json(files));
}

/** Deletes all files except those of the active build, the previous build (open tabs may still run it) and the newest build. */
export async function evictOldBuilds(cache: BuildCache, active: readonly string[]): Promise<void> {
  const requests = await cache.keys();
  const listUrls = [PREVIOUS_BUILD_URL, NEWEST_BUILD_URL].map((path) => new URL(path, location.href).href);
  const keptUrls = new Set([...active, ...listUrls]);
  for (const listUrl of listUrls) for (const url of await readRecordedFiles(cache, listUrl)) keptUrls.add(url);
  for (const request of requests) if (!keptUrls.has(request.url)) await cache.delete(request);
  await cache.put(PREVIOUS_BUILD_URL, Response.json(active));
}

const readRecordedFiles = async (cache: BuildCache, listUrl: string) => ((await (await cache.match(listUrl))?.json()) ?? []) as string[];
