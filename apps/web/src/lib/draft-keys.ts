/** Builds a key for sessionStorage, which is cleared when the tab closes. */
export const buildSessionDraftKey = (person: string, path: string, part = '') => `callout-draft ${person} ${path} ${part}`;

/** Builds a key prefix for localStorage, which is not cleared when the tab closes. */
export const buildPersistentDraftKey = (person: string, path: string, part: string) => `callout-lasting-draft ${person} ${path} ${part}`;

/** Returns true if the key belongs to a session or persistent draft of this person. */
export const isDraftKeyFor = (person: string, key: string) => key.includes(`draft ${person} `);

export const listPersistentDraftKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('callout-lasting-draft'));

const signedOutPeople = new Set<string>();

/** Call after sign-out: drafts may hold customer data, and the browser may be shared. Other people's drafts stay. */
export function clearDrafts(person: string): void {
  signedOutPeople.add(person);
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) if (isDraftKeyFor(person, key)) storage.removeItem(key);
  }
}

/** Returns false after sign-out, so that an open form doesn't save its draft again. */
export const canSaveDrafts = (person: string) => !signedOutPeople.has(person);

/** Call when the person has signed in again. */
export const allowSavingDrafts = (person: string) => void signedOutPeople.delete(person);
