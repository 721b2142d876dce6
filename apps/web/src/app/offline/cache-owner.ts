const OWNER_KEY = 'callout-kept-by';
/** Replaces the owner's id from the end of a session until the cached data has been deleted. */
const PENDING_DELETION = '';

/** Returns the id of the person whose data is cached for offline use. Synchronous, unlike reading the data from IndexedDB. */
export const findCacheOwner = () => localStorage.getItem(OWNER_KEY) || undefined;

/** Stores who owns the cached data. Throws if the browser's storage is full. */
export function claimCache(personId: string): void {
  if (findCacheOwner() !== personId) localStorage.setItem(OWNER_KEY, personId);
}

/** Removes the cache's owner, then the data. Call when a session ends, so that the next person at this browser can't see the data. */
export async function clearOfflineCache(): Promise<void> {
  if (localStorage.getItem(OWNER_KEY) === null) return;
  localStorage.setItem(OWNER_KEY, PENDING_DELETION);
  try {
    const { deleteStoredData } = await import('./persisted-queries.ts');
    await deleteStoredData();
    if (findCacheOwner() === undefined) localStorage.removeItem(OWNER_KEY);
  } catch {
    // Ignored: data without an owner is never restored, and the next call deletes it.
  }
}
