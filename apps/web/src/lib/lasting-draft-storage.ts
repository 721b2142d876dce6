const PREFIX = 'callout-lasting-draft';

export const lastingDraftKey = (person: string, path: string, part: string) => `${PREFIX} ${person} ${path} ${part}`;

export const lastingDraftKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));

/** After signing out: they hold customers and costs, and the next person at this browser may be anybody. */
export function clearLastingDrafts(): void {
  for (const key of lastingDraftKeys()) localStorage.removeItem(key);
}
