import { getRequestHeaders, isSignedInPerson } from '../../lib/request-identity.ts';
import { THUMBNAIL_CACHE } from './service-worker-messages.ts';

const MAX_THUMBNAILS = 200;
const MAX_BYTES = 15_000_000;

/** Stores these thumbnails, as many as there is room for, and removes all others. The service worker then serves them. */
export async function storeThumbnails(urls: readonly string[], person: string): Promise<void> {
  if (!('caches' in window)) return;
  const cache = await caches.open(THUMBNAIL_CACHE);
  const wanted = [...new Set(urls)].slice(0, MAX_THUMBNAILS).map((url) => new URL(url, window.location.origin).href);
  for (const request of await cache.keys()) if (!wanted.includes(request.url)) await cache.delete(request);
  let bytes = 0;
  for (const url of wanted) {
    const response = (await cache.match(url, { ignoreVary: true })) ?? (await fetch(url, { headers: getRequestHeaders() }));
    bytes += Number(response.headers.get('content-length'));
    if (bytes > MAX_BYTES || !isSignedInPerson(person)) return;
    // The bytes behind a URL never change. A missing thumbnail may be that of a photo whose comment has just been deleted.
    if (response.ok && !(await cache.match(url, { ignoreVary: true }))) await cache.put(url, response);
  }
}

export async function deleteThumbnails(): Promise<void> {
  if ('caches' in window) await caches.delete(THUMBNAIL_CACHE);
}
