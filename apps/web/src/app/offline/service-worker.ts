import { PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { REQUEST_HEADERS } from '../../lib/request.ts';
import { evictOldBuilds, recordNewestBuild } from './build-cache.ts';
import { SKIP_WAITING_MESSAGE, THUMBNAIL_CACHE } from './service-worker-messages.ts';

/** The part of the service worker scope that this file uses, declared because TypeScript's DOM types don't include it. */
interface ServiceWorkerScope {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
declare const self: ServiceWorkerScope;

/** The files of this build, inlined by vite/service-worker.ts. */
declare const PRECACHE_MANIFEST: PrecacheEntry[];

const CACHE_NAME = 'callout-build';
const START_PAGE = '/index.html';

const precache = new PrecacheController({ cacheName: CACHE_NAME });
precache.addToCacheList(PRECACHE_MANIFEST);

const listBuildUrls = () => [...precache.getURLsToCacheKeys().values()];

self.addEventListener('install', (event) => event.waitUntil(install(event)));

async function install(event: ExtendableEvent): Promise<void> {
  await recordNewestBuild(await caches.open(CACHE_NAME), listBuildUrls());
  await precache.install(event);
}

// Open every page of the app from the cached index.html, even when online. Public pages, files and API requests are excluded.
registerRoute(
  new NavigationRoute(precache.createHandlerBoundToURL(START_PAGE), {
    denylist: [/^\/(api|assets|quote|invoice)(\/|$)/, /^[^?]*\.\w+(\?|$)/],
  }),
);
registerRoute(new PrecacheRoute(precache, { directoryIndex: '', cleanURLs: false }));
// Tabs opened before an update still request the old build's chunks, which only the cache may still have.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  async ({ request }) => (await caches.match(request, { cacheName: CACHE_NAME })) ?? fetch(request),
);

// The day pack's thumbnails, which pages store. Their bytes never change, and the end of a session deletes them. All others come from the
// server itself: the headers keep it from redirecting to a bucket, from which a worker may not read.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && /^\/api\/files\/[^/]+\/thumbnail$/.test(url.pathname),
  async ({ request: { url } }) =>
    (await caches.match(url, { cacheName: THUMBNAIL_CACHE, ignoreVary: true })) ?? fetch(url, { headers: REQUEST_HEADERS }),
);

// A new build waits until the last tab closes, or until a page sends this message because the user chose to reload.
self.addEventListener('message', ({ data }) => {
  if (data === SKIP_WAITING_MESSAGE) void self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([evictOldFiles(), self.clients.claim()])));

/** Replaces Workbox's cleanup, which would also delete the previous build although open tabs may still need its files. */
async function evictOldFiles(): Promise<void> {
  await evictOldBuilds(await caches.open(CACHE_NAME), listBuildUrls());
}
