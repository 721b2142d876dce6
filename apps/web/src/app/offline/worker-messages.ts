/** From a page to a new build that waits: somebody wants it now. */
export const TAKE_OVER = 'take over';
