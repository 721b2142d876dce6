const KEPT_BY = 'callout-kept-by';
/** Of data that is to be forgotten, until it is. */
const NOBODY = '';

/** Whose data this browser keeps for starts without a connection. Read and written at once, unlike the data itself. */
export const keptBy = () => localStorage.getItem(KEPT_BY) || undefined;

/** Fails in a browser without room. */
export function markKept(person: string): void {
  if (keptBy() !== person) localStorage.setItem(KEPT_BY, person);
}

/** When a session ends, in whatever way: whoever opens this browser next may be anybody. From now on nothing of it is shown any more. */
export async function forgetKept(): Promise<void> {
  if (localStorage.getItem(KEPT_BY) === null) return;
  localStorage.setItem(KEPT_BY, NOBODY);
  try {
    const { deleteQueries } = await import('./kept-queries.ts');
    await deleteQueries();
    if (keptBy() === undefined) localStorage.removeItem(KEPT_BY);
  } catch {
    // The mark stays: the next start tries again.
  }
}
