import { PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { forgetOlderBuilds, noteNewestBuild } from './kept-builds.ts';
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

const build = new PrecacheController({ cacheName: CACHE });
build.addToCacheList(PRECACHED);

const filesOfBuild = () => [...build.getURLsToCacheKeys().values()];

self.addEventListener('install', (event) => event.waitUntil(install(event)));

async function install(event: ExtendableEvent): Promise<void> {
  await noteNewestBuild(await caches.open(CACHE), filesOfBuild());
  await build.install(event);
}

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
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([cleanUp(), self.clients.claim()])));

/** Workbox itself would keep only this build. */
async function cleanUp(): Promise<void> {
  await forgetOlderBuilds(await caches.open(CACHE), filesOfBuild());
}
