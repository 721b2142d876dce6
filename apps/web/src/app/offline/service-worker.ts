import { PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { TAKE_OVER } from './worker-messages.ts';

/** What is used of a service worker's scope, which the types of a page do not know. */
interface WorkerScope {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
declare const self: WorkerScope;

/** The files of this build; vite/service-worker.ts writes them. */
declare const PRECACHED: PrecacheEntry[];

const CACHE = 'callout-build';
const START_PAGE = '/index.html';
/** In the same cache, under a URL that nobody asks for: the files of the build that was active before. */
const LAST_BUILD = '/last-build';

const build = new PrecacheController({ cacheName: CACHE });
build.addToCacheList(PRECACHED);

self.addEventListener('install', (event) => void build.install(event));

// Pages open from what is kept, also without a connection; who is signed in they ask themselves. Public pages, files and the API are not ours.
registerRoute(
  new NavigationRoute(build.createHandlerBoundToURL(START_PAGE), {
    denylist: [/^\/(api|assets|quote|invoice)(\/|$)/, /^[^?]*\.\w+(\?|$)/],
  }),
);
registerRoute(new PrecacheRoute(build, { directoryIndex: '', cleanURLs: false }));
// A tab that was opened before an update still loads its chunks by their old names.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  async ({ request }) => (await caches.match(request, { cacheName: CACHE })) ?? fetch(request),
);

// A new build waits until the last tab is closed, or until somebody wants it.
self.addEventListener('message', ({ data }) => {
  if (data === TAKE_OVER) void self.skipWaiting();
});
self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([forgetOlderBuilds(), self.clients.claim()]));
});

/** Keeps the files of this build and of the one before, which tabs may still have open. Workbox itself would keep only this one. */
async function forgetOlderBuilds(): Promise<void> {
  const cache = await caches.open(CACHE);
  const current = [...build.getURLsToCacheKeys().values()];
  const last = ((await (await cache.match(LAST_BUILD))?.json()) ?? []) as string[];
  const kept = new Set([...current, ...last, new URL(LAST_BUILD, location.href).href]);
  for (const request of await cache.keys()) if (!kept.has(request.url)) await cache.delete(request);
  await cache.put(LAST_BUILD, Response.json(current));
}
