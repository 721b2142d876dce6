/** Sent by a page to a waiting service worker, which then activates without waiting for other tabs to close. */
export const SKIP_WAITING_MESSAGE = 'take over';

/** Name of the cache in which pages store the day pack's thumbnails and from which the service worker serves them. */
export const THUMBNAIL_CACHE = 'callout-thumbnails';
