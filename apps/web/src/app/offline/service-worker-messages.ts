/** Sent by a page to a waiting service worker, which then activates without waiting for other tabs to close. */
export const SKIP_WAITING_MESSAGE = 'take over';
