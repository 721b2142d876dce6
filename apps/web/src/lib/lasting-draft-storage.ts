const PREFIX = 'callout-lasting-draft';

export const lastingDraftKey = (person: string, path: string, part: string) => `${PREFIX} ${person} ${path} ${part}`;

export const isDraftOf = (person: string, key: string) => key.startsWith(`${PREFIX} ${person} `);

export const lastingDraftKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));

const signedOut = new Set<string>();

/** After signing out: they hold customers and costs, and the next person at this browser may be anybody. What others typed stays theirs. */
export function clearLastingDrafts(person: string): void {
  signedOut.add(person);
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) if (isDraftOf(person, key)) storage.removeItem(key);
  }
}

/** A form that is open while its person signs out must not write its draft again. */
export const mayKeepDrafts = (person: string) => !signedOut.has(person);

/** They are signed in again. */
export const allowDrafts = (person: string) => void signedOut.delete(person);
