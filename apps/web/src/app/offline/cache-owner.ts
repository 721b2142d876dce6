const OWNER_KEY = 'callout-kept-by';
/** Stored in place of the owner until the cached data has been deleted. */
const PENDING_DELETION = '';

/** Returns the person whose data is cached for offline use. Synchronous, unlike reading the data itself from IndexedDB. */
export const findCacheOwner = () => localStorage.getItem(OWNER_KEY) || undefined;

/** Throws if the browser's storage is full. */
export function setCacheOwner(person: string): void {
  if (findCacheOwner() !== person) localStorage.setItem(OWNER_KEY, person);
}

/** Call when a session ends, so that the next person at this browser can't see its data. Removes the owner first, then the data. */
export async function clearOfflineCache(): Promise<void> {
  if (localStorage.getItem(OWNER_KEY) === null) return;
  localStorage.setItem(OWNER_KEY, PENDING_DELETION);
  try {
    const { deletePersistedQueries } = await import('./persisted-queries.ts');
    await deletePersistedQueries();
    if (findCacheOwner() === undefined) localStorage.removeItem(OWNER_KEY);
  } catch {
    // Without an owner the data is never restored, and the next attempt deletes it.
  }
}
