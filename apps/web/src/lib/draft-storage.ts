/** Of a draft that ends with its tab. */
export const draftKey = (person: string, path: string, part = '') => `callout-draft ${person} ${path} ${part}`;

/** Of one that outlives its tab. */
export const lastingDraftKey = (person: string, path: string, part: string) => `callout-lasting-draft ${person} ${path} ${part}`;

/** Of either kind. */
export const isDraftOf = (person: string, key: string) => key.includes(`draft ${person} `);

export const lastingDraftKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('callout-lasting-draft'));

const signedOut = new Set<string>();

/** After signing out: they hold customers and costs, and the next person at this browser may be anybody. What others typed stays theirs. */
export function clearDrafts(person: string): void {
  signedOut.add(person);
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) if (isDraftOf(person, key)) storage.removeItem(key);
  }
}

/** A form that is open while its person signs out must not write its draft again. */
export const mayKeepDrafts = (person: string) => !signedOut.has(person);

/** They are signed in again. */
export const allowDrafts = (person: string) => void signedOut.delete(person);
